"""Read and write system files in TOML, and load the presets."""

import tomllib
from collections.abc import Sequence
from dataclasses import replace
from importlib import resources
from math import prod
from pathlib import Path
from typing import Any  # Any: a user's file before it is checked

import msgspec
import tomli_w

from p2smt.errors import ProblemError
from p2smt.problem.system.build import LAUNCH, MEMORY_BANDWIDTH, build_system, default_link, default_machine
from p2smt.problem.system.device_entries import (
    EffortEntry,
    KindEntry,
    ProcessorsEntry,
    ProfileEntry,
    TimingsEntry,
    effort_entry,
    effort_of,
    kind_entry,
    kind_of,
    processors_entry,
    processors_of,
    profile_entry,
    profile_of,
    timings_entry,
    timings_of,
)
from p2smt.problem.system.device_model_entries import DeviceModelEntry, model_of, named_model, own_models
from p2smt.problem.system.devices import ComputingMethod, with_machines
from p2smt.problem.system.level_entries import LevelEntry, level_entries, levels_of
from p2smt.problem.system.link import Link
from p2smt.problem.system.link_entries import LinkEntry, link_entry, link_of
from p2smt.problem.system.network import Level, Network, System
from p2smt.problem.system.tree import Tree, check_tree
from p2smt.problem.system.values import bytes_text, rate_text, read_bytes, read_rate, read_time, time_text
from p2smt.problem.typed import convert_checked, read_bounded, why_malformed
from p2smt.wording import counted, did_you_mean

MAX_FILE_BYTES = 1_000_000


class DeviceEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """The `[device]` table: model, memory bandwidth, memory size, and the time to start a collective."""

    memory_bandwidth: str | int | float = f"{MEMORY_BANDWIDTH:.0f}B/s"
    memory: str | None = None
    launch: str | int | float = f"{LAUNCH * 1e6:.15g}us"
    all_to_all_launch: str | int | float | None = None
    model: str | None = None


