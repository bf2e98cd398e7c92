"""Programs for a reduce-scatter or an all-gather: halves of all-reduces.

A reduce-scatter is what an all-reduce does before an AllGather over everything, an all-gather what it does after a
ReduceScatter over everything. So the proof of the level algebra holds for both, and blocks lie in the order of the
devices' ranks, as NCCL has them.
"""

from dataclasses import replace

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.model import Engine, Problem
from p2smt.reduction.language.instruction import Program
from p2smt.reduction.language.sketch import parse_sketch
from p2smt.reduction.synth.completion import Completer
from p2smt.smt.answer import Enumeration

_SCATTERS = "...; AllGather global"
_GATHERS = "ReduceScatter global; ..."


class Halves:
    """Finds them; keeps what it found for all placements and problems that it is used for."""

    def __init__(self) -> None:
        self._completer = Completer()

    def scatters(
        self, problem: Problem, matrix: ParallelismMatrix, deadline: float | None = None
    ) -> Enumeration[Program]:
        """All programs that do a reduce-scatter of at most the problem's limit, and then an AllGather over all."""
        return self._completed(problem, _SCATTERS, matrix, deadline)

    def gathers(
        self, problem: Problem, matrix: ParallelismMatrix, deadline: float | None = None
    ) -> Enumeration[Program]:
        """All programs that do a ReduceScatter over all, and then an all-gather of at most the problem's limit."""
        return self._completed(problem, _GATHERS, matrix, deadline)

    def _completed(
        self, problem: Problem, sketch: str, matrix: ParallelismMatrix, deadline: float | None
    ) -> Enumeration[Program]:
        search = replace(problem.search, limit=problem.search.limit + 1, engine=Engine.LEVELS)
        found = self._completer.complete(
            replace(problem, search=search), parse_sketch(sketch), deadline, only=matrix
        ).synthesis
        # The same tuple for every placement with the same levels; none where Ctrl-C came first.
        programs = found.placements[0].programs if found.placements else ()
        return Enumeration(programs, found.stop, found.reason)
