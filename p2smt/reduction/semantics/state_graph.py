"""All states from which a goal can be reached, and the steps between them: what a search over any length walks on.

Neither sizes nor prices enter, so one graph serves every placement with the same language. The states are those of the
level algebra, worked out for many states at once; `apply_step` says the same of one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from p2smt.collective import Collective
from p2smt.reduction.language.language import Language, Step
from p2smt.reduction.semantics.goal import LevelGoal, level_goal
from p2smt.reduction.semantics.level_algebra import Holding, LevelState, class_groups, level_mask
from p2smt.smt.deadlines import EVER, Until

MAX_LEVELS = 5
"""Over more levels there are hundreds of thousands of states."""

_Rows = NDArray[np.int32]
_Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Charge:
    """What an edge is priced by: its step, and the sets of levels (bit masks) scattered on the roots of its groups."""

    step: Step
    scattered: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class StateGraph:
    """The live states of a language, the start first, and all steps from one to another; no walk ends but in `goals`.

    Edge `e` leads from `source[e]` to `target[e]` and is priced by `charges[charge[e]]`; edges are sorted by their
    source. There is no state where no goal can be reached from the start. `depth[s]` is the number of steps of the
    longest way from state `s` to a goal. `reached` is how many states runs reach by the rules of the level algebra,
    dead ones included.
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
        """A state, as the level algebra writes it."""
        levels = self.language.levels
        return tuple(_holding(code, levels) for code in self.rows[number].tolist())

    def edges(self, number: int) -> Iterator[tuple[int, int]]:
        """The charge and the target of every edge from a state."""
        first, last = np.searchsorted(self.source, [number, number + 1])
        return zip(self.charge[first:last].tolist(), self.target[first:last].tolist(), strict=True)

    def distances(self, prices: _Numbers) -> _Numbers:
        """What the cheapest way from every state to a goal costs; `prices` are those of the charges, whole and >= 0."""
        unknown = np.iinfo(np.int64).max
        least = np.where(self.goals, 0, unknown)
        for edges in self._layers:
            np.minimum.at(least, self.source[edges], prices[self.charge[edges]] + least[self.target[edges]])
        return least

    @property
    def longest(self) -> int:
        """The number of instructions of the longest program; 0 where there is none."""
        return int(self.depth.max(initial=0))

    @cached_property
    def _layers(self) -> list[NDArray[np.intp]]:
        """The edges by the depth of their source, least first: all that a layer needs is known before it."""
        depth = self.depth[self.source]
        order = np.argsort(depth, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(depth[order])) + 1) if len(order) else []


def state_graph(language: Language, until: Until = EVER) -> StateGraph:
    """The graph of a language of at most `MAX_LEVELS` levels; raises TimeUpError where the time does not do for it."""
    assert language.levels <= MAX_LEVELS, f"{language.levels} levels are too many"
    return _graph(language, until)


@lru_cache(maxsize=16)
def _graph(language: Language, until: Until) -> StateGraph:
    return _Builder(language).graph(until)


