"""Verification of an XLA text that every device runs against a single-device program."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path

from p2smt.errors import VerifyError
from p2smt.frontend.xla.processes import device_count
from p2smt.frontend.xla.ssa import HloShape, Module
from p2smt.frontend.xla_ranks.annotations import annotations, is_manual
from p2smt.frontend.xla_ranks.device import REPLICATED, DeviceRun
from p2smt.frontend.xla_ranks.module import read_module, results_of, source_names
from p2smt.frontend.xla_ranks.ranks_mesh import RanksMesh, common_mesh, declared_mesh, given_mesh, layouts
from p2smt.frontend.xla_ranks.tilings import Tiling, UncoveredError, tiling
from p2smt.frontend.xla_ranks.values import DeviceTensor, GlobalValue, Value, dtype_of
from p2smt.tensor.building import ProgramBuilder
from p2smt.tensor.expression import AxisLayout, ProgramAxis, Read, Source, SourceKind, Statement, parts
from p2smt.tensor.placing import part_of, resolved
from p2smt.tensor.program import Program, versions
from p2smt.tensor.ranks.joining import OneRank, UnlikeRanksError, flat, joined_statements
from p2smt.tensor.ranks.parts import lengths
from p2smt.tensor.ranks.programs import RankPrograms, new_version
from p2smt.tensor.ranks.verification import RanksVerdict, verify_ranks
from p2smt.tensor.reason import Refusal
from p2smt.tensor.shapes import Whole
from p2smt.verify.verdict import Unknown

MAX_RANKS = 64
MOST = 200_000
"""The most instructions times devices that are interpreted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserStatements:
    """The user's declarations beside the text: mesh, number of devices, layouts by name."""

    mesh: tuple[ProgramAxis, ...] | None = None
    devices: int | None = None
    layouts: Mapping[str, tuple[AxisLayout, ...]]


def verify_text(path: Path, single: Program, said: UserStatements, deadline: float | None = None) -> RanksVerdict:
    """Return the verdict on whether all devices together compute the values of a single-device program.

    VerifyError with the line of malformed text, or if parameters and results do not match those of the program.
    If the text has something unsupported, the verdict is unknown and names it.
    """
    module = read_module(path)
    try:
        ranks = _Reading(module, str(path), single, said).ranks()
    except (UncoveredError, UnlikeRanksError) as cause:
        return RanksVerdict(Unknown(str(cause)), None)
    return verify_ranks(ranks, single, deadline)


