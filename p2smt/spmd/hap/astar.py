"""HAP's search: A* over sets of properties, one instruction at a time (HAP, section 4.3), with this package's costs.

    score(p) = cost(p) + sum over operations not in p of their least cost with a free network.

The second term never overestimates (admissible), so the first complete program that leaves the queue is optimal (Hart,
Nilsson and Raphael, "A formal basis for the heuristic determination of minimum cost paths", 1968). A state is a set of
properties, as a bit mask. A state is dropped if another one contains it at no higher cost (dominance); properties that
nothing needs any more are forgotten. These reductions are switches (`Heuristic`); none changes the optimum.

Complexity: exponential in the operations; ends with an error after `MOST_PROGRAMS` partial programs.

Example: two operations that take at least 3 and 4: the empty program has score 7. After the first, with 2 for its
conversion, the score is 5 + 4 = 9; a complete program of cost 8 would be the answer before that one is extended.
"""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from p2smt.errors import EngineError
from p2smt.spmd.engines.engine import ALL, Heuristic
from p2smt.spmd.engines.problem import Best, Impossible
from p2smt.spmd.hap.theory import HapProperty, Theory, Triple, theory_of
from p2smt.spmd.model.build import Sharding, TensorChoice

MOST_PROGRAMS = 50_000


@dataclass(frozen=True, slots=True)
class AstarResult:
    """The answer, and the number of partial programs that were expanded."""

    answer: Best | Impossible
    programs: int


def astar(sharding: Sharding, heuristics: frozenset[Heuristic] = ALL, most: int = MOST_PROGRAMS) -> AstarResult:
    """Return the cheapest assignment, ignoring limits.

    Raises EngineError, with the lower bound that the queue proves, after more than `most` partial programs.
    """
    return _Search(sharding, theory_of(sharding), heuristics, most).run()


@dataclass(frozen=True, slots=True)
class _Partial:
    """A partial program: its properties, cost, predecessor, decisions of the last instruction, and number of steps."""

    properties: int
    cost: int
    before: "_Partial | None"
    chosen: tuple[HapProperty, ...]
    steps: int


@dataclass(slots=True)
class _Front:
    """The Pareto front of programs with the same events, by set of properties (more is better) and cost."""

    dominance: bool
    alive: dict[int, int] = field(default_factory=dict)

    def add(self, properties: int, cost: int) -> bool:
        """Add a program unless it is dominated, and drop the programs that it dominates; True if it was added."""
        known = self.alive.get(properties)
        if known is not None and known <= cost:
            return False
        if self.dominance:
            if any(not properties & ~other and least <= cost for other, least in self.alive.items()):
                return False
            for other in [each for each, least in self.alive.items() if not each & ~properties and cost <= least]:
                del self.alive[other]
        self.alive[properties] = cost
        return True


