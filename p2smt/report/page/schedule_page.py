"""Write the report of a schedule as one HTML file that loads nothing else."""

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from p2smt.errors import ProgramError
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.report.content.schedule_content import ScheduleReport
from p2smt.report.figures.frame import PAGE_WIDTH, PHONE_WIDTH
from p2smt.report.figures.graph_drawing import graph_drawing
from p2smt.report.figures.time_line_drawing import time_line_drawing
from p2smt.report.figures.together_drawing import Together
from p2smt.report.page.document import contents_list, document, footer, heading
from p2smt.report.page.element import Content, element, table
from p2smt.report.page.sections import chart, graph, section
from p2smt.schedule.check import CheckedSchedule
from p2smt.schedule.explained_words import change_text, extent_text, hidden_text, pays, why_not
from p2smt.schedule.outcome import RefusedStep, StepVerdict, schedule_word
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.text.printer import print_line
from p2smt.tensor.footprint import Footprint
from p2smt.tensor.printer import print_program
from p2smt.verify.verdict import Proved, Refuted, Unknown
from p2smt.wording import counted

MOST_ALTERNATIVES = 20

Chapter = tuple[str, Element]


def schedule_page(report: ScheduleReport, command: Sequence[str] = ()) -> str:
    """Return the whole page; the text is deterministic, and no string of a program can become markup."""
    chapters = list(_chapters(report))
    main = element("main", contents_list(chapters), *(chapter for _, chapter in chapters))
    top = heading("a schedule", _heading(report), tuple(_lead(report)))
    title = f"p2smt: schedule of {report.checked.program.name} on {_ranks(report)} ranks"
    return document(title, top, main, footer(report.versions, command))


def _heading(report: ScheduleReport) -> str:
    name, ranks = report.checked.program.name, _ranks(report)
    if not isinstance(report.checked.verdict, Proved):
        return f"{name} on {ranks} ranks: the schedule is {schedule_word(report.checked.verdict)}"
    if not report.why.steps:
        return f"{name} on {ranks} ranks is best left as it is"
    before, after = report.why.before.seconds, report.why.after.seconds
    if not report.why.pays:
        return f"{name} on {ranks} ranks: by prediction the schedule takes {format_seconds(after - before)} more"
    return f"{name} on {ranks} ranks: {before / after:.2f} times as fast, by prediction" if after else name


def _ranks(report: ScheduleReport) -> str:
    return " x ".join(str(axis.size) for axis in report.checked.start.mesh)


def _lead(report: ScheduleReport) -> Iterator[str]:
    why, on = report.why, f" on {report.system}" if report.system else ""
    yield (
        f"As it is a step takes {format_seconds(why.before.seconds)}{on}, with the schedule "
        f"{format_seconds(why.after.seconds)}. A rank holds at most {format_bytes(why.before.held.peak)}, with the "
        f"schedule {format_bytes(why.after.held.peak)}, {format_bytes(why.after.held.in_flight)} of it in flight."
    )
    if why.steps and not why.pays:
        yield why_not(why)
    if report.searched is not None:
        found = report.searched
        schedules = counted(len(found.found), "schedule")
        yield f"{schedules} were found ({extent_text(found)}); {found.tried} steps were tried."


def _chapters(report: ScheduleReport) -> Iterator[Chapter]:
    if report.checked.tried:
        yield "Steps", section("steps", "Steps, and what each buys", _steps(report))
    yield "Before and after", section("graphs", "Before and after", *_graphs(report))
    yield "Time line", section("time", "When what runs", *_time(report))
    if report.why.crossovers:
        rows = [(str(each.knob), pays(each)) for each in report.why.crossovers]
        shown = table("If one value changes, and all others stay", ("value", "the schedule is"), rows)
        yield "Where it pays", section("pays", "Where it pays", shown)
    if report.alternatives or report.refusals:
        yield "Alternatives", section("alternatives", "Alternatives", *_alternatives(report))