class _Reading:
    def __init__(self, module: Module, path: str, single: Program, said: UserStatements) -> None:
        self._module, self._path, self._single, self._said = module, path, single, said
        self._entry = module.computations[module.entry]
        self._devices = self._count()
        self._sources = self._named()
        self._tilings: dict[str, Tiling] = {}
        self._handed: dict[str, Tiling] = {}

    def ranks(self) -> RankPrograms:
        """Return the programs of all devices."""
        size = sum(len(each.instructions) for each in self._module.computations.values())
        if self._devices > MAX_RANKS or size * self._devices > MOST:
            raise UncoveredError(
                f"{self._path}: {size} instructions on {self._devices} devices; at most {MOST} over all devices are "
                f"supported, on at most {MAX_RANKS} devices"
            )
        mesh = self._mesh()
        runs = [self._device(device) for device in mesh.devices]
        placed = {name: self._placed(name, each, mesh) for name, each in self._tilings.items()} | dict(
            self._said.layouts
        )
        sources = tuple(replace(each, layouts=placed.get(each.name, ())) for each in self._single.sources)
        self._check_parts(sources, mesh, runs)
        ones = [each.one_rank(mesh) for each in runs]
        statements = joined_statements(ones)
        return RankPrograms(
            name=Path(self._path).stem,
            mesh=mesh.axes,
            sources=sources,
            statements=statements,
            shapes=tuple(each.shapes for each in ones),
            outputs=ones[0].outputs,
            updates=ones[0].updates,
            placed={name: self._placed(name, each, mesh) for name, each in self._handed.items()},
        )

    def _count(self) -> int:
        declared = list(self._module.meshes.values())
        if is_manual(self._module) and declared and (self._module.replicas, self._module.partitions) == (None, None):
            return prod(size for _, size in declared[0].axes)
        devices = device_count(self._module)
        asked = prod(axis.size for axis in self._said.mesh) if self._said.mesh else self._said.devices
        if asked not in (None, devices):
            raise VerifyError(f"{self._path} is for {devices} devices, not for {asked}; leave --devices out")
        return devices

    def _named(self) -> tuple[Source, ...]:
        """Return the single-device program's source for each parameter: by name, else by position."""
        known = {each.name: each for each in self._single.sources}
        called = self._entry.called
        if called and set(called) == set(known) and len(called) == len(known):
            return tuple(known[name] for name in called)
        count = len(self._entry.parameters)
        if count != len(known):
            names = ", ".join(source_names(self._module))[:200]
            theirs = f"{self._single.name} has the {len(known)} sources {', '.join(known)[:200]}"
            raise VerifyError(
                f"{self._path} has {count} parameters ({names}), and {theirs}; they are compared in "
                "order (jax.jit drops those that are not used, unless keep_unused=True)"
            )
        return tuple(known.values())

    def _mesh(self) -> RanksMesh:
        if is_manual(self._module) and self._module.meshes:
            meshes = list(self._module.meshes.values())
            if len(meshes) != 1:
                raise UncoveredError(f"{self._path}: it declares {len(meshes)} meshes; only one is supported")
            declared = declared_mesh(meshes[0])
            if sorted(declared.devices) != list(range(self._devices)):
                raise VerifyError(
                    f"{self._path}: the mesh has {len(declared.devices)} devices, and the text is for "
                    f"{self._devices}; a mesh has each of them once"
                )
            return declared
        written = (*self._entry.shared_before, *self._entry.shared_after, *annotations(self._module))
        said = [text for text in written if text]
        tilings = [tiling(text, self._devices, self._module.meshes) for text in said]
        for source, text in zip(self._sources, self._entry.shared_before, strict=False):
            if text:
                self._tilings[source.name] = tiling(text, self._devices, self._module.meshes)
        if self._said.mesh is not None:
            return given_mesh(self._said.mesh)
        instructions = [one for each in self._module.computations.values() for one in each.instructions]
        groups = dict.fromkeys(one.groups for one in instructions if one.groups)
        return common_mesh(self._devices, list(dict.fromkeys(tilings)), list(groups))

    def _device(self, device: int) -> "_Device":
        builder = ProgramBuilder("", (new_version(each.name) for each in self._single.sources))
        run = DeviceRun(self._module, self._path, device, self._devices, builder)
        known: dict[str, Whole] = {}

        def source(position: int, sharding: str, shape: HloShape) -> Read:
            whole = self._sources[position]
            if dtype_of(shape) is not whole.dtype:
                raise VerifyError(
                    f"{self._path}: parameter {position} is {shape}, and {whole.name} of "
                    f"{self._single.name} is {whole.dtype}"
                )
            if sharding:
                self._tilings[whole.name] = tiling(sharding, self._devices, self._module.meshes)
            if whole.name in known:
                return Read(whole.name)
            known[whole.name] = Whole(shape.dims, whole.dtype)
            local = Source(
                kind=SourceKind.INPUT,
                name=whole.name,
                dtype=whole.dtype,
                shape=shape.dims,
                names=("",) * len(shape.dims),
            )
            return builder.source(local)

        return self._observed(run, run.results(source), builder, known)

    def _observed(
        self, run: DeviceRun, values: Sequence[Value], builder: ProgramBuilder, known: dict[str, Whole]
    ) -> "_Device":
        listed, tilings = _results(values, is_manual=is_manual(self._module))
        wanted = observed(self._single)
        if len(listed) != len(wanted):
            names = ", ".join(name for name, _ in wanted)[:200]
            raise VerifyError(
                f"{self._path} gives {len(listed)} results, and {self._single.name} observes {names}; "
                "they are compared in this order, so there have to be as many"
            )
        texts = tilings if any(tilings) else self._entry.shared_after
        outputs, updates = [], []
        for position, (tensor, (name, updated)) in enumerate(zip(listed, wanted, strict=True)):
            read = run.read(tensor, f"{name}.value")
            text = texts[position] if position < len(texts) else ""
            if updated:
                updates.append((updated, read.name))
            if name != updated:
                outputs.append((name, new_version(updated) if updated else read.name))
            if text:
                self._handed[updated or name] = tiling(text, self._devices, self._module.meshes)
        return _Device(run, builder, known, tuple(outputs), tuple(updates))

    def _placed(self, name: str, each: Tiling, mesh: RanksMesh) -> tuple[AxisLayout, ...]:
        found = layouts(each, mesh)
        if found is None:
            axes = ", ".join(f"{axis.name}={axis.size}" for axis in mesh.axes)
            raise UncoveredError(f"{self._path}: {name} is not sharded along whole axes of the mesh {axes}")
        return found

    def _check_parts(self, sources: Sequence[Source], mesh: RanksMesh, runs: Sequence["_Device"]) -> None:
        """Raise VerifyError unless parameters have the shapes that layouts give to the single-device sources."""
        empty = Program(name="", mesh=mesh.axes, sources=(), statements=(), outputs=())
        for source in sources:
            resolved_layouts = resolved(source.layouts, empty, source.shape)
            if isinstance(resolved_layouts, Refusal):
                raise VerifyError(f"{source.name}: {resolved_layouts}")
            for rank, run in enumerate(runs):
                own = run.known.get(source.name)
                part = lengths(part_of(resolved_layouts, mesh.axes, source.shape, rank))
                if own is not None and own.shape != part:
                    raise self._other_part(source, own.shape, part)

    def _other_part(self, source: Source, own: tuple[int, ...], part: tuple[int, ...]) -> Exception:
        cut = "as the text cuts it" if source.layouts else "which nothing says to be cut"
        if any(-(-whole // max(mine, 1)) * mine != whole for whole, mine in zip(source.shape, own, strict=False)):
            blocks = f"{source.name} of shape {list(source.shape)} is cut into blocks of {list(own)}"
            return UncoveredError(f"{self._path}: {blocks}, which are uneven: XLA pads them, which is not supported")
        return VerifyError(
            f"{self._path}: {source.name} has shape {list(own)} on every device, and of {list(source.shape)}, {cut}, a "
            f"device has {list(part)}; say how it is cut with --layout '{source.name}=sliced(0)', or compile the text, "
            "if it is not partitioned yet"
        )


@dataclass(frozen=True, slots=True)
class _Device:
    run: DeviceRun
    builder: ProgramBuilder
    known: dict[str, Whole]
    outputs: tuple[tuple[str, str], ...]
    updates: tuple[tuple[str, str], ...]

    def one_rank(self, mesh: RanksMesh) -> OneRank:
        """The statements that results depend on, with groups of ranks."""
        known = self.known | self.run.collectives.known
        statements = flat(self._needed(), known)
        groups = {name: mesh.ranks((group,))[0] for name, group in self.run.collectives.groups.items()}
        shapes = {statement.name: known[statement.name].shape for statement in statements}
        rank = {device: number for number, device in enumerate(mesh.devices)}
        pairs = {
            name: tuple((rank[source], rank[target]) for source, target in each)
            for name, each in self.run.collectives.pairs.items()
        }
        return OneRank(
            statements=tuple(statements),
            shapes=shapes,
            groups=groups,
            outputs=self.outputs,
            updates=self.updates,
            pairs=pairs,
        )

    def _needed(self) -> list[Statement]:
        needed = {value for _, value in (*self.outputs, *self.updates)}
        kept = []
        for statement in reversed(self.builder.program().statements):
            if statement.name in needed:
                kept.append(statement)
                needed |= {part.name for part in parts(statement.expression) if isinstance(part, Read)}
        return kept[::-1]


def observed(single: Program) -> list[tuple[str, str]]:
    """Return the values compared with a text's results: outputs, then new versions of sources, each with its source."""
    ends = versions(single)
    sources = {last: source for source, last in ends.items()}
    names = [output.name for output in single.outputs]
    found = [(name, sources.get(name, "")) for name in names]
    return found + [(source, source) for source, last in ends.items() if last not in names]


def _results(values: Sequence[Value], *, is_manual: bool) -> tuple[list[DeviceTensor], tuple[str, ...]]:
    """Return the result tensors, with their shardings if they are global values."""
    flat_values = [each for value in values for each in (value if isinstance(value, tuple) else (value,))]
    if not is_manual:
        return results_of(flat_values), ()
    inside, shardings = list[DeviceTensor](), list[str]()
    for value in flat_values:
        match value:
            case GlobalValue(_, DeviceTensor() as tensor, sharding):
                inside.append(tensor)
                shardings.append(sharding)
            case _:
                # Outside of each device's work a tensor is computed of what every device has whole.
                inside += results_of([value])
                shardings.append(REPLICATED)
    return inside, tuple(shardings)