class SystemFile(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The content of a system file; `machine = ""` means that all devices are in one machine.

    With `protocols = true`, NCCL's protocols LL and LL128 are priced where they are faster; the latencies given
    are those of the Simple protocol.
    """

    name: str = ""
    source: str = ""
    measured_from: str | None = None
    unmeasured: tuple[str, ...] = ()
    measured_earlier: tuple[str, ...] = ()
    machine: str | None = None
    computing: ComputingMethod | None = None
    overlap: float = 1.0
    protocols: bool = False
    device: DeviceEntry = DeviceEntry()
    level: tuple[LevelEntry, ...] = ()
    link: tuple[LinkEntry, ...] = ()
    kind: tuple[KindEntry, ...] = ()
    model: tuple[DeviceModelEntry, ...] = ()
    effort: EffortEntry | None = None
    profile: ProfileEntry | None = None
    timings: TimingsEntry | None = None
    processors: ProcessorsEntry | None = None
    fit: dict[str, Any] = {}


def read_toml(path: Path, kind: str) -> dict[str, Any]:
    """Return the tables of a TOML file of at most 1 MB; `kind` is for messages.

    Raises ProblemError if the file is malformed.
    """
    data = read_bounded(path, MAX_FILE_BYTES, ProblemError)
    try:
        return parse_tables(data.decode("utf-8-sig"), str(path))
    except UnicodeDecodeError as cause:
        raise ProblemError(f"{path} is not UTF-8 text; a {kind} is TOML, `p2smt example` prints one") from cause


def parse_tables(text: str, place: str) -> dict[str, Any]:
    """Return the tables of a TOML text; raises ProblemError, with `place`, if it is malformed or nested too deeply."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as cause:
        raise ProblemError(
            f"{place} is not TOML: {why_malformed(cause)}; `p2smt example` prints a file to start from"
        ) from cause


def read_system(path: Path) -> System:
    """Return the system in a file. Raises ProblemError with the location of the error."""
    return system_of(convert_checked(read_toml(path, "system file"), SystemFile, str(path), ProblemError), str(path))


def parse_system(text: str, place: str) -> System:
    """Return the system in the text of a system file; `place` is for messages. Raises ProblemError as `read_system`."""
    return system_of(convert_checked(parse_tables(text, place), SystemFile, place, ProblemError), place)


_USUAL = ("dgx-", "hgx-")
"""Prefixes of the presets suggested first for a device's name."""


def preset_names() -> tuple[str, ...]:
    """Return the names of the systems included in p2smt."""
    files = resources.files("p2smt.problem.system").joinpath("presets").iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")))


def preset_text(name: str) -> str:
    """Return the system file of a preset. Raises ProblemError as `preset_name`."""
    name = preset_name(name)
    return resources.files("p2smt.problem.system").joinpath("presets", f"{name}.toml").read_text(encoding="utf-8")


def preset_name(text: str, sizes: str = "") -> str:
    """Return the preset named by a text, ignoring case. Raises ProblemError for an unknown name.

    `sizes` are the sizes that followed the name; a suggested name is followed by them, too.

    >>> preset_name("DGX_H100")
    'dgx-h100'
    """
    names = preset_names()
    name = text.lower().replace("_", "-")
    if name not in names:
        behind = f":{sizes}" if sizes else ""
        ending = [one for one in names if one.endswith(f"-{name}")]
        near = min(ending, key=lambda one: (not one.startswith(_USUAL), len(one)), default="")
        meant = f"; did you mean {near}{behind}?" if near else did_you_mean(name, names, lambda one: f"{one}{behind}")
        raise ProblemError(f"system {text[:80]!r} is unknown; the presets are {', '.join(names)}{meant}")
    return name


def preset(name: str) -> System:
    """Return a system included in p2smt."""
    return parse_system(preset_text(name), name)


def resized(system: System, sizes: Sequence[int], tree: Tree | None = None) -> System:
    """Return the system with other numbers of units per level; `tree` describes irregular units.

    Measured timings of collectives are dropped if sizes change. A unit with more ports than devices keeps one
    port per device: a machine reduced from eight GPUs to four keeps four of its eight network cards.
    """
    if len(sizes) != len(system.levels):
        names = ", ".join(level.name for level in system.levels)
        raise ProblemError(
            f"{counted(len(sizes), 'size')} for {len(system.levels)} levels; give one size for each of {names}"
        )
    levels = tuple(Level(level.name, size) for level, size in zip(system.levels, sizes, strict=True))
    inside = {level.name: max(1, prod(sizes[number + 1 :])) for number, level in enumerate(levels)}

    def fewer(link: Link) -> Link:
        return replace(link, count=min(link.count, inside[link.level]))

    network = replace(system.network, links=tuple(map(fewer, system.network.links)))
    alike = system.sizes == tuple(sizes) and system.tree == tree
    timings = system.timings if alike else None
    changed = replace(system, levels=levels, network=network, tree=tree, timings=timings)
    if tree is not None:
        check_tree(tree, sizes)
    kinds = with_machines(system.kinds, system.machines, changed.machines, changed.inside)
    return build_system(replace(changed, kinds=kinds))


def system_example_text() -> str:
    """Return an annotated system file with all keys."""
    return resources.files("p2smt.problem.system").joinpath("example.toml").read_text(encoding="utf-8")


def system_of(entry: SystemFile, place: str) -> System:
    """Return the checked system of a file's entries; `place` is for messages."""
    if not entry.level:
        raise ProblemError(f"{place} has no [[level]]; add one per level, outermost first")
    levels, tree = levels_of(entry.level, place)
    described = [link_of(link) for link in entry.link]
    links = []
    for number, level in enumerate(entry.level):
        own = [link for link in described if link.level == level.name]
        # Two sources for one value would leave open which one counts.
        if own and (level.bandwidth is not None or level.latency is not None):
            raise ProblemError(
                f"level {level.name} has a [[link]] and a bandwidth or latency of its own; give them in the [[link]]"
            )
        links += own or [_plain_link(level, number, len(levels))]
    links += [link for link in described if link.level not in {level.name for level in levels}]
    machine = default_machine(levels) if entry.machine is None else entry.machine or None
    memory = read_rate(entry.device.memory_bandwidth, "device.memory_bandwidth")
    launch, apart = read_time(entry.device.launch, "device.launch"), entry.device.all_to_all_launch
    network = Network(
        tuple(links),
        memory,
        entry.overlap,
        machine,
        read_bytes(entry.device.memory, "device.memory"),
        launch,
        None if entry.processors is None else processors_of(entry.processors),
        None if apart is None else read_time(apart, "device.all_to_all_launch"),
        entry.protocols,
    )
    measured_from = read_bytes(entry.measured_from, "measured_from")
    models = tuple(map(model_of, entry.model))
    kinds = tuple(kind_of(kind, models) for kind in entry.kind)
    profile = None if entry.profile is None else profile_of(entry.profile)
    effort = None if entry.effort is None else effort_of(entry.effort)
    timings = None if entry.timings is None else timings_of(entry.timings)
    return build_system(
        System(
            levels=levels,
            network=network,
            name=entry.name,
            source=entry.source,
            measured_from=measured_from,
            kinds=kinds,
            profile=profile,
            tree=tree,
            effort=effort,
            timings=timings,
            device=named_model(entry.device.model, models),
            computing=entry.computing,
            unmeasured=entry.unmeasured,
            measured_earlier=entry.measured_earlier,
        )
    )


def system_text(system: System, fit: dict[str, Any] | None = None) -> str:
    """Return the file of a system, with the table `fit` on the origin of its values.

    Reading the file back yields the system.
    """
    entry = system_entry(system, fit)
    return tomli_w.dumps(without_none(msgspec.to_builtins(entry)), multiline_strings=True)


def system_entry(system: System, fit: dict[str, Any] | None = None) -> SystemFile:
    """Return the entries of a system's file; the inverse of `system_of`."""
    network = system.network
    return SystemFile(
        name=system.name,
        source=system.source,
        measured_from=bytes_text(system.measured_from),
        unmeasured=system.unmeasured,
        measured_earlier=system.measured_earlier,
        machine=network.machine or "",
        overlap=network.overlap,
        protocols=network.protocols,
        computing=system.computing,
        device=DeviceEntry(
            rate_text(network.memory_bandwidth),
            bytes_text(network.memory),
            time_text(network.launch),
            None if network.all_to_all_launch is None else time_text(network.all_to_all_launch),
            None if system.device is None else system.device.name,
        ),
        level=level_entries(system),
        link=tuple(map(link_entry, network.links)),
        kind=tuple(map(kind_entry, system.kinds)),
        model=own_models([system.device, *(kind.model for kind in system.kinds)]),
        effort=None if system.effort is None else effort_entry(system.effort),
        profile=None if system.profile is None else profile_entry(system.profile),
        timings=None if system.timings is None else timings_entry(system.timings),
        processors=None if network.processors is None else processors_entry(network.processors),
        fit=fit or {},
    )


def _plain_link(level: LevelEntry, number: int, levels: int) -> Link:
    default = default_link(level.name, number, levels)
    bandwidth, latency = default.bandwidth, default.latency
    if level.bandwidth is not None:
        bandwidth = read_rate(level.bandwidth, f"level {level.name[:64]}: bandwidth")
    if level.latency is not None:
        latency = read_time(level.latency, f"level {level.name[:64]}: latency")
    return replace(default, bandwidth=bandwidth, latency=latency)


def without_none(value: Any) -> Any:
    """Return plain values with None entries removed from tables, as TOML cannot represent them."""
    if isinstance(value, dict):
        return {key: without_none(inner) for key, inner in value.items() if inner is not None}
    return [without_none(inner) for inner in value] if isinstance(value, (list, tuple)) else value
