"""The layouts that a tensor can have, and the sharding rules that can be used with them."""

from p2smt.spmd.model.classes import Classes
from p2smt.spmd.model.graph import Graph, Node
from p2smt.tensor.expression import Number
from p2smt.tensor.layout import Layout, Partial, Replicated, Sliced
from p2smt.tensor.rule import Cut, Need, Rule, Summand, WholeOperand, rules

WHOLE = Replicated()


def layout_of(need: Need) -> Layout | None:
    """Return the layout that a rule needs or makes, slices without sizes; None if the search does not use it."""
    match need:
        case WholeOperand():
            return WHOLE
        case Cut(dimension):
            return Sliced(dimension)
        case Summand(reduction):
            return Partial(reduction)
        case _:
            return None


def usable_rules(graph: Graph, node: Node, classes: Classes) -> tuple[Rule, ...]:
    """Return the rules of an operation whose layouts the tensors can have, in the order of `rules`."""
    return tuple(rule for rule in rules(node.signature) if _usable(graph, node, rule, classes))


def _usable(graph: Graph, node: Node, rule: Rule, classes: Classes) -> bool:
    if layout_of(rule.result) is None:
        return False
    return all(
        _fits(operand, need, classes)
        for operand, need in zip((*node.operands, node.result), (*rule.operands, rule.result), strict=True)
    )


def _fits(operand: int | Number, need: Need, classes: Classes) -> bool:
    match need:
        case WholeOperand():
            return True
        case Summand():
            return isinstance(operand, int)
        case Cut(dimension):
            return isinstance(operand, int) and classes.can_cut((operand, dimension))
        case _:
            return False


def rank_of(layout: Layout) -> tuple[int, int, str]:
    """Return a sort key for layouts: Replicated, then Sliced by dimension, then Partial."""
    match layout:  # only Partial, Sliced: the search chooses among replicated, sliced and partial
        case Sliced(dimension):
            return 1, dimension, ""
        case Partial(reduction):
            return 2, 0, reduction
        case _:
            return 0, 0, ""


def without_sizes(layout: Layout) -> Layout:
    """Return the layout; a slice loses its sizes and the order of its axes."""
    # only Sliced: the search chooses among replicated, sliced and partial
    return Sliced(layout.dimension) if isinstance(layout, Sliced) else layout