def _steps(report: ScheduleReport) -> Element:
    """Return a table with a row per attempted step, showing the changes against the previous step."""
    bought = {step.line: step for step in report.why.steps}
    before, rows = report.why.parts_before, list[tuple[Content, ...]]()
    for line, verdict in report.checked.tried:
        step = bought.get(line)
        changes = ["", "", ""]
        if step is not None:
            changes = [change_text(new - old) for new, old in zip(step.parts, before, strict=True)]
            before = step.parts
        takes = "" if step is None else format_seconds(step.seconds)
        rows.append((_code(print_line(line)), takes, *changes, _said(verdict)))
    columns = ("step", "takes", "start-ups", "moving", "hidden", "proof")
    caption = f"As it is: {format_seconds(report.why.before.seconds)}. Each step is proved before the next is tried."
    return table(caption, columns, rows, (1, 2, 3, 4))


def _code(text: str) -> Element:
    return element("code", text)


def _said(verdict: StepVerdict) -> str:
    match verdict:
        case Proved(applied):
            names = list(dict.fromkeys(applied.proof)) or ["values stay as they are"]
            return "; ".join([*names, *applied.notes])
        case Refuted(refused):
            return _refusal(refused)
        case Unknown(reason):
            return f"not proved: {reason}"


def _refusal(refused: RefusedStep) -> str:
    example = f"; {refused.counter_example}" if refused.counter_example is not None else ""
    return f"refused: {refused.reason}: {refused.detail}{example}"


def _graphs(report: ScheduleReport) -> Iterator[Element]:
    yield _graph(report.before, "before", "The program as it is.")
    if report.why.steps:
        caption = " ".join(["The program after the steps.", *_carried_out(report.checked)])
        yield _graph(report.after, "after", caption, tuple(_together(report.checked.scheduled)))
    text = print_program(report.checked.written)
    yield element("details", element("summary", "The program after the steps, as text"), element("pre", _code(text)))


def _together(scheduled: ScheduledProgram) -> Iterator[Together]:
    """Yield the fused kernels, and the loops, whose stages may be fused kernels."""
    for group in scheduled.groups:
        yield Together(group.name, (group.members,))
    for loop in scheduled.loops:
        yield Together(loop.name, tuple(scheduled.members(stage) for stage in loop.stages), loop.chunks)


def _graph(values: Footprint, name: str, caption: str, together: Sequence[Together] = ()) -> Element:
    try:
        drawing = graph_drawing(values, together)
    except ProgramError as cause:
        return element("p", f"{caption} {cause}")
    return graph(drawing, f"graph-{name}", caption)


def _carried_out(checked: CheckedSchedule) -> Iterator[str]:
    """Yield sentences on fused kernels, loops, and collectives implemented by reduction programs."""
    scheduled = checked.scheduled
    for group in scheduled.groups:
        yield f"{group.name} is one kernel ({group.kernel}): {', '.join(group.members)}."
    for loop in scheduled.loops:
        yield f"{' beside '.join(loop.stages)} in {loop.chunks} chunks of dimension {loop.dimension}."
    for noted in scheduled.implementations:
        yield f"{noted.statement} is carried out by {noted.program}."


def _time(report: ScheduleReport) -> Iterator[Element]:
    line = report.why.time_line
    wide, narrow = (time_line_drawing(line, width) for width in (PAGE_WIDTH, PHONE_WIDTH))
    yield chart(wide, narrow, "time-line", "A box per unit, or chunk of a stage; of resources the part that is busy.")
    for hiding in line.hiding:
        yield element("p", hidden_text(hiding))


def _alternatives(report: ScheduleReport) -> Iterator[Element]:
    if report.alternatives:
        shown = report.alternatives[:MOST_ALTERNATIVES]
        rows = [
            (
                _code("; ".join(map(print_line, each.schedule)) or "as it is"),
                format_seconds(each.estimate.seconds),
                format_bytes(each.estimate.held.peak),
            )
            for each in shown
        ]
        caption = f"The {len(shown)} next of {len(report.alternatives)} other schedules that compute the same"
        yield table(caption, ("schedule", "takes", "a rank holds"), rows, (1, 2))
    if report.refusals:
        counts = dict(report.searched.refused) if report.searched is not None else {}
        refused = [
            (_code(print_line(each.line)), each.reason.name, str(counts.get(each.reason.name, 1)), _refusal(each))
            for each in report.refusals
        ]
        caption = "Steps that were refused, the first of each reason"
        yield table(caption, ("step", "rule", "so often", "why"), refused, (2,))
