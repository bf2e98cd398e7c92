"""Text and JSON output of `p2smt explain` for a sharding."""

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.screen import say
from p2smt.cli.output.step_time_line import print_hidden, time_line_document, time_line_text
from p2smt.cli.output.table import print_table
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.spmd.account.candidate import Candidate
from p2smt.spmd.account.recognition import strategy
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.network import PICO
from p2smt.spmd.reading.difference import ProgramDifference, named_mesh
from p2smt.spmd.reading.explanation import (
    Alternative,
    ImpossibleCondition,
    OtherProgram,
    ShardingExplanation,
    TensorExplanation,
)
from p2smt.spmd.reading.step_time_line import step_picoseconds
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.placing import layouts_text
from p2smt.wording import counted

MOST_ROWS = 8


def print_sharding_explained(explanation: ShardingExplanation) -> None:
    """Print the best sharding, then the cost of other layouts, other conditions or another program in comparison."""
    answer = explanation.answer
    cluster = explanation.cluster
    say(f"computing: {cluster.computing}")
    where = explanation.system or "the system"
    say(f"{answer.program.name} on {where}: {_taken(answer, cluster)}; strategy: {strategy(answer.program)}")
    for line in time_line_text(explanation.time_line, "time line"):
        say(line)
    print_hidden(explanation.time_line)
    used = [
        f"{name} is {axis.name}"
        for name, axis in zip(explanation.axes, answer.program.mesh, strict=True)
        if name != axis.name and len(explanation.axes) > 1
    ]
    if used:
        say(f"axes by what they are for: {', '.join(used)}")
    if explanation.missing:
        say(f"does not fit: a device lacks {format_bytes(explanation.missing)}")
    for each in explanation.tensors:
        _print_tensor(each, explanation)
    for condition in explanation.instead:
        _print_instead(condition, cluster)
    if explanation.against is not None:
        _print_against(explanation.against, cluster)


def _taken(candidate: Candidate, cluster: Cluster) -> str:
    account = candidate.account
    taken = f"{_time(account.time)}, of which {_time(account.communication)} collectives"
    if cluster.models:
        taken = f"{_time(step_picoseconds(candidate.program, account, cluster))} (by stages {taken})"
    return f"step {taken}, {format_bytes(max(account.memory))}"


def _print_tensor(each: TensorExplanation, explanation: ShardingExplanation) -> None:
    mine = _layouts(each.layouts, explanation)
    shape = f"[{', '.join(map(str, each.whole.shape))}]"
    several = sum(axis.size > 1 for axis in explanation.answer.program.mesh) > 1
    others = "other layouts on one axis, those on other axes and all else" if several else "other layouts, all else"
    title = f"{each.name} {shape}, {format_bytes(each.whole.bytes)}: {mine}; {others} searched again"
    rows = [
        (_layouts(other.layouts, explanation), _slower(other.difference), _more_memory(other.difference), _why(other))
        for other in each.alternatives
    ]
    say(f"{each.name}: {each.why}")
    if rows:
        print_table(title, ("layout", "step", "memory", "why"), rows, (1, 2))
    for other in each.impossible:
        say(f"not possible: {other.condition}: {other.reason}")


def _layouts(layouts: Layouts, explanation: ShardingExplanation) -> str:
    return layouts_text(layouts, named_mesh(explanation.answer.program.mesh, explanation.axes))


def _print_instead(each: Alternative | ImpossibleCondition, cluster: Cluster) -> None:
    match each:
        case ImpossibleCondition(condition, reason):
            say(f"instead, {condition}: {reason}")
        case Alternative(condition, candidate, _, unlike, missing):
            say(f"instead, {condition}: {_taken(candidate, cluster)}{_lacks(missing)}")
            _print_difference(unlike)


def _print_against(against: OtherProgram, cluster: Cluster) -> None:
    candidate = against.candidate
    say(f"against {candidate.program.name}: {_taken(candidate, cluster)}{_lacks(against.missing)}")
    say(f"its strategy: {strategy(candidate.program)}")
    _print_difference(against.difference)


