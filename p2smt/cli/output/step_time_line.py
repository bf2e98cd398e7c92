"""The time line of a sharded step: as text, as a JSON document, and as a trace for Perfetto."""

import json
from collections.abc import Iterator
from pathlib import Path

from p2smt.cli.output.document import Document
from p2smt.cli.output.files import write_and_say
from p2smt.cli.output.table import print_table
from p2smt.cost.computing.time_line import Queue, StepTimeLine, trace
from p2smt.problem.quantity import format_seconds
from p2smt.spmd.devices.network import PICO

_MOST_NAMED, _MOST_ROWS = 3, 8


def time_line_text(line: StepTimeLine, what: str = "step") -> Iterator[str]:
    """Yield the step's length, its busy times by resource, and how much communication computing hides."""
    computing, sent = line.busy(Queue.COMPUTING), line.busy(Queue.COMMUNICATION)
    yield (
        f"{what} {_time(line.makespan)}: the host launches for {_time(line.host)}, computing is busy "
        f"{_time(computing)}, communication {_time(sent)}"
    )
    hidden = line.hidden()
    total = sum(each.beside for each in hidden)
    if sent:
        exposed = sorted(hidden, key=lambda each: -each.exposed)[:_MOST_NAMED]
        named = [f"{each.span.task.name} {_time(each.exposed)}" for each in exposed if each.exposed > 0]
        yield f"  hidden behind computing: {_time(total)}; exposed most: {', '.join(named) or 'nothing'}"


def print_hidden(line: StepTimeLine) -> None:
    """Print the longest collectives: how much of each is hidden, behind which task, and how much is exposed."""
    hidden = sorted(line.hidden(), key=lambda each: each.span.start - each.span.end)
    rows = [
        (
            each.span.task.name,
            _time(each.span.end - each.span.start),
            _time(each.beside),
            "" if each.behind is None else each.behind.task.name,
            _time(each.exposed),
        )
        for each in hidden[:_MOST_ROWS]
    ]
    if rows:
        more = f", the {_MOST_ROWS} longest of {len(hidden)}" if len(hidden) > _MOST_ROWS else ""
        title = f"collectives in the time line{more}"
        print_table(title, ("collective", "time", "hidden", "longest beside it", "exposed"), rows, (1, 2, 4))


def by_stages_text(stages: int, reported: int) -> str:
    """Compare the stage-model time, without overlap, with the time line's."""
    apart = reported / stages - 1 if stages else 0.0
    said = f"{apart:.1%} longer: the host's launches" if apart > 0 else f"{-apart:.1%} shorter"
    return f"by stages, one after the other, {_time(stages)} (the step is {said})"


def _time(picoseconds: int) -> str:
    return format_seconds(picoseconds / PICO)


def time_line_document(line: StepTimeLine) -> Document:
    """Return the time line as a document; times are in seconds."""
    return {
        "seconds": line.makespan / PICO,
        "host_s": line.host / PICO,
        "computing_s": line.busy(Queue.COMPUTING) / PICO,
        "communication_s": line.busy(Queue.COMMUNICATION) / PICO,
        "hidden_s": sum(each.beside for each in line.hidden()) / PICO,
        "collectives": [
            {
                "what": each.span.task.name,
                "start_s": each.span.start / PICO,
                "end_s": each.span.end / PICO,
                "hidden_s": each.beside / PICO,
                "behind": None if each.behind is None else each.behind.task.name,
            }
            for each in line.hidden()
        ],
    }


def write_trace(path: Path, line: StepTimeLine, name: str, *, force: bool) -> None:
    """Write the time line as a trace file."""
    text = json.dumps(trace(line, name)) + "\n"
    write_and_say(path, text, "the time line of the step", "open it in ui.perfetto.dev", force=force)
