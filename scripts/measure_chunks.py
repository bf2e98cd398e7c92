"""Measure plans in one piece and in chunks, one after the other by turns, in laboratories on this machine.

For every setting of lab_chunks.py: the plan that the model says is fastest in chunks, in one piece and in 2 to 32
chunks, where it gains and where it loses; beside it the fastest in one piece. Rows go to scripts/results/chunks.csv,
with what the model said after a fit to programs in one piece (lab_payloads.py), and of what calls and messages take of
the machine's cores to short ones in chunks on other hosts (lab_processors.py); settings that are there are left out.
Needs root, iproute2 and torch. Takes a quarter of an hour. `--predict` measures nothing: it says anew, for the rows
that are there, what the model says now.
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from lab_chunks import SETTINGS, Setting, problem_of, system_of
from lab_experiments import NIC
from lab_payloads import fitted_hosts, measure_payloads
from lab_processors import fitted_processors, measure_processors
from result_table import read, write

from p2smt.cost.bursts import seconds_with_bursts
from p2smt.cost.network.backend import Gloo, cost_of
from p2smt.cost.network.cost import Cost
from p2smt.cost.network.pipelining import Pipelines
from p2smt.emit.torch.source import emit_torch
from p2smt.errors import P2Error
from p2smt.problem.model import Problem
from p2smt.problem.system.network import System
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import Plan
from p2smt.reduction.synth.session import Synthesizer
from p2smt.run.lab.cluster import LabCluster
from p2smt.run.lab.laboratory import Laboratory, ended_by_signals
from p2smt.run.lab.shape import lab_shape

RESULTS = Path(__file__).parent / "results"
PAYLOADS = RESULTS / "lab_payloads.csv"
PROCESSORS = RESULTS / "lab_processors.csv"
CHUNKS = (2, 4, 8, 16, 32)
TURNS = 9
"""Runs of every variant, by turns; the first of them does not count."""


@dataclass(frozen=True, slots=True)
class Row:
    """One run of one variant of a setting: a program in some chunks, and what the model said beforehand."""

    setting: str
    program: str
    chunks: int
    predicted: float
    turn: int
    seconds: float
    wrong: int


def hosts_with_processors() -> System:
    """Hosts with all figures that are fitted to the two tables; raises MeasureError or CalibrationError."""
    hosts = fitted_hosts(PAYLOADS)
    return replace(hosts, network=replace(hosts.network, processors=fitted_processors(PROCESSORS, hosts)))


def fitted_system(setting: Setting, hosts: System) -> System:
    """The setting's system with the figures fitted to programs on other hosts."""
    system = system_of(setting)
    links = {link.name: link for link in hosts.network.links}
    share = links["nic"].bandwidth / NIC
    own = [
        replace(links["loopback"], name=link.name, level=link.level)
        if link.name == "loopback"
        else replace(link, bandwidth=link.bandwidth * share, latency=links["nic"].latency)
        for link in system.network.links
    ]
    return replace(system, network=replace(hosts.network, links=tuple(own)))


def _plans(problem: Problem) -> list[Plan]:
    (placed,) = Synthesizer().synthesize(problem).placements
    lowering = Lowering(problem, placed.matrix)
    return [lowering.plan(program) for program in placed.programs]


def variants(problem: Problem, cost: Cost) -> Iterator[Plan]:
    """The fastest plan in one piece, and the fastest in chunks: alone, and in several numbers of chunks."""
    plans = _plans(problem)
    alone = min(plans, key=cost.plan_seconds)
    best = Pipelines(cost).best(plans)
    yield alone
    if best is not None:
        whole = replace(best[0], chunks=1)
        if whole != alone:
            yield whole
        yield from (replace(whole, chunks=chunks) for chunks in sorted({*CHUNKS, best[0].chunks}))


def measured(setting: Setting, hosts: System) -> Iterator[Row]:
    """The rows of a setting."""
    problem = problem_of(setting, fitted_system(setting, hosts))
    cost = cost_of(problem.system, Gloo())
    plans = list(variants(problem, cost))
    groups = tuple(plans[0].groups(plans[0].reduction))
    sources = [emit_torch(plan) for plan in plans]
    with Laboratory(lab_shape(system_of(setting))) as laboratory, LabCluster(laboratory) as cluster:
        wrong = [
            cluster.time(source, plan.goal, groups, 5003, warmups=0, repeats=1, check=True).wrong
            for plan, source in zip(plans, sources, strict=True)
        ]
        for turn in range(TURNS):
            for plan, source, bad in zip(plans, sources, wrong, strict=True):
                report = cluster.time(source, plan.goal, groups, problem.payload.elements, warmups=0, repeats=1)
                predicted = float(f"{seconds_with_bursts(plan, cost):.6g}")
                seconds = float(f"{report.seconds:.6g}")
                if turn:
                    yield Row(str(setting), plan.program, plan.chunks, predicted, turn, seconds, bad)


def predicted_anew(rows: Sequence[Row], hosts: System) -> list[Row]:
    """The rows with what the model says now of their programs; of programs that it does not know, what it said."""
    seconds: dict[tuple[str, str, int], float] = {}
    for setting in SETTINGS:
        asked = {(row.program, row.chunks) for row in rows if row.setting == str(setting)}
        problem = problem_of(setting, fitted_system(setting, hosts))
        cost = cost_of(problem.system, Gloo())
        for plan in _plans(problem):
            for program, chunks in asked:
                if program == plan.program:
                    taken = seconds_with_bursts(replace(plan, chunks=chunks), cost)
                    seconds[str(setting), program, chunks] = float(f"{taken:.6g}")
    return [replace(row, predicted=seconds.get((row.setting, row.program, row.chunks), row.predicted)) for row in rows]


def main() -> int:
    """Measure what is missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=RESULTS / "chunks.csv")
    parser.add_argument("--predict", action="store_true", help="only say anew what the model says")
    given = parser.parse_args()
    try:
        rows = read(given.out, Row)
        if given.predict:
            write(given.out, predicted_anew(rows, hosts_with_processors()), Row)
            return 0
        with ended_by_signals():
            wrong = measure_payloads(PAYLOADS) + measure_processors(PROCESSORS)
            hosts = hosts_with_processors()
            for setting in SETTINGS:
                if str(setting) in {row.setting for row in rows}:
                    continue
                rows += measured(setting, hosts)
                write(given.out, rows, Row)
                print(f"{setting}: done", file=sys.stderr)
    except (P2Error, OSError) as error:
        print(f"measure_chunks: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("measure_chunks: interrupted; the same command goes on", file=sys.stderr)
        return 130
    return 1 if wrong or any(row.wrong for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
