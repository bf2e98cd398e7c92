"""The difference of two distributed programs for the same step: changed layouts, and what explains the time.

The differences over collectives add up to the difference in communication; with computation, to that of the step.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from p2smt.problem.quantity import format_bytes
from p2smt.spmd.account.candidate import Candidate
from p2smt.spmd.account.instruction import AccountedStep
from p2smt.spmd.model.layouts import without_sizes
from p2smt.tensor.expression import ProgramAxis
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred, Layouts
from p2smt.tensor.placing import Mesh, layouts_text
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import wholes


@dataclass(frozen=True, slots=True)
class LayoutChange:
    """A tensor that two programs store or compute in different layouts; `bytes` is its unsharded size."""

    name: str
    layouts: tuple[str, str]
    bytes: int
    is_stored: bool


@dataclass(frozen=True, slots=True)
class CollectiveChange:
    """Collectives of one kind and size: the number of calls in each program, and their total picoseconds."""

    text: str
    bytes: int
    calls: tuple[int, int]
    times: tuple[int, int]

    @property
    def slower(self) -> int:
        """Return the extra picoseconds in the second program; negative if it takes less."""
        return self.times[1] - self.times[0]

    @property
    def label(self) -> str:
        """Return the collective and the size of the tensor that it converts, as text."""
        return f"{self.text} of {format_bytes(self.bytes)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramDifference:
    """The difference of two programs; times are in picoseconds, memory in bytes of the fullest device.

    Pairs are (first, second). `layouts` has the changes of names that both programs have: sources first, then the
    largest. `collectives` has those on which the programs spend different times, largest difference first. `only`
    counts the names in just one of them.
    """

    layouts: tuple[LayoutChange, ...]
    collectives: tuple[CollectiveChange, ...]
    communication: tuple[int, int]
    computing: tuple[int, int]
    memory: tuple[int, int]
    only: tuple[int, int]

    @property
    def slower(self) -> int:
        """Return the extra picoseconds of a step of the second program; negative if it takes less."""
        return self.communication[1] + self.computing[1] - self.communication[0] - self.computing[0]


def difference(first: Candidate, second: Candidate, axes: Sequence[str] = ()) -> ProgramDifference:
    """Return the difference between two programs.

    `axes` are names for the mesh axes of both; by default, the first program's names are used for both if the sizes
    agree, because axes that are named after their use can differ in name only.
    """
    mine, theirs = _layouts(first.program), _layouts(second.program)
    sizes = tuple(axis.size for axis in first.program.mesh)
    meshes = named_mesh(first.program.mesh, axes), second.program.mesh
    if sizes == tuple(axis.size for axis in second.program.mesh):
        meshes = meshes[0], meshes[0]
    return ProgramDifference(
        layouts=tuple(_layout_changes(first.program, meshes, mine, theirs)),
        collectives=_collective_changes((first, second), meshes),
        communication=(first.account.communication, second.account.communication),
        computing=(first.account.computing, second.account.computing),
        memory=(max(first.account.memory), max(second.account.memory)),
        only=(len(mine.keys() - theirs.keys()), len(theirs.keys() - mine.keys())),
    )


def _layouts(program: Program) -> dict[str, Layouts]:
    """Return the layouts of all names, with slices without sizes."""
    inferred = infer(program)
    assert isinstance(inferred, Inferred)
    return {name: tuple(map(without_sizes, layouts)) for name, layouts in inferred.layouts.items()}


def named_mesh(mesh: Mesh, names: Sequence[str]) -> Mesh:
    """Return a mesh with other axis names, if any are given."""
    if not names:
        return mesh
    return tuple(ProgramAxis(name, axis.size) for name, axis in zip(names, mesh, strict=True))


def _layout_changes(
    first: Program, meshes: tuple[Mesh, Mesh], mine: dict[str, Layouts], theirs: dict[str, Layouts]
) -> Iterator[LayoutChange]:
    known = wholes(first)
    stored = {source.name for source in first.sources}
    changes = []
    for name in mine.keys() & theirs.keys():
        texts = layouts_text(mine[name], meshes[0]), layouts_text(theirs[name], meshes[1])
        if texts[0] != texts[1]:
            changes.append(LayoutChange(name, texts, known[name].bytes, name in stored))
    yield from sorted(changes, key=lambda each: (not each.is_stored, -each.bytes, each.name))


def _collective_changes(
    candidates: tuple[Candidate, Candidate], meshes: tuple[Mesh, Mesh]
) -> tuple[CollectiveChange, ...]:
    totals: dict[tuple[str, int], list[list[int]]] = {}
    for number, (candidate, mesh) in enumerate(zip(candidates, meshes, strict=True)):
        names = {axis.name: other.name for axis, other in zip(candidate.program.mesh, mesh, strict=True)}
        for each in candidate.account.instructions:
            if each.way is not None:
                count, time = totals.setdefault((_text(each, names), each.bytes), [[0, 0], [0, 0]])
                count[number] += 1
                time[number] += each.time
    changes = [
        CollectiveChange(text, size, (count[0], count[1]), (time[0], time[1]))
        for (text, size), (count, time) in totals.items()
    ]
    unlike = [each for each in changes if each.slower or each.calls[0] != each.calls[1]]
    return tuple(sorted(unlike, key=lambda each: (-abs(each.slower), each.text, each.bytes)))


def _text(each: AccountedStep, names: dict[str, str]) -> str:
    """Return the collective as text, with its axis if there are several, and the number of tensors in its bucket."""
    text = f"{each.text} on {names[each.axis]}" if each.axis else each.text
    return f"{text}, {len(each.bucket)} tensors at once" if each.bucket else text
