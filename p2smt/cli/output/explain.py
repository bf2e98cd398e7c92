"""Output of `p2smt explain` for a plan."""

from collections.abc import Iterator, Sequence
from functools import partial

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.links import links_of
from p2smt.cli.output.program import full_cell
from p2smt.cli.output.screen import say
from p2smt.cli.output.table import print_table
from p2smt.cli.output.time_line import print_time_line, time_line_document
from p2smt.cost.above_wire import above_text, above_wire
from p2smt.cost.any_length import Reach
from p2smt.cost.bus_bandwidth import HEAD, bus_bandwidth, rate_cell, work_bus_bandwidth
from p2smt.cost.crossovers import known_changes
from p2smt.cost.explanation import Explanation, busiest_link
from p2smt.cost.extrapolation import extrapolation_text, is_extrapolated
from p2smt.cost.network.backend import Backend
from p2smt.cost.network.cost import StepCost, Work, step_work
from p2smt.cost.network.pattern import pattern_of
from p2smt.cost.network.pipelining import WORTH, ChunkPipeline
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.problem.system.network import System
from p2smt.reduction.plan.model import CollectiveStep, Plan
from p2smt.smt.answer import Stop

_SAME = 1e-9
"""Times whose relative difference is below this count as equal."""


def explanation_document(explanation: Explanation, system: System, backend: Backend) -> Document:
    """Return the JSON document; `allreduce_s` is the time of the single collective that the goal names, in seconds."""
    return {
        "version": VERSION,
        "program": explanation.plan.program,
        "goal": explanation.plan.goal.hyphenated,
        "system": system.name,
        "algorithm": str(backend),
        "allreduce_s": explanation.plain_seconds,
        "allreduce_busbw_bytes_per_s": _plan_rate(explanation.plan, explanation.plain_seconds),
        "allreduce_algorithm": _carrier(explanation.plain) or None,
        "seconds": explanation.seconds,
        "busbw_bytes_per_s": _plan_rate(explanation.plan, explanation.seconds),
        "wire_s": explanation.wire_seconds,
        "above_wire": above_wire(explanation.seconds, explanation.wire_seconds),
        "extrapolated": is_extrapolated(system, explanation.plan.payload.bytes),
        "figures_from_bytes": system.known_from,
        "bottleneck": explanation.bottleneck,
        "causes_s": explanation.causes,
        "steps": [
            {
                "step": _step_text(explanation, number),
                "algorithm": None if cost.algorithm is None else str(cost.algorithm),
                "protocol": None if cost.protocol is None else str(cost.protocol),
                "seconds": cost.seconds,
                "busbw_bytes_per_s": _step_rate(explanation, number),
                "links_s": cost.links_s,
                "latency_s": cost.latency_s,
                "launch_s": cost.launch_s,
                "memory_s": cost.memory_s,
                "cores_s": cost.cores_s,
                "busiest_link": busiest_link(cost),
                "loads": [
                    {
                        "link": load.link.name,
                        "seconds": load.seconds,
                        "incoming_bytes": load.incoming,
                        "outgoing_bytes": load.outgoing,
                        "busiest_bytes": load.busiest,
                        "switch_bytes": load.switch,
                        "hops": load.hops,
                    }
                    for load in cost.loads
                ],
            }
            for number, cost in enumerate(explanation.steps)
        ],
        **_rivals_document(explanation),
        "chunks": explanation.plan.chunks,
        "pipeline": None if explanation.pipeline is None else _pipeline_document(explanation.pipeline),
        "time_line": None if explanation.time_line is None else time_line_document(explanation.time_line),
        "chunked": None if explanation.chunked is None else _chunked_document(*explanation.chunked),
    }


def _pipeline_document(pipeline: ChunkPipeline) -> Document:
    """Return the document of a pipelined plan: its time slots."""
    return {
        "slots_s": list(pipeline.slots_s),
        "first_s": pipeline.first_s,
        "full_s": pipeline.full_s,
        "full_slots": pipeline.full_slots,
        "joining_s": pipeline.joining_s,
    }


def _chunked_document(plan: Plan, seconds: float) -> Document:
    """Return the document of the plan in its best number of chunks."""
    return {"chunks": plan.chunks, "text": plan.program, "seconds": seconds}


def _rivals_document(explanation: Explanation) -> Document:
    """Return the other programs on the placement, and whether the list is complete."""
    runner_up = explanation.runner_up
    return {
        "complete": explanation.complete,
        "stopped": str(explanation.stop),
        "reason": explanation.reason,
        "best_of_any_length": explanation.reach.any_length,
        "rank": explanation.rank,
        "listed": explanation.listed,
        "programs": explanation.programs,
        "rival": None
        if runner_up is None
        else {
            "text": runner_up.text,
            "seconds": explanation.runner_up_seconds,
            "causes_s": explanation.runner_up_causes,
        },
        "winners": None
        if explanation.crossovers is None
        else [
            {"from_bytes": crossover.least_bytes, "text": crossover.best.text} for crossover in explanation.crossovers
        ],
    }


