"""The graph of live states: all states from which a goal can be reached, and the steps between them.

Nodes are states of the level algebra. Edges are allowed steps with the *charge* that determines their price: the step,
and the sets of levels scattered on roots. Neither level sizes nor prices enter, so one graph serves every placement
with the same language. Construction: forward reachability from the start, many states at once with numpy, then backward
reachability from the goals, which removes dead states.

Distances: `distances(prices)` is a fixed point of  d[s] = min over edges (s, c, t) of prices[c] + d[t],  d[goal] = 0.
Every step merges or scatters a level, and only a gather undoes a scatter, so the graph has no cycles and states can
be relaxed in reverse order of their longest path: O(edges) for one vector of prices (shortest paths in a directed
acyclic graph; Cormen et al., "Introduction to Algorithms", section 24.2).

`apply_step` in `level_algebra.py` defines the same steps for one state; tests compare the two.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import count

import numpy as np
from numpy.typing import NDArray

from p2smt.collective import Collective
from p2smt.reduction.language.language import Language, Step
from p2smt.reduction.semantics.goal import LevelGoal, level_goal
from p2smt.reduction.semantics.level_algebra import HeldLevels, LevelState, class_groups, level_mask
from p2smt.smt.deadlines import EVER, Until

MAX_LEVELS = 5
"""The most levels for which a graph is built; with more it has hundreds of thousands of states."""

_Rows = NDArray[np.int32]
_Flags = NDArray[np.bool_]
_Places = NDArray[np.intp]
_Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Charge:
    """The price class of an edge: its step, and the sets of levels (bit masks) scattered on the roots of its groups."""

    step: Step
    scattered: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class StateGraph:
    """The live states of a language, start first, and all steps between them.

    Every maximal walk ends in one of `goals`. Edge `e` leads from `source[e]` to `target[e]` and has the price of
    `charges[charge[e]]`; edges are sorted by source. The graph is empty if no goal can be reached from the start.
    `depth[s]` is the number of steps of the longest path from state `s` to a goal. `reached` is the number of states
    reachable by the level algebra's rules, including dead ones.
    """

    language: Language
    rows: _Rows
    source: _Numbers
    target: _Numbers
    charge: _Numbers
    charges: tuple[Charge, ...]
    depth: _Numbers
    goals: NDArray[np.bool_]
    reached: int

    def __len__(self) -> int:
        return len(self.rows)

    def state(self, number: int) -> LevelState:
        """Return a state in the level algebra's representation."""
        levels = self.language.levels
        return tuple(_holding(code, levels) for code in self.rows[number].tolist())

    def edges(self, number: int) -> Iterator[tuple[int, int]]:
        """Yield the charge and the target of every edge from a state."""
        # Edges are sorted by their source, so those of a state are one slice.
        first, last = np.searchsorted(self.source, [number, number + 1])
        return zip(self.charge[first:last].tolist(), self.target[first:last].tolist(), strict=True)

    def distances(self, prices: _Numbers) -> _Numbers:
        """Return the cost of the cheapest path from every state to a goal; `prices` has an integer >= 0 per charge."""
        # Never added to a price: the targets of a layer are live and lie in earlier layers.
        unknown = np.iinfo(np.int64).max
        least = np.where(self.goals, 0, unknown)
        for edges in self.layers:
            np.minimum.at(least, self.source[edges], prices[self.charge[edges]] + least[self.target[edges]])
        return least

    @property
    def longest(self) -> int:
        """Return the number of instructions of the longest program; 0 if there is none."""
        return int(self.depth.max(initial=0))

    @cached_property
    def layers(self) -> list[NDArray[np.intp]]:
        """Return the edges grouped by the depth of their source, ascending.

        The targets of a layer lie in earlier layers.
        """
        depth = self.depth[self.source]
        order = np.argsort(depth, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(depth[order])) + 1) if len(order) else []


def state_graph(language: Language, until: Until = EVER) -> StateGraph:
    """Return the graph of a language of at most `MAX_LEVELS` levels; raises TimeUpError at the deadline."""
    assert language.levels <= MAX_LEVELS, f"{language.levels} levels are too many"
    return _graph(language, until)


@lru_cache(maxsize=16)
def _graph(language: Language, until: Until) -> StateGraph:
    return _Builder(language).graph(until)


