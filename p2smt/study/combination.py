"""Which program every reduction gets: all choices are weighed, and those that another one beats in everything dropped.

Reductions that may run at the same time share links. What they take together is the longest of

- each of them alone, and
- the time for which links are busy with all of them together, where the busiest link hides the others' time as far as
  the network's `overlap` says; and the time for which the device's memory is.

This grows with everything that it is made of, so a choice that is nowhere smaller than another one is never needed.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from p2smt.study.candidate import Candidate, Communicators

_Holder = TypeVar("_Holder", Candidate, "Together", "Choice")

Allowed = Callable[[Communicators], bool]
"""Whether a device may be in these communicators; if not, then in no more either."""


@dataclass(frozen=True, slots=True)
class Weighted:
    """A candidate that happens `times` times per step."""

    candidate: Candidate
    times: float


@dataclass(frozen=True, slots=True)
class Together:
    """Chosen candidates of reductions that run at the same time, and what they take per step."""

    chosen: tuple[Weighted, ...]
    longest: float
    busy: tuple[float, ...]
    communicators: Communicators

    def seconds(self, overlap: float) -> float:
        """Seconds per step until all are done."""
        *links, memory = self.busy or (0.0,)
        busiest = max(links, default=0.0)
        shared = busiest + (1 - overlap) * (sum(links) - busiest)
        return max(self.longest, shared, memory) if len(self.chosen) > 1 else self.longest

    def joined(self, more: Weighted) -> "Together":
        """With one more reduction."""
        one, times = more.candidate, more.times
        before = self.busy or (0.0,) * len(one.busy)
        return Together(
            (*self.chosen, more),
            max(self.longest, times * one.seconds),
            tuple(a + times * b for a, b in zip(before, one.busy, strict=True)),
            self.communicators | one.communicators,
        )


@dataclass(frozen=True, slots=True)
class Choice:
    """A program for every reduction: per phase those that run at the same time; `seconds` per step."""

    phases: tuple[Together, ...]
    seconds: float
    communicators: Communicators


def best_choice(
    phases: Sequence[Sequence[Sequence[Weighted]]], overlap: float, allowed: Allowed | None = None
) -> Choice | None:
    """The fastest choice; `phases[p][r]` are the ways of the r-th reduction that runs at the same time as others.

    Of equally fast choices the first, by the order of the ways. None when no choice is `allowed`.
    """
    limited = allowed is not None
    choices = [Choice((), 0.0, frozenset())]
    for phase in phases:
        togethers = [Together((), 0.0, (), frozenset())]
        for ways in phase:
            grown = (together.joined(way) for together in togethers for way in ways)
            togethers = _undominated(_permitted(grown, allowed), _together_values, limited)
        pairs = (_then(choice, together, overlap) for choice in choices for together in togethers)
        choices = _undominated(_permitted(pairs, allowed), _choice_values, limited)
    return min(choices, key=lambda choice: choice.seconds, default=None)


def frugal_candidates(candidates: Iterable[Candidate], alone: bool) -> list[Candidate]:
    """Those than which none needs no other communicators and is nowhere slower; of equal ones the first.

    `alone`: nothing else runs at the same time, so only seconds count, not how long each link is busy.
    """
    return _undominated(candidates, lambda one: (one.seconds, *(() if alone else one.busy)), limited=True)


def smallest_communicators(ways: Sequence[Sequence[Candidate]]) -> tuple[Communicators, ...]:
    """The sets of communicators that some choice of one way per reduction needs, without those that contain another."""
    needed: list[Communicators] = [frozenset()]
    for candidates in ways:
        grown = {before | candidate.communicators for before in needed for candidate in candidates}
        needed = [some for some in grown if not any(other < some for other in grown)]
    return tuple(sorted(needed, key=sorted))


def _then(choice: Choice, together: Together, overlap: float) -> Choice:
    communicators = choice.communicators | together.communicators
    return Choice((*choice.phases, together), choice.seconds + together.seconds(overlap), communicators)


def _together_values(together: Together) -> tuple[float, ...]:
    return (together.longest, *together.busy)


def _choice_values(choice: Choice) -> tuple[float, ...]:
    return (choice.seconds,)


def _permitted(holders: Iterable[_Holder], allowed: Allowed | None) -> Iterator[_Holder]:
    return (holder for holder in holders if allowed is None or allowed(holder.communicators))


def _undominated(
    holders: Iterable[_Holder], values: Callable[[_Holder], tuple[float, ...]], limited: bool
) -> list[_Holder]:
    """Those than which none is better in a value and worse in none; of equal ones the first."""
    ordered = sorted(((values(holder), holder) for holder in holders), key=lambda pair: pair[0])
    kept: list[tuple[tuple[float, ...], _Holder]] = []
    for value, holder in ordered:
        if not any(
            all(a <= b for a, b in zip(other, value, strict=True))
            and (not limited or rival.communicators <= holder.communicators)
            for other, rival in kept
        ):
            kept.append((value, holder))
    return [holder for _, holder in kept]
