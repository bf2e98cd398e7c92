"""`p2smt lab`."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.exit_code import ExitCode, of_check
from p2smt.cli.file_kind import PLAN
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.paths import InputPath
from p2smt.cli.options.plan_file import UNCHECKED, given_plan
from p2smt.cli.options.shared import JSON
from p2smt.errors import LabError

if TYPE_CHECKING:
    from p2smt.run.lab.shape import LabShape

_SYSTEM = click.argument("system", metavar="SYSTEM")
_BANDWIDTH = click.option("--bandwidth", metavar="PAIRS", help="Per link, over the system's: host=100Mb/s,rack=50Mb/s.")
_MTU = click.option("--mtu", type=int, default=1500, show_default=True, help="Largest packet on all network cards.")


@click.group("lab")
def command() -> None:
    """Build hosts with shaped network cards on this machine (network namespaces), and run plans there.

    Needs root, iproute2 and Linux. Everything has a name p2l-ID-..., lives in namespaces of its own, with
    addresses of 198.18.0.0/15, and sends nothing outside.

    \b
    Example:
      p2smt plan --system lab --axes 8 --reduce 0 --bytes 4MB --out plan.json
      sudo p2smt lab run lab plan.json
    """  # noqa: D301


@command.command("up", cls=HelpPage)
@_SYSTEM
@click.option("--id", "lab", metavar="ID", help="1 to 6 lower-case letters and digits [by chance].")
@_BANDWIDTH
@_MTU
@JSON
def up(system: str, lab: str | None, bandwidth: str | None, mtu: int, as_json: bool) -> ExitCode:
    """Bring a laboratory up and leave it up; `p2smt lab down ID` removes it.

    The machine level's units become hosts, the levels around it racks; what shapes them are the bandwidths of
    the system's links. SYSTEM: a preset (lab, lab:4x2), a file, or levels with --bandwidth.

    \b
    Example:
      p2smt lab up rack:2,host:2,rank:2 --bandwidth rack=50Mb/s,host=100Mb/s --id demo
      ip netns exec p2l-demo-h0 ping -c 1 198.18.0.2
    """  # noqa: D301
    from p2smt.cli.output.document import VERSION, print_json
    from p2smt.cli.output.lab import laboratory_document, print_laboratory
    from p2smt.run.lab.laboratory import Laboratory, ended_by_signals

    with ended_by_signals(), Laboratory(_shape(system, bandwidth), lab, mtu=mtu) as laboratory:
        laboratory.keep()
    if as_json:
        print_json({"version": VERSION, **laboratory_document(laboratory)})
    else:
        print_laboratory(laboratory, system)
    return ExitCode.FOUND


@command.command("run", cls=HelpPage)
@_SYSTEM
@click.argument("plan_file", type=InputPath(PLAN), metavar="PLAN.json")
@click.option("--id", "lab", metavar="ID", help="Run in this laboratory, which is up [one that lasts for the run].")
@_BANDWIDTH
@_MTU
@click.option(
    "--elements", type=click.IntRange(1, 2**28), help="Elements to time with [the plan's payload, at most 4 MiB]."
)
@click.option("--dtype", metavar="TYPE", help="Element type [that of the plan's payload].")
@click.option("--repeats", type=click.IntRange(1, 1000), default=5, show_default=True, help="Timed repetitions.")
@click.option(
    "--timeout",
    type=click.FloatRange(1, 3600),
    default=120.0,
    show_default=True,
    metavar="SECONDS",
    help="For starting the processes, and again for running.",
)
@click.option(
    "--debug/--no-debug",
    default=False,
    show_default=True,
    help="Let torch compare every collective among the ranks, at a price in time.",
)
@UNCHECKED
@JSON
def run(
    plan_file: Path,
    system: str,
    lab: str | None,
    bandwidth: str | None,
    mtu: int,
    elements: int | None,
    dtype: str | None,
    repeats: int,
    timeout: float,
    debug: bool,
    unchecked: bool,
    as_json: bool,
) -> ExitCode:
    """Run a plan on all ranks of a laboratory (gloo), compare every rank with the plain collective, and time both.

    \b
    Example:
      p2smt plan --system lab --axes 8 --reduce 0 --bytes 4MB --out plan.json
      p2smt lab run lab plan.json
    """  # noqa: D301
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.lab import laboratory_document, print_heading
    from p2smt.cli.output.run import print_run, run_document
    from p2smt.run.lab.cluster import LabCluster, timed_elements
    from p2smt.run.lab.laboratory import Laboratory, ended_by_signals
    from p2smt.run.lab.shape import check_levels

    plan, shape = given_plan(plan_file, unchecked=unchecked), _shape(system, bandwidth)
    check_levels(plan, shape)
    kind = dtype or plan.payload.dtype
    length = timed_elements(plan, kind) if elements is None else elements
    laboratory = Laboratory(shape, lab, mtu=mtu, attach=lab is not None)
    with ended_by_signals(), laboratory, LabCluster(laboratory, timeout_s=timeout, debug=debug) as cluster:
        report = cluster.run(plan, elements=length, dtype=kind, repeats=repeats)
    if as_json:
        print_json({**run_document(report), "laboratory": laboratory_document(laboratory)})
    else:
        print_heading(laboratory)
        print_run(report)
    return of_check(right=report.ok)


@command.command("down", cls=HelpPage)
@click.argument("labs", nargs=-1, metavar="[ID]...")
@click.option("--force", is_flag=True, help="Also laboratories in which a run is under way.")
@JSON
def down(labs: tuple[str, ...], force: bool, as_json: bool) -> ExitCode:
    """Remove laboratories, all or those named, with the processes inside; also what a crash left of them.

    One in which a run is under way is left alone without --force (exit 1).

    \b
    Example:
      p2smt lab down
      p2smt lab down demo --force
    """  # noqa: D301
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.lab import print_removed, removed_document
    from p2smt.run.lab.names import checked_id
    from p2smt.run.lab.namespaces import require_tools
    from p2smt.run.lab.sweep import find_labs, sweep

    require_tools()
    there = [found.lab for found in find_labs()]
    if unknown := [lab for lab in map(checked_id, labs) if lab not in there]:
        raise LabError(f"laboratory {', '.join(unknown)} is not up; up are {', '.join(there) or 'none'}")
    removed = {lab: sweep(lab, force=force) for lab in labs or there}
    if as_json:
        print_json(removed_document(removed))
    else:
        print_removed(removed)
    return of_check(right=all(removed.values()))


@command.command("list", cls=HelpPage)
@JSON
def list_labs(as_json: bool) -> ExitCode:
    """List the laboratories on this machine.

    \b
    Example:
      p2smt lab list --json
    """  # noqa: D301
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.lab import laboratories_document, print_laboratories
    from p2smt.run.lab.sweep import find_labs

    labs = find_labs()
    if as_json:
        print_json(laboratories_document(labs))
    else:
        print_laboratories(labs)
    return ExitCode.FOUND


def _shape(text: str, bandwidth: str | None) -> "LabShape":
    """Return the laboratory for a system, with its links at the bandwidths given by --bandwidth."""
    from p2smt.problem.system.figures import with_figures
    from p2smt.problem.system.text import find_system
    from p2smt.run.lab.shape import lab_shape

    return lab_shape(with_figures(find_system(text), bandwidth))
