"""A survey of all obstacles of a step: tracing and lowering continue past each with stand-ins for its results.

If a result depends on values, tracing continues with a stand-in of the right kind (`recording.py`). If the
language lacks an operation, lowering continues with new inputs in place of its results. An operation that takes a
stand-in is an obstacle of its own only if it has no lowering at all; otherwise its failure is a consequence of
another obstacle. Failures on complex tensors, which have no stand-ins, are consequences as well.

    obstacle(operation) = no lowering at all,   or  a lowering that fails on operands without stand-ins.

Complexity: one trace and one lowering of the step.
Reference: Aho, Lam, Sethi and Ullman, "Compilers", 2006, section 4.1 (error recovery).

Example: of `y = special.i0(x).nonzero()` both operations are obstacles, and those after y are lowered for as many
rows as x has elements.
"""

from collections import Counter
from dataclasses import dataclass

from p2smt.errors import P2Error
from p2smt.frontend.torch_graph.aten_call import DTYPES, LoweringState
from p2smt.frontend.torch_graph.emission import Emission, number
from p2smt.frontend.torch_graph.graph import Obstacle, Reference, Survey, TorchNode, TrainingGraph, needed, references
from p2smt.frontend.torch_graph.node import is_known, lower
from p2smt.frontend.torch_graph.view import plain_view
from p2smt.tensor.building import ProgramBuilder
from p2smt.tensor.expression import Source, SourceKind

_WAY_OUT = "write it with operations that are known, or compute it outside the step and pass it in the batch"


@dataclass(frozen=True, slots=True)
class StepObstacle:
    """An obstacle with the number of its occurrences and a workaround."""

    obstacle: Obstacle
    times: int
    reason: str
    way_out: str


@dataclass(frozen=True, slots=True)
class Feasibility:
    """The obstacles of a step, and how many operations can be captured; `ended`: tracing stopped early."""

    stops: tuple[StepObstacle, ...]
    operations: int
    captured: int
    ended: bool

    @property
    def is_captured(self) -> bool:
        """True if the step can be captured."""
        return not self.stops


def feasibility(survey: Survey, graph: TrainingGraph | None) -> Feasibility:
    """Return the obstacles of tracing and of lowering; given a graph, only the nodes that it needs are lowered."""
    nodes = survey.nodes
    if graph is not None:
        nodes = needed(nodes, [graph.loss, *(each for _, each in (*graph.gradients, *graph.mutated))])
    lowering = _Lowering(survey, "" if graph is None else graph.tangent)
    for node in nodes:
        lowering.lower(node)
    counts = Counter(_distinct([*survey.obstacles, *lowering.obstacles]))
    stops = tuple(StepObstacle(each, times, *_split(each.why)) for each, times in counts.items())
    return Feasibility(stops, len(nodes), len(nodes) - lowering.stopped, survey.ended)


def _distinct(obstacles: list[Obstacle]) -> list[Obstacle]:
    """Return the obstacles without those of lowering already reported by tracing for the same operation and line."""
    first: dict[tuple[str, str], str] = {}
    return [each for each in obstacles if first.setdefault((each.operation, each.line), each.why) == each.why]


def _split(why: str) -> tuple[str, str]:
    """The reason, and the workaround after it."""
    reason, _, way = why.partition("; ")
    return reason, way or _WAY_OUT


class _Lowering:
    def __init__(self, survey: Survey, tangent: str) -> None:
        self._builder = ProgramBuilder("survey", ())
        self._emission = Emission(self._builder)
        self._memory = LoweringState()
        self._stand_ins: set[str] = set()
        self.obstacles: list[Obstacle] = []
        self.stopped = 0
        for each in survey.given:
            self._stands(each.node, 0, each.meta.shape, each.meta.dtype)
        # without a graph the gradient of the loss is the one source that no list has
        made = {*(node.name for node in survey.nodes), *(each.node for each in survey.given)}
        asked = {each.node for node in survey.nodes for each in references(node)}
        for name in (asked - made) | ({tangent} if tangent else set()):
            self._memory.results[Reference(name)] = number(1)

    def lower(self, node: TorchNode) -> None:
        """Lower a node, or replace its results by stand-ins."""
        try:
            lower(node, self._emission, self._memory)
            return
        except P2Error as cause:
            why = str(cause)
        self.stopped += 1
        asked = references(node)
        follows = any(each.node in self._stand_ins for each in asked) and is_known(node.operation)
        if not follows and all(each in self._memory.results for each in asked):
            why = why.rpartition(f"{node.operation}: ")[2]
            self.obstacles.append(Obstacle(node.operation, node.line, why, node.backward))
        self._stand_ins.add(node.name)
        for position, meta in enumerate(node.results):
            if meta is not None:
                self._stands(node.name, position, meta.shape, meta.dtype)

    def _stands(self, node: str, position: int, shape: tuple[int, ...], dtype: str) -> None:
        if dtype not in DTYPES or 0 in shape:
            self._stand_ins.add(node)
            return
        name, kind = self._builder.free("given"), SourceKind.INPUT
        source = Source(kind=kind, name=name, dtype=DTYPES[dtype], shape=shape, names=("",) * len(shape))
        read = self._builder.source(source)
        self._memory.results[Reference(node, position)] = plain_view(read, shape, DTYPES[dtype])
