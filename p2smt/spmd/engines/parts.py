"""A lower bound where parts of a problem repeat, such as the layers of a model: a part is bounded once for all.

Choices that several parts have, such as what a layer leaves the next one, get a copy in each; the copies may disagree,
which is a relaxation (Lagrangian decomposition). A copy may cost more or less than the choice, as long as all copies
together cost the same: with the amounts that parts would pay each other, the bounds of the parts add up to nearly that
of the whole. Amounts, the same for every part, are those of a ring: one part whose copies are linked to what they are
copies of, as if it followed itself. `message_passing.py` bounds the ring; what it moves along these links is paid.
Then one part with these costs is bounded, and the rest, which has what is left.
Complexity: that of message passing for one part and the rest, and a pass through the whole.
Certificate: of both, with all places of the part; `parts_check.py` verifies it against the whole.
Reference: Guignard and Kim, "Lagrangean decomposition", Mathematical Programming 39 (1987); Komodakis, Paragios and
Tziritas, "MRF energy minimization via dual decomposition", PAMI 33 (2011).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from p2smt.spmd.engines.message_passing import SharedWork, moved_along, relax
from p2smt.spmd.engines.parts_check import ProvedPart
from p2smt.spmd.engines.problem import Choice, JointProblem, Link
from p2smt.spmd.engines.repetition import Repetition, repetition

_Place = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class PartsBound:
    """The proof of a bound, and options of all choices that are cheap in their parts.

    The options may break links where parts end: they are where to begin. `complete` finds them, which takes a while.
    """

    parts: tuple[ProvedPart, ...]
    complete: Callable[[], tuple[int, ...] | None]

    @cached_property
    def assignment(self) -> tuple[int, ...] | None:
        """The options of all choices, found when they are asked for; None where there are none."""
        return self.complete()


def relax_parts(problem: JointProblem, memory: int, *, proof: bool = True) -> PartsBound | None:
    """A lower bound on all assignments, by parts that repeat; None where none do, or the tables need more memory.

    Without `proof` there are cheap options alone.
    """
    repeated = repetition(problem)
    if repeated is None:
        return None
    part = _part(problem, repeated.choices[0], repeated.links[0])
    shared = SharedWork()
    paid = _paid(part, repeated, memory, shared)
    if paid is None:
        return None
    amounts, inside = paid
    places = tuple(zip(repeated.choices, repeated.links, strict=True))
    # A part's own choices keep their costs plus what was moved; copies of other parts' choices have
    # the moved amounts alone.
    costs = [
        _with_amounts(choice.costs, given) if number < repeated.home else given
        for number, (choice, given) in enumerate(zip(part.choices, amounts, strict=True))
    ]
    rest, place = _rest(problem, repeated, costs)
    proved = list[ProvedPart]()
    for some, where in ((_costing(part, costs), places), (rest, (place,))) if proof else ():
        found = relax(some, memory, shared=shared)
        if found.bound is None or found.certificate is None:
            return None
        proved.append(ProvedPart(some, found.certificate, where))
    return PartsBound(tuple(proved), partial(_together, problem, repeated, inside, rest, place[0], memory, shared))


def _part(problem: JointProblem, choices: Sequence[int], links: Sequence[int]) -> JointProblem:
    """The problem of some choices and links, numbered in their order."""
    position = {choice: number for number, choice in enumerate(choices)}
    made = []
    for number in links:
        link = problem.links[number]
        made.append(Link(position[link.left], position[link.right], link.allowed))
    return JointProblem(tuple([problem.choices[choice] for choice in choices]), tuple(made))


def _costing(problem: JointProblem, costs: Sequence[tuple[int, ...]]) -> JointProblem:
    """The same with other costs, each choice's raised or lowered so that the least is 0."""
    choices = []
    for choice, mine in zip(problem.choices, costs, strict=True):
        least = min(mine)
        choices.append(Choice(choice.name, mine if least == 0 else tuple([cost - least for cost in mine])))
    return JointProblem(tuple(choices), problem.links)


