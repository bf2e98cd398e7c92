"""What `p2smt study` and `p2smt study query` print."""

from collections.abc import Callable, Sequence
from dataclasses import asdict

import click

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.table import print_table
from p2smt.collective import Collective
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.problem.text import printable
from p2smt.sweep.cells import json_value
from p2smt.sweep.query import Answer, Value
from p2smt.sweep.rows import Status
from p2smt.sweep.run import SweepRun
from p2smt.wording import counted


def run_document(run: SweepRun) -> Document:
    """The JSON document of a run: what the sweep stands for, and what was solved."""
    return {
        "version": VERSION,
        "store": str(run.store),
        "problems": len(run.expansion.tasks),
        "left_out": run.expansion.left_out,
        "repeated": run.expansion.repeated,
        **asdict(run.summary),
        "complete": run.summary.complete,
    }


def print_run(run: SweepRun) -> None:
    """Print how many problems are solved, and how to see those that are not."""
    expansion, summary, store = run.expansion, run.summary, run.store
    click.echo(
        f"{len(expansion.tasks)} problems: {summary.solved} solved now, {summary.known} in {store} before or from "
        f"another run, {summary.left} left\n{expansion.left_out} combinations do not agree and are left out, "
        f"{expansion.repeated} are the same problem as another"
    )
    for status, count in (("stopped", summary.stopped), ("error", summary.errors)):
        if count:
            click.echo(f"{count} with status {status}: p2smt study query {store} --status {status}")


def answer_document(answer: Answer) -> Document:
    """The JSON document of an answer."""
    rows = [[json_value(value) for value in row] for row in answer.rows]
    return {"version": VERSION, "columns": list(answer.columns), "rows": rows, "more": answer.more}


def print_problems(answer: Answer) -> None:
    """Print rows of the table `problems` in the words of the other commands."""
    columns = ("system", "axes", "reduce", "bytes", "search", "placement", "time", "vs AllReduce", "best program")
    cells = [_problem_cells(dict(zip(answer.columns, values, strict=True))) for values in answer.rows]
    _print(answer, columns, cells, right=(6, 7))


def print_answer(answer: Answer) -> None:
    """Print rows of columns that somebody named."""
    numbers = [
        index
        for index in range(len(answer.columns))
        if answer.rows and all(isinstance(row[index], int | float | None) for row in answer.rows)
    ]
    cells = [[_text(value) for value in row] for row in answer.rows]
    _print(answer, [_text(name) for name in answer.columns], cells, right=numbers)


def _print(answer: Answer, columns: Sequence[str], cells: Sequence[Sequence[str]], right: Sequence[int]) -> None:
    print_table(f"{counted(len(cells), 'row')}{', there are more' if answer.more else ''}", columns, cells, right)


def _problem_cells(row: dict[str, Value]) -> list[str]:
    texts = {name: _text(value) for name, value in row.items()}
    placement = texts["best_matrix"] if row["status"] == Status.OK else f"{texts['status']}: {texts['reason']}"
    return [
        f"{texts['system']} {texts['levels']}".strip(),
        texts["axes"],
        texts["reduce"] if row["goal"] == Collective.ALL_REDUCE.hyphenated else f"{texts['goal']} {texts['reduce']}",
        _formed(row["bytes"], format_bytes),
        f"{texts['algorithm']} {texts['grammar']} {texts['max_instructions']}",
        placement,
        _formed(row["best_seconds"], format_seconds),
        _formed(row["speedup"], lambda speedup: f"{speedup:.2f}x"),
        texts["best_program"],
    ]


def _formed(value: Value, form: Callable[[float], str]) -> str:
    return form(value) if isinstance(value, int | float) else "-"


def _text(value: Value) -> str:
    match value:
        case None:
            return "-"
        case float():
            return f"{value:.6g}"
        case bytes():
            return value.hex()
        case _:
            return printable(str(value))