def _print_difference(unlike: ProgramDifference) -> None:
    """Print the collectives and the computation that account for the time difference, then the tensors that differ."""
    rows = [
        (
            each.label,
            *(f"{calls}: {_time(time)}" for calls, time in zip(each.calls, each.times, strict=True)),
            _signed(each.slower),
        )
        for each in unlike.collectives[:MOST_ROWS]
    ]
    rest = unlike.collectives[MOST_ROWS:]
    if rest:
        both = (sum(each.times[number] for each in rest) for number in (0, 1))
        rows.append((f"{len(rest)} more kinds", *map(_time, both), _signed(sum(each.slower for each in rest))))
    computing = unlike.computing
    rows.append(("computing", _time(computing[0]), _time(computing[1]), _signed(computing[1] - computing[0])))
    rows.append(("by stages", "", "", _signed(unlike.slower)))
    print_table("what explains the time by stages; calls: time", ("what", "here", "there", "more"), rows, (1, 2, 3))
    layouts = [
        (each.name, "stored" if each.is_stored else "computed", format_bytes(each.bytes), *each.layouts)
        for each in unlike.layouts[:MOST_ROWS]
    ]
    if not layouts:
        say("all tensors that both have a name for have the same layouts")
        return
    more = f", {MOST_ROWS} of them" if len(unlike.layouts) > MOST_ROWS else ""
    title = f"{counted(len(unlike.layouts), 'tensor')} with other layouts{more}"
    print_table(title, ("tensor", "is", "bytes", "here", "there"), layouts, (2,))


def _why(other: Alternative) -> str:
    """Return the collectives and the computation that account for the time difference."""
    if other.missing:
        return f"a device lacks {format_bytes(other.missing)}"
    unlike = other.difference
    more = [f"{_signed(each.slower)} {each.label}" for each in unlike.collectives[:2] if each.slower]
    computing = unlike.computing[1] - unlike.computing[0]
    if computing:
        more.append(f"{_signed(computing)} computing")
    return "; ".join(more) or "it takes as long"


def _slower(unlike: ProgramDifference) -> str:
    return _signed(unlike.slower)


def _more_memory(unlike: ProgramDifference) -> str:
    before, after = unlike.memory
    return f"{'+' if after >= before else '-'}{format_bytes(abs(after - before))}"


def _lacks(missing: int) -> str:
    return f"; a device lacks {format_bytes(missing)}" if missing else ""


def _time(picoseconds: int) -> str:
    return format_seconds(picoseconds / PICO)


def _signed(picoseconds: int) -> str:
    return f"{'-' if picoseconds < 0 else '+'}{_time(abs(picoseconds))}"


def sharding_explained_document(explanation: ShardingExplanation) -> Document:
    """Return the JSON document; times are in seconds, bytes are those of the device with the most memory in use."""
    return {
        "version": VERSION,
        "system": explanation.system,
        "computing": explanation.cluster.computing,
        "time_line": time_line_document(explanation.time_line),
        **_candidate(explanation.answer, explanation.missing, explanation.cluster),
        "axes": list(explanation.axes),
        "tensors": [
            {
                "name": each.name,
                "shape": list(each.whole.shape),
                "layout": _layouts(each.layouts, explanation),
                "why": each.why,
                "alternatives": [
                    {"layout": _layouts(other.layouts, explanation), **_alternative(other, explanation.cluster)}
                    for other in each.alternatives
                ],
                "impossible": [{"condition": other.condition, "reason": other.reason} for other in each.impossible],
            }
            for each in explanation.tensors
        ],
        "instead": [
            _alternative(each, explanation.cluster)
            if isinstance(each, Alternative)
            else {"condition": each.condition, "reason": each.reason}
            for each in explanation.instead
        ],
        "against": None
        if explanation.against is None
        else {
            **_candidate(explanation.against.candidate, explanation.against.missing, explanation.cluster),
            "difference": _difference(explanation.against.difference),
        },
    }


def _alternative(each: Alternative, cluster: Cluster) -> Document:
    return {
        "condition": each.condition,
        **_candidate(each.candidate, each.missing, cluster),
        "difference": _difference(each.difference),
    }


def _candidate(candidate: Candidate, missing: int, cluster: Cluster) -> Document:
    account = candidate.account
    return {
        "program": candidate.program.name,
        "strategy": strategy(candidate.program),
        "time_s": step_picoseconds(candidate.program, account, cluster) / PICO,
        "stages_s": account.time / PICO,
        "communication_s": account.communication / PICO,
        "memory": max(account.memory),
        "missing": missing,
    }


def _difference(unlike: ProgramDifference) -> Document:
    return {
        "slower_s": unlike.slower / PICO,
        "communication_s": [each / PICO for each in unlike.communication],
        "computing_s": [each / PICO for each in unlike.computing],
        "memory": list(unlike.memory),
        "collectives": [
            {
                "what": each.text,
                "bytes": each.bytes,
                "calls": list(each.calls),
                "times_s": [time / PICO for time in each.times],
                "slower_s": each.slower / PICO,
            }
            for each in unlike.collectives
        ],
        "layouts": [
            {"name": each.name, "bytes": each.bytes, "stored": each.is_stored, "layouts": list(each.layouts)}
            for each in unlike.layouts
        ],
    }
