"""`p2smt study query` and `p2smt study export`: what is in a store."""

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from p2smt.cli.options.problem import JSON
from p2smt.collective import Collective
from p2smt.cost.network.backend import BACKENDS
from p2smt.problem.model import Grammar
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.problem.text import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from p2smt.sweep.query import Answer, Value

    Printed = tuple[Sequence[str], list[list[str]], Sequence[int]]
    Table = Callable[[Answer], Printed]

_ORDERS = ["key", "best_seconds", "speedup", "speedup_over_allreduce", "placement_spread", "programs", "devices"]


@click.command("query")
@click.argument("store", required=False, type=click.Path(path_type=Path), metavar="STORE.sqlite")
@click.option("--system", metavar="SYSTEM", help="A name, levels (node:4,gpu:16), sizes (4x16), or dgx-h100:4x8.")
@click.option("--axes", metavar="AXES", help="As in the store: data:4,model:16.")
@click.option("--reduce", metavar="AXES", help="Names: model or data,model.")
@click.option("--goal", type=click.Choice([goal.hyphenated for goal in Collective]))
@click.option("--algorithm", type=click.Choice([str(backend) for backend in BACKENDS]))
@click.option("--grammar", type=click.Choice([grammar.value for grammar in Grammar]))
@click.option("--status", type=click.Choice(["ok", "stopped", "error"]))
@click.option("--where", metavar="SQL", help='A condition on the columns, such as "devices > 64 AND speedup > 1.5".')
@click.option("--sort", "order", type=click.Choice(_ORDERS), default="key", show_default=True, metavar="COLUMN",
              help=f"{', '.join(_ORDERS)}; ratios and counts largest first.")  # fmt: skip
@click.option("--sql", metavar="SELECT", help="Ask this instead; read-only, for at most 30 s.")
@click.option("--top", type=click.IntRange(1, 100_000), default=20, show_default=True, help="Rows of the answer.")
@click.option("--schema", is_flag=True, help="Print the tables with their columns, explained.")
@JSON
def query(store: Path | None, sql: str | None, top: int, schema: bool, as_json: bool, **filters: str | None) -> int:
    """Print rows of a store: all conditions together, or one SELECT.

    \b
    Example:
      p2smt study query sweep.sqlite --system dgx-h100:2x8 --sort speedup --top 5
      p2smt study query sweep.sqlite --where "devices > 64 AND speedup > 1.5" --json
      p2smt study query sweep.sqlite --sql "SELECT levels, max(speedup) FROM problems GROUP BY levels"
      p2smt study query --schema
    """  # noqa: D301
    from p2smt.cli.main import FOUND
    from p2smt.errors import StudyError
    from p2smt.sweep.query import Filter, ask, ask_sql
    from p2smt.sweep.schema import described

    if schema:
        click.echo(described(), nl=False)
        return FOUND
    if store is None:
        raise StudyError("STORE is missing; name the file that `p2smt study` wrote")
    if sql is not None:
        given = sorted(name for name, value in filters.items() if value is not None and name != "order")
        if given:
            raise StudyError(f"--sql asks by itself; leave out --{', --'.join(given)} or put it into the SELECT")
        _print(ask_sql(store, sql, top), as_json, _anything)
    else:
        _print(ask(store, Filter(**filters), top), as_json, _problems)  # type: ignore[arg-type]
    return FOUND


@click.command("export")
@click.argument("store", type=click.Path(path_type=Path), metavar="STORE.sqlite")
@click.option("--format", "form", type=click.Choice(["csv", "jsonl", "parquet"]), required=True)
@click.option("--table", type=click.Choice(["problems", "placements", "environments"]), default="problems",
              show_default=True)  # fmt: skip
@click.option("--out", type=click.Path(path_type=Path), help="File to write instead of stdout; parquet needs one.")
def export(store: Path, form: str, table: str, out: Path | None) -> None:
    """Write a table of a store in the order of its keys: equal stores give equal bytes.

    In CSV, text that a spreadsheet would take for a formula begins with an apostrophe and control characters are
    spelled out; JSON Lines and Parquet (which needs pyarrow) are exact.

    \b
    Example:
      p2smt study export sweep.sqlite --format csv --out sweep.csv
      p2smt study export sweep.sqlite --format jsonl --table placements | head -1
    """  # noqa: D301
    from p2smt.cli.output.files import whole_file
    from p2smt.errors import StudyError
    from p2smt.sweep.export import Table, export_csv, export_jsonl, export_parquet

    to_stdout = out is None or str(out) == "-"
    if form == "parquet":
        if out is None or to_stdout:
            raise StudyError("parquet is no text; name a file with --out")
        with whole_file(out) as file:
            export_parquet(store, Table(table), file)
        return
    write = export_csv if form == "csv" else export_jsonl
    if out is None or to_stdout:
        write(store, Table(table), sys.stdout)
        return
    with whole_file(out) as file:
        text = io.TextIOWrapper(file, encoding="utf-8", newline="")
        write(store, Table(table), text)
        text.flush()
        text.detach()


def _print(answer: "Answer", as_json: bool, table: "Table") -> None:
    from p2smt.cli.output.progress import VERSION, print_json, print_table
    from p2smt.sweep.cells import json_value

    if as_json:
        rows = [[json_value(value) for value in row] for row in answer.rows]
        print_json({"version": VERSION, "columns": list(answer.columns), "rows": rows, "more": answer.more})
        return
    columns, cells, right = table(answer)
    print_table(f"{len(cells)} rows{', there are more' if answer.more else ''}", columns, cells, right)


def _problems(answer: "Answer") -> "Printed":
    """Rows of `problems` in the words of the other commands."""
    columns = ("system", "axes", "reduce", "bytes", "search", "placement", "time", "vs AllReduce", "best program")
    cells = []
    for values in answer.rows:
        row: dict[str, Any] = dict(zip(answer.columns, values, strict=True))
        cells.append([
            _text(f"{row['system']} {row['levels']}".strip()), _text(row["axes"]),
            _text(row["reduce"] if row["goal"] == "all-reduce" else f"{row['goal']} {row['reduce']}"),
            format_bytes(row["bytes"]), f"{row['algorithm']} {row['grammar']} {row['max_instructions']}",
            _text(row["best_matrix"] if row["status"] == "ok" else f"{row['status']}: {row['reason']}"),
            "-" if row["best_seconds"] is None else format_seconds(row["best_seconds"]),
            "-" if row["speedup"] is None else f"{row['speedup']:.2f}x", _text(row["best_program"]),
        ])  # fmt: skip
    return columns, cells, (6, 7)


def _anything(answer: "Answer") -> "Printed":
    """Columns that somebody named."""
    numbers = tuple(
        place
        for place in range(len(answer.columns))
        if answer.rows and all(isinstance(row[place], int | float | None) for row in answer.rows)
    )
    return [_text(name) for name in answer.columns], [[_text(value) for value in row] for row in answer.rows], numbers


def _text(value: "Value") -> str:
    match value:
        case None:
            return "-"
        case float():
            return f"{value:.6g}"
        case bytes():
            return value.hex()
        case _:
            return printable(str(value))
