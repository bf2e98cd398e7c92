"""What became of a schedule, as text and as a document."""

from collections.abc import Iterator

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.prose import labelled
from p2smt.problem.quantity import format_bytes
from p2smt.schedule.annotations import annotations
from p2smt.schedule.check import CheckedSchedule, Verdict
from p2smt.schedule.outcome import Applied, NotProved, Outcome, Refused
from p2smt.schedule.sized import SizedSchedule
from p2smt.schedule.text.printer import print_line, print_schedule
from p2smt.tensor.text.printer import print_program
from p2smt.wording import plural


def schedule_text(sized: SizedSchedule) -> str:
    """A step with what is to say of it after the other, the verdict at the end."""
    checked = sized.checked
    lines = [line for outcome in checked.outcomes for line in _outcome(outcome)]
    lines += labelled("", _conclusion(checked))
    if checked.verdict is Verdict.VALID:
        lines += labelled("", _memory(sized))
    return "\n".join(lines) + "\n"


def _outcome(outcome: Outcome) -> Iterator[str]:
    yield from labelled(f"{outcome.line.line:>3}", print_line(outcome.line))
    match outcome:
        case Applied():
            yield from labelled("      proved:", _proof(outcome))
            for note in outcome.notes:
                yield from labelled("      note:", note)
            if outcome.summing:
                yield from labelled("      order of summing:", outcome.summing)
        case Refused(_, reason, detail, example):
            yield from labelled("      refused:", f"{reason}: {detail}")
            if example is not None:
                yield from labelled("      counter-example:", str(example))
        case NotProved(_, detail):
            yield from labelled("      not proved:", detail)


def _proof(applied: Applied) -> str:
    names = list(dict.fromkeys(proved.name for proved in applied.proof))
    return "; ".join(names) if names else "values stay as they are"


def _conclusion(checked: CheckedSchedule) -> str:
    axes = " x ".join(str(axis.size) for axis in checked.scheduled.program.mesh)
    steps = f"{checked.steps} {plural('step', checked.steps)}"
    match checked.verdict:
        case Verdict.VALID:
            return f"valid: {checked.program.name} on {axes} ranks computes the same after {steps}"
        case Verdict.REFUSED | Verdict.NOT_PROVED:
            done = len(checked.outcomes)
            return f"{checked.verdict}: step {done} of {checked.steps}, line {checked.outcomes[-1].line.line}"


def _memory(sized: SizedSchedule) -> str:
    """The most bytes of a rank, and whether they fit."""
    held = sized.held
    flying = f", {format_bytes(held.in_flight)} of it in flight" if held.in_flight else ""
    where = f" at {held.unit}" if held.unit else ""
    text = f"memory: at most {format_bytes(held.peak)} a rank{where}{flying}"
    if sized.limit is None:
        return text
    return f"{text}; {'it fits into' if sized.fits else 'refused: a rank has'} {format_bytes(sized.limit)}"


def result_text(checked: CheckedSchedule) -> str:
    """The program, and behind it, as comments, the steps that say how it is carried out."""
    text = print_program(checked.written)
    return text + "".join(f"# {line}\n" for line in _carried_out(checked))


def _carried_out(checked: CheckedSchedule) -> list[str]:
    """Groups and loops as the steps that make them; reduction programs beside the collective that they carry out."""
    lines = print_schedule(annotations(checked.scheduled)).splitlines()
    for each in checked.scheduled.implementations:
        levels = ", ".join(f"{name}={size}" for name, size in each.levels)
        lines.append(f'{each.statement} by "{each.program}" levels {levels}')
    return lines


def schedule_document(sized: SizedSchedule) -> Document:
    """The verdict, the step that it is about if there is one, and the last program that was proved."""
    checked = sized.checked
    last = checked.outcomes[-1] if checked.outcomes else None
    failed = last if isinstance(last, Refused | NotProved) else None
    example = last.counter_example if isinstance(last, Refused) else None
    return {
        "version": VERSION,
        "verdict": str(sized.verdict),
        "step": None if failed is None else print_line(failed.line),
        "line": None if failed is None else failed.line.line,
        "rule": last.reason.name if isinstance(last, Refused) else None,
        "reason": None if failed is None else _reason(failed),
        "counter_example": None if example is None else
        {"ranks": example.ranks, "sizes": example.sizes, "difference": example.detail},
        "memory": {"bytes": sized.held.peak, "unit": sized.held.unit or None, "in_flight": sized.held.in_flight,
                   "limit": sized.limit, "fits": sized.fits},
        "steps": [_step(outcome) for outcome in checked.outcomes if isinstance(outcome, Applied)],
        "program": print_program(checked.written),
        "carried_out": _carried_out(checked),
    }  # fmt: skip


def _reason(failed: Refused | NotProved) -> str:
    match failed:
        case Refused(_, reason, detail):
            return f"{reason}: {detail}"
        case NotProved(_, detail):
            return detail


def _step(applied: Applied) -> Document:
    return {
        "step": print_line(applied.line),
        "line": applied.line.line,
        "proved": list(dict.fromkeys(proved.name for proved in applied.proof)),
        "inserted": list(applied.inserted),
        "notes": list(applied.notes),
        "order_of_summing": applied.summing or None,
    }