class _Search:
    def __init__(self, sharding: Sharding, theory: Theory, heuristics: frozenset[Heuristic], most: int) -> None:
        self._sharding = sharding
        self._theory = theory
        self._heuristics = heuristics
        self._most = most
        self._complete = sum(theory.done)
        self._queue: list[tuple[int, int, int, _Partial, int]] = []
        self._fronts: dict[int, _Front] = {}
        self._pushed = 0
        self._best: _Partial | None = None
        self._loads = [each for moves in theory.moves for each in moves if each.chosen]
        fused = Heuristic.FUSED in heuristics
        self._usable = [tuple(self._variants(each)) if fused else each for each in self._grouped()]

    def _grouped(self) -> Iterator[tuple[Triple, ...]]:
        """Yield the usable triples: in program order, those of each step and its operands' conversions; else all."""
        theory = self._theory
        if Heuristic.ORDER not in self._heuristics:
            steps = tuple(each for step in theory.steps for each in step)
            yield (*(each for moves in theory.moves for each in moves), *steps)
            return
        for step, reads in zip(theory.steps, theory.reads, strict=True):
            yield (*(each for position in reads for each in theory.moves[position]), *step)

    def _variants(self, triples: tuple[Triple, ...]) -> Iterator[Triple]:
        """Yield triples fused with loads of the sources that they need; loads alone are left out."""
        for triple in triples:
            if triple.chosen and triple.step is None:
                continue
            variants = [triple]
            for load in self._loads:
                if load.gives & triple.needs:
                    variants += [_fused(load, each) for each in variants if not each.lacks & load.lacks]
            yield from variants

    def run(self) -> AstarResult:
        theory = self._theory
        self._push(_Partial(0, 0, None, (), 0), sum(theory.least))
        looked = 0
        while self._queue:
            score, _, _, program, rest = heapq.heappop(self._queue)
            if self._best is not None and score >= self._best.cost:
                break
            # Dropped or improved since it was pushed: entries stay in the heap and are passed over here.
            if self._fronts[program.properties & theory.events].alive.get(program.properties) != program.cost:
                continue
            looked += 1
            if looked > self._most:
                raise EngineError(
                    f"engine astar stops after {self._most} partial programs, having proved a lower bound of "
                    f"{score} ps; use --engine elimination"
                )
            for triple in self._usable[program.steps if Heuristic.ORDER in self._heuristics else 0]:
                self._extend(program, triple, rest)
        if self._best is None:
            return AstarResult(Impossible(), looked)
        return AstarResult(self._assigned(self._best), looked)

    def _extend(self, program: _Partial, triple: Triple, rest: int) -> None:
        there = program.properties
        if triple.needs & ~there or triple.lacks & there or not triple.gives & ~there:
            return
        properties, cost, steps = there | triple.gives, program.cost + triple.cost, program.steps
        if triple.step is not None:
            steps += 1
            rest -= self._theory.least[triple.step]
            if Heuristic.FORGOTTEN in self._heuristics:
                properties = self._forgotten(properties, triple.step)
        longer = _Partial(properties, cost, program, triple.chosen, steps)
        if properties & self._complete == self._complete:
            if self._best is None or cost < self._best.cost:
                self._best = longer
        else:
            self._push(longer, rest)

    def _forgotten(self, properties: int, step: int) -> int:
        for position in self._theory.reads[step]:
            readers = self._theory.readers[position]
            if properties & readers == readers:
                properties &= ~self._theory.spent[position]
        return properties

    def _push(self, program: _Partial, rest: int) -> None:
        front = self._fronts.setdefault(
            program.properties & self._theory.events, _Front(Heuristic.DOMINANCE in self._heuristics)
        )
        if front.add(program.properties, program.cost):
            self._pushed += 1
            score = program.cost + (rest if Heuristic.ESTIMATE in self._heuristics else 0)
            # Of equal scores the longer program first, which is nearer to its end; then the older, as programs have
            # no order.
            heapq.heappush(self._queue, (score, -program.steps, self._pushed, program, rest))

    def _assigned(self, program: _Partial) -> Best:
        """Return the assignment of a complete program: its rules, and for tensors the cheapest compatible options."""
        options: dict[int, int] = {}
        last: _Partial | None = program
        while last is not None:
            options.update((each.choice, each.number) for each in last.chosen)
            last = last.before
        assignment = _assignment(self._sharding, options)
        best = Best(assignment, self._sharding.problem.cost(assignment))
        assert best.cost == program.cost
        return best


def _fused(load: Triple, triple: Triple) -> Triple:
    """Return a load and the triple that needs it as one instruction (HAP, section 4.5)."""
    return replace(
        triple,
        needs=triple.needs & ~load.gives,
        lacks=triple.lacks | load.lacks,
        gives=triple.gives | load.gives,
        chosen=(*load.chosen, *triple.chosen),
    )


def _any(allowed: tuple[int, ...], mask: int) -> int:
    """Return the options compatible with any option of a mask."""
    together = 0
    for option, other in enumerate(allowed):
        if (mask >> option) & 1:
            together |= other
    return together


def _assignment(sharding: Sharding, decided: dict[int, int]) -> tuple[int, ...]:
    """Return the decided rules and stored layouts, with the cheapest compatible option for each tensor."""
    problem = sharding.problem
    chosen: list[int | None] = [None] * len(problem.choices)
    able = [(1 << len(choice.costs)) - 1 for choice in problem.choices]
    for choice, meaning in enumerate(sharding.meanings):
        if isinstance(meaning, TensorChoice):
            if choice in decided:
                roots = [root == decided[choice] for root, _ in meaning.options]
                able[choice] = sum(1 << number for number, is_root in enumerate(roots) if is_root)
        else:
            chosen[choice] = decided[choice]
            able[choice] = 1 << decided[choice]
    # Twice, forth and back, which carries a decision over two links.
    for _ in range(2):
        for link in problem.links:
            able[link.right] &= _any(link.allowed, able[link.left])
            able[link.left] &= sum(1 << number for number, mask in enumerate(link.allowed) if mask & able[link.right])
    for choice, mask in enumerate(able):
        costs = problem.choices[choice].costs
        chosen[choice] = min((option for option in range(len(costs)) if (mask >> option) & 1), key=costs.__getitem__)
    return tuple(option for option in chosen if option is not None)