def print_explanation(explanation: Explanation, system: System, backend: Backend) -> None:
    """Print the time of a single collective and the plan, times per step, bytes per link, runner-up, crossovers."""
    payload = format_bytes(explanation.plan.payload.bytes)
    where = f"{payload} per device on {links_of(system)}, algorithm {backend}"
    if explanation.bottleneck is None:
        say(f"no step: nothing has to be moved for {where}")
        return
    for line in (*_head_lines(explanation, system, where), ""):
        say(line)
    if explanation.time_line is not None:
        print_time_line(explanation.time_line)
    crowded = any(cost.cores_s for cost in explanation.steps)
    heads = ("time", "links", "latency", "launch", "memory", *(["cores"] if crowded else []))
    times = []
    for number, cost in enumerate(explanation.steps):
        seconds = [cost.seconds, cost.links_s, cost.latency_s, cost.launch_s, cost.memory_s, cost.cores_s]
        carried = f" ({' '.join(map(str, filter(None, (cost.algorithm, cost.protocol))))})" if cost.algorithm else ""
        time, *causes = map(format_seconds, seconds[: len(heads)])
        rate = rate_cell(_step_rate(explanation, number))
        times.append([str(number + 1), _step_text(explanation, number) + carried, time, rate, *causes])
    print_table(
        "time per step" if explanation.pipeline is None else "time per step, of the whole payload at once",
        ("", "step", heads[0], HEAD, *heads[1:]),
        times,
        right=(0, *range(2, 3 + len(heads))),
    )
    rows = [row for number, cost in enumerate(explanation.steps) for row in _load_rows(number, cost)]
    columns = ("", "link", "in", "out", "shared", "hops", "time", "")
    title = "bytes on the busiest place of every link (* the step waits for it)"
    print_table(title, columns, rows, right=(0, 2, 3, 4, 5, 6))
    for line in (*_stopped_lines(explanation), *_runner_up_lines(explanation), *_crossover_lines(explanation, system)):
        say(line)


def _head_lines(explanation: Explanation, system: System, where: str) -> Iterator[str]:
    """Yield the time of the single collective that the plan replaces, then the plan's time and bottleneck."""
    seconds, bottleneck = explanation.seconds, explanation.bottleneck
    assert bottleneck is not None
    claimed = seconds and not is_extrapolated(system, explanation.plan.payload.bytes)
    gain = f", {explanation.plain_seconds / seconds:.2f}x as fast" if claimed else ""
    share = 100 * explanation.causes[bottleneck] / seconds if seconds else 0
    carrier = _carrier(explanation.plain)
    by = f" ({carrier})" if carrier else ""
    plain = _rated(explanation.plan, explanation.plain_seconds)
    yield f"one {explanation.plan.goal}: {plain}{by} for {where}"
    yield f"this plan: {_rated(explanation.plan, seconds)}{gain}; bottleneck {bottleneck} ({share:.0f} % of the time)"
    yield f"  {full_cell(explanation.plan.program)}"
    if claimed and (above := above_text(seconds, explanation.wire_seconds)):
        wire = format_seconds(explanation.wire_seconds)
        yield f"overhead: {above} over the lower bound of the links, {wire} for the bytes that must cross them"
    if explanation.pipeline is not None:
        yield from _pipeline_lines(explanation.pipeline)
    if claimed and explanation.chunked is not None and seconds >= WORTH * explanation.chunked[1]:
        chunked, faster = explanation.chunked
        yield (
            f"in {chunked.chunks} chunks, steps of different ones at once (p2smt plan --chunks {chunked.chunks}): "
            f"{format_seconds(faster)}, {seconds / faster:.2f}x as fast as this plan, with "
            f"{chunked.chunks * len(chunked.steps)} calls instead of {len(explanation.plan.steps)}"
        )
        if chunked.program != explanation.plan.program:
            yield f"  {full_cell(chunked.program)}"


def _rated(plan: Plan, seconds: float) -> str:
    """Format a time together with its bus bandwidth."""
    rate = _plan_rate(plan, seconds)
    return format_seconds(seconds) if rate is None else f"{format_seconds(seconds)}, busbw {rate / 1e9:.4g} GB/s"


def _plan_rate(plan: Plan, seconds: float) -> float | None:
    ranks = pattern_of(plan, plan.reduction).group_size
    return bus_bandwidth(plan.goal, ranks, plan.payload.bytes, seconds)


