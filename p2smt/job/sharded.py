"""Derive a job from a distributed tensor program: collectives become reductions, and the mesh becomes the axes.

`optimize` can then place the axes of a sharded step, and find a program for each of its collectives.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from p2smt.collective import Collective, Communication, Exchange, NeighbourSend
from p2smt.errors import ProblemError
from p2smt.problem.build import build_workload
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.network import System
from p2smt.problem.workload import Goal, Reduction, Workload
from p2smt.spmd.devices.kernel_times import dtype_name
from p2smt.tensor.conversion import COMMUNICATION
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Convert
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Layouts, Refused
from p2smt.tensor.layout import Sliced
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import Whole

_SEARCH = Search()


def sharded_workload(
    program: Program, system: System, conditions: Sequence[str] = (), search: Search = _SEARCH
) -> Workload:
    """Return the job of a distributed program; equal collectives become one reduction with a count.

    Uneven blocks are priced like the largest one. Raises ProblemError if the program is not distributed or has
    no collectives, and as `build_workload` does.
    """
    calls = Counter(_calls(program))
    if not calls:
        raise ProblemError(
            f"the distributed program {program.name} has no collectives, so there is nothing to place; "
            "use p2smt shard alone"
        )
    first: dict[_Kind, str] = {}
    for call in calls:
        first.setdefault(call.kind, call.statement)
    counts = Counter[_Kind]()
    for call, count in calls.items():
        counts[call.kind] += count
    reductions = [kind.reduction(first[kind], count) for kind, count in counts.items()]
    axes = [Axis(axis.name, axis.size) for axis in program.mesh]
    return build_workload(system, axes, reductions, conditions, search)


def has_collectives(program: Program) -> bool:
    """True if the program sends anything between devices."""
    return any(True for _ in _calls(program))


@dataclass(frozen=True, slots=True)
class _Kind:
    """Properties shared by equal collectives; `bytes` is the size of the unsharded tensor on one device."""

    goal: Goal
    axis: int
    bytes: int
    dtype: DType

    def reduction(self, statement: str, times: int) -> Reduction:
        return Reduction(
            name=f"{self.goal} of {statement}" + (f" and {times - 1} more" if times > 1 else ""),
            axes=(self.axis,),
            payload=Payload(self.bytes, dtype_name(self.dtype)),
            times=float(times),
            goal=self.goal,
        )


@dataclass(frozen=True, slots=True)
class _Call:
    statement: str
    kind: _Kind


def _calls(program: Program) -> Iterator[_Call]:
    """Yield all collectives, in program order."""
    if not program.mesh:
        raise ProblemError(f"program {program.name} has no mesh; shard it first with p2smt shard")
    inferred = infer(program)
    if isinstance(inferred, Refused):
        raise ProblemError(
            f"program {program.name} is not a valid distributed program: {inferred}; p2smt verify shows the mistake"
        )
    for step in inferred.steps:
        match step.expression:
            case Convert(conversion, _, name):
                goal = _goal(COMMUNICATION[type(conversion)])
                if goal is not None:
                    axis, (before,) = program.axis(name), inferred.operands(step)
                    size = _device_bytes(step.whole, axis, program, before.layouts, step.layouts)
                    yield _Call(step.statement, _Kind(goal, axis, size, _dtype(step.whole)))
            case _:
                pass


def _goal(communication: Communication | None) -> Goal | None:
    """Return the goal of a communication; a send becomes a send from every group of ranks to the next."""
    match communication:
        case Collective() | None:
            return communication
        case Exchange.ALL_TO_ALL:
            return communication
        case Exchange.SEND:
            return NeighbourSend.NEXT


def _dtype(whole: Whole) -> DType:
    return whole.dtype if whole.dtype is not None else DType.F32


def _device_bytes(whole: Whole, axis: int, program: Program, before: Layouts, after: Layouts) -> int:
    """Return the bytes of a tensor on a device before slicing by `axis`, assuming blocks of the largest size."""
    lengths = list(whole.shape)
    for number, layout in enumerate(before):
        # only Sliced: a dimension that is not sliced counts whole, an upper bound
        if number != axis and isinstance(layout, Sliced):
            lengths[layout.dimension] = -(-lengths[layout.dimension] // program.mesh[number].size)
    ranks = program.mesh[axis].size
    for layout in (before[axis], after[axis]):
        if isinstance(layout, Sliced) and layout.sizes is not None and len(layout.sizes) == ranks:
            lengths[layout.dimension] = max(lengths[layout.dimension], max(layout.sizes) * ranks)
    return prod(lengths) * _dtype(whole).bytes
