"""`p2smt lab`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from p2smt.cli.options.problem import JSON

if TYPE_CHECKING:
    from p2smt.run.lab.laboratory import Laboratory
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


@command.command("up")
@_SYSTEM
@click.option("--id", "lab", metavar="ID", help="1 to 6 lower-case letters and digits [by chance].")
@_BANDWIDTH
@_MTU
@JSON
def up(system: str, lab: str | None, bandwidth: str | None, mtu: int, as_json: bool) -> int:
    """Bring a laboratory up and leave it up; `p2smt lab down ID` removes it.

    The machine level's units become hosts, the levels around it racks; what shapes them are the bandwidths of
    the system's links. SYSTEM: a preset (lab, lab:4x2), a file, or levels with --bandwidth.

    \b
    Example:
      p2smt lab up rack:2,host:2,rank:2 --bandwidth rack=50Mb/s,host=100Mb/s --id demo
      ip netns exec p2l-demo-h0 ping -c 1 198.18.0.2
    """  # noqa: D301
    from p2smt.cli.main import FOUND
    from p2smt.cli.output.progress import VERSION, print_json, print_table
    from p2smt.run.lab.laboratory import Laboratory, ended_by_signals

    with ended_by_signals(), Laboratory(_shape(system, bandwidth), lab, mtu=mtu) as laboratory:
        laboratory.keep()
    if as_json:
        print_json({"version": VERSION, **_document(laboratory)})
        return FOUND
    rows = [
        [str(host.number), host.namespace, host.interface, host.address, _ranks(laboratory, host.number)]
        for host in laboratory.hosts
    ]
    print_table(
        f"laboratory {laboratory.lab}: {_tiers(laboratory.shape)}", ("host", "namespace", "card", "address", "ranks"),
        rows, right=(0,),
    )  # fmt: skip
    click.echo(f"run a command there: ip netns exec {laboratory.hosts[0].namespace} COMMAND\n"
               f"run a plan there:    p2smt lab run {system} PLAN.json --id {laboratory.lab}\n"
               f"remove it:           p2smt lab down {laboratory.lab}")  # fmt: skip
    return FOUND


@command.command("run")
@_SYSTEM
@click.argument("plan_file", type=click.Path(path_type=Path), metavar="PLAN.json")
@click.option("--id", "lab", metavar="ID", help="Run in this laboratory, which is up [one that lasts for the run].")
@_BANDWIDTH
@_MTU
@click.option(
    "--elements", type=click.IntRange(1, 2**28), help="Elements to time with [the plan's payload, at most 4 MiB]."
)
@click.option("--dtype", metavar="TYPE", help="Element type [that of the plan's payload].")
@click.option("--repeats", type=click.IntRange(1, 1000), default=5, show_default=True, help="Timed repetitions.")
@click.option("--timeout", type=click.FloatRange(1, 3600), default=120.0, show_default=True, metavar="SECONDS",
              help="For starting the processes, and again for running.")  # fmt: skip
@click.option("--debug/--no-debug", default=False, show_default=True,
              help="Let torch compare every collective among the ranks, at a price in time.")  # fmt: skip
@JSON
def run(plan_file: Path, system: str, lab: str | None, bandwidth: str | None, mtu: int, as_json: bool,
        **options: Any) -> int:  # fmt: skip
    """Run a plan on all ranks of a laboratory (gloo), compare every rank with a plain all-reduce, and time both.

    \b
    Example:
      p2smt plan --system lab --axes 8 --reduce 0 --bytes 4MB --out plan.json
      p2smt lab run lab plan.json
    """  # noqa: D301
    from p2smt.cli.main import FOUND, NEGATIVE
    from p2smt.cli.output.progress import print_json
    from p2smt.cli.output.run import print_run, run_document
    from p2smt.reduction.plan.file import read_plan
    from p2smt.run.lab.laboratory import Laboratory, ended_by_signals

    plan, shape = read_plan(plan_file), _shape(system, bandwidth)
    _check_levels([size for _, size in plan.levels], shape)
    laboratory = Laboratory(shape, lab, mtu=mtu, attach=lab is not None)
    with ended_by_signals(), laboratory:
        report = _run_plan(laboratory, plan, **options)
    if as_json:
        print_json(run_document(report) | {"laboratory": _document(laboratory)})
    else:
        click.echo(f"laboratory {laboratory.lab}: {_tiers(shape)}")
        print_run(report)
    return FOUND if report.ok else NEGATIVE


@command.command("down")
@click.argument("labs", nargs=-1, metavar="[ID]...")
@click.option("--force", is_flag=True, help="Also laboratories in which a run is under way.")
@JSON
def down(labs: tuple[str, ...], force: bool, as_json: bool) -> int:
    """Remove laboratories, all or those named, with the processes inside; also what a crash left of them.

    One in which a run is under way is left alone without --force (exit 1).

    \b
    Example:
      p2smt lab down
      p2smt lab down demo --force
    """  # noqa: D301
    from p2smt.cli.main import FOUND, NEGATIVE
    from p2smt.cli.output.progress import VERSION, print_json
    from p2smt.errors import LabError
    from p2smt.run.lab.names import checked_id
    from p2smt.run.lab.namespaces import require_tools
    from p2smt.run.lab.sweep import find_labs, sweep

    require_tools()
    there = [found.lab for found in find_labs()]
    if unknown := [lab for lab in map(checked_id, labs) if lab not in there]:
        raise LabError(f"laboratory {', '.join(unknown)} is not up; up are {', '.join(there) or 'none'}")
    removed = {lab: sweep(lab, force=force) for lab in labs or there}
    if as_json:
        gone, stay = ([lab for lab, done in removed.items() if done is wanted] for wanted in (True, False))
        print_json({"version": VERSION, "removed": gone, "in_use": stay})
    else:
        for lab, done in removed.items():
            click.echo(
                f"laboratory {lab}: {'removed' if done else 'a run is under way; --force removes it all the same'}"
            )
        if not removed:
            click.echo("no laboratory is up")
    return FOUND if all(removed.values()) else NEGATIVE


@command.command("list")
@JSON
def list_labs(as_json: bool) -> int:
    """List the laboratories on this machine.

    \b
    Example:
      p2smt lab list --json
    """  # noqa: D301
    from p2smt.cli.main import FOUND
    from p2smt.cli.output.progress import VERSION, print_json, print_table
    from p2smt.run.lab.sweep import find_labs

    labs = find_labs()
    if as_json:
        entries = [
            {"id": lab.lab, "hosts": lab.hosts, "processes": list(lab.processes), "in_use": lab.in_use} for lab in labs
        ]
        print_json({"version": VERSION, "laboratories": entries})
    elif labs:
        rows = [[lab.lab, str(lab.hosts), str(len(lab.processes)), "yes" if lab.in_use else "no"] for lab in labs]
        print_table("laboratories", ("id", "hosts", "processes", "in use"), rows, right=(1, 2))
    else:
        click.echo("no laboratory is up")
    return FOUND


def _shape(text: str, bandwidth: str | None) -> "LabShape":
    """The laboratory of a system with the bandwidths that --bandwidth gives."""
    from dataclasses import replace

    from p2smt.problem.quantity import parse_bandwidth
    from p2smt.problem.system.text import find_system
    from p2smt.problem.text import parse_per_name
    from p2smt.run.lab.shape import lab_shape

    system = find_system(text)
    if bandwidth is not None:
        links = system.network.links
        rates = parse_per_name(bandwidth, [link.name for link in links], parse_bandwidth, "--bandwidth")
        changed = tuple(replace(link, bandwidth=rates.get(link.name, link.bandwidth)) for link in links)
        system = replace(system, network=replace(system.network, links=changed))
    return lab_shape(system)


def _check_levels(planned: list[int], shape: "LabShape") -> None:
    from p2smt.errors import LabError

    there = [*(tier.size for tier in shape.tiers), shape.ranks]
    if [size for size in planned if size > 1] != [size for size in there if size > 1]:
        ours, theirs = ("x".join(map(str, sizes)) for sizes in (there, planned))
        raise LabError(f"the plan is for levels {theirs}, the laboratory has {ours}; give the system of the plan")


def _run_plan(
    laboratory: "Laboratory",
    plan: Any,
    elements: int | None,
    dtype: str | None,
    repeats: int,
    timeout: float,
    debug: bool,
) -> Any:
    from p2smt.problem.model import DTYPE_BYTES
    from p2smt.run.lab.cluster import LabCluster

    dtype = dtype or plan.payload.dtype
    if elements is None:
        elements = min(plan.payload.elements, (4 << 20) // DTYPE_BYTES.get(dtype, 4))
    with LabCluster(laboratory, timeout_s=timeout, debug=debug) as cluster:
        return cluster.run(plan, elements=elements, dtype=dtype, repeats=repeats)


def _document(laboratory: "Laboratory") -> dict[str, Any]:
    shape = laboratory.shape
    return {
        "id": laboratory.lab,
        "levels": [{"name": tier.level, "size": tier.size, "bandwidth": tier.rate} for tier in shape.tiers],
        "ranks_per_host": shape.ranks,
        "mtu": laboratory.mtu,
        "hosts": [
            {"host": host.number, "namespace": host.namespace, "interface": host.interface, "address": host.address}
            for host in laboratory.hosts
        ],
    }


def _tiers(shape: "LabShape") -> str:
    tiers = ", ".join(f"{tier.level} {tier.size} at {tier.rate * 8 / 1e6:g} Mb/s" for tier in shape.tiers)
    return f"{tiers}, {shape.ranks} ranks per host"


def _ranks(laboratory: "Laboratory", host: int) -> str:
    first = host * laboratory.shape.ranks
    return f"{first}..{first + laboratory.shape.ranks - 1}" if laboratory.shape.ranks > 1 else str(first)
