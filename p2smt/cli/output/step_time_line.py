"""The time line of a sharded step: in a sentence, as a document, and as a trace that Perfetto opens."""

import json
from collections.abc import Iterator
from pathlib import Path

from p2smt.cli.output.document import Document
from p2smt.cli.output.files import write_and_say
from p2smt.cost.computing.time_line import Queue, Span, TimeLine, trace
from p2smt.problem.quantity import format_seconds
from p2smt.spmd.devices.network import PICO

_MOST_NAMED = 3


def time_line_text(line: TimeLine) -> Iterator[str]:
    """Lines for a step with communication beside computing: its length, its bound, what hides behind what."""
    computing, sent = line.busy(Queue.COMPUTING), line.busy(Queue.COMMUNICATION)
    yield (
        f"time line {_time(line.makespan)}: the host launches for {_time(line.host)}, computing is busy "
        f"{_time(computing)}, communication {_time(sent)}"
    )
    hidden = line.hidden()
    total = sum(beside for _, beside in hidden)
    if sent:
        exposed = sorted(hidden, key=lambda pair: pair[1] - (pair[0].end - pair[0].start))
        named = [f"{span.task.name} {_time(_exposed(span, beside))}" for span, beside in exposed[:_MOST_NAMED]
                 if _exposed(span, beside) > 0]  # fmt: skip
        yield f"  hidden behind computing: {_time(total)}; exposed most: {', '.join(named) or 'nothing'}"


def _exposed(span: Span, beside: int) -> int:
    return span.end - span.start - beside


def _time(picoseconds: int) -> str:
    return format_seconds(picoseconds / PICO)


def time_line_document(line: TimeLine) -> Document:
    """The time line in seconds."""
    return {
        "seconds": line.makespan / PICO,
        "host_s": line.host / PICO,
        "computing_s": line.busy(Queue.COMPUTING) / PICO,
        "communication_s": line.busy(Queue.COMMUNICATION) / PICO,
        "hidden_s": sum(beside for _, beside in line.hidden()) / PICO,
    }


def write_trace(path: Path, line: TimeLine, name: str, *, force: bool) -> None:
    """Write the trace."""
    text = json.dumps(trace(line, name)) + "\n"
    write_and_say(path, text, "the time line of the step", "open it in ui.perfetto.dev", force=force)
