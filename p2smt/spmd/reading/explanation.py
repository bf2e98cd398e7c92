"""Explain a sharding by its alternatives: the cost of other layouts of a tensor, and of other conditions.

Each other layout is tried as a condition under which everything else is searched again. Its cost is therefore that of
the fastest program found with it, not of changing a single tensor. Baselines, which can be the answer without
conditions, are no candidates under a condition.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from p2smt.cost.computing.time_line import StepTimeLine
from p2smt.errors import ProblemError
from p2smt.problem.quantity import format_seconds
from p2smt.problem.spellings import system_given
from p2smt.problem.system.network import System
from p2smt.problem.text import printable
from p2smt.spmd.account.candidate import Candidate
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.device_mesh import axis_names
from p2smt.spmd.devices.network import PICO
from p2smt.spmd.model.conditions import parse_conditions, split_caps
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.layouts import without_sizes
from p2smt.spmd.reading.comparison import lacking
from p2smt.spmd.reading.difference import ProgramDifference, difference
from p2smt.spmd.reading.given_program import given_program
from p2smt.spmd.reading.step_time_line import step_time_line
from p2smt.spmd.request import ShardingRequest, prepared_step, shard_program
from p2smt.spmd.search.sharded import ShardingResult
from p2smt.tensor.expression import SourceKind
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Layout, Partial, Replicated, Sliced
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import Whole, wholes
from p2smt.wording import did_you_mean


@dataclass(frozen=True, slots=True)
class Alternative:
    """The fastest program under one more condition, and its difference from the answer.

    `layouts` are those of the explained tensor; empty if no tensor is explained. `missing` is the number of bytes by
    which it exceeds the memory of the worst device.
    """

    condition: str
    candidate: Candidate
    layouts: Layouts
    difference: ProgramDifference
    missing: int


@dataclass(frozen=True, slots=True)
class ImpossibleCondition:
    """A condition that no program satisfies, and the reason."""

    condition: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorExplanation:
    """A tensor, its layouts in the answer, and the cost of each other layout on one axis, cheapest first."""

    name: str
    whole: Whole
    layouts: Layouts
    alternatives: tuple[Alternative, ...]
    impossible: tuple[ImpossibleCondition, ...]

    @property
    def why(self) -> str:
        """Return the reason for these layouts, as a sentence without a full stop."""
        if not self.alternatives:
            return "no other layout is possible"
        best = self.alternatives[0]
        if best.missing:
            return "with any other layout the fastest program does not fit into a device's memory"
        slower = best.difference.slower
        if slower > 0:
            return f"with any other layout that fits a step takes at least {format_seconds(slower / PICO)} longer"
        if slower == 0:
            return "another layout takes as long, and the search keeps the first of equals"
        return (
            f"another layout is faster by {format_seconds(-slower / PICO)}: the search adds up operation by operation, "
            "so that a program which is faster by stages may come out under a condition alone"
        )


@dataclass(frozen=True, slots=True)
class OtherProgram:
    """Another program and its difference from the answer; `missing` is the worst device's excess memory in bytes."""

    candidate: Candidate
    difference: ProgramDifference
    missing: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardingExplanation:
    """A sharding with explanations of some tensors, results under the conditions `instead`, and another program.

    `time_line` shows which communication is hidden by computation. `axes` are the axis names to use in conditions.
    `missing` is the number of bytes by which the answer exceeds the memory of the worst device.
    """

    system: str
    cluster: Cluster
    time_line: StepTimeLine
    answer: Candidate
    missing: int
    axes: tuple[str, ...]
    tensors: tuple[TensorExplanation, ...] = ()
    instead: tuple[Alternative | ImpossibleCondition, ...] = ()
    against: OtherProgram | None = None


def explain_sharding(
    program: Program,
    system: System | str,
    request: ShardingRequest | None = None,
    *,
    tensors: Sequence[str] = (),
    instead: Sequence[str] = (),
    against: Program | None = None,
) -> ShardingExplanation:
    r"""Return the sharding of a program, and the cost of other layouts, of conditions and of another program.

    `tensors` names the tensors whose other layouts are tried, `instead` the conditions, and `against` the other
    program. Without any of them, the largest parameter is explained. The request's own conditions always hold. A
    program that is already distributed is not searched: it is compared with `against`, both as given
    (`given_program`). Raises ProblemError as `shard_program` does, and for a tensor that the program does not have.

    >>> from p2smt.problem.system.text import find_system
    >>> from p2smt.tensor.text.parser import parse_program
    >>> step = parse_program("program p\ninput x : f32[64, 32]\nparameter w : f32[32, 8]\ny = matmul(x, w)\noutput y\n")
    >>> (w,) = explain_sharding(step, find_system("node:1,gpu:2")).tensors
    >>> [each.condition for each in w.alternatives]
    ['w sliced(1) on device', 'w sliced(0) on device']
    """
    system, asked = system_given(system), request or ShardingRequest()
    if program.is_distributed:
        return _compared(program, system, asked, against, searched=bool(tensors or instead))
    searched = prepared_step(program, asked).program
    known = wholes(searched)
    for name in tensors:
        if name not in known:
            meant = did_you_mean(name, known) or f"; some are {', '.join(list(known)[:8])}"
            raise ProblemError(f"{printable(name[:80])!r} is not a tensor of the program{meant}")
    sharded = shard_program(program, system, asked)
    again = _Again(program, system, _under_conditions(asked, sharded), sharded)
    parse_conditions(split_caps(instead)[1], graph_of(searched), again.axes())
    explained = tuple(tensors) if tensors or instead or against else _largest(program)
    return ShardingExplanation(
        system=system.name,
        cluster=sharded.cluster,
        time_line=step_time_line(sharded.program, sharded.account, sharded.cluster),
        answer=sharded.answer,
        missing=lacking(sharded.cluster, sharded.account.memory),
        axes=again.axes(),
        tensors=tuple(again.tensor(name, known[name]) for name in explained),
        instead=tuple(again.under(condition) for condition in instead),
        against=None if against is None else _against(sharded.answer, against, system, asked, again.axes()),
    )


