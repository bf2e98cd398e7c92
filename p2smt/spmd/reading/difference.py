"""The difference of two distributed programs for the same step: tensors with other layouts, and what explains the time.

Holds: the differences of collectives add up to that of communication, and with computing to that of the step.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from p2smt.problem.quantity import format_bytes
from p2smt.spmd.account.candidate import Candidate
from p2smt.spmd.account.instruction import AccountedStep
from p2smt.spmd.model.layouts import without_sizes
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred, Layouts
from p2smt.tensor.placing import Mesh, layouts_text
from p2smt.tensor.program import Axis, Program
from p2smt.tensor.shapes import wholes


@dataclass(frozen=True, slots=True)
class LayoutChange:
    """A tensor that two programs keep, or make, in different layouts; `bytes` are those of the whole."""

    name: str
    layouts: tuple[str, str]
    bytes: int
    is_stored: bool


@dataclass(frozen=True, slots=True)
class CollectiveChange:
    """Collectives of one kind and size: how many calls each program has, and their picoseconds."""

    text: str
    bytes: int
    calls: tuple[int, int]
    times: tuple[int, int]

    @property
    def slower(self) -> int:
        """By how many picoseconds the second takes longer; negative: less."""
        return self.times[1] - self.times[0]

    @property
    def label(self) -> str:
        """The collective and the size of what it converts."""
        return f"{self.text} of {format_bytes(self.bytes)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramDifference:
    """The difference of a second program from a first; times are picoseconds, bytes those of the fullest device.

    `layouts` are of names that both have, what is stored first, then the largest. `collectives` are those on which the
    two spend different times, the largest difference first. `only` counts the names that one program has alone.
    """

    layouts: tuple[LayoutChange, ...]
    collectives: tuple[CollectiveChange, ...]
    communication: tuple[int, int]
    computing: tuple[int, int]
    memory: tuple[int, int]
    only: tuple[int, int]

    @property
    def slower(self) -> int:
        """By how many picoseconds a step of the second takes longer; negative: less."""
        return self.communication[1] + self.computing[1] - self.communication[0] - self.computing[0]


def difference(first: Candidate, second: Candidate, axes: Sequence[str] = ()) -> ProgramDifference:
    """The difference of the second of two programs from the first.

    `axes` are names for the axes of both, else those of the first are, where both have axes of the same sizes: names
    that were chosen for what an axis is used for differ.
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
    """The layouts of all names, of which cuts have no sizes."""
    inferred = infer(program)
    assert isinstance(inferred, Inferred)
    return {name: tuple(map(without_sizes, layouts)) for name, layouts in inferred.layouts.items()}


def named_mesh(mesh: Mesh, names: Sequence[str]) -> Mesh:
    """The axes of a mesh by other names, where there are some."""
    if not names:
        return mesh
    return tuple(Axis(name, axis.size) for name, axis in zip(names, mesh, strict=True))


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
    """The collective, with its axis where a mesh has several, and how many tensors one call converts."""
    text = f"{each.text} on {names[each.axis]}" if each.axis else each.text
    return f"{text}, {len(each.bucket)} tensors at once" if each.bucket else text
