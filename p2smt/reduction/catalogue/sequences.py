"""Two steps in the same group: pairs that are equivalent to one step, and pairs that are never valid."""

from collections.abc import Iterator

from p2smt.collective import Collective
from p2smt.reduction.catalogue.cases import SymbolicGroup, allowed, case_of, equal, grouped
from p2smt.reduction.catalogue.naming import slug
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.rules.matrix_rules import RULES
from p2smt.smt.smtlib import Script, Status
from p2smt.smt.terms import disj, neg

# lacks ALL_REDUCE, REDUCE, REDUCE_SCATTER: values are the second of two inverses
_INVERSE = {  # lacks ALL_GATHER, ALL_REDUCE, BROADCAST: keys are the first of two inverses
    Collective.REDUCE_SCATTER: Collective.ALL_GATHER,
    Collective.REDUCE: Collective.BROADCAST,
}


def sequences() -> Iterator[Script]:
    """Yield the scripts of the folder `sequences`."""
    case = case_of((2, 4), Grouping(1, 2))
    for first, second in _INVERSE.items():
        yield _as_one(case, first, second)
    for kind in Collective:
        yield _nothing_follows(case, kind)


def _as_one(case: SymbolicGroup, first: Collective, second: Collective) -> Script:
    one = RULES[first](case.group)
    two = RULES[second](grouped(one.after, case.group.blocks))
    whole = RULES[Collective.ALL_REDUCE](case.group)
    other = disj((neg(two.needs), neg(equal(two.after, whole.after))))
    groups = (
        allowed(first, one.needs),
        (f"{second} is then refused, or leaves other states than AllReduce.", other),
    )
    about = f"{first}, then {second} in the same group, is always possible and does what AllReduce does."
    return case.script(f"{slug(first)}-then-{slug(second)}-is-all-reduce", about, Status.UNSAT, groups)


def _nothing_follows(case: SymbolicGroup, first: Collective) -> Script:
    one = RULES[first](case.group)
    after = grouped(one.after, case.group.blocks)
    others = [kind for kind in Collective if kind is not _INVERSE.get(first)]
    groups = (
        allowed(first, one.needs),
        (
            f"One of {', '.join(others)} is allowed right after it.",
            disj(RULES[kind](after).needs for kind in others),
        ),
    )
    but = f" but {_INVERSE[first]}" if first in _INVERSE else ""
    about = f"After {first}, nothing{but} is allowed in the same group."
    return case.script(f"after-{slug(first)}", about, Status.UNSAT, groups)
