"""`p2smt study`, with `p2smt study query` and `p2smt study export`."""

import io
import sys
from functools import wraps
from pathlib import Path

import click

from p2smt.cli.exit_code import ExitCode, of_search
from p2smt.cli.file_kind import STORE, SWEEP
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.paths import InputPath, OutputPath
from p2smt.cli.options.shared import FORCE, JSON
from p2smt.cli.options.values import Command, choice, one_of, take, with_options
from p2smt.cli.output.written import WRITTEN_JSON, wants_document
from p2smt.collective import Collective
from p2smt.cost.network.backend import BACKENDS
from p2smt.errors import StudyError
from p2smt.problem.model import Grammar
from p2smt.sweep.export import ExportFormat, ExportTable, export_parquet, export_text, format_of
from p2smt.sweep.query import Filter, ask, ask_sql, asked_of
from p2smt.sweep.query_columns import ORDERS, QuerySubject
from p2smt.sweep.rows import RowStatus
from p2smt.sweep.schema import described


class _DefaultRunGroup(click.Group):
    """A group that defaults to `run`: `p2smt study sweep.toml` means `p2smt study run sweep.toml`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.group("study", cls=_DefaultRunGroup)
def command() -> None:
    """Solve many problems or training jobs, keep the results in a store, and query them.

    A sweep file describes grids of systems, axes, reductions, payloads, grammars and algorithms, or of models, systems
    and splits. The store is an SQLite file with one row per problem or job; what is in it is not solved again.

    \b
    Example:
      p2smt study sweep.toml
      p2smt study query sweep.sqlite --sort speedup --top 5
      p2smt study export sweep.sqlite --out sweep.csv
    """  # noqa: D301


@command.command("run", cls=HelpPage)
@click.argument("sweep_file", type=InputPath(SWEEP), metavar="SWEEP.toml")
@click.option("--store", type=OutputPath(), help="SQLite file; what is in it stays [SWEEP.sqlite].")
@click.option(
    "--executor",
    default="local",
    show_default=True,
    metavar="WHERE",
    help="local (a process per CPU), local:4, or dask:tcp://HOST:PORT.",
)
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="So many processes: --executor local:N.")
@click.option("--dry-run", is_flag=True, help="Say how many problems and jobs there are to solve; solve nothing.")
@click.option("--retry", is_flag=True, help="Solve again what stopped early or ended with an error.")
@JSON
def run(
    sweep_file: Path, store: Path | None, executor: str, workers: int | None, dry_run: bool, retry: bool, as_json: bool
) -> ExitCode:
    """Solve every problem and job of a sweep that is not in the store yet.

    Interrupted or killed at any moment, the store holds whole results, and the same command goes on from there.
    Several runs on one store share the work. With dask, p2smt has to be installed for every worker; workers do best
    with one thread each, and whoever can reach the scheduler can run code there.

    \b
    Example:
      p2smt study sweep.toml --dry-run
      p2smt study sweep.toml --workers 8
      dask scheduler & dask worker tcp://10.0.0.1:8786 --nthreads 1 --nworkers 8 &
      p2smt study sweep.toml --executor dask:tcp://10.0.0.1:8786

    Exit codes: 0 everything has its result, 2 bad input, 3 stopped early, or something is without a full result.
    """  # noqa: D301
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.files import say_written
    from p2smt.cli.output.progress import progress
    from p2smt.cli.output.study import print_run, run_document
    from p2smt.sweep.run import planned_sweep, run_sweep
    from p2smt.sweep.stopping import stopped_by_signals

    if workers is not None and executor != "local":
        raise click.UsageError(f"--workers {workers} is short for --executor local:{workers}; give one of the two")
    if dry_run:
        planned = planned_sweep(sweep_file, store, again=retry)
        if as_json:
            print_json(run_document(planned))
        else:
            print_run(planned)
        return ExitCode.FOUND
    executor = executor if workers is None else f"local:{workers}"
    with stopped_by_signals() as stopping, progress("problems", remaining=False) as on_progress:
        done = run_sweep(sweep_file, store, executor, again=retry, stopping=stopping, on_progress=on_progress)
    if as_json:
        print_json(run_document(done))
    else:
        print_run(done)
    if done.summary.left:
        click.echo(f"p2smt: stopped early; {done.store} is whole, the same command goes on from there", err=True)
    else:
        say_written(done.store, "the results", f"p2smt study query {done.store}")
    return of_search(complete=done.summary.complete)


def _columns(context: click.Context, option: click.Parameter, text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(name.strip() for name in text.split(",") if name.strip())


_COLUMNS = click.option(
    "--columns", metavar="NAMES", callback=_columns, help="Columns of the answer, such as split,best_seconds."
)
_CONDITIONS = (
    click.option("--system", metavar="SYSTEM", help="A name, levels (node:4,gpu:16), sizes (4x16), or dgx-h100:4x8."),
    click.option("--axes", metavar="AXES", help="Of problems, as in the store: data:4,model:16."),
    click.option("--reduce", metavar="AXES", help="Of problems, names: model or data,model."),
    click.option("--goal", type=one_of([goal.hyphenated for goal in Collective]), help="Of problems."),
    click.option("--model", metavar="NAME", help="Of jobs: llama-70b."),
    click.option("--split", metavar="SPLIT", help="Of jobs, as in the store: tp:8,pp:4,dp:2."),
    click.option("--algorithm", type=one_of([str(backend) for backend in BACKENDS])),
    choice("--grammar", Grammar, help="Of problems."),
    choice("--status", RowStatus),
    click.option("--where", metavar="SQL", help='A condition on columns, such as "devices > 64 AND speedup > 1.5".'),
    click.option(
        "--sort",
        "order",
        metavar="COLUMN",
        type=one_of(sorted({*sum(ORDERS.values(), ())})),
        help="; ".join(f"{table}: {', '.join(names)}" for table, names in ORDERS.items()),
    ),
    _COLUMNS,
)


def _conditions(command: Command) -> Command:
    """Add the options that filter rows to a command, which receives them as the argument `wanted`."""

    @wraps(command)
    def with_wanted(**values: object) -> int:
        return command(wanted=take(Filter, values), **values)

    return with_options(with_wanted, _CONDITIONS)


@command.command("query", cls=HelpPage)
@click.argument("store", required=False, type=InputPath(STORE, stdin=False), metavar="STORE.sqlite")
@_conditions
@choice("--table", QuerySubject, help="What to ask for [jobs where the store has no problems, else problems].")
@click.option("--sql", metavar="SELECT", help="Ask this instead; read-only, for at most 30 s.")
@click.option("--top", type=click.IntRange(1, 100_000), default=20, show_default=True, help="Rows of the answer.")
@click.option("--schema", is_flag=True, help="Print the tables with their columns, explained.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the answer as CSV.")
@JSON
def query(
    store: Path | None,
    wanted: Filter,
    table: QuerySubject | None,
    sql: str | None,
    top: int,
    schema: bool,
    as_csv: bool,
    as_json: bool,
) -> ExitCode:
    """Print rows of a store: all conditions together, or one SELECT.

    \b
    Example:
      p2smt study query sweep.sqlite --system dgx-h100:2x8 --sort speedup --top 5
      p2smt study query sweep.sqlite --where "devices > 64 AND speedup > 1.5" --json
      p2smt study query jobs.sqlite --model llama-70b --columns split,memory,best_seconds --csv
      p2smt study query sweep.sqlite --sql "SELECT levels, max(speedup) FROM problems GROUP BY levels"
      p2smt study query --schema
    """  # noqa: D301
    from p2smt.cli.output.study import print_query

    if schema:
        click.echo(described(), nl=False)
        return ExitCode.FOUND
    if store is None:
        raise StudyError("STORE is missing; name the file that `p2smt study` wrote")
    if as_csv and as_json:
        raise StudyError("--csv and --json are two formats of one answer; give one of them")
    # A SELECT is complete by itself; other conditions would be ignored silently.
    if sql is not None:
        beside = {"--sort": wanted.order, "--columns": wanted.columns, "--table": table}
        given = [*(f"--{name}" for name in wanted.given), *(name for name, each in beside.items() if each is not None)]
        if given:
            raise StudyError(f"--sql is a whole query; leave out {', '.join(sorted(given))} or put it into the SELECT")
        print_query(ask_sql(store, sql, top), None, as_csv=as_csv, as_json=as_json)
        return ExitCode.FOUND
    about = asked_of(store) if table is None else table
    answer = ask(store, wanted, top, about)
    print_query(answer, about if wanted.columns is None else None, as_csv=as_csv, as_json=as_json)
    return ExitCode.FOUND


@command.command("export", cls=HelpPage)
@click.argument("store", type=InputPath(STORE, stdin=False), metavar="STORE.sqlite")
@choice("--format", ExportFormat, help="csv, jsonl or parquet [what --out ends in].")
@choice("--table", ExportTable, help="Which [jobs where the store has no problems, else problems].")
@_COLUMNS
@click.option("--out", type=OutputPath(), help="File to write instead of stdout; parquet needs one.")
@FORCE
@WRITTEN_JSON
def export(
    store: Path,
    format: ExportFormat | None,
    table: ExportTable | None,
    columns: tuple[str, ...] | None,
    out: Path | None,
    force: bool,
) -> ExitCode:
    """Write a table of a store in the order of its keys: equal stores give equal bytes.

    In CSV, text that a spreadsheet would take for a formula begins with an apostrophe and control characters are
    spelled out; JSON Lines and Parquet (which needs pyarrow) are exact.

    \b
    Example:
      p2smt study export sweep.sqlite --out sweep.csv --columns system,axes,best_matrix,best_seconds
      p2smt study export sweep.sqlite --format jsonl --table placements | head -1
    """  # noqa: D301
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.files import is_stdout, say_written, whole_file, written_document

    piped = out is None or is_stdout(out)
    form = format_of(None if piped else out) if format is None else format
    if piped and form is ExportFormat.PARQUET:  # only: the one format that is not text
        raise StudyError("Parquet is a binary format; name a file with --out")
    about = ExportTable(asked_of(store)) if table is None else table
    what, hint = f"the table {about} of {store} as {form}", "open it where tables are read"
    facts = {"table": str(about), "format": str(form)}
    if out is None or is_stdout(out):
        assert form is not ExportFormat.PARQUET  # only: the one format that is not text
        shown = io.StringIO() if wants_document() else sys.stdout
        export_text(store, about, form, shown, columns)
        if isinstance(shown, io.StringIO):
            print_json(written_document(None, shown.getvalue(), what, hint, facts))
        return ExitCode.FOUND
    with whole_file(out, force=force) as file:
        if form is ExportFormat.PARQUET:  # only: the one format that is not text
            export_parquet(store, about, file, columns)
        else:
            text = io.TextIOWrapper(file, encoding="utf-8", newline="")
            export_text(store, about, form, text, columns)
            text.flush()
            text.detach()
    if wants_document():
        print_json(written_document(out, out.read_bytes(), what, hint, facts))
    else:
        say_written(out, what, hint)
    return ExitCode.FOUND