def _compared(
    program: Program, system: System, request: ShardingRequest, against: Program | None, *, searched: bool
) -> ShardingExplanation:
    """Return the comparison of a distributed program with another one."""
    if searched or against is None:
        raise ProblemError(
            f"program {program.name} is already distributed, so nothing is searched; give another one "
            "to compare it with (--against), or the single-device program"
        )
    given = given_program(program, system, request)
    axes = tuple(axis.name for axis in program.mesh)
    return ShardingExplanation(
        system=system.name,
        cluster=given.cluster,
        answer=given.candidate,
        time_line=step_time_line(given.candidate.program, given.candidate.account, given.cluster),
        missing=lacking(given.cluster, given.candidate.account.memory),
        axes=axes,
        against=_against(given.candidate, against, system, request, axes),
    )


def _against(
    answer: Candidate, other: Program, system: System, request: ShardingRequest, axes: tuple[str, ...]
) -> OtherProgram:
    given = given_program(other, system, request)
    unlike = difference(answer, given.candidate, axes)
    return OtherProgram(given.candidate, unlike, lacking(given.cluster, given.candidate.account.memory))


def _largest(program: Program) -> tuple[str, ...]:
    """Return the largest parameter, or the largest source if there are no parameters with dimensions."""
    shaped = [each for each in program.sources if each.shape]
    parameters = [each for each in shaped if each.kind is SourceKind.PARAMETER]
    known = wholes(program)
    return tuple(each.name for each in sorted(parameters or shaped, key=lambda each: -known[each.name].bytes)[:1])


def _under_conditions(request: ShardingRequest, sharded: ShardingResult) -> ShardingRequest:
    """Return the request for the mesh that was found, without anything but the answer."""
    mesh = request.mesh
    if mesh is not None and "=" not in mesh:
        axes = sharded.program.mesh
        mesh = ",".join(f"{name}={axis.size}" for name, axis in zip(axis_names(len(axes)), axes, strict=True))
    search = replace(request.search, certify=False)
    return replace(request, mesh=mesh, search=search, next_best=0, baselines=False)


@dataclass(frozen=True, slots=True)
class _Again:
    """Repeated searches of the same program, each under one more condition."""

    program: Program
    system: System
    request: ShardingRequest
    sharded: ShardingResult

    def tensor(self, name: str, whole: Whole) -> TensorExplanation:
        """Return the cost of every other layout of a tensor."""
        layouts = dict(self.sharded.layouts).get(name)
        if layouts is None:
            raise ProblemError(
                f"{name} has no layout of its own in the answer, because no output depends on it or it "
                "equals another tensor; explain that one"
            )
        mine = tuple(map(without_sizes, layouts))
        found = [self.under(each, name) for each in self._others(name, whole, mine)]
        alternatives = [each for each in found if isinstance(each, Alternative)]
        alternatives.sort(key=lambda each: (each.missing > 0, each.difference.slower))
        return TensorExplanation(
            name=name,
            whole=whole,
            layouts=mine,
            alternatives=tuple(alternatives),
            impossible=tuple(each for each in found if isinstance(each, ImpossibleCondition)),
        )

    def _others(self, name: str, whole: Whole, mine: Layouts) -> Iterator[str]:
        """Yield a condition for each layout that the tensor does not have on an axis."""
        is_given = any(each.name == name for each in self.program.sources)
        layouts: list[Layout] = [Replicated(), *map(Sliced, range(len(whole.shape)))]
        if not is_given:
            layouts.append(Partial())
        names = self.axes()
        for axis, layout in zip(names, mine, strict=True):
            if self.sharded.program.mesh[names.index(axis)].size > 1:
                yield from (f"{name} {_word(each)} on {axis}" for each in layouts if each != layout)

    def axes(self) -> tuple[str, ...]:
        """Return the axis names to use in conditions."""
        if self.request.mesh is None:
            return axis_names(1)
        return tuple(part.partition("=")[0].strip() for part in self.request.mesh.split(","))

    def under(self, condition: str, name: str = "") -> Alternative | ImpossibleCondition:
        """Return the fastest program under one more condition; `name` is the tensor whose layouts are reported."""
        asked = replace(self.request, conditions=(*self.request.conditions, condition))
        try:
            found = shard_program(self.program, self.system, asked)
        except ProblemError as cause:
            return ImpossibleCondition(condition, str(cause))
        layouts = tuple(map(without_sizes, dict(found.layouts).get(name, ())))
        unlike = difference(self.sharded.answer, found.answer, self.axes())
        return Alternative(condition, found.answer, layouts, unlike, lacking(found.cluster, found.account.memory))


def _word(layout: Layout) -> str:
    """Return a layout in the syntax of conditions."""
    match layout:  # only Partial, Sliced: the search chooses among replicated, sliced and partial
        case Sliced(dimension):
            return f"sliced({dimension})"
        case Partial():
            return "partial"
        case _:
            return "replicated"
