"""A lower bound for problems with repeated parts, such as the layers of a model; a part is bounded once for all.

A choice that several parts share, such as the output of a layer that the next one reads, gets a copy in each part. The
copies may disagree, which is a relaxation (Lagrangian decomposition). The costs of the copies of a choice may be
changed as long as they add up to the cost of the choice; with good amounts (multipliers) the bounds of the parts add up
to nearly that of the whole problem. The amounts, equal for all parts, come from a ring: one part whose copies are
linked to the choices that they copy, as if the part followed itself. `message_passing.py` bounds the ring, and the
costs that it moves along these links are the amounts. Then one part with the changed costs is bounded, and the rest
with the remaining costs.

    cost = sum over parts k of cost_k,   bound = sum over k of  min over x of  (cost_k(x) + a_k(x)),   sum of a_k = 0.

Complexity: that of message passing for one part and for the rest, and one pass over the whole problem.
Certificate: those of the part, with all its places, and of the rest; `parts_check.py` verifies them against the whole.
Reference: Guignard and Kim, "Lagrangean decomposition", Mathematical Programming 39 (1987); Komodakis, Paragios and
Tziritas, "MRF energy minimization via dual decomposition", PAMI 33 (2011).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from p2smt.spmd.engines.message_passing import SharedWork, moved_along, relax
from p2smt.spmd.engines.parts_check import ProvedPart
from p2smt.spmd.engines.problem import Choice, Compatibility, JointProblem
from p2smt.spmd.engines.repetition import Repetition, repetition

_Place = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class PartsBound:
    """The proof of a bound, and an assignment that is cheap within each part.

    The assignment may violate links at the ends of parts; it is a starting point. `complete` computes it, which is
    slow.
    """

    parts: tuple[ProvedPart, ...]
    complete: Callable[[], tuple[int, ...] | None]

    @cached_property
    def assignment(self) -> tuple[int, ...] | None:
        """Return the options of all choices, computed on first access; None if there are none."""
        return self.complete()


def relax_parts(problem: JointProblem, memory: int, *, proof: bool = True) -> PartsBound | None:
    """Return a lower bound by repeated parts; None if no parts repeat or the tables exceed `memory` bytes.

    Without `proof` only the cheap assignment is available.
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
        found = relax(some, memory, decode=False, shared=shared)
        if found.bound is None or found.certificate is None:
            return None
        proved.append(ProvedPart(some, found.certificate, where))
    return PartsBound(tuple(proved), partial(_together, problem, repeated, inside, rest, place[0], memory, shared))


def _part(problem: JointProblem, choices: Sequence[int], links: Sequence[int]) -> JointProblem:
    """Return the subproblem of some choices and links, renumbered in their order."""
    position = {choice: number for number, choice in enumerate(choices)}
    made = []
    for number in links:
        link = problem.links[number]
        made.append(Compatibility(position[link.left], position[link.right], link.allowed))
    return JointProblem(tuple([problem.choices[choice] for choice in choices]), tuple(made))


def _costing(problem: JointProblem, costs: Sequence[tuple[int, ...]]) -> JointProblem:
    """Return the problem with other costs, each choice's shifted so that its least cost is 0."""
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
    """Return the additional costs of each choice of a part, by option, and a cheap assignment of the ring.

    A third choice is put between a choice and its copy, so that each link of the ring is the only one of its two
    choices.
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
        links += [Compatibility(len(choices) - 1, home, same), Compatibility(len(choices) - 1, copy, same)]
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
    """Return the problem that no part covers: its links, and each choice's cost less the costs of its copies."""
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
    """Return an assignment: the ring's options for the choices of every part, and cheap ones for the rest."""
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
