"""Text output of `p2smt shard`."""

from collections.abc import Iterator, Sequence

from p2smt.cli.output.screen import say
from p2smt.cli.output.step_time_line import by_stages_text, time_line_text
from p2smt.cli.output.table import print_table
from p2smt.cost.bus_bandwidth import HEAD, rate_cell
from p2smt.cost.computing.time_line import StepTimeLine
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.spmd.account.candidate import Candidate
from p2smt.spmd.account.instruction import AccountedStep
from p2smt.spmd.account.instruction_rate import instruction_bus_bandwidth
from p2smt.spmd.account.recognition import recognised_in, strategy_of
from p2smt.spmd.account.uses import Uses, uses_of
from p2smt.spmd.devices.network import PICO
from p2smt.spmd.devices.shares import Shares
from p2smt.spmd.emission.whole_outputs import with_whole_outputs
from p2smt.spmd.model.batch import batch_of
from p2smt.spmd.reading.comparison import RunnerUp, runner_ups, why
from p2smt.spmd.reading.given_program import GivenProgram
from p2smt.spmd.reading.parameters import ParameterGroup, parameter_groups_in
from p2smt.spmd.reading.step_time_line import reported, step_picoseconds, step_time_line
from p2smt.spmd.search.sharded import MeshScope, OneAxisScope, Segment, SegmentScope, ShardingResult, SingleCalls
from p2smt.tensor.placing import Mesh, layouts_text
from p2smt.wording import counted

MOST_ROWS = 12
MOST_RUNNER_UPS = 3

_ROUNDING = 1e-6
"""Optimality gaps below this are due to rounding to whole picoseconds."""


def print_sharded(sharded: ShardingResult, links: str, inside: GivenProgram | None = None) -> None:
    """Print the sharding, its proof, and the times of alternatives; `links` says whose link parameters are used.

    `inside` is the program of all devices if the sharding is over machines.
    """
    account = sharded.account
    devices = counted(len(sharded.cluster.devices), "device")
    where = f"{sharded.cluster.name}: {devices}" if sharded.cluster.name else devices
    say(f"{sharded.program.name} on {where} ({_kinds(sharded)})")
    say(f"computing: {sharded.cluster.computing}\nlinks: {links}")
    time_line = step_time_line(sharded.program, account, sharded.cluster)
    for line in _step(sharded, time_line):
        say(line)
    say(f"shares {sharded.shares.name}: {_shares(sharded)}")
    uses = uses_of(sharded.program)
    for line in _strategy(uses):
        say(line)
    _print_parameters(uses)
    if inside is not None:
        _print_inside(inside)
    ours = reported(time_line, account, sharded.cluster)
    _print_scope(sharded, ours)
    for line in (*sharded.notes, *(f"does not fit: {each}" for each in sharded.lacks)):
        say(line)
    _print_stored(sharded)
    _print_collectives([each for each in account.instructions if each.way is not None], sharded.program.mesh)
    rows = [(name, *_times(each, sharded, ours)) for name, each in sharded.baselines]
    if rows:
        print_table("what others take", ("way", "step", "times"), rows, (1, 2))
    _print_runner_ups(runner_ups(sharded), MOST_RUNNER_UPS + len(sharded.spare), by_stages=bool(sharded.cluster.models))
    if len(sharded.candidates) > 1:
        rows = [(each.shares.name, *_times(each, sharded, ours)) for each in sharded.candidates]
        print_table("the best program of each shares", ("shares", "step", "times"), rows, (1, 2))


def _print_inside(inside: GivenProgram) -> None:
    """Print the time of the program of all devices, data parallel inside machines, which `--out` writes."""
    program, account = inside.candidate.program, inside.candidate.account
    axes = " x ".join(f"{axis.name}={axis.size}" for axis in program.mesh)
    step = _time(step_picoseconds(program, account, inside.cluster))
    say("a rank above is a machine, its collectives in the three steps of HAP: inside, across, inside")
    say(f"written (--out) for all devices, {axes}, data parallel inside: step {step}")


def _print_parameters(uses: Uses) -> None:
    """Print a row per group of parameters with the same layout, unless all have the same."""
    alike: dict[tuple[str, ...], list[ParameterGroup]] = {}
    for group in parameter_groups_in(uses):
        alike.setdefault(group.layouts, []).append(group)
    if len(alike) < 2:
        return
    rows = [
        (_first([each.pattern for each in groups]), str(sum(len(each.names) for each in groups)), *layouts)
        for layouts, groups in alike.items()
    ]
    print_table("parameters", ("names", "number", *(axis.name for axis in uses.program.mesh)), rows, (1,))


