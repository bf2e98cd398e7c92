"""`p2smt mesh`."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.exit_code import ExitCode, of_search
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.job import JobOptions, job_options
from p2smt.cli.options.paths import InputPath, OutputPath
from p2smt.cli.options.shared import FORCE, JSON, TIMEOUT, backend_options, deadline_after
from p2smt.cli.options.values import choice
from p2smt.cli.output.aside import say_aside
from p2smt.cli.output.document import print_json
from p2smt.cli.output.files import is_stdout, refuse_overwriting, write_and_say
from p2smt.cli.provenance import signed, system_facts
from p2smt.cost.network.backend import Backend, asked_cost
from p2smt.emit.target import MeshTarget
from p2smt.errors import ProblemError
from p2smt.placement.matrix import parse_matrix
from p2smt.problem.quantity import format_seconds

if TYPE_CHECKING:
    from p2smt.cost.network.cost import Cost
    from p2smt.job.optimize import Optimum
    from p2smt.placement.notation import Notation
    from p2smt.problem.workload import Workload

_ORDERS = tuple(target for target in MeshTarget if target.is_order)
_WITH_ORDER = tuple(target for target in MeshTarget if not target.is_order)
_WITH_HOSTS = tuple(target for target in MeshTarget if target.names_hosts)


@dataclass(frozen=True, slots=True)
class _OutputOptions:
    """Options that only apply with --to; None if an option is not given."""

    matrix: str | None
    order: str | None
    hosts: Path | None
    out: Path | None
    force: bool

    def check(self, target: MeshTarget | None) -> None:
        """Raise ProblemError if an option does not apply to the target, or if --to is missing."""
        for option, value, targets in (
            ("--matrix", self.matrix, tuple(MeshTarget)),
            ("--order", self.order, _WITH_ORDER),
            ("--hosts", self.hosts, _WITH_HOSTS),
            ("--out", self.out, tuple(MeshTarget)),
        ):
            if value is not None and target not in targets:
                raise ProblemError(f"{option} is only for these targets; add --to {', '.join(targets)}")


@dataclass(frozen=True, slots=True)
class _Job:
    """A job, its cost model, and its deadline as a time of `time.monotonic`."""

    workload: "Workload"
    cost: "Cost"
    deadline: float | None

    def solved(self, *, as_json: bool = False, err: bool = False) -> "Optimum | ExitCode":
        """Return the optimal placements, or, if there are none, print the reason and return the exit code."""
        from p2smt.cli.output.solved import solved

        return solved(self.workload, self.cost, self.deadline, as_json=as_json, err=err)


@click.command("mesh", cls=HelpPage)
@job_options
@backend_options
@TIMEOUT
@choice("--to", MeshTarget, help="Write a placement as a mesh, an order string or a file of ranks.")
@click.option("--matrix", metavar="ROWS", help="The placement to write, such as 1x4/4x4 [the fastest].")
@click.option(
    "--order",
    metavar="ORDER",
    help="Sequence of the mesh's dimensions, or order by which the framework "
    "lays its ranks: axes:data,model, megatron:tp-cp-dp-pp [as the job lists its axes].",
)
@click.option("--hosts", type=InputPath(), help="Host names, one a line, by device number [host0 ...].")
@click.option("--out", type=OutputPath(), help="File to write instead of stdout.")
@FORCE
@click.option(
    "--from", "source", metavar="ORDER|MESH.json", help="An order string or a mesh: its matrix, time and loss."
)
@click.option("--orders", is_flag=True, help="How many matrices order strings can express, and the best of them.")
@JSON
def command(
    given: JobOptions,
    backend: Backend,
    timeout: float | None,
    to: MeshTarget | None,
    matrix: str | None,
    order: str | None,
    hosts: Path | None,
    out: Path | None,
    force: bool,
    source: str | None,
    orders: bool,
    as_json: bool,
) -> ExitCode:
    """Write a placement in a framework's words, or read one and say which matrix it is, its time and its loss.

    An order is NOTATION:NAMES: megatron:tp-cp-dp-pp (first varies fastest), torchtitan:pp,dp_shard,tp and
    deepspeed:pipe,data,model (outermost first), axes:... (any names, outermost first); the notation alone is the
    framework's default. dp is also data and dp_shard, pp is pipe, tp is model. A mesh file is
    {"mesh_dim_names": ["data", "model"], "mesh": [[0, 1], [2, 3]]}.

    \b
    Example:
      p2smt mesh job.toml --to devicemesh --out mesh.py
      p2smt mesh job.toml --to megatron
      p2smt mesh job.toml --to rankfile --order megatron:tp-cp-ep-dp-pp --hosts hosts.txt
      p2smt mesh job.toml --from megatron
      p2smt mesh job.toml --orders --json

    Exit codes: 0 written or read, 1 no order or matrix, 2 bad input, 3 stopped early.
    """  # noqa: D301
    if (to is not None) + (source is not None) + orders != 1:
        raise ProblemError("give one of --to, --from and --orders; --help shows an example of each")
    if as_json and to is not None:
        raise ProblemError("--json goes with --from and --orders; --to writes a file of its target's kind")
    written = _OutputOptions(matrix, order, hosts, out, force)
    written.check(to)
    refuse_overwriting(out, force=force)
    workload = given.workload()
    job = _Job(workload, asked_cost(workload.system, backend), deadline_after(timeout))
    if to is not None:
        return _write(job, to, written)
    return _orders(job, as_json=as_json) if source is None else _read(job, source, as_json=as_json)


def _read(job: _Job, source: str, *, as_json: bool) -> ExitCode:
    """Print the matrix that a rank order or mesh file corresponds to, its time, and its loss against the best one."""
    from p2smt.cli.output.mesh import Orders, print_reading, reading_document
    from p2smt.job.mesh_price import mesh_price
    from p2smt.job.orders import best_order
    from p2smt.placement.mesh_reading import read_given

    reading = read_given(source, job.workload)
    optimum = job.solved(as_json=as_json)
    if isinstance(optimum, ExitCode):
        return optimum
    orders = Orders(optimum, best_order(optimum, job.cost, job.deadline, reading.order), reading.notation)
    price = mesh_price(reading, optimum, job.cost)
    if as_json:
        print_json(reading_document(reading, price, orders))
    else:
        print_reading(reading, price, orders)
    found = reading.matrix is not None
    return of_search(found=found, complete=orders.best_order.complete or not found)


def _orders(job: _Job, *, as_json: bool) -> ExitCode:
    """Print how many matrices can be written as a rank order, and the loss of the best of these."""
    from p2smt.cli.output.mesh import Orders, orders_document, print_orders
    from p2smt.job.orders import best_order

    optimum = job.solved(as_json=as_json)
    if isinstance(optimum, ExitCode):
        return optimum
    orders = Orders(optimum, best_order(optimum, job.cost, job.deadline))
    if as_json:
        print_json(orders_document(orders))
    else:
        print_orders(orders)
    return of_search(complete=orders.best_order.complete)


def _write(job: _Job, target: MeshTarget, written: _OutputOptions) -> ExitCode:
    """Write a placement in a target's format; the fastest placement unless --matrix is given."""
    from p2smt.cli.output.mesh import said_of_file
    from p2smt.emit.mesh.placement_file import placement_file
    from p2smt.placement.hosts import read_hosts
    from p2smt.placement.matrix_check import check_matrix
    from p2smt.placement.notation import Notation, parse_order, written_order

    if written.order is not None:
        parse_order(written.order, job.workload.axes)
    hosts = None if written.hosts is None else read_hosts(written.hosts, job.workload.system)
    optimum, code = None, ExitCode.FOUND
    if written.matrix is None:
        solved = job.solved(err=is_stdout(written.out))
        if isinstance(solved, ExitCode):
            return solved
        optimum, matrix = solved, solved.best.matrix
        code = of_search(complete=solved.proved)
    else:
        matrix = parse_matrix(written.matrix)
        check_matrix(matrix, job.workload)
    if target in _ORDERS:
        notation = Notation(target.value)
        if written_order(notation, matrix, job.workload.axes) is None:
            # The placement asked for is still reachable, by another kind of file.
            click.echo(f"p2smt: no order of the axes gives matrix {matrix}; use --to rankfile", err=True)
            return max(code, _write_best_order(job, notation, optimum, written))
    file = placement_file(job.workload, matrix, target, written.order, hosts)
    what, hint = said_of_file(target, matrix, job.workload.devices, written.out)
    write_and_say(
        written.out, signed(file.text, tuple(system_facts(job.workload.system))), what, hint, force=written.force
    )
    _say(file.notes)
    return code


