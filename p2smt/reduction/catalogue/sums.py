"""Sets of contributors as sums of numbers: a set stands for the sum of its contributors' values.

The mistake of figure 4b is numerical: a contribution that is already in the sum is added again. The rules only see
sets; here contributors have values of 8 bits (sums wrap, like integers), and set union must agree with addition.
"""

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import add

from p2smt.collective import Collective
from p2smt.reduction.catalogue.cases import SymbolicGroup, allowed, case_of, named, together
from p2smt.reduction.catalogue.refusals import bit, count
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.rules.matrix_rules import RULES
from p2smt.smt.bitvectors import BitVec, bitvector, number
from p2smt.smt.smtlib import Script, Status
from p2smt.smt.terms import Term, conj, disj, either

_REDUCING = tuple(kind for kind in Collective if kind.adds)
_WIDTH = 8
_ABOUT = "x_j is what contributor j adds to chunk 0; a row stands for the sum of the numbers of its contributors."


def sums() -> Iterator[Script]:
    """Yield the scripts of the folder `sums`."""
    for kind in _REDUCING:
        yield _counts(kind, case_of((2, 3), Grouping(1, 2)))
        yield _adds(kind, case_of((3,), Grouping(0, 1)))
        yield _adds(kind, case_of((2, 2), Grouping(1, 2)))
    yield _overlap(case_of((2,), Grouping(0, 1)))


def _counts(kind: Collective, case: SymbolicGroup) -> Script:
    effect = RULES[kind](case.group)
    width = (len(case.group.states) * len(case.places)).bit_length()
    wrong = []
    for chunk in case.places:
        parts = [bit(state[chunk], j) for state in case.group.states for j in case.places]
        whole = together(effect.after, chunk)
        wrong.append(count([bit(whole, j) for j in case.places], width) != count(parts, width))
    groups = (
        allowed(kind, effect.needs),
        ("Some chunk has another number of contributions afterwards than its parts had together.", disj(wrong)),
    )
    about = f"{kind} adds nothing in twice: a chunk has as many contributions as the members' parts of it together."
    return case.script(named(kind, "counts"), about, Status.UNSAT, groups)


def _adds(kind: Collective, case: SymbolicGroup) -> Script:
    effect = RULES[kind](case.group)
    numbers = _numbers(case)
    groups = (
        allowed(kind, effect.needs),
        ("The root's number of chunk 0 is not the sum of the members'.", _differ(effect.after[0][0], case, numbers)),
    )
    about = f"{kind} on numbers: where it is allowed, the union of the sets stands for the sum. {_ABOUT}"
    return case.script(named(kind, "adds"), about, Status.UNSAT, groups, more=numbers)


def _overlap(case: SymbolicGroup) -> Script:
    numbers = _numbers(case)
    filled = conj(row != 0 for row in case.constants)
    groups = (
        ("Every member holds every chunk, nothing is said about who contributed.", filled),
        ("The union's number of chunk 0 is not the sum.", _differ(case.group.union[0], case, numbers)),
    )
    about = f"Without disjoint contributors, as in figure 4b, the union need not stand for the sum. {_ABOUT}"
    return case.script("overlap-adds-wrongly", about, Status.SAT, groups, more=numbers)


def _numbers(case: SymbolicGroup) -> tuple[BitVec, ...]:
    return tuple(bitvector(f"x_{j}", _WIDTH) for j in case.places)


def _differ(row: BitVec, case: SymbolicGroup, numbers: Sequence[BitVec]) -> Term:
    return _number(row, numbers) != reduce(add, [_number(state[0], numbers) for state in case.group.states])


def _number(row: BitVec, numbers: Sequence[BitVec]) -> BitVec:
    one, zero = number(1, 1), number(0, _WIDTH)
    return reduce(add, [either(bit(row, j) == one, summand, zero) for j, summand in enumerate(numbers)])