def _strategy(uses: Uses) -> Iterator[str]:
    """Yield the parallelism strategy in standard terms, and the batch sizes for which the layouts hold."""
    program, found = uses.program, recognised_in(uses)
    yield f"strategy: {strategy_of(program, found)}"
    several = len(program.mesh) > 1
    for each in found:
        yield f"  {each.name}{f' on {each.axis}' if several else ''}: {each.detail}"
    if found and all(each.name == "replicated work" and each.part == 1 for each in found):
        yield "  one device is enough: the others repeat its work; sharding pays for larger models and batches"
    batch = batch_of(program)
    if batch is not None:
        multiple = "any number" if batch.divisor == 1 else f"any multiple of {batch.divisor}"
        yield f"batch {batch.size}; these layouts hold for {multiple}, without a search (--search like=FILE)"


def _print_scope(sharded: ShardingResult, ours: int) -> None:
    """Print what was searched; `ours` is the reported time of a step in picoseconds."""
    match sharded.scope:
        case MeshScope() as scope:
            _print_mesh(sharded, scope)
        case SegmentScope(segments):
            _print_segments(sharded, segments, ours)
        case OneAxisScope(recomputed) if recomputed:
            say(f"computed again in the backward pass: {', '.join(recomputed)}")
        case OneAxisScope():
            pass


def _print_mesh(sharded: ShardingResult, scope: MeshScope) -> None:
    """Print the levels of the mesh axes, how they were searched, and alternative meshes."""
    axes = ", ".join(f"{axis.name}={axis.size}" for axis in sharded.program.mesh)
    how = "all choices of all axes at once" if scope.exact else "one axis given the others, in turn"
    say(f"mesh {axes} placed {scope.placement}; searched: {how}")
    if len(scope.tried) > 1:
        rows = [
            (
                "x".join(map(str, each.sizes)),
                each.placement,
                "passed over" if each.time is None else _time(each.time),
                _time(each.bound),
            )
            for each in scope.tried
        ]
        passed = sum(each.time is None for each in scope.tried)
        title = f"meshes, of which {passed} passed over by their bound; a call for each collective"
        print_table(title, ("mesh", "placed", "step", "bound"), rows, (2, 3))


def _print_segments(sharded: ShardingResult, segments: Sequence[Segment], ours: int) -> None:
    """Print each segment's sharding ratios, and the step time with the same ratios everywhere."""
    whole = sharded.baselines[0][1]
    time, ratio = _times(whole, sharded, ours)
    say(f"without segments a step takes {time}, {ratio} times as long")
    total = sum(each.flops for each in segments) or 1
    rows = [
        (str(number), f"{each.flops / total:.1%}", _parts(sharded, each.shares), _first(each.parameters))
        for number, each in enumerate(segments)
    ]
    print_table("segments", ("segment", "work", "shares", "parameters"), rows, (1,))


def _print_runner_ups(others: Sequence[RunnerUp], most: int, *, by_stages: bool) -> None:
    """Print what others take more. Of a time line that is by stages: launches may hide it, or other calls beside it."""
    rows = [(each.name, why(each)) for each in others[:most]]
    if rows and by_stages:
        print_table("runner-ups: what they take more by stages, one after the other", ("way", "by stages"), rows)
    elif rows:
        print_table("runner-ups, and why they lose", ("way", "why"), rows)


def _step(sharded: ShardingResult, line: StepTimeLine) -> Iterator[str]:
    """Yield the time line, the bound proved in the stage model, and the distance of that bound from the step time."""
    yield from _proved(sharded, line)
    if not sharded.cluster.models:
        yield from time_line_text(line, "time line")
    else:
        step = line.makespan
        apart = sharded.lower_bound / step - 1 if step else 0.0
        where = "above" if apart > 0 else "below"
        yield f"  that bound is of times by stages: {_time(sharded.lower_bound)}, {abs(apart):.1%} {where} the step"


