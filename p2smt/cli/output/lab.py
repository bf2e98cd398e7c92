"""Output of `p2smt lab`."""

from collections.abc import Mapping, Sequence

import click

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.table import print_table
from p2smt.run.lab.laboratory import Laboratory
from p2smt.run.lab.sweep import LabStatus
from p2smt.wording import counted


def laboratory_document(laboratory: Laboratory) -> Document:
    """Return the document of a laboratory: its levels, and the addresses of its hosts."""
    shape = laboratory.shape
    return {
        "id": laboratory.lab,
        "levels": [{"name": tier.level, "size": tier.size, "bandwidth": tier.rate} for tier in shape.tiers],
        "ranks_per_host": shape.ranks if shape.tree is None else list(shape.ranks_on),
        "mtu": laboratory.mtu,
        "hosts": [
            {"host": host.number, "namespace": host.namespace, "interface": host.interface, "address": host.address}
            for host in laboratory.hosts
        ],
    }


def print_laboratory(laboratory: Laboratory, system: str) -> None:
    """Print the hosts of a laboratory, and commands to use it."""
    rows = [
        [str(host.number), host.namespace, host.interface, host.address, _ranks(laboratory, host.number)]
        for host in laboratory.hosts
    ]
    print_table(_heading(laboratory), ("host", "namespace", "card", "address", "ranks"), rows, right=(0,))
    click.echo(
        f"run a command there: ip netns exec {laboratory.hosts[0].namespace} COMMAND\n"
        f"run a plan there:    p2smt lab run {system} PLAN.json --id {laboratory.lab}\n"
        f"remove it:           p2smt lab down {laboratory.lab}"
    )


def print_heading(laboratory: Laboratory) -> None:
    """Print a one-line description of a laboratory."""
    click.echo(_heading(laboratory))


def removed_document(removed: Mapping[str, bool]) -> Document:
    """Return the document of removed laboratories, and of those kept because a run is active."""
    gone, stay = ([lab for lab, done in removed.items() if done is wanted] for wanted in (True, False))
    return {"version": VERSION, "removed": gone, "in_use": stay}


def print_removed(removed: Mapping[str, bool]) -> None:
    """Print the removed laboratories, and those kept because a run is active."""
    for lab, done in removed.items():
        click.echo(f"laboratory {lab}: {'removed' if done else 'a run is under way; --force removes it all the same'}")
    if not removed:
        click.echo("no laboratory is up")


def laboratories_document(labs: Sequence[LabStatus]) -> Document:
    """Return the document of all laboratories on this machine."""
    entries = [
        {"id": lab.lab, "hosts": lab.hosts, "processes": list(lab.processes), "in_use": lab.in_use} for lab in labs
    ]
    return {"version": VERSION, "laboratories": entries}


def print_laboratories(labs: Sequence[LabStatus]) -> None:
    """Print the laboratories on this machine."""
    if not labs:
        click.echo("no laboratory is up")
        return
    rows = [[lab.lab, str(lab.hosts), str(len(lab.processes)), "yes" if lab.in_use else "no"] for lab in labs]
    print_table("laboratories", ("id", "hosts", "processes", "in use"), rows, right=(1, 2))


def _heading(laboratory: Laboratory) -> str:
    shape = laboratory.shape
    tiers = ", ".join(f"{tier.level} {tier.size} at {tier.rate * 8 / 1e6:g} Mb/s" for tier in shape.tiers)
    if shape.tree is None:
        return f"laboratory {laboratory.lab}: {tiers}, {counted(shape.ranks, 'rank')} per host"
    on_hosts = ", ".join(map(str, shape.ranks_on))
    return f"laboratory {laboratory.lab}: at most {tiers}, units of unlike size, {on_hosts} ranks on the hosts"


def _ranks(laboratory: Laboratory, host: int) -> str:
    on_hosts = laboratory.shape.ranks_on
    first, ranks = sum(on_hosts[:host]), on_hosts[host]
    return f"{first}..{first + ranks - 1}" if ranks > 1 else str(first)
