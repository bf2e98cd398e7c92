"""Text and JSON output for verdicts on schedules."""

from collections.abc import Iterator

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.prose import labelled, statement
from p2smt.problem.quantity import format_bytes
from p2smt.schedule.annotations import annotations
from p2smt.schedule.check import CheckedSchedule
from p2smt.schedule.outcome import AppliedStep, RefusedStep, StepVerdict, schedule_word
from p2smt.schedule.sized import SizedSchedule
from p2smt.schedule.step import Line
from p2smt.schedule.text.printer import print_line, print_schedule
from p2smt.tensor.printer import print_program
from p2smt.verify.verdict import Proved, Refuted, Unknown, Verdict
from p2smt.wording import plural


def schedule_text(sized: SizedSchedule) -> str:
    """Describe each step with its verdict in order, then the verdict on the whole schedule."""
    checked = sized.checked
    lines = [text for line, verdict in checked.tried for text in _step_text(line, verdict)]
    lines += labelled("", _conclusion(checked))
    if isinstance(checked.verdict, Proved):
        lines += labelled("", _memory(sized))
    return "\n".join(lines) + "\n"


def _step_text(line: Line, verdict: StepVerdict) -> Iterator[str]:
    yield from statement(f"{line.line:>3} ", print_line(line))
    match verdict:
        case Proved(applied):
            yield from labelled("      proved:", _proof(applied))
            for note in applied.notes:
                yield from labelled("      note:", note)
            if applied.summing:
                yield from labelled("      order of summing:", applied.summing)
        case Refuted(refused):
            yield from labelled("      refused:", f"{refused.reason}: {refused.detail}")
            if refused.counter_example is not None:
                yield from labelled("      counter-example:", str(refused.counter_example))
        case Unknown(reason):
            yield from labelled("      not proved:", reason)


def _proof(applied: AppliedStep) -> str:
    names = list(dict.fromkeys(applied.proof))
    return "; ".join(names) if names else "values stay as they are"


def _conclusion(checked: CheckedSchedule) -> str:
    axes = " x ".join(str(axis.size) for axis in checked.scheduled.program.mesh)
    asked = len(checked.schedule)
    if isinstance(checked.verdict, Proved):
        return f"valid: {checked.program.name} on {axes} ranks computes the same after {asked} {plural('step', asked)}"
    line, _ = checked.tried[-1]
    return f"{schedule_word(checked.verdict)}: step {len(checked.tried)} of {asked}, line {line.line}"


def _memory(sized: SizedSchedule) -> str:
    """Return the peak bytes per rank, and whether they fit."""
    held = sized.held
    flying = f", {format_bytes(held.in_flight)} of it in flight" if held.in_flight else ""
    where = f" at {held.unit}" if held.unit else ""
    text = f"memory: at most {format_bytes(held.peak)} a rank{where}{flying}"
    if sized.limit is None:
        return text
    return f"{text}; {'it fits into' if sized.fits else 'refused: a rank has'} {format_bytes(sized.limit)}"


def result_text(checked: CheckedSchedule) -> str:
    """Return the program, followed by comments with the schedule steps that determine its execution."""
    text = print_program(checked.written)
    return text + "".join(f"# {line}\n" for line in _carried_out(checked))


def _carried_out(checked: CheckedSchedule) -> list[str]:
    """Return groups and loops as schedule steps, and the reduction program that implements each collective."""
    lines = print_schedule(annotations(checked.scheduled)).splitlines()
    for each in checked.scheduled.implementations:
        levels = ", ".join(f"{name}={size}" for name, size in each.levels)
        lines.append(f'{each.statement} by "{each.program}" levels {levels}')
    return lines


def schedule_document(sized: SizedSchedule) -> Document:
    """Return the verdict, the step that it concerns if any, and the last program that was proved."""
    checked = sized.checked
    failed = None if isinstance(checked.verdict, Proved) else checked.tried[-1][0]
    refused = checked.verdict.counter_example if isinstance(checked.verdict, Refuted) else None
    example = None if refused is None else refused.counter_example
    return {
        "version": VERSION,
        "verdict": schedule_word(sized.verdict),
        "step": None if failed is None else print_line(failed),
        "line": None if failed is None else failed.line,
        "rule": None if refused is None else refused.reason.name,
        "reason": _reason(checked.verdict),
        "counter_example": None
        if example is None
        else {"ranks": example.ranks, "sizes": example.sizes, "difference": example.detail},
        "memory": {
            "bytes": sized.held.peak,
            "unit": sized.held.unit or None,
            "in_flight": sized.held.in_flight,
            "limit": sized.limit,
            "fits": sized.fits,
        },
        "steps": [_step(applied) for applied in checked.applied],
        "program": print_program(checked.written),
        "carried_out": _carried_out(checked),
    }


def _reason(verdict: Verdict[object, RefusedStep]) -> str | None:
    match verdict:
        case Proved():
            return None
        case Refuted(refused):
            return f"{refused.reason}: {refused.detail}"
        case Unknown(reason):
            return reason


def _step(applied: AppliedStep) -> Document:
    return {
        "step": print_line(applied.line),
        "line": applied.line.line,
        "proved": list(dict.fromkeys(applied.proof)),
        "inserted": list(applied.inserted),
        "notes": list(applied.notes),
        "order_of_summing": applied.summing or None,
    }