def _write_best_order(job: _Job, notation: "Notation", optimum: "Optimum | None", written: _OutputOptions) -> ExitCode:
    """Write the fastest placement that has a rank order, for targets that cannot express the requested matrix."""
    from p2smt.cli.output.mesh import said_of_file
    from p2smt.job.orders import best_order
    from p2smt.placement.notation import order_text, own_order, remarks

    axes = job.workload.axes
    solved = job.solved(err=is_stdout(written.out)) if optimum is None else optimum
    if isinstance(solved, ExitCode):
        return solved
    found = best_order(solved, job.cost, job.deadline, own_order(notation, axes))
    code, best = of_search(found=False, complete=found.complete), found.best
    if best is None:
        why = "no order of the axes keeps the job's conditions either"
        click.echo(f"p2smt: {why if found.complete else 'the search stopped before an order was priced'}", err=True)
        return code
    what, hint = said_of_file(MeshTarget(notation), best.matrix, job.workload.devices, written.out)
    write_and_say(written.out, order_text(notation, best.order, axes) + "\n", what, hint, force=written.force)
    which, of = ("there is", "of all") if found.complete else ("of those priced before the search stopped", "of these")
    took = f"{format_seconds(best.seconds)} per step, {solved.loss(best.seconds):.1%} more than the best {of}"
    _say([f"written is the best order {which}: matrix {best.matrix}, {took}", *remarks(notation, best.order, axes)])
    return code


def _say(notes: Iterable[str]) -> None:
    for note in notes:
        say_aside(f"p2smt: note: {note}")
