"""Sections of a job's report: reductions, ranking, comparison, and the time of each reduction on a placement."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

from p2smt.cost.above_wire import above_text
from p2smt.cost.bus_bandwidth import RATE, rate_cell, reduction_bus_bandwidth
from p2smt.job.comparison import bottleneck
from p2smt.job.job_pricer import Phase, PlacementTime
from p2smt.job.optimize import Optimum
from p2smt.problem.condition_text import condition_text
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.problem.workload import Reduction
from p2smt.report.content.answer import job_answer
from p2smt.report.content.collect_job import slowest
from p2smt.report.content.content import JobReport
from p2smt.report.content.naming import PlacementNames, levels_shape
from p2smt.report.figures.chart_rows import NARROW
from p2smt.report.figures.job_ranking_chart import MOST_OF_BEST, job_ranking_drawing, phase_name
from p2smt.report.page.answer_section import answer_section, headline, named
from p2smt.report.page.element import Content, element, table
from p2smt.report.page.page_contents import PageContents, PlacementText
from p2smt.report.page.sections import chart, choice, cluster_section, problem_section, section
from p2smt.report.page.splits_section import splits_section
from p2smt.report.page.steps_section import steps_section
from p2smt.wording import counted

_READING = (
    "Reductions with the same overlap may run at the same time: together they take as long as the longest of them "
    "alone, or as the busiest link needs for the bytes of all. Everything else of a step comes one after the other; "
    "computation is not counted, nor what it hides.",
    "An all-gather begins with a part on every device, a reduce-scatter ends with one; a part is drawn as that of the "
    "whole tensor. In an all-to-all every device sends each other one of its group a block of its own; in a send "
    "the next one in the order of ranks what it holds (SendAround: the last one the first).",
)


def job_contents(report: JobReport, naming: PlacementNames) -> PageContents:
    """Return the contents specific to the page of a job."""
    names = [f"{format_seconds(one.seconds)} · {naming.words(one.matrix)} · {one.matrix}" for one in report.times]
    answer = job_answer(report)
    return PageContents(
        f"one placement for all reductions of a training step on {levels_shape(report.system)}",
        headline(answer, naming),
        _lead(report),
        answer_section(answer, naming, claimed=True),
        (
            *([("Whole step", splits_section(report.steps))] if report.steps is not None else []),
            ("Ranking", _ranking_section(report, naming)),
            ("Cluster", cluster_section(report, naming, names)),
            ("Reductions on a placement", _reductions_section(report, naming, names)),
            ("Comparison", _comparison_section(report, naming)),
            ("Job", _job_section(report)),
        ),
        report.programs,
        tuple(_placement_text(report, one, naming) for one in report.times),
        _READING,
    )


def _lead(report: JobReport) -> tuple[str, ...]:
    """Return sentences on the time of the best placement, the proof of optimality, and omissions."""
    found, best = report.optimum, report.optimum.best
    above = above_text(best.seconds, best.wire_seconds)
    wire = f", {above} above the lower bound of the links (the least time for the bytes)" if above else ""
    return (f"{format_seconds(best.seconds)} of communication per step{wire}. {_proof(found)}",)


def _times(best: PlacementTime, other: PlacementTime) -> str:
    return f"{other.seconds / best.seconds:.2f} times" if best.seconds else "1.00 times"


def _proof(found: Optimum) -> str:
    priced, kept = len(found.placements), len(found.workload.conditions)
    keep = "keeps" if found.found == 1 else "keep"
    keeping = f" that {keep} {counted(kept, 'condition')}" if kept else ""
    if found.proved:
        refused = f" ({found.refused} have no programs within the limits)" if found.refused else ""
        placements = f"{counted(found.found, 'placement')}{keeping}, all priced{refused}"
        return f"Proved best: {placements}, each reduction with all its programs up to the limit."
    return (
        f"INCOMPLETE, not proved best: the search stopped ({found.stop}) with {priced} of "
        f"{counted(found.found, 'placement')}{keeping} priced; any takes at least "
        f"{format_seconds(found.lower_bound_s)}, so {100 * found.gap:.0f} % could be saved at most."
    )


def _job_section(report: JobReport) -> Element:
    workload = report.optimum.workload
    columns = ("Reduction", "Collective", "Bytes", "Type", "Times per step", "Overlap")
    rows = [
        (
            element("bdi", one.name),
            _collective(report, one),
            format_bytes(one.payload.bytes),
            one.payload.dtype,
            f"{one.times:g}",
            element("bdi", one.overlap or "–"),
        )
        for one in workload.reductions
    ]
    reductions = table("Reductions of a training step", columns, rows, numbers=(2, 4), class_="named")
    texts = [condition_text(one, workload.axes, workload.levels) for one in workload.conditions]
    conditions = element("p", f"Conditions on the placement and its programs: {'; '.join(texts)}.")
    return problem_section(report, "job", "The job", *([conditions] if texts else []), reductions)


def _collective(report: JobReport, reduction: Reduction) -> str:
    return f"{reduction.goal.hyphenated} over {', '.join(report.axes[axis].name for axis in reduction.axes)}"


def _ranking_section(report: JobReport, naming: PlacementNames) -> Element:
    times, found = report.times, report.optimum
    caption = "Predicted seconds of communication per step; placements fastest first."
    if times[-1].seconds > MOST_OF_BEST * times[0].seconds > 0:
        caption += f" Bars longer than {MOST_OF_BEST:.0f} times the first are cut off."
    shown = {one.matrix for one in times}
    left_out = [one.seconds for one in found.placements if one.matrix not in shown]
    if left_out:
        fastest, slowest_left = map(format_seconds, (min(left_out), max(left_out)))
        caption += f" {counted(len(left_out), 'placement')} priced and not shown: {fastest} to {slowest_left}."
    several = len({one.communicators for one in times}) > 1
    if not several:
        caption += f" On every placement a device is in {counted(times[0].communicators, 'communicator')}."
    columns: list[Content] = ["Placement", "Per step", "Of the best", *(["Communicators"] if several else [])]
    columns += [_phase_head(number, phase) for number, phase in enumerate(times[0].phases, start=1)]
    rows: list[Sequence[Content]] = [
        (
            named(one.matrix, naming),
            format_seconds(one.seconds),
            f"{one.seconds / times[0].seconds:.2f}×" if times[0].seconds else "–",
            *([str(one.communicators)] if several else []),
            *(format_seconds(phase.seconds) for phase in one.phases),
        )
        for one in times
    ]
    return section(
        "ranking",
        "Ranking",
        chart(job_ranking_drawing(report), job_ranking_drawing(report, NARROW), "ranking-words", caption),
        table(
            "Seconds per step of every placement and its phases",
            columns,
            rows,
            numbers=range(1, len(columns)),
            class_="named",
        ),
    )


def _phase_head(number: int, phase: Phase) -> Element:
    return element("span", f"{number}\N{NO-BREAK SPACE}", element("bdi", phase_name(phase)))


def _comparison_section(report: JobReport, naming: PlacementNames) -> Element:
    columns = report.compared
    intro = (
        "The best placement beside the next one, and for every axis the fastest of those with it innermost: seconds "
        "per step of every reduction alone on the network, and the link that is busy longest. The fastest of a row "
        "stands out."
    )
    heads = [
        element("span", ", ".join(one.labels), element("br"), named(one.placement.matrix, naming)) for one in columns
    ]
    names = [one.reduction.name for one in columns[0].placement.reductions]
    rows = [(element("bdi", name), *_compared_cells(report, number)) for number, name in enumerate(names)]
    rows.append(("all, per step", *(format_seconds(one.placement.seconds) for one in columns)))
    return section(
        "comparison",
        "Why this placement",
        element("p", intro),
        table(
            "Seconds per step, and the busiest link",
            ("Reduction", *heads),
            rows,
            numbers=range(1, len(columns) + 1),
            class_="named",
        ),
    )


def _compared_cells(report: JobReport, number: int) -> list[Content]:
    """Return the times of reduction `number` on every compared placement; the fastest are in bold."""
    times = [column.placement.reductions[number] for column in report.compared]
    least, most = min(one.seconds for one in times), max(one.seconds for one in times)
    texts = [" ".join((format_seconds(one.seconds), bottleneck(report.system, one))).rstrip() for one in times]
    return [
        element("strong", text) if one.seconds == least < most else text for one, text in zip(times, texts, strict=True)
    ]


def _reductions_section(report: JobReport, naming: PlacementNames, names: Sequence[str]) -> Element:
    time = report.times[report.opened]
    text = _placement_text(report, time, naming)
    columns = ("Reduction", "Collective", "Once", RATE, "Per step", "Busiest link", "Program")
    return section(
        "reductions",
        "Reductions on a placement",
        element(
            "div",
            choice("reductions-placement", "Placement", names, report.opened, data_placement=""),
            class_="controls",
            hidden="",
        ),
        element("p", text.sentence, data_sentence="", aria_live="polite"),
        table("Every reduction with its program", columns, text.rows, numbers=(2, 3, 4), data_rows="", class_="named"),
        steps_section(report, naming, names, report.programs[report.opened], slowest(time), "Reduction"),
    )


def _placement_text(report: JobReport, time: PlacementTime, naming: PlacementNames) -> PlacementText:
    best = report.optimum.best
    against = "the least of all that were priced" if time is best else f"{_times(best, time)} the least"
    sentence = (
        f"Placement {time.matrix}: {naming.words(time.matrix)}. {format_seconds(time.seconds)} of communication per "
        f"step, {against}; every device is in {counted(time.communicators, 'communicator')}."
    )
    rows = [row for phase in time.phases for row in _phase_rows(report, phase)]
    return PlacementText(sentence, (*rows, ("all, per step", "", "", "", format_seconds(time.seconds), "", "")))


def _phase_rows(report: JobReport, phase: Phase) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = [
        (
            one.reduction.name,
            _collective(report, one.reduction),
            format_seconds(one.candidate.seconds),
            rate_cell(reduction_bus_bandwidth(report.optimum.workload, one.reduction, one.candidate.seconds)),
            format_seconds(one.seconds),
            bottleneck(report.system, one) or "none",
            one.candidate.text,
        )
        for one in phase.reductions
    ]
    if len(rows) > 1:
        rows.append((f"these {len(rows)} together, overlapping", "", "", "", format_seconds(phase.seconds), "", ""))
    return rows
