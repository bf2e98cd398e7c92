"""Output of `p2smt study query` for jobs."""

from p2smt.cli.output.study_values import answer_title, formed, value_text
from p2smt.cli.output.table import print_table
from p2smt.problem.quantity import format_seconds
from p2smt.sweep.query import QueryResult, Value
from p2smt.sweep.rows import RowStatus

_COLUMNS = (
    "model",
    "system",
    "settings",
    "split",
    "memory",
    "waiting",
    "step",
    "communication",
    "usual order",
    "where",
)
_SETTINGS = (0, 1, 2)
"""Columns printed once above the table if all rows agree."""


def print_jobs(answer: QueryResult) -> None:
    """Print rows of the table `jobs`: a split's memory, its step time, and the placement of its axes."""
    cells = [_cells(dict(zip(answer.columns, values, strict=True))) for values in answer.rows]
    same = [index for index in _SETTINGS if len(cells) > 1 and len({row[index] for row in cells}) == 1]
    shown = [index for index in range(len(_COLUMNS)) if index not in same]
    title = "; ".join([answer_title(answer), *(cells[0][index] for index in same)])
    aligned = [number for number, index in enumerate(shown) if index in (4, 5, 6, 7, 8)]
    print_table(
        title, [_COLUMNS[index] for index in shown], [[row[index] for index in shown] for row in cells], aligned
    )


def _cells(row: dict[str, Value]) -> list[str]:
    ended = "" if row["status"] == RowStatus.OK else f"{value_text(row['status'])}: {value_text(row['reason'])}; "
    return [
        value_text(row["model"]),
        f"{value_text(row['system']) if row['system'] else ''} {value_text(row['levels'])}".strip(),
        ", ".join([f"ZeRO {value_text(row['zero'])}", *(["recomputation"] if row["recompute"] else [])]),
        value_text(row["split"]),
        f"{formed(row['memory'], lambda size: f'{size / 1e9:.1f} GB')}{'' if row['fits'] in (1, None) else ' !'}",
        formed(row["bubble"], lambda part: f"{part:.1%}"),
        formed(row["step_seconds"], format_seconds),
        formed(row["best_seconds"], format_seconds),
        formed(row["loss"], lambda loss: f"{1 + loss:.2f}x"),
        f"{ended}{value_text(row['best_words'])}",
    ]
