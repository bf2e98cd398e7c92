"""Products of matrices; views are folded into their labels."""

from collections.abc import Mapping

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.formula import Formula
from p2smt.frontend.torch_graph.view import View


def _product(*labels: str) -> Handler:
    *operands, result = labels

    def lowered(emission: Emission, call: AtenCall) -> View:
        views = [call.view(position) for position in range(len(operands))]
        return emission.contracted(views, operands, result)

    return lowered


def _with_sum(left: str, right: str, result: str) -> Handler:
    """Beta * operand 0 + alpha * the product of operands 1 and 2."""

    def lowered(emission: Emission, call: AtenCall) -> View:
        product = emission.contracted([call.view(1), call.view(2)], [left, right], result)
        made = Formula(emission, call.dtype, call.shape)
        added = made.of("mul", call.view(0), call.real(3, "beta", 1.0))
        return made.of("add", made.of("mul", product, call.real(4, "alpha", 1.0)), added)

    return lowered


def _trilinear(emission: Emission, call: AtenCall) -> View:
    """A product of three, each without the dimensions that are added to it."""
    added = [set(call.wholes(position)) for position in (3, 4, 5)]
    views = [call.view(position) for position in range(3)]
    letters = "abcdefgh"[: len(views[0].shape) + len(added[0])]
    labels = [[letter for at, letter in enumerate(letters) if at not in without] for without in added]
    summed = set(call.wholes(6))
    return emission.contracted(views, labels, [each for at, each in enumerate(letters) if at not in summed])


CONTRACTIONS: Mapping[str, Handler] = {
    "mm": _product("mk", "kn", "mn"), "bmm": _product("bmk", "bkn", "bmn"), "mv": _product("mk", "k", "m"),
    "dot": _product("k", "k", ""), "addmm": _with_sum("mk", "kn", "mn"), "baddbmm": _with_sum("bmk", "bkn", "bmn"),
    "_trilinear": _trilinear, "addmv": _with_sum("mk", "k", "m"),
}  # fmt: skip