def _step_rate(explanation: Explanation, number: int) -> float | None:
    """Return the bus bandwidth of a step in bytes/s; None for a local permutation."""
    plan = explanation.plan
    work = step_work(plan.payload, plan.steps[number], partial(pattern_of, plan))
    return work_bus_bandwidth(work, explanation.steps[number].seconds) if isinstance(work, Work) else None


def _pipeline_lines(pipeline: ChunkPipeline) -> Iterator[str]:
    """Yield the time until the first chunk is finished, and the bottleneck of the following chunks."""
    each = f"; then one every {format_seconds(pipeline.full_s)}, which waits for {pipeline.bottleneck}"
    yield (
        f"{pipeline.chunks} chunks, steps of different ones at once: the first is through after "
        f"{format_seconds(pipeline.first_s)}{each if pipeline.full_slots else ''}"
    )


def _carrier(steps: Sequence[StepCost]) -> str:
    """Return the algorithm of the library's calls; empty if it is unknown or differs between calls."""
    carriers = {str(step.algorithm) for step in steps if step.algorithm}
    return carriers.pop() if len(carriers) == 1 else ""


def _step_text(explanation: Explanation, number: int) -> str:
    plan = explanation.plan
    step = plan.steps[number]
    if not isinstance(step, CollectiveStep):
        return "local permutation"
    digits = [plan.digits[index] for index in step.groups.varying]
    along = ", ".join(f"{digit.level}.{digit.axis}" for digit in digits)
    return f"{step.collective} among {plan.groups(step.groups).size} along {along}"


def _load_rows(number: int, cost: StepCost) -> Iterator[list[str]]:
    for load in cost.loads:
        if load.busiest:
            limit = max(load.bounds, key=lambda bound: bound[1])[0]
            mark = f"* {limit}" if load.link.name == busiest_link(cost) else ""
            shown = [format_bytes(amount) if amount else "" for amount in (load.incoming, load.outgoing, load.busiest)]
            yield [str(number + 1), load.link.name, *shown, str(load.hops), format_seconds(load.seconds), mark]


def _stopped_lines(explanation: Explanation) -> Iterator[str]:
    """Yield a line with the reason if the list of other programs may be incomplete."""
    if explanation.stop is not Stop.EXHAUSTED:
        why = f": {explanation.reason}" if explanation.reason else ""
        yield f"INCOMPLETE ({explanation.stop}{why}): there may be more programs within the limit than those found"
    if explanation.reach in (Reach.LATE, Reach.LEVELS, Reach.UNLIKE):
        yield f"longer than the limit: {explanation.reach}"


def _runner_up_lines(explanation: Explanation) -> Iterator[str]:
    runner_up, seconds = explanation.runner_up, explanation.runner_up_seconds
    if runner_up is None:
        complete = explanation.stop is Stop.EXHAUSTED
        yield "there is no other program on this placement" if complete else "no other program was found in time"
        return
    loses = seconds >= explanation.seconds
    rank, programs = explanation.rank, explanation.programs
    place = f"rank {rank} of {programs}"
    if explanation.pipeline is not None:
        place = f"in one piece {rank - 1} of {programs} programs take less time"
    elif not explanation.listed:
        place = f"not among the {programs} programs found, {rank - 1} of which take less time"
    yield f"{place}; {'the next best' if loses else 'better'}: {full_cell(runner_up.text)}"
    equal = abs(seconds - explanation.seconds) <= _SAME * explanation.seconds
    verdict = "ties with it" if equal else "loses to it" if loses else "beats it"
    if explanation.pipeline is not None:
        yield f"  {format_seconds(seconds)}, {verdict}"
        return
    yield f"  {format_seconds(seconds)}, {verdict}: {_differences(explanation) or 'the same in everything'}"


def _differences(explanation: Explanation) -> str:
    """Compare the runner-up's time with the plan's, cause by cause, largest difference first."""
    own, other = explanation.causes, explanation.runner_up_causes
    # A cause that one of the two lacks counts as 0 there.
    changes = {cause: other.get(cause, 0.0) - own.get(cause, 0.0) for cause in {**own, **other}}
    return ", ".join(
        f"{cause} {'+' if change > 0 else '-'}{format_seconds(abs(change))}"
        for cause, change in sorted(changes.items(), key=lambda item: -abs(item[1]))
        if abs(change) > _SAME * explanation.seconds
    )


def _crossover_lines(explanation: Explanation, system: System) -> Iterator[str]:
    yield ""
    if explanation.crossovers is None:
        yield "which program wins at which payload was not worked out in time; allow a longer --timeout"
        return
    yield "which program wins at which payload on this placement:"
    for change in known_changes(explanation.crossovers, system.known_from):
        yield f"  from {format_bytes(change.least_bytes)}: {full_cell(change.best.text)}"
    yield f"  {extrapolation_text(system)}"
