"""Choose the best program for each reduction of a step: exhaustive over combinations, with dominated choices dropped.

Reductions that may run at the same time share links. Their common time is the longest of

- the time of each reduction alone,
- the time for which links are busy with all reductions, where the busiest link hides the others' time to the extent
  given by the network's `overlap`, and
- the time for which the device's memory is busy.

This cost is monotone in each choice's vector (own time, busy time of each link, memory, communicators). A
choice is therefore dropped if another one is no larger in every component (Pareto dominance). Reductions are
combined one by one, dropping dominated partial sums after each: O(choices x front) per reduction (Nemhauser and
Ullmann, "Discrete dynamic programming and capital allocation", 1969).

    F[0] = {0},   F[i] = front { f + v : f in F[i - 1], v a choice of reduction i },   answer = least time in F[n].

Example: programs a (5 ms, link 4), b (6 ms, link 3), c (7 ms, link 5): a dominates c; a and b are both kept,
since b leaves more of the link to another reduction.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from p2smt.job.candidate import Communicators, ReductionCandidate

_Holder = TypeVar("_Holder", ReductionCandidate, "ConcurrentGroup", "Assignment")

Allowed = Callable[[Communicators], bool]
"""A test of whether a device may be in these communicators.

It must be monotone: if it refuses a set, it refuses every superset.
"""


@dataclass(frozen=True, slots=True)
class WeightedProgram:
    """A candidate that is executed `times` times per step."""

    candidate: ReductionCandidate
    times: float


@dataclass(frozen=True, slots=True)
class ConcurrentGroup:
    """Candidates chosen for reductions that run at the same time, with their costs per step."""

    chosen: tuple[WeightedProgram, ...]
    longest: float
    busy: tuple[float, ...]
    communicators: Communicators

    def seconds(self, overlap: float) -> float:
        """Return the seconds per step until all reductions are done."""
        return shared_seconds(self.longest, self.busy, overlap) if len(self.chosen) > 1 else self.longest

    def plus(self, more: "ConcurrentGroup") -> "ConcurrentGroup":
        """Return the group extended by the reductions of another one."""
        pairs = zip(self.busy or (0.0,) * len(more.busy), more.busy or (0.0,) * len(self.busy), strict=True)
        return ConcurrentGroup(
            (*self.chosen, *more.chosen),
            max(self.longest, more.longest),
            tuple(one + other for one, other in pairs),
            self.communicators | more.communicators,
        )


_NOTHING = ConcurrentGroup((), 0.0, (), frozenset())


def shared_seconds(longest: float, busy: Sequence[float], overlap: float) -> float:
    """Return the seconds of concurrent reductions.

    `longest` is the longest time of one reduction alone, `busy` the busy time of each link and finally of the
    memory.
    """
    *links, memory = busy or (0.0,)
    busiest = max(links, default=0.0)
    return max(longest, busiest + (1 - overlap) * (sum(links) - busiest), memory)


@dataclass(frozen=True, slots=True)
class Assignment:
    """A program for every reduction, grouped by phases of concurrent reductions; `seconds` is the time per step."""

    phases: tuple[ConcurrentGroup, ...]
    seconds: float
    communicators: Communicators


def best_assignment(
    phases: Sequence[Sequence[Sequence[WeightedProgram]]], overlap: float, allowed: Allowed | None = None
) -> Assignment | None:
    """Return the fastest assignment; `phases[p][r]` lists the candidates of the r-th reduction in phase p.

    Return None if no assignment is `allowed`, or a reduction has no candidates. The result is deterministic.
    """
    # Without limits the phases are independent, so each is solved by itself.
    if allowed is None:
        found = [_fastest(phase, overlap) for phase in phases]
        chosen = tuple(together for together in found if together is not None)
        seconds, communicators = sum(one.seconds(overlap) for one in chosen), [one.communicators for one in chosen]
        return Assignment(chosen, seconds, frozenset().union(*communicators)) if len(chosen) == len(found) else None
    choices = [Assignment((), 0.0, frozenset())]
    for phase in phases:
        # Within a phase programs share links, so busy times must be kept; between phases only
        # seconds and communicators.
        togethers = [_NOTHING]
        for ways in phase:
            grown = (together.plus(_alone(way)) for together in togethers for way in ways)
            togethers = _undominated(_permitted(grown, allowed), _together_values, limited=True)
        pairs = (_then(choice, together, overlap) for choice in choices for together in togethers)
        choices = _undominated(_permitted(pairs, allowed), _choice_values, limited=True)
    return min(choices, key=lambda choice: choice.seconds, default=None)


def _fastest(phase: Sequence[Sequence[WeightedProgram]], overlap: float) -> ConcurrentGroup | None:
    """Return the fastest combination for one phase; None if a reduction has no candidates.

    Branch and bound: a partial combination, plus a lower bound for the remaining reductions, must beat the
    incumbent. The first incumbent is every reduction's first candidate, or a greedy combination if that is
    faster.
    """
    if not all(phase):
        return None

    def seconds(together: ConcurrentGroup) -> float:
        return together.seconds(overlap)

    # `rests[i]`: the least of everything that the reductions behind number i can need, from the last one backwards.
    rests = [_NOTHING]
    for ways in reversed(phase[1:]):
        rests.insert(0, rests[0].plus(_ideal(ways)))
    first, greedy = _NOTHING, _NOTHING
    for ways, rest in zip(phase, rests, strict=True):
        first = first.plus(_alone(ways[0]))
        grown = [greedy.plus(_alone(way)) for way in ways]
        least = [seconds(one.plus(rest)) for one in grown]
        greedy = grown[least.index(min(least))]
    best = min(first, greedy, key=seconds)
    togethers = [_NOTHING]
    for ways, rest in zip(phase, rests, strict=True):
        grown = [together.plus(_alone(way)) for together in togethers for way in ways]
        faster = [one for one in grown if seconds(one.plus(rest)) < seconds(best)]
        togethers = _undominated(faster, _together_values, limited=False)
    return min([best, *togethers], key=seconds)


def _alone(way: WeightedProgram) -> ConcurrentGroup:
    one, times = way.candidate, way.times
    return ConcurrentGroup((way,), times * one.seconds, tuple(times * part for part in one.busy), one.communicators)


def _ideal(ways: Sequence[WeightedProgram]) -> ConcurrentGroup:
    """Return a lower bound as a group, in which every component is the minimum over candidates."""
    each = [_alone(way) for way in ways]
    busy = tuple(min(parts) for parts in zip(*(one.busy for one in each), strict=True))
    return ConcurrentGroup(each[0].chosen, min(one.longest for one in each), busy, frozenset())


def frugal_candidates(candidates: Iterable[ReductionCandidate], alone: bool) -> list[ReductionCandidate]:
    """Return the candidates on the Pareto front of communicators and time, keeping the first of equal ones.

    If `alone` is true, no other reduction runs at the same time, so only seconds count, not links' busy times.
    """
    return _undominated(candidates, lambda one: (one.seconds, *(() if alone else one.busy)), limited=True)


def smallest_communicators(ways: Sequence[Sequence[ReductionCandidate]]) -> tuple[Communicators, ...]:
    """Return the minimal sets of communicators that suffice for one candidate per reduction."""
    needed: list[Communicators] = [frozenset()]
    for candidates in ways:
        grown = {before | candidate.communicators for before in needed for candidate in candidates}
        needed = [some for some in grown if not any(other < some for other in grown)]
    return tuple(sorted(needed, key=sorted))


def _then(choice: Assignment, together: ConcurrentGroup, overlap: float) -> Assignment:
    communicators = choice.communicators | together.communicators
    return Assignment((*choice.phases, together), choice.seconds + together.seconds(overlap), communicators)


def _together_values(together: ConcurrentGroup) -> tuple[float, ...]:
    return (together.longest, *together.busy)


def _choice_values(choice: Assignment) -> tuple[float, ...]:
    return (choice.seconds,)


def _permitted(holders: Iterable[_Holder], allowed: Allowed | None) -> Iterator[_Holder]:
    return (holder for holder in holders if allowed is None or allowed(holder.communicators))


def _undominated(
    holders: Iterable[_Holder], values: Callable[[_Holder], tuple[float, ...]], limited: bool
) -> list[_Holder]:
    """Return the Pareto front, keeping the first of equal items."""
    # Sorted by values, nothing later is smaller in all of them than what is kept: one sweep does.
    ordered = sorted(((values(holder), holder) for holder in holders), key=lambda pair: pair[0])
    kept: list[tuple[tuple[float, ...], _Holder]] = []
    for value, holder in ordered:
        if not any(
            all(a <= b for a, b in zip(other, value, strict=True))
            and (not limited or other_holder.communicators <= holder.communicators)
            for other, other_holder in kept
        ):
            kept.append((value, holder))
    return [holder for _, holder in kept]
