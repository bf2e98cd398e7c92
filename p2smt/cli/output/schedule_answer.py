"""The answer of `p2smt schedule` for a given or searched schedule: text or JSON, explanation, rates, measurements."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.output.document import Document, print_json
from p2smt.cli.output.progress import working

if TYPE_CHECKING:
    from p2smt.cli.output.rates import PricedByRates
    from p2smt.schedule.cost.machine import Machine
    from p2smt.schedule.explained import ScheduleExplanation
    from p2smt.schedule.measured import MeasuredSchedules
    from p2smt.schedule.sized import SizedSchedule
    from p2smt.schedule.tuner.result import TuningResult


@dataclass(frozen=True, slots=True, kw_only=True)
class DisplayOptions:
    """Printing options.

    `explaining` is the machine that prices the explanation, `measuring` the one for the schedules that are run; None
    disables either. `rates` are the measured rates that the machine uses, None without any.
    """

    explaining: "Machine | None"
    report: Path | None
    measuring: "Machine | None"
    rates: "PricedByRates | None"
    top: int
    force: bool
    as_json: bool


def print_proved(
    sized: "SizedSchedule", shown: DisplayOptions, ran: "MeasuredSchedules | None", *, whole: bool
) -> None:
    """Print the verdict on a schedule; with `whole`, the transformed program follows."""
    from p2smt.cli.output.schedule import result_text, schedule_document, schedule_text
    from p2smt.schedule.explained import explained

    with working("explaining the schedule"):
        why = None if shown.explaining is None else explained(sized.checked, shown.explaining)
    text = schedule_text(sized) + ("\n" + result_text(sized.checked) if whole else "")
    _print_all(text, schedule_document(sized), why, ran, shown)


def print_tuned(tuned: "TuningResult", shown: DisplayOptions, ran: "MeasuredSchedules | None") -> None:
    """Print the schedules found, and explain the fastest one other than the original program."""
    from p2smt.cli.output.tuned import tuned_document, tuned_text
    from p2smt.schedule.explained import explained_tuned

    with working("explaining the schedule"):
        why = None if shown.explaining is None else explained_tuned(tuned, shown.explaining)
    _print_all(tuned_text(tuned, shown.top), tuned_document(tuned, shown.top), why, ran, shown)


def _print_all(
    text: str,
    document: Document,
    why: "ScheduleExplanation | None",
    ran: "MeasuredSchedules | None",
    shown: DisplayOptions,
) -> None:
    """Print an answer, followed by the rates, the explanation and the measured times; with --json in one document."""
    from p2smt.cli.output.measured_schedules import measured_document, measured_text
    from p2smt.cli.output.rates import rates_document, rates_text
    from p2smt.cli.output.schedule_explained import explained_document, explained_text

    # One JSON document in all; the parts of the text answer follow each other.
    if shown.as_json:
        more = {} if shown.rates is None else {"rates": rates_document(shown.rates)}
        more |= {} if why is None else {"explained": explained_document(why)}
        more |= {} if ran is None else {"measured": measured_document(ran)}
        print_json({**document, **more})
        return
    texts = [text]
    texts += [] if shown.rates is None else [rates_text(shown.rates)]
    texts += [] if why is None else [explained_text(why)]
    texts += [] if ran is None else [measured_text(ran)]
    click.echo("\n".join(texts), nl=False)