def _with_amounts(costs: tuple[int, ...], amounts: Sequence[int]) -> tuple[int, ...]:
    return tuple([cost + amount for cost, amount in zip(costs, amounts, strict=True)]) if any(amounts) else costs


def _paid(
    part: JointProblem, repeated: Repetition, memory: int, shared: SharedWork
) -> tuple[list[tuple[int, ...]], tuple[int, ...] | None] | None:
    """Additional costs of each choice of a part, by option, and cheap options of the ring.

    Between a choice and its copy is a third, so that the links of the ring are the only ones between two choices.
    """
    choices, links = list(part.choices), list(part.links)
    nothing = [(0,) * len(choice.costs) for choice in choices]
    for number in range(repeated.home, len(choices)):
        choices[number] = Choice(choices[number].name, nothing[number])
    tables = []
    for copy, home in repeated.shifted:
        size = len(choices[copy].costs)
        same = tuple([1 << option for option in range(size)])
        choices.append(Choice("between", (0,) * size))
        links += [Link(len(choices) - 1, home, same), Link(len(choices) - 1, copy, same)]
        tables.append((len(choices) - 1, copy))
    around = moved_along(JointProblem(tuple(choices), tuple(links)), tables, memory, shared)
    if around is None:
        return None
    found, moved = around
    amounts = [list(each) for each in nothing]
    for (copy, home), given in zip(repeated.shifted, moved, strict=True):
        for option, amount in enumerate(given):
            amounts[copy][option] += amount
            amounts[home][option] -= amount
    return [tuple(each) for each in amounts], found.assignment


def _rest(problem: JointProblem, repeated: Repetition, costs: Sequence[tuple[int, ...]]) -> tuple[JointProblem, _Place]:
    """The problem that no part covers: links, and of every choice what its copies in parts leave of its costs."""
    owned = {number for links in repeated.links for number in links}
    links = tuple([number for number in range(len(problem.links)) if number not in owned])
    left: dict[int, list[int]] = {}
    for choices in repeated.choices:
        for position, (choice, mine) in enumerate(zip(choices, costs, strict=True)):
            known = left.get(choice)
            if known is None and position < repeated.home and mine is problem.choices[choice].costs:
                left[choice] = [0] * len(mine)
                continue
            whole = list(problem.choices[choice].costs) if known is None else known
            left[choice] = [cost - other for cost, other in zip(whole, mine, strict=True)]
    touched = {end for number in links for end in problem.links[number][:2]}
    kept = [
        choice for choice in range(len(problem.choices)) if choice in touched or choice not in left or any(left[choice])
    ]
    made = _part(problem, kept, links)
    still = [tuple(left[choice]) if choice in left else problem.choices[choice].costs for choice in kept]
    return _costing(made, still), (tuple(kept), links)


def _together(
    problem: JointProblem,
    repeated: Repetition,
    inside: Sequence[int] | None,
    rest: JointProblem,
    outside: Sequence[int],
    memory: int,
    shared: SharedWork,
) -> tuple[int, ...] | None:
    """The ring's options for the choices of every part, and for the rest those that are cheap beside them."""
    if inside is None:
        return None
    fixed = {choices[position]: inside[position] for choices in repeated.choices for position in range(repeated.home)}
    # More than any saving outside can gain: options differ from `fixed` only if links force them
    # to.
    dear = sum([max(choice.costs) for choice in rest.choices]) + 1
    choices = []
    for number, choice in zip(outside, rest.choices, strict=True):
        if number not in fixed:
            choices.append(choice)
            continue
        costs = [cost if option == fixed[number] else cost + dear for option, cost in enumerate(choice.costs)]
        choices.append(Choice(choice.name, tuple(costs)))
    found = relax(JointProblem(tuple(choices), rest.links), memory, proof=False, shared=shared)
    if found.assignment is None:
        return None
    options = {**dict(zip(outside, found.assignment, strict=True)), **fixed}
    return tuple([options[choice] for choice in range(len(problem.choices))])
