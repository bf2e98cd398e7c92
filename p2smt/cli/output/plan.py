"""Writing plans, and the messages if there is none."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.exit_code import ExitCode, of_search
from p2smt.cli.output.document import VERSION, print_json
from p2smt.cli.output.files import write_and_say
from p2smt.cli.output.screen import DOT
from p2smt.cli.output.written import wants_document

NOTHING_YET = "nothing was found in this time; allow a longer --timeout, or try a smaller --limit"
"""Printed if a search ended before it found anything; a result may still exist."""

if TYPE_CHECKING:
    from p2smt.cost.cheapest import CheapestPlan
    from p2smt.cost.cheapest_chunks import CheapestChunks
    from p2smt.cost.network.cost import Cost
    from p2smt.cost.ranking import RankedPlacement, RankedProgram
    from p2smt.problem.model import Problem
    from p2smt.reduction.plan.model import Plan


def no_plan(*, complete: bool) -> ExitCode:
    """Report on stderr that there is no plan (`complete`), or that the search ended before finding one."""
    if wants_document():
        print_json({"version": VERSION, "plan": None, "complete": complete})
    none = "no program does this reduction on this hierarchy within the limit"
    click.echo(f"p2smt: {none if complete else f'stopped early: {NOTHING_YET}'}", err=True)
    return of_search(found=False, complete=complete)


def write_ranked(path: Path, placement: "RankedPlacement", program: "RankedProgram", *, force: bool) -> None:
    """Write the plan of a ranked program, and report its speedup on stderr."""
    _write(path, program.plan, placement.allreduce_seconds, program.seconds, force=force)


def write_plan(
    path: Path | None, plan: "Plan", problem: "Problem", cost: "Cost", claim: str = "", *, force: bool
) -> None:
    """Write a plan to a file, or to stdout without a path; report its speedup and `claim` on stderr."""
    from p2smt.reduction.plan.lower import Lowering

    plain = cost.plan_seconds(Lowering(problem, plan.matrix).direct)
    _write(path, plan, plain, cost.plan_seconds(plan), claim, force=force)


def chunks_claim(cheapest: "CheapestPlan | CheapestChunks") -> str:
    """Return a claim about the chosen program among all programs in chunks; empty if chunks were not requested."""
    from p2smt.cost.above_wire import above_text
    from p2smt.cost.cheapest_chunks import CheapestChunks
    from p2smt.cost.network.pipelining import MOST_CHUNKS

    if not isinstance(cheapest, CheapestChunks):
        return ""
    weighed = f"1, 2, 4 ... {MOST_CHUNKS} chunks"
    said = []
    # In order of strength: a proof, a bound for the numbers tried, a bound for all numbers.
    if cheapest.every:
        said.append(f"no program of any length takes less in {weighed}")
    elif cheapest.weighed_least_s:
        above = above_text(cheapest.seconds, cheapest.weighed_least_s)
        said.append(f"at most {above} above what any program takes in {weighed}")
    if cheapest.least_s:
        above = above_text(cheapest.seconds, cheapest.least_s)
        said.append(f"at most {above} above what any takes in any number up to {MOST_CHUNKS}")
    return "; ".join(said)


def _busbw(plan: "Plan", seconds: float) -> float | None:
    """Return the bus bandwidth of a plan in bytes/s; None on systems with units of different sizes."""
    from p2smt.cost.bus_bandwidth import bus_bandwidth

    if plan.system is not None and plan.system.is_uneven:
        return None
    return bus_bandwidth(plan.goal, plan.groups(plan.reduction).size, plan.payload.bytes, seconds)


def _write(path: Path | None, plan: "Plan", plain_s: float, seconds: float, claim: str = "", *, force: bool) -> None:
    from p2smt.cost.extrapolation import is_extrapolated
    from p2smt.reduction.language.short_text import short_steps
    from p2smt.reduction.plan.file import plan_text

    known = plan.system is not None and not is_extrapolated(plan.system, plan.payload.bytes)
    gain = f", {plain_s / seconds:.2f}x over one {plan.goal}" if known and seconds else ""
    names = ("root", *(level.name for level in plan.reduction_levels))
    short = f" {DOT} ".join(short_steps(plan.program, names))
    chunks = f" in {plan.chunks} chunks" if plan.chunks > 1 else ""
    what = f"placement {plan.matrix}, {short}{chunks}{gain}{f'; {claim}' if claim else ''}"
    text = plan_text(plan)
    facts = {
        "matrix": str(plan.matrix),
        "seconds": seconds,
        "busbw_bytes_per_s": _busbw(plan, seconds),
        "plain_seconds": plain_s,
        "claim": claim,
        "plan": json.loads(text),
    }
    hint = f"p2smt emit {path or 'FILE'} --out reduction.py"
    write_and_say(path, text, what, hint, force=force, facts=facts)
