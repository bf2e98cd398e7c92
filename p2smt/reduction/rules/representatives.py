"""One program for each class of programs that rewrite to each other: the solver finds it, rewriting gives the others.

On states of the level algebra, with A and B disjoint sets of levels:

    swap   a b  =  b a    a plain step along A and a step along B below A, plain or among masters,
                          each an AllReduce, a ReduceScatter or an AllGather
    join   ReduceScatter AllGather  =  AllReduce,   Reduce Broadcast  =  AllReduce    in the same groups

Swap: such a step needs equal pairs (F, M) in a group, of which it looks at the levels along which it varies, and it
changes these alone, in the same way for all members. The members of a group of one step have the same digits on all
levels that decide whether, and with whom, they take part in the other one. So neither step changes what the other
needs. Join: both halves are allowed exactly if the AllReduce is, and lead to (F, M + L) everywhere.

Neither rewrite makes a program pass its goal earlier (levels are reduced once: lemma 4.2 of `semantics/README.md`), but
for the goal of Reduce, which asks for the root alone: it is reached after a Reduce in the place of a last AllReduce.

A *representative* has no neighbours that a join shortens, and of those that a swap may exchange the outer one first.
Every program becomes a representative by joins and swaps, each of which leaves a valid program of the same groupings;
so swaps and splits (joins backwards, up to the longest length) of all representatives give all programs. These are the
classes of trace theory (Mazurkiewicz, "Trace theory", 1987) with AllReduces joined.

Example: over two levels, ReduceScatter and AllGather inside, then AllReduce across (0..1], is not a representative.
Joined it is AllReduce inside, AllReduce across; swapped, AllReduce across, AllReduce inside, which is one.
"""

from collections.abc import Iterable

from p2smt.collective import Collective
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import Language, Step, Steps
from p2smt.reduction.rules.choices import ProgramCode
from p2smt.reduction.semantics.goal import level_goal
from p2smt.smt.terms import Term, conj, disj, neg

_HALVES = (  # only: the two pairs whose effects make up that of an AllReduce
    (Collective.REDUCE_SCATTER, Collective.ALL_GATHER),
    (Collective.REDUCE, Collective.BROADCAST),
)
"""The pairs of collectives that do an AllReduce, one after the other in the same groups."""

_ALIKE = (  # only: Reduce empties devices and Broadcast fills them, which others may need
    Collective.ALL_REDUCE,
    Collective.REDUCE_SCATTER,
    Collective.ALL_GATHER,
)


def can_swap(first: Step, second: Step) -> bool:
    """True if the second step may come before the first, because it is the outer one and independent of it."""
    (inner, one), (outer, other) = first, second
    return one in _ALIKE and other in _ALIKE and _lies_above(outer, inner)


def is_representative(code: ProgramCode) -> list[Term]:
    """Return constraints that no two neighbours of a program can be joined, or should be swapped."""
    choices = [code.choice(place) for place in range(code.limit)]
    alike = [disj(choice.collectives[kind] for kind in _ALIKE) for choice in choices]
    needs: list[Term] = []
    for place in range(code.limit - 1):
        one, other = choices[place], choices[place + 1]
        joins = disj(conj((one.collectives[first], other.collectives[second])) for first, second in _HALVES)
        for inner, chosen in one.groupings.items():
            needs.append(disj((neg(chosen), neg(other.groupings[inner]), neg(joins))))
            above = disj(term for outer, term in other.groupings.items() if _lies_above(outer, inner))
            needs.append(disj((neg(chosen), neg(above), neg(alike[place]), neg(alike[place + 1]))))
    return needs


def all_of_classes(language: Language, limit: int, representatives: Iterable[Steps]) -> tuple[Steps, ...]:
    """Return all programs of at most `limit` steps to which swaps and splits lead, the given ones included."""
    steps = tuple(language.steps())
    # Searched as numbers of steps, because groupings and collectives take long to hash.
    numbers = {step: number for number, step in enumerate(steps)}
    swaps = {(numbers[one], numbers[other]) for one in steps for other in steps if can_swap(one, other)}
    swaps |= {(other, one) for one, other in swaps}
    halves = {numbers[step]: _halves(step, numbers) for step in steps}
    root_alone = len(level_goal(language.goal, language.levels).demanded) == 1
    # Where the root alone is asked for, a Reduce ends the program: the Broadcast behind it would be one step too many.
    last_halves = {
        number: [pair for pair in pairs if not (root_alone and steps[pair[0]][1].to_root)]
        for number, pairs in halves.items()
    }
    found = dict.fromkeys(tuple(map(numbers.__getitem__, one)) for one in representatives)
    left = list(found)
    while left:
        program = left.pop()
        for place, step in enumerate(program):
            before, behind = program[:place], program[place + 1 :]
            others: list[tuple[int, ...]] = []
            if behind and (step, behind[0]) in swaps:
                others.append((*before, behind[0], step, *behind[1:]))
            if len(program) < limit:
                others += [(*before, *pair, *behind) for pair in (halves if behind else last_halves)[step]]
            new = [other for other in others if other not in found]
            found.update(dict.fromkeys(new))
            left += new
    return tuple(tuple(map(steps.__getitem__, program)) for program in found)


def _lies_above(outer: Grouping, inner: Grouping) -> bool:
    """True if the outer grouping is plain, and the other one varies below it."""
    return not outer.masters and outer.inner <= inner.outer


def _halves(step: Step, numbers: dict[Step, int]) -> list[tuple[int, int]]:
    """Return the pairs of steps into which an AllReduce can be split; none for other steps."""
    grouping, collective = step
    if collective is not Collective.ALL_REDUCE:  # only: halves are those of an AllReduce
        return []
    pairs = [((grouping, first), (grouping, second)) for first, second in _HALVES]
    return [(numbers[one], numbers[other]) for one, other in pairs if one in numbers and other in numbers]