class _GroupCodes:
    """Encoded holdings in the groups of one grouping: `members[s, g, i]` is for member `i` of group `g` in state `s`.

    Steps with an empty root are not allowed. `masks[s]` encodes the sets of levels scattered on the roots, one bit per
    set.
    """

    def __init__(self, members: _Rows, along: int, levels: int) -> None:
        self._levels, self._members, self._roots = levels, members, members[:, :, 0]
        self._scattered, self._merged = along, along << levels
        # A code has `levels` bits for the scattered set, as many for the merged set and one for
        # "holds nothing"; OR and AND over the roots answer questions about all groups of a step at
        # once.
        some, every = np.bitwise_or.reduce(self._roots, axis=1), np.bitwise_and.reduce(self._roots, axis=1)
        is_held = some >> (2 * levels) == 0
        is_alike = is_held & np.logical_and.reduce(members == members[:, :, :1], axis=(1, 2))
        both = self._scattered | self._merged
        is_whole = (some & self._scattered == 0) & (every & self._merged == self._merged)
        self._reducible = np.flatnonzero(is_alike & (some & both == 0))
        self._gatherable = np.flatnonzero(is_alike & (every & both == both))
        self._whole = np.flatnonzero(is_held & is_whole)
        self.masks = np.bitwise_or.reduce(1 << (self._roots & ((1 << levels) - 1)).astype(np.int64), axis=1)

    def applied(self, collective: Collective) -> tuple[_Places, _Rows]:
        """Return the states that allow a collective, and per group the members' (or only the root's) new holding."""
        match collective:
            case Collective.ALL_REDUCE | Collective.REDUCE:
                return self._reducible, self._roots[self._reducible] | self._merged
            case Collective.REDUCE_SCATTER:
                return self._reducible, self._roots[self._reducible] | self._merged | self._scattered
            case Collective.ALL_GATHER:
                # The sum goes to all members; a Reduce empties the others afterwards (`_follow`).
                return self._gatherable, self._roots[self._gatherable] & ~self._scattered
            case Collective.BROADCAST:
                allowed = self._whole[self._is_news(self._members[self._whole])]
                return allowed, self._roots[allowed]

    def _is_news(self, members: _Rows) -> _Flags:
        """True where every group's members are empty or hold less than their root, and some member differs."""
        roots, every = members[:, :, :1], (1 << self._levels) - 1
        # Less than the root: scattered at least as far, merged at most as far (`broadcast` of the
        # level algebra).
        is_less = (roots & ~members & every) | (members & ~roots & (every << self._levels)) == 0
        fits = np.logical_and.reduce(is_less | (members >> (2 * self._levels) == 1), axis=(1, 2))
        differs = np.logical_and.reduce(np.logical_or.reduce(members != roots, axis=2), axis=1)
        is_news: _Flags = fits & differs
        return is_news


# A set of sets of levels is a number with one bit for each set, so 2^MAX_LEVELS bits; the step stands above them.
_MASK_BITS = 2**MAX_LEVELS
_MASK = (1 << _MASK_BITS) - 1


