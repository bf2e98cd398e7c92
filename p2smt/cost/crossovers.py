"""Crossovers: the cheapest program at each payload, exactly, as the lower envelope of lines.

Problem: the time of a program is a line over the bytes, or, where NCCL chooses an algorithm call by call, the least of
several lines for every call. So the least time of all programs is
    f(n) = min over lines i of  latency[i] + per_byte[i] * n,
concave and made of lines. A ranking of all programs at one n gives the lowest line there.

Method (Eisner and Severance, "Mathematical techniques for efficient record segmentation in large shared databases",
1976): the lines that are the lowest at two payloads meet at
    n = (latency[2] - latency[1]) / (per_byte[1] - per_byte[2]).
If no line lies below both there, that is the only crossover between the two; else the line below splits the range.
Complexity: k lines of f take at most 2k - 1 rankings: each of those between the ends finds a line or confirms an n.

Example: three lines; the first and the last meet at 7.6, where the second is lower, which gives both crossovers.
    >>> lines = [Crossover(0.0, None, 1.0, 3.0), Crossover(0.0, None, 5.0, 1.0), Crossover(0.0, None, 20.0, 0.5)]
    >>> [(line.least_bytes, line.per_byte_s) for line in cheapest_of([lines])]
    [(0.0, 3.0), (2.0, 1.0), (30.0, 0.5)]
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby
from math import inf

from p2smt.cost.any_length import GRACE_S, Reach
from p2smt.cost.network.cost import Cost
from p2smt.cost.ranking import RankedProgram, Ranker
from p2smt.errors import TimeUpError
from p2smt.problem.model import Payload, Problem
from p2smt.reduction.synth.session import PlacedPrograms
from p2smt.smt.deadlines import Until

MOST_BYTES = 2**50
"""The largest payload considered, in bytes."""

_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Crossover:
    """The range of payloads from `least_bytes` to the next crossover, in which `best` is the cheapest program.

    `best` is priced at one of these payloads: `latency_s` plus `per_byte_s` for every byte. If two neighbouring ranges
    have the same program, one of its calls changes its algorithm at the crossover.
    """

    least_bytes: float
    best: RankedProgram
    latency_s: float
    per_byte_s: float

    def seconds(self, size: float) -> float:
        """Return the time of the program for `size` bytes, if its calls use the same algorithms as here."""
        return self.latency_s + self.per_byte_s * size


def crossovers(
    ranker: Ranker, cost: Cost, problem: Problem, placed: PlacedPrograms, deadline: float | None = None
) -> tuple[Crossover, ...] | None:
    """Return the crossovers between the programs of a placement; None if the time was up before they were known.

    `ranker` and `cost` must price alike. `deadline` is a time of `time.monotonic`; it may be exceeded by `GRACE_S`.
    """
    until = Until(None if deadline is None else deadline + GRACE_S)

    @cache
    def ranked_at(size: int) -> tuple[RankedProgram, ...]:
        until.check()
        asked = replace(problem, payload=Payload(size, problem.payload.dtype))
        ranked = ranker.placement(asked, placed, top=1, deadline=deadline)
        if ranked.reach is Reach.LATE:
            raise TimeUpError
        return ranked.programs

    def best_at(size: int) -> Crossover:
        (best,) = ranked_at(size)
        plan = best.plan
        steps = [cost.step_cost(plan, step) for step in plan.steps]
        return Crossover(0.0, best, sum(step.fixed_s for step in steps), sum(step.bytes_s for step in steps) / size)

    try:
        return _walked(best_at) if ranked_at(1) else ()
    except TimeUpError:
        return None


def cheapest_of(each: Iterable[Sequence[Crossover]]) -> tuple[Crossover, ...]:
    """Return the crossovers of several placements together."""
    lines = [crossover for several in each for crossover in several]
    return _walked(lambda size: min(lines, key=lambda line: line.seconds(size))) if lines else ()


def program_changes(found: Sequence[Crossover]) -> tuple[Crossover, ...]:
    """Return the crossovers at which another program, or another placement's program, becomes the cheapest."""
    groups = groupby(found, key=lambda crossover: (crossover.best.lowering.matrix, crossover.best.program))
    return tuple(next(group) for _, group in groups)


def known_changes(found: Sequence[Crossover], known_from: int) -> tuple[Crossover, ...]:
    """Return the program changes for payloads of at least `known_from` bytes, below which parameters are unknown."""
    changes = program_changes(found)
    if not changes:
        return ()
    ends = [*(after.least_bytes for after in changes[1:]), inf]
    return tuple(
        replace(change, least_bytes=max(change.least_bytes, float(known_from)))
        for change, end in zip(changes, ends, strict=True)
        if end > known_from
    )


def _walked(best_at: Callable[[int], Crossover]) -> tuple[Crossover, ...]:
    first = best_at(1)
    found = [first, *_between(best_at, first, best_at(MOST_BYTES))]
    # Lines that meet below one byte: only the last of them is ever the lowest.
    while len(found) > 1 and found[1].least_bytes <= 1:
        found[:2] = [replace(found[1], least_bytes=0.0)]
    return tuple(found)


def _between(best_at: Callable[[int], Crossover], left: Crossover, right: Crossover) -> Iterator[Crossover]:
    """Yield the crossovers after `left` up to and including the one to `right`; none if the two are the same line."""
    flatter = left.per_byte_s - right.per_byte_s
    # Nearly parallel: their meeting point would be decided by rounding.
    if flatter <= _SAME * left.per_byte_s:
        return
    meeting = max((right.latency_s - left.latency_s) / flatter, 0.0)
    size = max(round(meeting), 1)
    middle = best_at(size)
    if middle.seconds(size) >= min(left.seconds(size), right.seconds(size)) * (1 - _SAME):
        yield replace(right, least_bytes=meeting)
        return
    yield from _between(best_at, left, middle)
    yield from _between(best_at, middle, right)
