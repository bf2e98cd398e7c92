"""Explain why no placement satisfies a job's conditions, and which changes would help.

Three searches on the same oracle ("do these conditions have a placement?", `possible.py`):
    core      a smallest unsatisfiable set of conditions (`smt/cores.py`)
    drops     sets by size 1, 2, ...; the first size with an answer holds the smallest correction sets
    sizes     breadth-first: a prime factor moves from one axis to another, at most `_MOST_MOVES` times, which keeps
              the number of devices; nearest first by the sum of |log2(new / old)| over axes
A weaker form of a single condition is searched from strong to weak (`_weaker`).
Complexity: at most 2^conditions questions for drops, but cores have few conditions; every question is one query.
Reference: Liffiton and Sakallah, "Algorithms for computing minimal unsatisfiable subsets of constraints", 2008 (cores
and correction sets).

Example: tp of 16 pinned to a level of 8 GPUs. The core is this condition alone; the nearest sizes have tp = 8 and
another axis twice as large.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations, islice
from math import log2

from p2smt.cost.network.cost import Cost
from p2smt.job.possible import Possible
from p2smt.placement.enumeration import primes_of
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.condition import Condition, InnerAxis, Off, PinnedAxis, PlacementCondition, ProgramCondition, Unsplit
from p2smt.problem.model import Axis
from p2smt.problem.workload import Workload
from p2smt.smt.answer import NoAnswer, Sat, Unsat
from p2smt.smt.cores import CoreSearch, Minimality

MOST_REMEDIES = 3
"""Maximum number of remedies of each kind to search for."""
_MOST_MOVES = 2

Sizes = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Infeasible:
    """An unsatisfiable core of the conditions, and the nearest feasible jobs.

    `without[i]` is the first placement that satisfies the core without its condition `i`. `dropped` lists
    smallest sets of conditions whose removal makes the others consistent. `looser` pairs conditions of the core
    with weaker ones that could replace them. `sizes` lists the nearest axis sizes with which all conditions are
    consistent; they result from moving a prime factor from one axis to another, once or twice. Results not
    found before the deadline are missing, and `minimality` tells what is known about the core.
    """

    workload: Workload
    core: tuple[Condition, ...]
    minimality: Minimality
    without: tuple[ParallelismMatrix | None, ...]
    dropped: tuple[tuple[Condition, ...], ...]
    looser: tuple[tuple[Condition, Condition], ...]
    sizes: tuple[tuple[Axis, ...], ...]


def explain_infeasible(workload: Workload, cost: Cost, deadline: float | None = None) -> Infeasible:
    """Explain why no placement with any programs satisfies a job's conditions.

    `deadline` is a time of `time.monotonic`.
    """
    possible, conditions = Possible(workload, cost, deadline), workload.conditions
    search = CoreSearch(possible.ask, len(conditions))
    without: list[ParallelismMatrix | None] = []
    dropped: list[tuple[Condition, ...]] = []
    looser: list[tuple[Condition, Condition]] = []
    sizes: list[tuple[Axis, ...]] = []
    with suppress(KeyboardInterrupt):
        search.run()
        core = _core(search, conditions)
        if search.minimality is not Minimality.UNREDUCED:
            without = [_first(possible, [other for other in core if other != number]) for number in core]
        dropped += _smallest_drops(possible)
        looser += _looser(possible, core)
        sizes += islice(_nearest_sizes(possible), MOST_REMEDIES)
    core = _core(search, conditions)
    return Infeasible(
        workload,
        tuple(conditions[number] for number in core),
        search.minimality,
        tuple(without or [None] * len(core)),
        tuple(dropped),
        tuple(looser),
        tuple(sizes),
    )


def _core(search: CoreSearch[ParallelismMatrix], conditions: Sequence[Condition]) -> tuple[int, ...]:
    """Return an unsatisfiable set of conditions; initially all conditions."""
    return tuple(range(len(conditions))) if search.core is None else search.core


def _first(possible: Possible, numbers: Sequence[int]) -> ParallelismMatrix | None:
    """Return the first placement that satisfies the given conditions; None if it is not known."""
    answer = possible.first(numbers)
    return answer.model if isinstance(answer, Sat) else None


def _smallest_drops(possible: Possible) -> list[tuple[Condition, ...]]:
    """Return the first of the smallest sets of conditions whose removal makes the others consistent."""
    conditions = possible.workload.conditions
    # By size, so that the first size with an answer is the smallest; cores have few conditions.
    for count in range(1, len(conditions) + 1):
        drops: list[tuple[Condition, ...]] = []
        for some in combinations(range(len(conditions)), count):
            match possible.everything(but=some):
                case Sat():
                    drops.append(tuple(conditions[number] for number in some))
                case NoAnswer():
                    return []
                case Unsat():
                    pass
            if len(drops) == MOST_REMEDIES:
                break
        if drops:
            return drops
    return []


def _looser(possible: Possible, core: Collection[int]) -> Iterator[tuple[Condition, Condition]]:
    """Yield each condition of the core with the first weaker one that makes all conditions consistent."""
    for number in core:
        condition = possible.workload.conditions[number]
        looser: Condition | Unsat | NoAnswer
        if isinstance(condition, ProgramCondition):
            looser = possible.least_limit(number)
        else:
            looser = _first_looser(possible, number, condition)
        if isinstance(looser, NoAnswer):
            return
        if not isinstance(looser, Unsat):
            yield condition, looser


def _first_looser(possible: Possible, number: int, condition: PlacementCondition) -> Condition | Unsat | NoAnswer:
    for weaker in _weaker(condition, len(possible.workload.levels)):
        match possible.replaced(number, weaker).everything():
            case Sat():
                return weaker
            case NoAnswer() as unknown:
                return unknown
            case Unsat():
                pass
    return Unsat()


def _weaker(condition: PlacementCondition, levels: int) -> Iterator[Condition]:
    """Yield placement conditions implied by the given one, strongest first."""
    match condition:
        # From strong to weak: staying on one level implies being inner to all outer ones, and being
        # off all others.
        case PinnedAxis(axis, level):
            yield Unsplit(axis)
            yield from (InnerAxis(axis, above) for above in range(level - 1, -1, -1))
            yield from (Off(axis, other) for other in range(levels) if other != level)
        case InnerAxis(axis, level):
            yield from (InnerAxis(axis, above) for above in range(level - 1, -1, -1))
        case Unsplit(axis, among) if len(among or range(levels)) > 2:
            yield from (Unsplit(axis, pair) for pair in combinations(among or tuple(range(levels)), 2))
        case _:
            return


def _nearest_sizes(possible: Possible) -> Iterator[tuple[Axis, ...]]:
    """Yield other axis sizes with which all conditions are consistent, nearest first."""
    workload = possible.workload
    start = tuple(axis.size for axis in workload.axes)
    primes = primes_of(workload)
    # A prime factor moves, so the product (the number of devices) stays what it is.
    reached, distances = {start}, {start: 0.0}
    for _ in range(_MOST_MOVES):
        reached = {moved for sizes in reached for moved in _moves(sizes, primes)}
        for sizes in reached:
            distances.setdefault(sizes, sum(abs(log2(new / old)) for new, old in zip(sizes, start, strict=True)))
    for sizes in sorted(distances, key=lambda some: (distances[some], some)):
        axes = tuple(Axis(axis.name, size) for axis, size in zip(workload.axes, sizes, strict=True))
        if sizes == start:
            continue
        match possible.resized(axes).everything():
            case Sat():
                yield axes
            case NoAnswer():
                return
            case Unsat():
                pass


def _moves(sizes: Sizes, primes: Collection[int]) -> Iterator[Sizes]:
    """Yield the sizes after moving one prime factor from one axis to another."""
    for giver, size in enumerate(sizes):
        for prime in (prime for prime in primes if size % prime == 0):
            for taker in (axis for axis in range(len(sizes)) if axis != giver):
                factors = {giver: size // prime, taker: sizes[taker] * prime}
                yield tuple(factors.get(axis, old) for axis, old in enumerate(sizes))
