"""Exhaustive search without a solver: memoised recursion over concrete states.

    endings(s, 0) = [()] if s is the goal, else []
    endings(s, n) = [] if s is the goal, else [(step, *rest) for every step allowed in s, rest in endings(step(s), n-1)]

A state's successors and its endings are memoised, so the work is (states reached) x (steps) x (limit), plus the size
of the answer. It applies the rules of `semantics/collectives.py` to k x k matrices and shares no code with the solver
encodings, so it is an independent check of them.
Reference: Michie, "Memo functions and machine learning", 1968.

Example: two devices, one level: endings(start, 1) = [(AllReduce,)], endings(start, 2) = [(ReduceScatter, AllGather),
(Reduce, Broadcast)].
"""

import time
from collections.abc import Callable

from p2smt.placement.tree import Shape
from p2smt.reduction.language.language import Language, Step, Steps
from p2smt.reduction.semantics.collectives import Violation
from p2smt.reduction.semantics.execution import machine
from p2smt.reduction.semantics.state import State
from p2smt.smt.answer import Enumeration, Stop


class _OutOfTimeError(Exception):
    pass


def walk(
    language: Language,
    shape: Shape,
    limit: int,
    deadline: float | None = None,
    progress: Callable[[int], None] | None = None,
) -> Enumeration[Steps]:
    """Return all sequences of steps that lead from the start to the goal, by trying every step in every state.

    At the deadline or on Ctrl-C, returns the programs of all lengths that were completed.
    """
    walker = _Walker(language, shape, deadline)
    found: list[Steps] = []
    try:
        for length in range(limit + 1):
            found += walker.endings(walker.machine.goal.start, length)
            if progress is not None:
                progress(len(found))
    except _OutOfTimeError:
        return Enumeration(tuple(found), Stop.DEADLINE)
    except KeyboardInterrupt:
        return Enumeration(tuple(found), Stop.INTERRUPTED)
    return Enumeration(tuple(found), Stop.EXHAUSTED)


class _Walker:
    def __init__(self, language: Language, shape: Shape, deadline: float | None) -> None:
        self.machine = machine(shape, goal=language.goal)
        self._steps = tuple(language.steps())
        self._deadline = deadline
        self._successors: dict[State, list[tuple[Step, State]]] = {}
        self._endings: dict[tuple[State, int], list[Steps]] = {}

    def endings(self, state: State, left: int) -> list[Steps]:
        """Return the programs of exactly `left` steps that lead from a state to the goal."""
        reached = self.machine.goal.is_reached(state)
        if reached or left == 0:
            # A program ends as soon as it reaches the goal, so an ending of `left` more steps must
            # not pass through the goal.
            return [()] if reached and left == 0 else []
        # Keyed by the steps left as well: the same state is reached after different numbers of steps.
        if (state, left) not in self._endings:
            after = self._after(state)
            self._endings[state, left] = [(s, *rest) for s, new in after for rest in self.endings(new, left - 1)]
        return self._endings[state, left]

    def _after(self, state: State) -> list[tuple[Step, State]]:
        if state not in self._successors:
            if self._deadline is not None and time.monotonic() >= self._deadline:
                raise _OutOfTimeError
            results = [(step, self.machine.apply(state, step)) for step in self._steps]
            self._successors[state] = [(step, new) for step, new in results if not isinstance(new, Violation)]
        return self._successors[state]
