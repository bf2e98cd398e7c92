"""Random tensors as functions of uniform numbers, which the language draws from a counter-based generator.

With u and v uniform in [0, 1), independent:

    normal         sqrt(-2 log(1 - u)) cos(2 pi v)    (Box and Muller, Annals of Mathematical Statistics 29, 1958)
    exponential    -log(1 - u) / rate                 (inversion)
    integer        low + floor(u (high - low))
    boolean        u < p

The numbers differ from torch's, but have the same distributions; they are the same on every layout. `normal`
stays within 5.8 standard deviations of the mean, because u has 24 bits; torch's GPU generators have the same
bound.

Example: `torch.randn(3)` is `sqrt(-2 * log(1 - uniform(expand(1, 3), seed=1))) * cos(6.28 * uniform(...,
seed=...))`.
"""

from collections.abc import Mapping
from math import pi

from p2smt.frontend.torch_graph.aten_call import FLOATS, AtenCall, Handler, Lowered, Uniform
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.formula import Formula, cast, formula
from p2smt.frontend.torch_graph.lowering.sources import bernoulli, filled
from p2smt.frontend.torch_graph.view import View
from p2smt.tensor.dtype import DType
from p2smt.tensor.signature import Shape

SECOND = 1 << 40
"""The seed of v is the seed of u plus this offset."""
_BITS = 24


def uniform_numbers(emission: Emission, given: Uniform) -> View:
    """Return uniform random numbers in [offset, offset + 1)."""
    made = _uniform(emission, given.seed, given.shape, _wide(given.dtype))
    moved = Formula(emission, _wide(given.dtype), given.shape).of("add", made, given.offset)
    return cast(emission, moved, given.dtype)


def _wide(dtype: DType) -> DType:
    """Return the type in which numbers are drawn; it represents a fraction of 24 bits exactly."""
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
    """Return a handler for normal numbers; mean and deviation are the arguments at these positions."""

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
    """Return a handler for random integers; argument `first` is `low` if the overload has two bounds, else `high`."""

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
    """Return 1 with a probability per element, or one probability for all, else 0."""
    if isinstance(call.argument(1, "p"), int | float):
        return bernoulli(emission, call)
    chance = call.view(1 if call.overload == "Tensor" else 0, "p")
    wide = _wide(chance.dtype or DType.F32)
    drawn = _uniform(emission, call.seed(), call.shape, wide)
    truth = Formula(emission, DType.BOOL, call.shape).of("lt", drawn, chance)
    return truth if call.dtype is DType.BOOL else formula(emission, call).of("mul", truth, filled(1, (), call.dtype))


def _permutation(emission: Emission, call: AtenCall) -> View:
    """Return a random permutation: the order of random numbers, largest first."""
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
