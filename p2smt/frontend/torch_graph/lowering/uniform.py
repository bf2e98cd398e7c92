"""Uniform random numbers used for decisions: `rand() < p`, and `floor(rand() + p)` in stochastic depth.

Such a decision is 1 with a known probability, so it is lowered to a dropout of ones. If the numbers are used in
any other way, they become a tensor, from the same random bits.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from p2smt.frontend.torch_graph.aten_call import FLOATS, AtenCall, Lowered, Random, Uniform
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.graph import Reference, TorchNode, references
from p2smt.frontend.torch_graph.lowering.formula import Formula, cast, formula
from p2smt.frontend.torch_graph.lowering.random_numbers import uniform_numbers
from p2smt.frontend.torch_graph.lowering.sources import dropped, filled
from p2smt.frontend.torch_graph.view import View
from p2smt.tensor.dtype import DType

DRAWN = ("rand", "rand_like")


def decisive_operand(call: AtenCall, name: str) -> Uniform | None:
    """Return the random numbers that a call takes first, if it only compares them; else None."""
    first = call.argument(0)
    found = call.memory.results.get(first) if isinstance(first, Reference) else None
    return found if isinstance(found, Uniform) and is_decision(call.node, name) else None


def with_numbers(emission: Emission, call: AtenCall) -> None:
    """Make a tensor of each operand that is still a pending `Uniform`."""
    for each in call.references():
        found = call.memory.results.get(each)
        if isinstance(found, Uniform):
            call.memory.results[each] = uniform_numbers(emission, found)


def drawn(call: AtenCall) -> Uniform:
    """Return uniform random numbers with a fresh seed, not yet a tensor."""
    return Uniform(0.0, call.seed(), call.shape, call.dtype)


def used_as_numbers(nodes: Sequence[TorchNode]) -> frozenset[str]:
    """Return the nodes whose random numbers are used as numbers; decisions then compare these numbers.

    Dropout may use other random bits on a device than the uniform numbers, so the two must not be mixed.
    """
    origins: dict[str, str] = {}
    found = set[str]()
    for node in nodes:
        name = node.operation.removeprefix("aten.").partition(".")[0]
        asked = [each.node for each in references(node) if each.node in origins]
        if name in (*DRAWN, "uniform"):
            origins[node.name] = node.name
        elif asked and is_decision(node, name):
            if name in _CARRYING:
                origins[node.name] = origins[asked[0]]
        else:
            found |= {origins[each] for each in asked}
    return frozenset(found)


def is_decision(node: TorchNode, name: str) -> bool:
    """Return True if a call only compares random numbers with a number, or prepares that."""
    first, *rest = node.arguments or [None]
    alone = name in _ALONE or (len(rest) == 1 and isinstance(rest[0], int | float) and not node.keywords)
    return name in _DECISIONS and isinstance(first, Reference) and alone


def decided(emission: Emission, call: AtenCall, name: str, given: Uniform) -> Lowered:
    """The result of a comparison with random numbers."""
    return _DECISIONS[name](emission, call, given)


def _copied(emission: Emission, call: AtenCall, given: Uniform) -> Lowered:
    """Return the numbers in another type; integer results are not decisions and are computed."""
    if call.dtype not in FLOATS:
        return cast(emission, uniform_numbers(emission, given), call.dtype)
    return replace(given, dtype=call.dtype)


def _shifted(emission: Emission, call: AtenCall, given: Uniform) -> Uniform:
    return replace(given, offset=given.offset + call.real(1))


def _ones(emission: Emission, call: AtenCall, given: Uniform, chance: float) -> View:
    """Return booleans that are true with this probability."""
    if chance <= 0 or chance >= 1:
        return filled(int(chance >= 1), call.shape, DType.BOOL)
    kept = dropped(emission, filled(1, call.shape, DType.F32), Random(1 - chance, given.seed))
    return Formula(emission, DType.BOOL, call.shape).of("gt", kept, 0)


def _below(emission: Emission, call: AtenCall, given: Uniform) -> View:
    """Return the mask of uniform numbers up to the threshold: 1 less the mask of those above, from the same bits."""
    return Formula(emission, DType.BOOL, call.shape).of("sub", 1, _above(emission, call, given))


def _above(emission: Emission, call: AtenCall, given: Uniform) -> View:
    return _ones(emission, call, given, 1 - (call.real(1) - given.offset))


def _rounded_down(emission: Emission, call: AtenCall, given: Uniform) -> View:
    """Return random numbers in [0, 2) rounded down to 0 or 1."""
    if not 0 <= given.offset <= 1:
        numbers = cast(emission, uniform_numbers(emission, given), DType.I64)  # towards 0
        if given.offset < 0:
            raise call.refused(
                f"random numbers from {given.offset:g} on are rounded down; only ranges that start at 0 are supported"
            )
        return cast(emission, numbers, call.dtype)
    return formula(emission, call).of("mul", _ones(emission, call, given, given.offset), filled(1, (), call.dtype))


_DECISIONS: Mapping[str, Callable[[Emission, AtenCall, Uniform], Lowered]] = {
    "add": _shifted,
    "lt": _below,
    "le": _below,
    "gt": _above,
    "ge": _above,
    "floor": _rounded_down,
    "_to_copy": _copied,
}
_ALONE = ("floor", "_to_copy")
_CARRYING = ("add", "_to_copy")
"""Operations whose results still are uniform random numbers."""
