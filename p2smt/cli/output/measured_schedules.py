"""Text and JSON output for schedules that were run: predicted and measured times."""

from collections.abc import Iterator

from p2smt.cli.output.document import Document
from p2smt.cli.output.prose import labelled
from p2smt.cli.output.screen import screen_width
from p2smt.cli.output.table import table_lines
from p2smt.schedule.measured import MeasuredSchedule, MeasuredSchedules
from p2smt.schedule.text.printer import print_line

_COLUMNS = ("schedule", "predicted", "gain", "measured", "gain")


def measured_text(ran: MeasuredSchedules) -> str:
    """Return a row for the original program and each schedule that ran, why others did not run, and the fastest."""
    return "\n".join(line.rstrip() for line in _lines(ran)) + "\n"


def _lines(ran: MeasuredSchedules) -> Iterator[str]:
    yield from labelled(
        "",
        f"measured on {ran.ranks} processes of this machine (gloo, torch {ran.torch_version}), the median of "
        f"{ran.repeats} steps:",
    )
    rows = [_row("as it is", ran.untouched, ran)]
    rows += [_row(f"[{number}]", each, ran) for number, each in enumerate(ran.schedules, start=1) if not each.why]
    yield from table_lines(_COLUMNS, rows, (1, 2, 3, 4), screen_width())
    for number, each in enumerate(ran.schedules, start=1):
        if each.why:
            yield from labelled(f"[{number}] was not run:", each.why)
        if each.differing:
            yield from labelled(f"[{number}] is WRONG:", f"{each.differing} tensors are not those of the program")
    yield from labelled("", f"the fastest of them: {_name(ran.fastest, ran)}")


def _name(measured: MeasuredSchedule, ran: MeasuredSchedules) -> str:
    if measured is ran.untouched:
        return "the program as it is"
    return f"[{ran.schedules.index(measured) + 1}]"


def _row(label: str, measured: MeasuredSchedule, ran: MeasuredSchedules) -> list[str]:
    assert measured.seconds is not None
    assert ran.untouched.seconds is not None
    predicted, plain = measured.priced.estimate.seconds, ran.untouched.priced.estimate.seconds
    gains = ["", ""]
    if measured is not ran.untouched:
        gains = [_gain(plain, predicted), _gain(ran.untouched.seconds, measured.seconds)]
    return [label, f"{predicted * 1e6:.1f} us", gains[0], f"{measured.seconds * 1e6:.1f} us", gains[1]]


def _gain(plain: float, seconds: float) -> str:
    return f"{plain / seconds:.2f}x" if seconds else ""


def measured_document(ran: MeasuredSchedules) -> Document:
    """Return the same content as a document; times are in seconds."""
    return {
        "ranks": ran.ranks,
        "repeats": ran.repeats,
        "backend": "gloo",
        "torch": ran.torch_version,
        "untouched": _document(ran.untouched),
        "schedules": [_document(each) for each in ran.schedules],
        "fastest": None if ran.fastest is ran.untouched else ran.schedules.index(ran.fastest),
    }


def _document(measured: MeasuredSchedule) -> Document:
    return {
        "steps": [print_line(line) for line in measured.priced.schedule],
        "predicted": measured.priced.estimate.seconds,
        "seconds": measured.seconds,
        "differing": measured.differing,
        "not_run": measured.why or None,
    }
