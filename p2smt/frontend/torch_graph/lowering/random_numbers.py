"""Random numbers as tensors: functions of uniform ones, which the language draws by counter.

With u and v uniform from 0 to below 1, independent:

    normal         sqrt(-2 log(1 - u)) cos(2 pi v)    (Box and Muller, Annals of Mathematical Statistics 29, 1958)
    exponential    -log(1 - u) / rate                 (inversion)
    whole          low + floor(u (high - low))
    truth          u < chance

The numbers are not those of torch's generators, but have the same distributions; they are the same on every layout. Of
`normal` none is further from the mean than 5.8 standard deviations, as u has 24 bits; so wide are torch's own on GPUs.

Example: `torch.randn(3)` is `sqrt(-2 * log(1 - uniform(expand(1, 3), seed=1))) * cos(6.28 * uniform(..., seed=...))`.
"""

from collections.abc import Mapping
from math import pi

from p2smt.frontend.torch_graph.aten_call import FLOATS, AtenCall, Handler, Lowered, Uniform
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.formula import Formula, cast, formula
from p2smt.frontend.torch_graph.lowering.sources import bernoulli, filled
from p2smt.frontend.torch_graph.view import View
from p2smt.tensor.program import DType
from p2smt.tensor.signature import Shape

SECOND = 1 << 40
"""The seed of v is that of u and this."""
_BITS = 24


def uniform_numbers(emission: Emission, given: Uniform) -> View:
    """Numbers from the offset on, below the offset and 1."""
    made = _uniform(emission, given.seed, given.shape, _wide(given.dtype))
    moved = Formula(emission, _wide(given.dtype), given.shape).of("add", made, given.offset)
    return cast(emission, moved, given.dtype)


def _wide(dtype: DType) -> DType:
    """The type in which numbers are drawn: a fraction of 24 bits is exact in it."""
    return DType.F64 if dtype is DType.F64 else DType.F32


def _uniform(emission: Emission, seed: int, shape: Shape, dtype: DType) -> View:
    return emission.call("uniform", [filled(1, shape, dtype)], (seed,))


def _standard_normal(emission: Emission, call: AtenCall, dtype: DType) -> View:
    seed, made = call.seed(), Formula(emission, dtype, call.shape)
    first = _uniform(emission, seed, call.shape, dtype)
    size = made.of("sqrt", made.of("mul", made.of("log", made.of("sub", 1, first)), -2))
    angle = made.of("mul", _uniform(emission, seed + SECOND, call.shape, dtype), 2 * pi)
    return made.of("mul", size, made.of("cos", angle))


def _normal_like(emission: Emission, call: AtenCall) -> View:
    return cast(emission, _standard_normal(emission, call, _wide(call.dtype)), call.dtype)


def _scaled_normal(mean: int, deviation: int) -> Handler:
    """With mean and standard deviation, numbers or tensors, at these positions."""

    def lowered(emission: Emission, call: AtenCall) -> View:
        made = Formula(emission, _wide(call.dtype), call.shape)
        middle = call.maybe(mean, "mean") or filled(0, (), call.dtype)
        width = call.maybe(deviation, "std") or filled(1, (), call.dtype)
        drawn = _standard_normal(emission, call, _wide(call.dtype))
        return cast(emission, made.of("add", middle, made.of("mul", width, drawn)), call.dtype)

    return lowered


def _between(emission: Emission, call: AtenCall) -> Lowered:
    low, high = call.real(1, "from", 0.0), call.real(2, "to", 1.0)
    if high - low == 1:
        return Uniform(low, call.seed(), call.shape, call.dtype)
    made = Formula(emission, _wide(call.dtype), call.shape)
    drawn = _uniform(emission, call.seed(), call.shape, _wide(call.dtype))
    return cast(emission, made.of("add", made.of("mul", drawn, high - low), low), call.dtype)


def _exponential(emission: Emission, call: AtenCall) -> View:
    made = Formula(emission, _wide(call.dtype), call.shape)
    drawn = _uniform(emission, call.seed(), call.shape, _wide(call.dtype))
    rest = made.of("log", made.of("sub", 1, drawn))
    return cast(emission, made.of("div", rest, -call.real(1, "lambd", 1.0)), call.dtype)


def _whole(first: int) -> Handler:
    """Whole numbers; the argument at position `first` is the lowest where there are two, else the end."""

    def lowered(emission: Emission, call: AtenCall) -> View:
        has_low = call.overload in ("low", "low_dtype", "low_generator")
        low, high = (call.whole(first), call.whole(first + 1)) if has_low else (0, call.whole(first))
        if high - low > 1 << _BITS:
            raise call.refused(
                f"whole numbers from {low} to {high} are drawn from more than 2^{_BITS}; draw from fewer, or draw "
                "outside the step, and pass them in the batch"
            )
        drawn = _uniform(emission, call.seed(), call.shape, DType.F64)
        scaled = Formula(emission, DType.F64, call.shape).of("mul", drawn, high - low)
        whole = call.dtype if call.dtype not in FLOATS else DType.I64
        made = Formula(emission, whole, call.shape).of("add", cast(emission, scaled, whole), low)
        return cast(emission, made, call.dtype)

    return lowered


def _bernoulli(emission: Emission, call: AtenCall) -> View:
    """1 with a chance that each element has of its own, or with one for all, else 0."""
    if isinstance(call.argument(1, "p"), int | float):
        return bernoulli(emission, call)
    chance = call.view(1 if call.overload == "Tensor" else 0, "p")
    wide = _wide(chance.dtype or DType.F32)
    drawn = _uniform(emission, call.seed(), call.shape, wide)
    truth = Formula(emission, DType.BOOL, call.shape).of("lt", drawn, chance)
    return truth if call.dtype is DType.BOOL else formula(emission, call).of("mul", truth, filled(1, (), call.dtype))


def _permutation(emission: Emission, call: AtenCall) -> View:
    """The order of random numbers, from the largest."""
    drawn = _uniform(emission, call.seed(), call.shape, DType.F64)
    return emission.call("topk_indices", [drawn], call.shape, DType.I64)


RANDOM_NUMBERS: Mapping[str, Handler] = {
    **dict.fromkeys(("randn", "randn_like"), _normal_like),
    "normal_functional": _scaled_normal(1, 2),
    "normal": _scaled_normal(0, 1),
    "uniform": _between,
    "exponential": _exponential,
    "randint": _whole(0),
    "randint_like": _whole(1),
    "bernoulli": _bernoulli,
    "randperm": _permutation,
}
