"""Uniform random numbers that decide what is kept: `rand() < p`, and `floor(rand() + p)` of stochastic depth.

What they decide is 1 with a probability that is known, as a dropout's is; nothing else is done with them.
"""

from collections.abc import Callable, Mapping

from p2smt.frontend.torch_graph.aten_call import TAKEN, AtenCall, Lowered, Random, Uniform
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.graph import Reference
from p2smt.frontend.torch_graph.lowering.formula import Formula, formula
from p2smt.frontend.torch_graph.lowering.sources import dropped, filled
from p2smt.frontend.torch_graph.view import View
from p2smt.tensor.program import DType

DRAWN = ("rand", "rand_like")


def uniform_operand(call: AtenCall) -> Uniform | None:
    """The random numbers that are the call's first operand, or None."""
    first = call.argument(0)
    found = call.memory.results.get(first) if isinstance(first, Reference) else None
    return found if isinstance(found, Uniform) else None


def drawn(call: AtenCall) -> Uniform:
    """Random numbers with a fresh seed."""
    return Uniform(0.0, call.seed())


def decided(emission: Emission, call: AtenCall, name: str, given: Uniform) -> Lowered:
    """The result of an operation on random numbers that decides by them."""
    if name == "_to_copy":
        return given
    if name not in _DECISIONS:
        raise call.refused(TAKEN)
    return _DECISIONS[name](emission, call, given)


def _shifted(emission: Emission, call: AtenCall, given: Uniform) -> Uniform:
    return Uniform(given.offset + call.real(1), given.seed)


def _ones(emission: Emission, call: AtenCall, given: Uniform, chance: float) -> View:
    """True with this probability."""
    if chance <= 0 or chance >= 1:
        return filled(int(chance >= 1), call.shape, DType.BOOL)
    kept = dropped(emission, filled(1, call.shape, DType.F32), Random(1 - chance, given.seed))
    return Formula(emission, DType.BOOL, call.shape).of("gt", kept, 0)


def _below(emission: Emission, call: AtenCall, given: Uniform) -> View:
    """The complement of `_above`, with the same random bits."""
    return Formula(emission, DType.BOOL, call.shape).of("sub", 1, _above(emission, call, given))


def _above(emission: Emission, call: AtenCall, given: Uniform) -> View:
    return _ones(emission, call, given, 1 - (call.real(1) - given.offset))


def _rounded_down(emission: Emission, call: AtenCall, given: Uniform) -> View:
    """Random numbers rounded down to 0 or 1; 1 where they reach 1."""
    if not 0 <= given.offset <= 1:
        raise call.refused(f"random numbers from {given.offset:g} on are rounded down; from 0 to 1 is known")
    return formula(emission, call).of("mul", _ones(emission, call, given, given.offset), filled(1, (), call.dtype))


_DECISIONS: Mapping[str, Callable[[Emission, AtenCall, Uniform], Lowered]] = {
    "add": _shifted,
    "lt": _below,
    "le": _below,
    "gt": _above,
    "ge": _above,
    "floor": _rounded_down,
}
