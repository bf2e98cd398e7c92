"""Output of `p2smt study` and `p2smt study query`."""

import sys
from dataclasses import asdict
from math import prod

from p2smt.cli.output.document import VERSION, Document, print_json
from p2smt.cli.output.program import full_cell, print_in_full, short_cell
from p2smt.cli.output.screen import say
from p2smt.cli.output.study_jobs import print_jobs
from p2smt.cli.output.study_values import answer_title, formed, value_text
from p2smt.cli.output.table import print_table
from p2smt.collective import Collective
from p2smt.cost.bus_bandwidth import bus_bandwidth, rate_cell
from p2smt.errors import ProblemError
from p2smt.placement.hierarchy import reduction_names
from p2smt.placement.matrix import parse_matrix
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.problem.system.network import Level
from p2smt.problem.text import parse_sizes
from p2smt.sweep.cells import json_value
from p2smt.sweep.export import write_csv
from p2smt.sweep.query import QueryResult, Value
from p2smt.sweep.query_columns import QuerySubject
from p2smt.sweep.rows import RowStatus
from p2smt.sweep.run import SweepRun
from p2smt.wording import counted

_SETTINGS = (3, 4)
"""Columns printed once above the table if all rows agree: payload and search settings."""


def run_document(run: SweepRun) -> Document:
    """Return the JSON document of a run: the sweep's size, and what was solved."""
    return {
        "version": VERSION,
        "store": str(run.store),
        "problems": len(run.expansion.tasks) - run.expansion.jobs,
        "jobs": run.expansion.jobs,
        "left_out": run.expansion.left_out,
        "too_large": run.expansion.too_large,
        "repeated": run.expansion.repeated,
        **asdict(run.summary),
        "complete": run.summary.complete,
    }


def print_run(run: SweepRun) -> None:
    """Print how many problems and jobs are solved, and how to list those that are not."""
    expansion, summary, store = run.expansion, run.summary, run.store
    problems, jobs = len(expansion.tasks) - expansion.jobs, expansion.jobs
    what = " and ".join(counted(count, noun) for noun, count in (("problem", problems), ("job", jobs)) if count)
    say(
        f"{what}: {summary.solved} solved now, {summary.known} in {store} before or from "
        f"another run, {summary.left} left\n{expansion.left_out} combinations do not agree and are left out, "
        f"{expansion.repeated} are the same {'problem' if problems else 'job'} as another"
    )
    if expansion.too_large:
        say(f"{counted(expansion.too_large, 'split')} left out, for a device has too little memory")
    for status, count in (("stopped", summary.stopped), ("error", summary.errors)):
        if count:
            table = " --table jobs" if problems and jobs else ""
            say(f"{count} with status {status}: p2smt study query {store}{table} --status {status}")


def print_query(answer: QueryResult, table: QuerySubject | None, *, as_csv: bool, as_json: bool) -> None:
    """Print a query's result; `table` is the table with its default columns, None for other columns."""
    if as_json:
        print_json(answer_document(answer))
    elif as_csv:
        write_csv(answer.columns, answer.rows, sys.stdout)
    elif table is QuerySubject.PROBLEMS:
        print_problems(answer)
    elif table is QuerySubject.JOBS:
        print_jobs(answer)
    else:
        print_answer(answer)


def answer_document(answer: QueryResult) -> Document:
    """Return the JSON document of a query's result."""
    rows = [[json_value(value) for value in row] for row in answer.rows]
    return {"version": VERSION, "columns": list(answer.columns), "rows": rows, "more": answer.more}


def print_problems(answer: QueryResult) -> None:
    """Print rows of the table `problems` in the terms of the other commands."""
    columns = ("system", "axes", "reduce", "bytes", "search", "matrix", "time", "busbw", "gain", "program")
    rows = [dict(zip(answer.columns, values, strict=True)) for values in answer.rows]
    cells = [_problem_cells(row) for row in rows]
    same = [index for index in _SETTINGS if len(cells) > 1 and len({row[index] for row in cells}) == 1]
    shown = [index for index in range(len(columns)) if index not in same]
    title = "; ".join(
        [f"{answer_title(answer)} (busbw in GB/s)", *(f"{columns[index]} {cells[0][index]}" for index in same)]
    )
    aligned = [number for number, index in enumerate(shown) if index in (6, 7, 8)]
    print_table(title, [columns[index] for index in shown], [[row[index] for index in shown] for row in cells], aligned)
    for reason in dict.fromkeys(
        f"{value_text(row['status'])}: {value_text(row['reason'])}" for row in rows if row["reason"]
    ):
        say(reason)
    print_in_full((_short_program(row), value_text(row["best_program"])) for row in rows if row["best_program"])


def print_answer(answer: QueryResult) -> None:
    """Print rows with user-selected columns."""
    numbers = [
        index
        for index in range(len(answer.columns))
        if answer.rows and all(isinstance(row[index], int | float | None) for row in answer.rows)
    ]
    cells = [[value_text(value) for value in row] for row in answer.rows]
    print_table(answer_title(answer), [value_text(name) for name in answer.columns], cells, right=numbers)


def _problem_cells(row: dict[str, Value]) -> list[str]:
    texts = {name: value_text(value) for name, value in row.items()}
    placement = texts["best_matrix"] if row["status"] == RowStatus.OK else texts["status"]
    return [
        f"{texts['system']} {texts['levels']}".strip(),
        texts["axes"],
        texts["reduce"] if row["goal"] == Collective.ALL_REDUCE.hyphenated else f"{texts['goal']} {texts['reduce']}",
        formed(row["bytes"], format_bytes),
        f"{texts['algorithm']} {texts['grammar']} {texts['max_instructions']}",
        placement,
        formed(row["best_seconds"], format_seconds),
        _rate_cell(row),
        formed(row["speedup"], lambda speedup: f"{speedup:.2f}x"),
        _short_program(row),
    ]


def _rate_cell(row: dict[str, Value]) -> str:
    """Format the best program's bus bandwidth; empty if the axes do not parse (rows may be written by other tools)."""
    try:
        sizes = dict(parse_sizes(str(row["axes"]), "axis"))
        ranks = prod(sizes[name] for name in str(row["reduce"]).split(","))
        goal = next(one for one in Collective if one.hyphenated == row["goal"])
        rate = bus_bandwidth(goal, ranks, float(str(row["bytes"])), float(str(row["best_seconds"])))
    except (ProblemError, ValueError, KeyError, StopIteration):
        return ""
    return rate_cell(rate)


def _short_program(row: dict[str, Value]) -> str:
    """Abbreviate a row's best program; in full if the levels do not parse (rows may be written by other tools)."""
    text, levels, matrix = value_text(row["best_program"]), str(row["levels"]), str(row["best_matrix"])
    try:
        sizes, axes = parse_sizes(levels, "level"), [name for name, _ in parse_sizes(str(row["axes"]), "axis")]
        reduce = [axes.index(name) for name in str(row["reduce"]).split(",")]
        names = reduction_names([Level(*size) for size in sizes], parse_matrix(matrix), reduce)
    except (ProblemError, ValueError, IndexError):
        return full_cell(text)
    return short_cell(text, names)
