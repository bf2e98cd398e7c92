"""Text of at most 80 columns and JSON output that explain a schedule."""

from collections.abc import Iterator, Sequence

from p2smt.cli.output.document import Document
from p2smt.cli.output.prose import labelled
from p2smt.cli.output.screen import GLUE
from p2smt.cli.output.table import table_lines
from p2smt.problem.quantity import format_seconds
from p2smt.schedule.cost.time_line import StageSpan, TimeLine
from p2smt.schedule.crossover import ScheduleCrossover
from p2smt.schedule.explained import ScheduleExplanation, StepGain
from p2smt.schedule.explained_words import change_text, hidden_text, kernels_text, pays, value_text, why_not
from p2smt.schedule.text.printer import print_line

_WIDTH, _COLUMNS, _LABEL = 80, 56, 22
_SHADES = " .:=#"


def explained_text(explained: ScheduleExplanation) -> str:
    """Return each step's gain, the time line with overlaps, and the sizes at which the schedule stops being faster."""
    return "\n".join(_lines(explained)) + "\n"


def _lines(explained: ScheduleExplanation) -> Iterator[str]:
    before, after = explained.before.seconds, explained.after.seconds
    times = f", {before / after:.2f}x" if after else ""
    yield from labelled("", f"as it is {format_seconds(before)}, with the schedule {format_seconds(after)}{times}")
    if explained.steps and not explained.pays:
        yield from labelled("", why_not(explained))
    if explained.steps:
        yield "\nwhat each step buys"
        yield from _steps(explained)
    yield f"\ntime line of {format_seconds(explained.time_line.seconds)}, chunks of a loop in turn"
    yield from _rows(explained.time_line)
    if explained.time_line.hiding:
        yield "\nwhat hides what"
    for hiding in explained.time_line.hiding:
        yield from labelled(" ", hidden_text(hiding))
    if explained.crossovers:
        yield "\nwhere it pays"
    for crossover in explained.crossovers:
        yield from labelled(" ", f"{crossover.knob}: {pays(crossover)}")
    if explained.kernels:
        yield "\nemitted with kernels of Triton's; what is in no group or loop stays torch's"
    for share in explained.kernels:
        yield from labelled(" ", kernels_text(share))
    if explained.no_kernels:
        yield ""
        yield from labelled("", f"no kernels of Triton's: {explained.no_kernels}")


def _steps(explained: ScheduleExplanation) -> Iterator[str]:
    """Yield a row per step: how it changes each part of the time; unchanged parts are blank."""
    rows: list[tuple[str, ...]] = [("as it is", format_seconds(explained.before.seconds), "", "", "")]
    before = explained.parts_before
    for step in explained.steps:
        now = step.parts
        changes = [change_text(new - old) for new, old in zip(now, before, strict=True)]
        rows.append((print_line(step.line), format_seconds(step.seconds), *changes))
        before = now
    for line in table_lines(("step", "takes", "start-ups", "moving", "hidden"), rows, (1, 2, 3, 4), _WIDTH):
        yield line.replace(GLUE, " ").rstrip()


def _rows(line: TimeLine) -> Iterator[str]:
    """Yield a row per unit and stage with its execution interval, then a row per resource with its utilisation."""
    if not line.seconds:
        return
    for stage in dict.fromkeys(span.stage for span in line.spans):
        spans = [span for span in line.spans if span.stage == stage]
        yield _row(stage, [_covered(spans, column, line.seconds) for column in range(_COLUMNS)])
    yield from labelled(" ", f"busy, by columns of {format_seconds(line.seconds / _COLUMNS)} (. : = # are quarters)")
    for resource, seconds in line.busy:
        name = f"{resource} {seconds / line.seconds:.0%}"
        yield _row(name, [_busy(line.spans, resource, column, line.seconds) for column in range(_COLUMNS)])


def _row(name: str, shares: Sequence[float]) -> str:
    cells = "".join(_SHADES[min(4, -int(-share * 4 // 1))] for share in shares)
    label = name if len(name) <= _LABEL else f"{name[: _LABEL - 1]}~"
    return f"{label:{_LABEL}} {cells}".rstrip()


def _covered(spans: Sequence[StageSpan], column: int, seconds: float) -> float:
    """Return the fraction of a column's time interval that the spans cover."""
    return min(1.0, sum(_overlap(span, column, seconds) for span in spans) / (seconds / _COLUMNS))


def _busy(spans: Sequence[StageSpan], resource: str, column: int, seconds: float) -> float:
    found = 0.0
    for span in spans:
        length, used = span.end - span.start, dict(span.busy).get(resource, 0.0)
        found += _overlap(span, column, seconds) * min(1.0, used / length) if length and used else 0.0
    return min(1.0, found / (seconds / _COLUMNS))


def _overlap(span: StageSpan, column: int, seconds: float) -> float:
    low, high = column * seconds / _COLUMNS, (column + 1) * seconds / _COLUMNS
    return max(0.0, min(span.end, high) - max(span.start, low))


def explained_document(explained: ScheduleExplanation) -> Document:
    """Return the same content as a document; times are in seconds."""
    line = explained.time_line
    return {
        "untouched_s": explained.before.seconds,
        "scheduled_s": explained.after.seconds,
        "steps": [_step(step) for step in explained.steps],
        "spans": [
            {
                "unit": span.unit,
                "stage": span.stage,
                "chunk": span.chunk,
                "start_s": span.start,
                "end_s": span.end,
                "busy_s": dict(span.busy),
            }
            for span in line.spans
        ],
        "busy_s": dict(line.busy),
        "loops": [
            {
                "loop": each.loop.name,
                "chunks": each.loop.chunks,
                "in_turn_s": each.in_turn,
                "seconds": each.seconds,
                "start_ups_s": each.start_ups,
                "bound": each.bound,
                "users": list(each.users),
            }
            for each in line.hiding
        ],
        "crossovers": [_crossover(each) for each in explained.crossovers],
        "kernels": [
            {"unit": each.unit, "kernels": each.kernels, "torch": dict(each.kept)} for each in explained.kernels
        ],
        "no_kernels": explained.no_kernels,
    }


def _step(step: StepGain) -> Document:
    return {
        "step": print_line(step.line),
        "seconds": step.seconds,
        "fixed_s": step.fixed,
        "moving_s": step.moving,
        "hidden_s": step.hidden,
    }


def _crossover(crossover: ScheduleCrossover) -> Document:
    return {
        "of": str(crossover.knob),
        "now": value_text(crossover.knob, 1.0),
        "least": value_text(crossover.knob, crossover.least),
        "most": value_text(crossover.knob, crossover.most),
        "faster_at_least": crossover.faster,
        "turns": [
            {"at": value_text(crossover.knob, turn.factor), "factor": turn.factor, "faster": turn.faster}
            for turn in crossover.turns
        ],
    }