def _proved(sharded: ShardingResult, line: StepTimeLine) -> Iterator[str]:
    """Yield the step time and its proof in the stage model, where every collective is a separate call.

    If the emitted program fuses calls or gathers outputs, the time of the program that the proof is about is added.
    """
    account, searched = sharded.account, sharded.searched
    first = f"step {_time(account.time)}"
    if sharded.cluster.models:
        yield from time_line_text(line)
        first = by_stages_text(account.time, line.makespan)
    taken = f"{first}, of which {_time(account.communication)} collectives"
    if isinstance(sharded.emission, SingleCalls):
        parts = "" if with_whole_outputs(sharded.program) == sharded.program else ", outputs in parts"
        yield f"{taken}{parts}; {_bound(sharded, '')}"
        return
    gathers = sharded.gathers
    if not sharded.joined and not gathers:
        yield f"{taken}; {_bound(sharded, ' and a call for each collective')}"
        return
    if sharded.joined:
        taken = f"{taken}, {counted(sharded.joined, 'call')} for several, of at most {format_bytes(sharded.buckets)}"
    yield taken
    parts = ", and outputs in parts," if gathers else ""
    fastest = "it" if sharded.is_searched else "the fastest"
    time = _time(searched.account.time)
    yield f"with a call for each collective{parts} {fastest} takes {time}; {_bound(sharded, '')}"


def _bound(sharded: ShardingResult, calls: str) -> str:
    proof = " (certified)" if sharded.proved else ""
    where = " in these segments" if isinstance(sharded.scope, SegmentScope) else ""
    none = f"no program{where} with the shares that were tried{calls}"
    if sharded.gap <= _ROUNDING:
        by = " by more than a millionth" if sharded.gap else ""
        return f"{none} is faster{by}{proof}"
    below = 1 - sharded.lower_bound / sharded.searched.account.time
    return f"{none} takes less than {_time(sharded.lower_bound)}, {below:.1%} less{proof}"


def _print_stored(sharded: ShardingResult) -> None:
    """Print the tensors stored in each layout; a long list is abbreviated."""
    alike: dict[str, list[str]] = {}
    for name, layouts in sharded.stored:
        alike.setdefault(layouts_text(layouts, sharded.program.mesh), []).append(name)
    rows = [(layout, str(len(some)), _first(some)) for layout, some in sorted(alike.items())]
    print_table("sources by layout", ("layout", "number", "names"), rows, (1,))


def _first(names: Sequence[str]) -> str:
    return ", ".join(names[: MOST_ROWS // 2]) + (", ..." if len(names) > MOST_ROWS // 2 else "")


def _print_collectives(collectives: Sequence[AccountedStep], mesh: Mesh) -> None:
    if not collectives:
        say("no collective is needed\n")
        return
    ranked = sorted(collectives, key=lambda each: -each.time)
    rows = [
        (
            _statements(each),
            each.text,
            str(each.way),
            format_bytes(each.bytes),
            _time(each.time),
            rate_cell(instruction_bus_bandwidth(each, mesh)),
        )
        for each in ranked[:MOST_ROWS]
    ]
    more = f", the {MOST_ROWS} longest" if len(ranked) > MOST_ROWS else ""
    title = f"{counted(len(ranked), 'collective')}{more}"
    print_table(title, ("of", "collective", "way", "tensor", "time", HEAD), rows, (3, 4, 5))
    plans = {(each.text, each.plan.program): None for each in ranked if each.plan is not None}
    if plans:
        print_table("reduction programs", ("collective", "program"), list(plans))


def _statements(each: AccountedStep) -> str:
    return f"{each.bucket[0]} and {len(each.bucket) - 1} more" if each.bucket else each.statement


def _kinds(sharded: ShardingResult) -> str:
    counts: dict[str, int] = {}
    for device in sharded.cluster.devices:
        counts[device.kind] = counts.get(device.kind, 0) + 1
    return ", ".join(f"{count} {kind}" for kind, count in counts.items())


def _shares(sharded: ShardingResult) -> str:
    return _parts(sharded, sharded.shares)


def _parts(sharded: ShardingResult, shares: Shares) -> str:
    parts = dict.fromkeys(
        (device.kind, float(part)) for device, part in zip(sharded.cluster.devices, shares.parts, strict=True)
    )
    return ", ".join(f"{kind} {part:.4g}" for kind, part in list(parts)[:MOST_ROWS])


def _time(picoseconds: int) -> str:
    return format_seconds(picoseconds / PICO)


def _times(candidate: Candidate, sharded: ShardingResult, ours: int) -> tuple[str, str]:
    """Return another program's step time, and its ratio to `ours`, that of the program found."""
    theirs = step_picoseconds(candidate.program, candidate.account, sharded.cluster)
    return _time(theirs), _ratio(theirs / ours) if ours else ""


def _ratio(ratio: float) -> str:
    return f"{ratio:.2f}" if ratio < 1000 else f"{ratio:,.0f}"