class _Builder:
    def __init__(self, language: Language) -> None:
        self._language = language
        self._goal: LevelGoal = level_goal(language.goal, language.levels)
        self._empty = 1 << (2 * language.levels)
        self._numbers: dict[bytes, int] = {}
        self._rows: list[_Rows] = []
        self._charges: dict[tuple[Step, int], int] = {}
        self._edges: list[_Numbers] = []

    def graph(self, until: Until) -> StateGraph:
        start = np.array([[self._code(holding) for holding in self._goal.start]], dtype=np.int32)
        frontier = self._numbered(start)
        while len(frontier):
            known = len(self._numbers)
            rows = np.concatenate(self._rows)[frontier]
            open_ones = ~self._reached_goal(rows)
            for step in self._language.steps():
                until.check()
                self._follow(step, frontier[open_ones], rows[open_ones])
            frontier = np.arange(known, len(self._numbers))
        return self._pruned(np.concatenate(self._rows))

    def _code(self, holding: Holding | None) -> int:
        return self._empty if holding is None else holding.scattered | holding.merged << self._language.levels

    def _reached_goal(self, rows: _Rows) -> NDArray[np.bool_]:
        done: NDArray[np.bool_] = (rows[:, list(self._goal.demanded)] == self._code(self._goal.end)).all(axis=1)
        return done

    def _numbered(self, rows: _Rows) -> _Numbers:
        """The numbers of these states; new ones are added."""
        numbers = np.empty(len(rows), dtype=np.int64)
        new = []
        for place, row in enumerate(rows):
            known = len(self._numbers)
            numbers[place] = number = self._numbers.setdefault(row.tobytes(), known)
            if number == known:
                new.append(place)
        self._rows.append(rows[new])
        return numbers

    def _follow(self, step: Step, numbers: _Numbers, rows: _Rows) -> None:
        """Add the edges of one step from these states."""
        allowed, after, scattered = self._applied(step, rows)
        if not allowed.any():
            return
        targets = self._numbered(after)
        charges = [self._charges.setdefault((step, mask), len(self._charges)) for mask in scattered.tolist()]
        self._edges.append(np.column_stack([numbers[allowed], targets, charges]))

    def _applied(self, step: Step, rows: _Rows) -> tuple[NDArray[np.bool_], _Rows, _Numbers]:
        """Which states allow the step, the states after it, and the sets scattered on its roots as bits of a number."""
        grouping, collective = step
        levels = self._language.levels
        along, every = level_mask(grouping.levels), (1 << levels) - 1
        groups = np.array(class_groups(grouping, levels))
        members = rows[:, groups]
        root = members[:, :, :1]
        scattered, merged = root & every, root >> levels
        common = (members == root).all(axis=2, keepdims=True) & (root != self._empty)
        match collective:
            case Collective.ALL_REDUCE | Collective.REDUCE_SCATTER | Collective.REDUCE:
                allowed = common & (scattered & along == 0) & (merged & along == 0)
                change = along << levels | (along if collective.scatters else 0)
                result = root | change
            case Collective.ALL_GATHER:
                allowed = common & (scattered & along == along) & (merged & along == along)
                result = root & ~along
            case Collective.BROADCAST:
                within = (scattered & ~members == 0) & ((members >> levels) & ~merged == 0)
                fits = ((members == self._empty) | within).all(axis=2, keepdims=True)
                differs = (members != root).any(axis=2, keepdims=True)
                whole = (root != self._empty) & (scattered & along == 0) & (merged & along == along)
                allowed, result = fits & differs & whole, root
        good = allowed.all(axis=(1, 2))
        after = rows[good].copy()
        after[:, groups] = result[good]
        if collective.to_root:
            after[:, groups[:, 1:]] = self._empty
        masks = np.bitwise_or.reduce(1 << scattered[good].astype(np.int64), axis=(1, 2))
        return good, after, masks

    def _pruned(self, rows: _Rows) -> StateGraph:
        """Without the states from which no goal can be reached."""
        edges = np.concatenate([np.empty((0, 3), dtype=np.int64), *self._edges])
        goals = self._reached_goal(rows)
        live = goals.copy()
        depth = np.zeros(len(rows), dtype=np.int64)
        while True:
            further = live[edges[:, 1]]
            before, known = depth.copy(), live.copy()
            np.maximum.at(depth, edges[further, 0], depth[edges[further, 1]] + 1)
            live[edges[further, 0]] = True
            if (before == depth).all() and (known == live).all():
                break
        live &= live[0]
        numbers = np.cumsum(live) - 1
        kept = edges[live[edges[:, 0]] & live[edges[:, 1]]]
        kept = kept[np.argsort(kept[:, 0], kind="stable")]
        used, charge = np.unique(kept[:, 2], return_inverse=True)
        known_charges = list(self._charges)
        charges = tuple(Charge(known_charges[n][0], _elements(known_charges[n][1])) for n in used.tolist())
        return StateGraph(
            language=self._language, rows=rows[live], source=numbers[kept[:, 0]], target=numbers[kept[:, 1]],
            charge=charge, charges=charges, depth=depth[live], goals=goals[live], reached=len(rows),
        )  # fmt: skip


def _elements(mask: int) -> tuple[int, ...]:
    return tuple(place for place in range(mask.bit_length()) if mask >> place & 1)


def _holding(code: int, levels: int) -> Holding | None:
    every = (1 << levels) - 1
    return None if code >> (2 * levels) else Holding(code & every, code >> levels)
