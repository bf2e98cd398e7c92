"""The collectives' rules as Hoare triples over symbolic state matrices (paper, section 3.2 and figure 8).

The members of a group hold arbitrary matrices. Each obligation assumes that the rule of `matrix_rules.py` allows the
step and negates the postcondition, so it is unsatisfiable. Separate scripts show that the assumptions are satisfiable
and count their models, and check what each rule refuses, violation by violation.
"""

from collections.abc import Iterator

from p2smt.collective import Collective
from p2smt.reduction.catalogue.cases import SymbolicGroup, allowed, case_of, equal, named, together
from p2smt.reduction.catalogue.naming import slug
from p2smt.reduction.catalogue.refusals import REFUSALS, bit, in_words
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.rules.matrix_rules import RULES, GroupEffect
from p2smt.smt.bitvectors import BitVec, number
from p2smt.smt.smtlib import Script, Status
from p2smt.smt.terms import Term, conj, disj, iff, literal, neg

_PAIR = ((2,), Grouping(0, 1))
_PAIRS_OF_FOUR = ((2, 2), Grouping(1, 2))
_THREE_OF_SIX = ((2, 3), Grouping(1, 2))
_FOUR_OF_EIGHT = ((2, 4), Grouping(1, 2))
_IN_WORDS = {
    Collective.ALL_REDUCE: "every member holds every contribution that some member held, and no other",
    Collective.REDUCE_SCATTER: "every member holds, of its own chunks, every contribution that some member held",
    Collective.REDUCE: "the root holds every contribution that some member held, and the others nothing",
    Collective.ALL_GATHER: "every member holds every contribution that some member held, and no other",
    Collective.BROADCAST: "every member holds what the root held",
}


def triples() -> Iterator[Script]:
    """Yield the scripts of the folder `triples`."""
    for kind in Collective:
        for shape in (_PAIRS_OF_FOUR, _THREE_OF_SIX, _FOUR_OF_EIGHT):
            yield _gives(kind, case_of(*shape))
        yield _keeps(kind, case_of(*_FOUR_OF_EIGHT))
        yield _changes(kind, case_of(*_FOUR_OF_EIGHT))
        yield _applies(kind, case_of(*_PAIR))
        yield from _refuses(kind, case_of(*_THREE_OF_SIX))
        yield _refuses_nothing_else(kind, case_of(*_THREE_OF_SIX))


def _gives(kind: Collective, case: SymbolicGroup) -> Script:
    effect = RULES[kind](case.group)
    wrong = disj(neg(term) for term in _afterwards(kind, case, effect))
    groups = (allowed(kind, effect.needs), ("Some bit is another one afterwards.", wrong))
    about = f"After {kind}, {_IN_WORDS[kind]}."
    return case.script(named(kind, "gives"), about, Status.UNSAT, groups)


def _afterwards(kind: Collective, case: SymbolicGroup, effect: GroupEffect) -> Iterator[Term]:
    """Yield assertions about the state after a step, bit by bit."""
    for member, state in enumerate(effect.after):
        for chunk, row in enumerate(state):
            for j in case.places:
                yield iff(_set(row, j), _expected(kind, case, member, chunk, j))


def _expected(kind: Collective, case: SymbolicGroup, member: int, chunk: int, j: int) -> Term:
    """A term: after the step the member holds contributor `j`'s part of the chunk, by the table of collectives."""
    if kind.from_root:
        return _set(case.group.states[0][chunk], j)
    if kind.to_root and member:
        return literal(False)
    if kind.scatters and chunk not in case.group.blocks[member]:
        return literal(False)
    return disj(_set(state[chunk], j) for state in case.group.states)


def _set(row: BitVec, contributor: int) -> Term:
    return bit(row, contributor) == number(1, 1)


def _keeps(kind: Collective, case: SymbolicGroup) -> Script:
    effect = RULES[kind](case.group)
    lost = disj(together(effect.after, c) != together(case.group.states, c) for c in case.places)
    groups = (
        allowed(kind, effect.needs),
        ("Some chunk has other contributors among the members afterwards than before.", lost),
    )
    about = f"{kind} keeps what a group holds: no contribution is lost or made up among its members."
    return case.script(named(kind, "keeps"), about, Status.UNSAT, groups)


def _changes(kind: Collective, case: SymbolicGroup) -> Script:
    effect = RULES[kind](case.group)
    same = equal(effect.after, case.group.states)
    groups = (allowed(kind, effect.needs), ("Every member holds afterwards what it held before.", same))
    about = f"{kind}, where it is allowed, changes some member's state."
    return case.script(named(kind, "changes"), about, Status.UNSAT, groups)


def _applies(kind: Collective, case: SymbolicGroup) -> Script:
    groups = (allowed(kind, RULES[kind](case.group).needs),)
    about = f"The states in which {kind} is allowed: no triple of {kind} is vacuous."
    return case.script(named(kind, "applies"), about, Status.SAT, groups, counts=True)


def _refuses(kind: Collective, case: SymbolicGroup) -> Iterator[Script]:
    needs = RULES[kind](case.group).needs
    for violation, refusal in REFUSALS[kind].items():
        said = in_words(kind, violation)
        groups = (allowed(kind, needs), (f"And yet: {said}.", refusal(case.group)))
        about = f"{kind} is refused where {said}."
        yield case.script(named(kind, f"refuses-{slug(violation.name)}"), about, Status.UNSAT, groups)


def _refuses_nothing_else(kind: Collective, case: SymbolicGroup) -> Script:
    reasons = "; ".join(in_words(kind, violation) for violation in REFUSALS[kind])
    groups = (
        (f"None of these: {reasons}.", conj(neg(refusal(case.group)) for refusal in REFUSALS[kind].values())),
        (f"And yet {kind} is not allowed.", neg(RULES[kind](case.group).needs)),
    )
    about = f"{kind} is allowed wherever nothing speaks against it."
    return case.script(named(kind, "refuses-nothing-else"), about, Status.UNSAT, groups)
