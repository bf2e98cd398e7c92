"""Output of `p2smt run` and `p2smt lab run`."""

from statistics import median

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.program import full_cell
from p2smt.cli.output.screen import say
from p2smt.cli.output.table import print_table
from p2smt.cost.bus_bandwidth import bus_bandwidth
from p2smt.problem.dtype import DTYPE_BYTES
from p2smt.problem.quantity import format_seconds
from p2smt.run.local.report import RunReport
from p2smt.run.local.step import StepReport
from p2smt.wording import counted


def run_document(report: RunReport) -> Document:
    """Return the JSON document; `allreduce_s` is the time of the plain collective that the goal names, in seconds."""
    return {
        "version": VERSION,
        "program": report.program,
        "goal": report.goal.hyphenated,
        "ok": report.ok,
        "mismatches": report.mismatches,
        "backend": report.backend,
        "debug": report.debug,
        "torch": report.torch_version,
        "elements": report.elements,
        "dtype": report.dtype,
        "repeats": report.repeats,
        "plan_s": report.plan_seconds,
        "plan_busbw_bytes_per_s": _rate(report, report.plan_seconds),
        "allreduce_s": report.plain_seconds,
        "allreduce_busbw_bytes_per_s": _rate(report, report.plain_seconds),
        "groups_s": report.group_seconds,
        "ranks": [
            {
                "rank": rank.rank,
                "mismatches": rank.mismatches,
                "plan_s": list(rank.plan_seconds),
                "allreduce_s": list(rank.plain_seconds),
            }
            for rank in report.ranks
        ],
    }


def print_run(report: RunReport) -> None:
    """Print whether the results are right, and a table of times."""
    plain = report.goal.hyphenated
    verdict = f"every rank equals a plain {plain}" if report.ok else f"WRONG: {_differing(report.mismatches)}"
    say(
        f"{full_cell(report.program)}\n{verdict} "
        f"({counted(len(report.ranks), 'rank')}, {report.backend}, torch {report.torch_version})\n"
    )
    rows = [
        [
            str(rank.rank),
            "ok" if rank.ok else f"{rank.mismatches} wrong",
            format_seconds(median(rank.plan_seconds)),
            format_seconds(median(rank.plain_seconds)),
        ]
        for rank in report.ranks
    ]
    title = f"{report.elements} x {report.dtype}, {report.repeats} repeats, median per rank"
    title += ", torch compares every collective (--no-debug: not)" if report.debug else ""
    print_table(title, ("rank", "numbers", "plan", plain), rows, right=(0, 2, 3))
    ratio = report.plain_seconds / report.plan_seconds if report.plan_seconds else 1.0
    plan_time, plain_time = _timed(report, report.plan_seconds), _timed(report, report.plain_seconds)
    made = format_seconds(report.group_seconds)
    same = ";" not in report.program  # a program of one step is the goal's own collective
    compared = f"both are one {plain}, so that they differ by noise alone" if same else f"{ratio:.2f}x"
    say(f"slowest rank: plan {plan_time}, {plain} {plain_time}, {compared}; groups made in {made}")


def _timed(report: RunReport, seconds: float) -> str:
    """Format a time, followed by its bus bandwidth."""
    rate = _rate(report, seconds)
    return format_seconds(seconds) if rate is None else f"{format_seconds(seconds)} (busbw {rate / 1e9:.3g} GB/s)"


def _rate(report: RunReport, seconds: float) -> float | None:
    """Return the bus bandwidth in bytes/s; None if the time is zero."""
    return bus_bandwidth(report.goal, report.group, report.elements * DTYPE_BYTES[report.dtype], seconds)


def step_document(report: StepReport) -> Document:
    """Return the document of a run of a step's communication."""
    return {
        "version": VERSION,
        "ok": report.ok,
        "backend": report.backend,
        "debug": report.debug,
        "torch": report.torch_version,
        "ranks": report.ranks,
        "communication": [{"name": name, "differing": count} for name, count in report.differing],
    }


def print_step(report: StepReport, what: str) -> None:
    """Print which results equal those of torch's own collectives."""
    say(f"{what} ({report.backend}, torch {report.torch_version})\n")
    rows = [[name, "ok" if count == 0 else f"{count} wrong"] for name, count in report.differing]
    print_table("", ("communication", "numbers"), rows)
    wrong = sum(count for _, count in report.differing)
    say(f"WRONG: {wrong} results differ" if wrong else "on every rank all of it equals torch's own collectives")


def _differing(elements: int) -> str:
    return f"{counted(elements, 'element')} {'differs' if elements == 1 else 'differ'}"
