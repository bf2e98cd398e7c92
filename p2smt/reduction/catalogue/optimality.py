"""Optimality, as `p2smt synth --certify` proves it: no valid program costs less than the best one.

The prices are artificial, and small enough to check by hand. Every level has two units, and the payload one part per
device. A group pays for every part that its root holds; the price grows by a factor of 10 with each level further out
that the group spans. An AllReduce pays twice; an AllGather pays for the parts that it ends with.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from p2smt.collective import Collective
from p2smt.reduction.language.language import Step, full_language
from p2smt.reduction.rules.optimality import build_obligation
from p2smt.reduction.semantics.level_algebra import scatterable
from p2smt.smt.smtlib import Script, Status

_SOURCE = "P2 (MLSys 2022), section 3.5 (synthesis) and figure 8 (rules); states as level sets, made-up prices"
_LIMIT = 5


@dataclass(frozen=True, slots=True)
class _Best:
    """The cost of the cheapest program on this number of levels, and a program with that cost."""

    levels: int
    price: int
    program: str


_BEST = (
    _Best(2, 48, "ReduceScatter inside, AllReduce across on half of the parts, AllGather inside"),
    _Best(3, 496, "ReduceScatter inside, again one level further out, AllReduce across, and two AllGathers back"),
)


def toy_prices(levels: int) -> dict[Step, dict[int, int]]:
    """Return the price of each step, by the set of levels scattered on the root.

    >>> from p2smt.reduction.language.instruction import Grouping
    >>> toy_prices(2)[Grouping(0, 1), Collective.ALL_REDUCE]  # 4 parts, or 2 when level 2 is scattered
    {0: 80, 2: 40}
    """
    steps = full_language(levels).steps()
    return {step: {held: _price(step, held, levels) for held in scatterable(step, levels)} for step in steps}


def _price(step: Step, scattered: int, levels: int) -> int:
    grouping, collective = step
    parts: int = 2 ** (levels - scattered.bit_count())
    rate: int = 10 ** (levels - grouping.outer - 1)
    match collective:
        case Collective.ALL_REDUCE:
            return 2 * parts * rate
        case Collective.ALL_GATHER:
            return parts * rate * (1 << len(grouping.levels))
        case Collective.REDUCE_SCATTER | Collective.REDUCE | Collective.BROADCAST:
            return parts * rate


def obligations() -> Iterator[Script]:
    """Yield two scripts per number of levels: a program below the optimum is unsat, one at the optimum is sat."""
    for best in _BEST:
        for bound, status in ((best.price, Status.UNSAT), (best.price + 1, Status.SAT)):
            yield _script(best, bound, status)


def _script(best: _Best, bound: int, status: Status) -> Script:
    obligation = build_obligation(full_language(best.levels), _LIMIT, toy_prices(best.levels), bound)
    assert obligation is not None
    claim = {
        Status.UNSAT: f"No valid program costs less than {bound}, which is what this one costs: {best.program}.",
        Status.SAT: f"Some valid program costs less than {bound}: {best.program}.",
    }[status]
    about = (
        f"{claim} At most {_LIMIT} instructions over {best.levels} levels of size 2, grammar full. A group pays 1 for "
        "every part that its root holds, and 10 times more for every level further out that it goes along; an "
        "AllReduce pays twice, an AllGather for the parts it ends with. Prices above the bound are cut to it."
    )
    return obligation.script(f"levels-{best.levels}-below-{bound}", about, _SOURCE, status, bound)
