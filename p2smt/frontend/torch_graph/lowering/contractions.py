"""Matrix products; views are folded into the labels of contractions."""

from collections.abc import Mapping

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.formula import Formula, cast
from p2smt.frontend.torch_graph.lowering.moves import padded, sliced
from p2smt.frontend.torch_graph.lowering.sources import counted
from p2smt.frontend.torch_graph.view import View, with_one
from p2smt.tensor.dtype import DType


def _product(*labels: str) -> Handler:
    *operands, result = labels

    def lowered(emission: Emission, call: AtenCall) -> View:
        views = [call.view(position) for position in range(len(operands))]
        return emission.contracted(views, operands, result)

    return lowered


def _with_sum(left: str, right: str, result: str) -> Handler:
    """Return a handler for beta * operand 0 + alpha * (product of operands 1 and 2)."""

    def lowered(emission: Emission, call: AtenCall) -> View:
        product = emission.contracted([call.view(1), call.view(2)], [left, right], result)
        made = Formula(emission, call.dtype, call.shape)
        added = made.of("mul", call.view(0), call.real(3, "beta", 1.0))
        return made.of("add", made.of("mul", product, call.real(4, "alpha", 1.0)), added)

    return lowered


def _trilinear(emission: Emission, call: AtenCall) -> View:
    """Return the product of three operands, each broadcast along the dimensions in its `expand` argument."""
    added = [set(call.wholes(position)) for position in (3, 4, 5)]
    views = [call.view(position) for position in range(3)]
    letters = "abcdefgh"[: len(views[0].shape) + len(added[0])]
    labels = [[letter for at, letter in enumerate(letters) if at not in without] for without in added]
    summed = set(call.wholes(6))
    return emission.contracted(views, labels, [each for at, each in enumerate(letters) if at not in summed])


def _weight_norm(emission: Emission, call: AtenCall) -> list[View]:
    """Return the weight norm v g / |v| of direction v and length g; norms are over all dimensions but one."""
    v, g = call.view(0), call.view(1)
    norm = _norm(emission, call, v, call.whole(2, "dim", 0))
    made = Formula(emission, call.dtype, v.shape)
    return [made.of("mul", v, Formula(emission, call.dtype, norm.shape).of("div", g, norm)), norm]


def _norm(emission: Emission, call: AtenCall, v: View, dim: int) -> View:
    squares = Formula(emission, call.dtype, v.shape).of("mul", v, v)
    sums = emission.reduced("sum", squares, _others(v, dim), True)
    return Formula(emission, call.dtype, sums.shape).of("sqrt", sums)


def _others(view: View, dim: int) -> tuple[int, ...]:
    return tuple(each for each in range(len(view.shape)) if each != dim)


def _weight_norm_backward(emission: Emission, call: AtenCall) -> list[View]:
    gradient, v, g, norm, dim = call.view(0), call.view(1), call.view(2), call.view(3), call.whole(4)
    made = Formula(emission, call.dtype, v.shape)
    row = Formula(emission, call.dtype, norm.shape)
    product = emission.reduced("sum", made.of("mul", gradient, v), _others(v, dim), True)
    along = row.of("div", product, row.of("mul", norm, norm))
    inner = made.of("sub", gradient, made.of("mul", v, along))
    return [made.of("mul", inner, row.of("div", g, norm)), row.of("div", product, norm)]


def _grouped(emission: Emission, call: AtenCall) -> View:
    """Return grouped matrix products; `offs` are cumulative group ends, and masks select each group's rows.

    A row that is in no group gives 0; so does a group without rows.
    """
    left, right, ends = call.view(0), call.view(1), call.view(2, "offs")
    inner = len(left.shape) == len(right.shape)  # rows are what is added up, once for every group
    rows = left.shape[-1] if inner else left.shape[0] if len(left.shape) == 2 else right.shape[-1]
    index, groups = counted(emission, call, rows, DType.I64), ends.shape[0]
    truth = Formula(emission, DType.BOOL, (groups, rows))
    whole = cast(emission, ends, DType.I64)
    # A row belongs to group e if offs[e - 1] <= row < offs[e]: `before` tests the upper bound.
    before = truth.of("lt", index, with_one(whole, 1))
    shifted = padded(emission, sliced(emission, whole, 0, 0, groups - 1), 0, 1, 0) if groups > 1 else None
    behind = truth.of("ge", index, 0 if shifted is None else with_one(shifted, 1))
    there = cast(emission, emission.map("mul", (before, behind), (groups, rows), DType.BOOL), call.dtype)
    if inner:
        return emission.contracted([left, right, there], ["ks", "sn", "es"], "ekn")
    if len(left.shape) == 2:
        return emission.contracted([left, right, there], ["sk", "ekn", "es"], "sn")
    return emission.contracted([left, right, there], ["emk", "ks", "es"], "ms")


CONTRACTIONS: Mapping[str, Handler] = {
    "mm": _product("mk", "kn", "mn"),
    "bmm": _product("bmk", "bkn", "bmn"),
    "mv": _product("mk", "k", "m"),
    **dict.fromkeys(("dot", "vdot"), _product("k", "k", "")),
    "addmm": _with_sum("mk", "kn", "mn"),
    "baddbmm": _with_sum("bmk", "bkn", "bmn"),
    "_grouped_mm": _grouped,
    "_trilinear": _trilinear,
    "_weight_norm_interface": _weight_norm,
    "_weight_norm_interface_backward": _weight_norm_backward,
    "addmv": _with_sum("mk", "k", "m"),
}