class _Builder:
    """Builds the graph breadth-first from the start; an edge is a row (source, target, step with scattered sets)."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._goal: LevelGoal = level_goal(language.goal, language.levels)
        # A holding is `scattered | merged << levels`; the bit above both stands for "holds nothing".
        self._empty = 1 << (2 * language.levels)
        self._steps = {step: number for number, step in enumerate(language.steps())}
        self._numbers: dict[bytes, int] = {}
        self._rows: list[_Rows] = []
        self._edges: list[_Numbers] = []

    def graph(self, until: Until) -> StateGraph:
        start = np.array([[self._code(holding) for holding in self._goal.start]], dtype=np.int32)
        self._numbered(start)
        while len(rows := self._rows[-1]):
            first = len(self._numbers) - len(rows)
            open_ones = np.flatnonzero(~self._reached_goal(rows))
            self._follow(open_ones + first, rows[open_ones], until)
        return self._pruned(np.concatenate(self._rows))

    def _code(self, holding: HeldLevels | None) -> int:
        return self._empty if holding is None else holding.scattered | holding.merged << self._language.levels

    def _reached_goal(self, rows: _Rows) -> _Flags:
        done: _Flags = (rows[:, list(self._goal.demanded)] == self._code(self._goal.end)).all(axis=1)
        return done

    def _numbered(self, rows: _Rows) -> _Numbers:
        """Return the numbers of these states; new states are numbered in order of appearance."""
        data, width = rows.tobytes(), rows.shape[1] * rows.itemsize
        # Rows as bytes: hashing them is far cheaper than tuples of numbers, and equal rows have equal bytes.
        keys = [data[place : place + width] for place in range(0, len(data), width)]
        # In the order in which they come, without repetitions, so that numbers do not depend on hashing.
        new = [key for key in dict.fromkeys(keys) if key not in self._numbers]
        self._numbers.update(zip(new, count(len(self._numbers)), strict=False))
        self._rows.append(np.frombuffer(b"".join(new), dtype=rows.dtype).reshape(-1, rows.shape[1]))
        return np.fromiter(map(self._numbers.__getitem__, keys), dtype=np.int64, count=len(keys))

    def _follow(self, numbers: _Numbers, rows: _Rows, until: Until) -> None:
        """Add the edges of all steps from these states."""
        edges: list[_Numbers] = []
        after: list[_Rows] = []
        for grouping in self._language.groupings:
            until.check()
            groups = np.array(class_groups(grouping, self._language.levels))
            seen = _GroupCodes(rows[:, groups], level_mask(grouping.levels), self._language.levels)
            for collective in self._language.collectives(grouping):
                some, result = seen.applied(collective)
                if not len(some):
                    continue
                reached = rows[some]
                reached[:, groups] = result[:, :, None]
                if collective.to_root:
                    reached[:, groups[:, 1:]] = self._empty
                after.append(reached)
                edges.append(
                    # One integer per edge: sets of scattered levels in the low bits, the step above
                    # them. Equal charges are equal integers.
                    np.stack([numbers[some], some, seen.masks[some] | self._steps[grouping, collective] << _MASK_BITS])
                )
        found = np.concatenate([np.empty((3, 0), dtype=np.int64), *edges], axis=1).T
        found[:, 1] = self._numbered(np.concatenate([rows[:0], *after]))
        self._edges.append(found)

    def _pruned(self, rows: _Rows) -> StateGraph:
        """Return the graph without states from which no goal can be reached."""
        edges = np.concatenate([np.empty((0, 3), dtype=np.int64), *self._edges])
        goals = self._reached_goal(rows)
        live = goals.copy()
        depth = np.zeros(len(rows), dtype=np.int64)
        # Backward from the goals until nothing changes: `live` has the states that can end, `depth` their longest
        # way.
        while True:
            further = live[edges[:, 1]]
            before, known = depth.copy(), live.copy()
            np.maximum.at(depth, edges[further, 0], depth[edges[further, 1]] + 1)
            live[edges[further, 0]] = True
            if (before == depth).all() and (known == live).all():
                break
        # If the start cannot end, nothing is left of the graph.
        live &= live[0]
        numbers = np.cumsum(live) - 1
        kept = edges[live[edges[:, 0]] & live[edges[:, 1]]]
        kept = kept[np.argsort(kept[:, 0], kind="stable")]
        codes = kept[:, 2].tolist()
        live_codes = set(codes)
        used = [code for code in dict.fromkeys(edges[:, 2].tolist()) if code in live_codes]
        numbered = {code: number for number, code in enumerate(used)}
        charge = np.fromiter(map(numbered.__getitem__, codes), dtype=np.int64, count=len(codes))
        steps = tuple(self._steps)
        charges = tuple(Charge(steps[code >> _MASK_BITS], _elements(code & _MASK)) for code in used)
        return StateGraph(
            language=self._language,
            rows=rows[live],
            source=numbers[kept[:, 0]],
            target=numbers[kept[:, 1]],
            charge=charge,
            charges=charges,
            depth=depth[live],
            goals=goals[live],
            reached=len(rows),
        )


def _elements(mask: int) -> tuple[int, ...]:
    return tuple(place for place in range(mask.bit_length()) if mask >> place & 1)


def _holding(code: int, levels: int) -> HeldLevels | None:
    every = (1 << levels) - 1
    return None if code >> (2 * levels) else HeldLevels(code & every, code >> levels)
