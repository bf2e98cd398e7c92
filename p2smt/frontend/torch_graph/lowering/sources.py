"""Lowering of operations that create tensors, and of random ones."""

from collections.abc import Mapping
from dataclasses import replace

from p2smt.frontend.torch_graph.aten_call import FLOATS, AtenCall, Handler, Random, Result
from p2smt.frontend.torch_graph.emission import Emission, number
from p2smt.frontend.torch_graph.lowering.formula import Formula, cast, formula
from p2smt.frontend.torch_graph.view import View, plain_view, with_one
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, Number


def filled(value: float, shape: tuple[int, ...], dtype: DType) -> View:
    """A tensor filled with a number."""
    return View(number(value).expression, (), (), dtype).repeated(shape)


def _constant(value: float) -> Handler:
    def lowered(emission: Emission, call: AtenCall) -> View:
        return filled(value, call.shape, call.dtype)

    return lowered


def _full(position: int) -> Handler:
    def lowered(emission: Emission, call: AtenCall) -> View:
        return filled(call.real(position, "fill_value"), call.shape, call.dtype)

    return lowered


def _fill(emission: Emission, call: AtenCall) -> View:
    """A tensor filled with a number, or with the only element of a tensor."""
    view = call.view(1, "value")
    if view.dtype not in (call.dtype, None):
        view = cast(emission, view, call.dtype)
    return replace(emission.reshaped(view, ()) if view.sizes else view, dtype=call.dtype).repeated(call.shape)


def counted(emission: Emission, call: AtenCall, length: int, dtype: DType) -> View:
    """Return the indices 0, 1, ... below a length, created once per program."""
    key = (length, dtype)
    if key not in call.memory.counted:
        call.memory.counted[key] = counted_up(emission, length, dtype)
    return call.memory.counted[key]


def counted_up(emission: Emission, length: int, dtype: DType) -> View:
    """Return the indices 0, 1, ... below a length: cumulative sums of ones, less one."""
    ones = Call("expand", (Number(1),), ((length,),))
    sums = Call("sub", (Call("cumsum", (ones,), (0,)), Number(1)))
    return plain_view(
        emission.statement(Call("cast", (sums,), (str(dtype),)), dtype, (length,), ()).expression, (length,), dtype
    )


def _arange(emission: Emission, call: AtenCall) -> View:
    """Return an arithmetic progression; fractional steps have torch's accuracy."""
    plain = call.overload == "default"
    start = 0.0 if plain else call.real(0)
    step = call.real(2, "step", 1.0) if call.overload == "start_step" else 1.0
    whole = call.dtype not in FLOATS
    start, step = (int(start), int(step)) if whole else (start, step)
    view = counted(emission, call, call.shape[0], call.dtype)
    made = formula(emission, call)
    return made.of("add", made.of("mul", view, step), start)


def _linspace(emission: Emission, call: AtenCall) -> View:
    """Equally spaced numbers from start to end."""
    start, end, steps = call.real(0), call.real(1), call.whole(2)
    made = formula(emission, call)
    step = (end - start) / max(steps - 1, 1)
    return made.of("add", made.of("mul", counted(emission, call, steps, call.dtype), step), start)


def _triangle(lower: bool) -> Handler:
    """A handler that keeps the elements on one side of a diagonal."""

    def lowered(emission: Emission, call: AtenCall) -> View:
        view, diagonal = call.view(0), call.whole(1, "diagonal", 0)
        rows, columns = view.shape[-2:]
        index = Formula(emission, DType.I64, (rows, 1))
        row = index.of("add", with_one(counted(emission, call, rows, DType.I64), 1), diagonal)
        column = counted(emission, call, columns, DType.I64)
        mask = Formula(emission, DType.BOOL, (rows, columns))
        inside = mask.of("ge", row, column) if lower else mask.of("ge", column, row)
        if isinstance(view.expression, Number) and view.expression.value == 1 and call.dtype is DType.BOOL:
            return inside.repeated(view.shape)
        return formula(emission, call).of("where", inside, view, 0)

    return lowered


def _eye(emission: Emission, call: AtenCall) -> View:
    rows, columns = call.shape
    row = with_one(counted(emission, call, rows, DType.I64), 1)
    truth = Formula(emission, DType.BOOL, call.shape).of("eq", row, counted(emission, call, columns, DType.I64))
    return formula(emission, call).of("mul", truth, 1)


def dropped(emission: Emission, view: View, random: Random) -> View:
    """Return the tensor after dropout, scaled so that its expectation is preserved."""
    if random.share == 0:
        return view
    if random.share == 1:
        return filled(0, view.shape, view.dtype or DType.F32)
    return emission.call("dropout", [view], (random.share, random.seed))


def _dropout(emission: Emission, call: AtenCall) -> list[Result]:
    view, share = call.view(0), call.real(1)
    if call.argument(2) is False:
        return [view, Random(0.0, 0)]
    random = Random(share, call.seed())
    return [dropped(emission, view, random), random]


def _dropout_backward(emission: Emission, call: AtenCall) -> View:
    return dropped(emission, call.view(0), call.random(1))


def bernoulli(emission: Emission, call: AtenCall) -> View:
    """Return 1 with this probability, else 0: dropout of ones, without its scale."""
    chance = call.real(1, "p")
    if chance in (0, 1):
        return filled(chance, call.shape, call.dtype)
    ones = filled(1, call.shape, call.dtype)
    kept = dropped(emission, ones, Random(1 - chance, call.seed()))
    return formula(emission, call).of("gt", kept, 0) if call.dtype is DType.BOOL else _truth(emission, call, kept)


def _truth(emission: Emission, call: AtenCall, kept: View) -> View:
    truth = Formula(emission, DType.BOOL, call.shape).of("gt", kept, 0)
    return formula(emission, call).of("mul", truth, filled(1, (), call.dtype))


def _nothing(emission: Emission, call: AtenCall) -> list[Result]:
    return [None for _ in call.node.results]


SOURCES: Mapping[str, Handler] = {
    **dict.fromkeys(("zeros", "zeros_like", "new_zeros", "zero", "_efficientzerotensor"), _constant(0)),
    **dict.fromkeys(("empty", "empty_like", "new_empty", "new_empty_strided", "empty_strided"), _constant(0)),
    **dict.fromkeys(("ones", "ones_like", "new_ones"), _constant(1)),
    **dict.fromkeys(("full", "full_like"), _full(1)),
    "new_full": _full(2),
    "scalar_tensor": _full(0),
    "fill": _fill,
    "arange": _arange,
    "linspace": _linspace,
    "tril": _triangle(True),
    "triu": _triangle(False),
    "eye": _eye,
    "native_dropout": _dropout,
    "native_dropout_backward": _dropout_backward,
    **dict.fromkeys(("_assert_async", "_assert_tensor_metadata", "sym_constrain_range_for_size"), _nothing),
}
