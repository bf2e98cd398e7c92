"""Judge `p2smt calibrate` and the presets on public measurements of NCCL.

    .venv/bin/python scripts/judge_logs.py > scripts/results/logs.md
    .venv/bin/python scripts/judge_logs.py --clones FOLDER > scripts/results/public_logs.md

The first compares the presets as they come with `public_tables.csv`, fits each of its tables alone and those of one
cluster together, and tries the kinds of logs and the spoilt logs of the tests. The second fits the logs of the
repositories named in `LOGS` below, of which FOLDER has clones, as `owner/name` or `owner+name`; no log is kept here.
"""

import argparse
import csv
import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from math import exp, log
from pathlib import Path
from statistics import fmean, median

from p2smt.collective import NeighbourSend
from p2smt.cost.calibration.calibrate import read_data
from p2smt.cost.calibration.doubts import doubts
from p2smt.cost.calibration.fit import Fit, FitRow
from p2smt.cost.calibration.fit_measured import fit_measured
from p2smt.cost.calibration.measurement import Measurement, Transfer
from p2smt.cost.calibration.nccl_tests import read_nccl_text
from p2smt.cost.network.all_to_all import all_to_all_cost
from p2smt.cost.network.backend import Nccl, cost_of
from p2smt.cost.network.neighbour_send import neighbour_send_cost
from p2smt.errors import P2Error
from p2smt.problem.quantity import format_bytes, parse_bandwidth
from p2smt.problem.system.file import resized
from p2smt.problem.system.network import SIMPLE_FROM, System
from p2smt.problem.system.text import find_system

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from cost.calibration import logs
from cost.calibration.kinds import kinds, outcome
from cost.calibration.test_table_fit import fitted, spoilt
from tiers import evenly_spaced

TABLES = Path(__file__).with_name("public_tables.csv")
JOINT = ("dgx-h100", ("all_gather", "reduce_scatter"))
"""The cluster and the tests that are fitted together."""

_CLUSTER = "benchmarks/example-cluster01/nccl-benchmark-results"
LOGS = (
    ("xxrjun/nccl-tests-cluster", f"{_CLUSTER}/multi-node/*without-debug/logs/*N10_G8.log", "dgx-h100:10x8", 1),
    ("xxrjun/nccl-tests-cluster", f"{_CLUSTER}/multi-node/*without-debug/logs/*N10_G4.log", "dgx-h100:10x4", 1),
    ("xxrjun/nccl-tests-cluster", f"{_CLUSTER}/multi-node/*without-debug/logs/*N10_G2.log", "dgx-h100:10x2", 1),
    ("xxrjun/nccl-tests-cluster", f"{_CLUSTER}/multi-node/*without-debug/logs/*N10_G1.log", "dgx-h100:10x1", 1),
    ("xxrjun/nccl-tests-cluster", f"{_CLUSTER}/single-node/*without-debug/logs/*N1_G8*.log", "dgx-h100:1x8", 2),
    ("xxrjun/nccl-tests-cluster", f"{_CLUSTER}/single-node/*without-debug/logs/*N1_G4*.log", "dgx-h100:1x4", 2),
    ("xxrjun/nccl-tests-cluster", "*pairwise*without-debug/logs/*N2_G8*.log", "dgx-h100:2x8", 2),
    ("xxrjun/nccl-tests-cluster", "*pairwise*without-debug/logs/*N2_G1_*.log", "dgx-h100:2x1", 2),
    ("argonne-lcf/alcf-nccl-tests", "results_polaris/*/n2.g4*/all_reduce*", "node:2,gpu:4", 3),
    ("argonne-lcf/alcf-nccl-tests", "results_polaris/*/n2.g4*/all_gather*", "node:2,gpu:4", 3),
    ("argonne-lcf/alcf-nccl-tests", "results_polaris/*/n8.g4*/all_reduce*", "node:8,gpu:4", 3),
    ("argonne-lcf/alcf-nccl-tests", "results_polaris/*/n8.g4*/alltoall*", "node:8,gpu:4", 2),
    ("argonne-lcf/alcf-nccl-tests", "results_polaris/*/n128.g4*/*output.dat.[15]", "node:128,gpu:4", 6),
    ("argonne-lcf/alcf-nccl-tests", "results_polaris/*/n540.g4*/*output.dat.5", "node:540,gpu:4", 3),
    ("microsoft/superbenchmark", "tests/data/nccl_*.log", "dgx-a100:1x8", 6),
    ("lessizzmore/create-a3mega-ztan-fork", "*NCCL-test-result*", "gcp-a3-mega:2x8", 1),
    ("aws-samples/aws-efa-eks", "README.md", "aws-p4d:2x8", 1),
    ("coreweave/nccl-tests", "README.md", "gb200-nvl72:1x72", 1),
    ("rcgsheffield/sheffield_hpc", "stanage/software/libs/cuda.rst", "node:1,gpu:4", 1),
    ("rcgsheffield/sheffield_hpc", "bessemer/software/libs/cuda.rst", "node:1,gpu:4", 1),
    ("GoogleCloudPlatform/cluster-toolkit", "examples/gke-a3-megagpu/README.md", "gcp-a3-mega:2x8", 1),
    ("GoogleCloudPlatform/cluster-toolkit", "examples/gke-a3-highgpu/multi-node-test-plan.md", "gcp-a3-high:2x8", 1),
    ("GoogleCloudPlatform/cluster-toolkit", "examples/gke-consumption-options/*start/README.md", "gcp-a3-ultra:2x8", 1),
    ("dstackai/dstack", "*examples/clusters/nebius.md", "dgx-h100:2x8", 1),
    ("dstackai/dstack", "*examples/clusters/lambda.md", "hgx-b200:2x8", 1),
    ("li-plus/playground", "cuda/bw.md", "dgx-a100:1x8", 1),
    ("hisohara/ai-scripts", "training/01_rccl-smoketest/README.md", "mi300x:8x8", 1),
    ("eth-cscs/cscs-docs", "docs/software/communication/nccl.md", "node:2,gpu:4", 1),
)
"""Repository, files, the system that was measured, and how many of the files are read, evenly spaced."""


@dataclass(frozen=True)
class PublicTable:
    """A table of bus bandwidth by message size."""

    system: str
    test: str
    rates: tuple[tuple[int, float], ...]

    @property
    def text(self) -> str:
        """The table as nccl-tests would print it."""
        system = find_system(self.system)
        hosts, each = system.machines, system.inside
        factor = {"all_reduce": logs.twice, "sendrecv": lambda ranks: 1.0, "reduce": lambda ranks: 1.0}
        by = factor.get(self.test, logs.once)
        times = [(size, by(hosts * each) * size / rate) for size, rate in self.rates]
        parts = hosts * each if by is logs.once else 1
        redop = "none" if self.test in ("all_gather", "alltoall") else "sum"
        root = 0 if self.test == "reduce" else -1
        return logs.table(times, hosts, each, by, name=self.test, parts=parts, redop=redop, root=root)


def public_tables(path: Path = TABLES) -> list[PublicTable]:
    """Return the tables of a CSV file."""
    rates: dict[tuple[str, str], list[tuple[int, float]]] = defaultdict(list)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            rates[row["system"], row["test"]].append((int(row["bytes"]), parse_bandwidth(row["busbw"])))
    return [PublicTable(system, test, tuple(rows)) for (system, test), rows in rates.items()]


def by_preset(one: Measurement, system: System) -> float:
    """Return the seconds that a system's parameters predict, with NCCL's own choice of algorithm."""
    (work,) = one.works
    sized = resized(system, one.sizes)
    if not isinstance(work, Transfer):
        return cost_of(sized, Nccl()).work_cost(work).seconds
    if work.goal is NeighbourSend.AROUND:
        return neighbour_send_cost(work.goal, work.pattern, work.held, sized).seconds
    return all_to_all_cost(work.pattern, work.held, sized).seconds


def measured(table: PublicTable, system: System) -> Sequence[Measurement]:
    """Return the rows of a table as `calibrate` reads them."""
    return read_nccl_text(table.text, "table", system, None).measurements


def tables_of(fit: Fit) -> list[list[FitRow]]:
    """Return the rows of each table, ascending."""
    found: dict[str, list[FitRow]] = defaultdict(list)
    for row in sorted(fit.rows, key=lambda row: row.measurement.size):
        found[row.measurement.table].append(row)
    return list(found.values())


def largest_and_median(rows: Sequence[FitRow]) -> tuple[float, float]:
    """Return predicted / measured of the largest message, and the median error in percent from 1 MiB on."""
    large = [abs(row.log_error) for row in rows if row.measurement.size >= SIMPLE_FROM] or [abs(rows[-1].log_error)]
    return exp(rows[-1].log_error), 100 * (exp(median(large)) - 1)


def print_presets(tables: Sequence[PublicTable]) -> None:
    """Print predicted / measured of the presets as they come, and of each table fitted alone."""
    sizes = sorted({size for table in tables for size, _ in table.rates})
    print("## Presets as they come\n\nPredicted / measured time, NCCL choosing the algorithm.\n")
    print("|".join(["| table", *map(format_bytes, sizes), "busbw measured", "predicted |"]))
    print("|---" * (len(sizes) + 3) + "|")
    near = 0
    for table in tables:
        system = find_system(table.system)
        rows = measured(table, system)
        ratios = {one.size: by_preset(one, system) / one.seconds for one in rows}
        last = rows[-1]
        near += abs(ratios[last.size] - 1) <= 0.2
        cells = [f"{ratios[size]:.2f}" if size in ratios else "" for size in sizes]
        rate = last.busbw / 1e9
        print("|".join([f"| {table.system} {table.test}", *cells, f"{rate:.4g}", f"{rate / ratios[last.size]:.4g} |"]))
    print(f"\n{near} of {len(tables)} tables within 20 % at the largest message.\n")


def print_fitted(tables: Sequence[PublicTable]) -> None:
    """Print the errors of each table fitted alone, and of those of one cluster fitted together."""
    print("## Fitted, each table alone\n\n| table | looks like | largest message | median error from 1 MiB on |")
    print("|---|---|---|---|")
    found = []
    for table in tables:
        system = find_system(table.system)
        fit = fit_measured(system, measured(table, system))
        (rows,) = tables_of(fit)
        found.append(largest_and_median(rows))
        ratio, off = found[-1]
        print(f"| {table.system} {table.test} | {_carried(fit)} | {ratio:.2f} | {off:.0f} % |")
    _print_summary(found)


def _carried(fit: Fit) -> str:
    named = [str(one) for one in (getattr(fit, "inside", None), getattr(fit, "between", None)) if one is not None]
    return ", ".join(named) or "ring"


def _print_summary(found: Sequence[tuple[float, float]]) -> None:
    near = sum(abs(log(ratio)) <= log(1.1) for ratio, _ in found)
    close = sum(off <= 25 for _, off in found)
    worst = max(found, key=lambda one: abs(log(one[0])))[0]
    print(
        f"\nLargest message within 10 %: {near} of {len(found)} (the farthest {worst:.2f}). Median error from 1 MiB on "
        f"at most 25 %: {close} of {len(found)} (the largest {max(off for _, off in found):.0f} %).\n"
    )


def print_joint(title: str, system: System, rows: Sequence[Measurement]) -> None:
    """Print the error of a fit to several tables, and with each group of tables left out."""
    fit = fit_measured(system, rows)
    left = fit.unseen_mean_abs_log_error or 0.0
    tables = tables_of(fit)
    print(f"## Together\n\n{title}: {len(tables)} tables, {len(fit.rows)} rows, mean |ln(predicted / measured)|")
    print(f"{fit.mean_abs_log_error:.3f}, {left:.3f} with the table's group left out.\n\n| table | mean |\n|---|---|")
    for one in tables:
        print(f"| {one[0].measurement.group} | {fmean(abs(row.log_error) for row in one):.3f} |")
    print()


def print_kinds() -> None:
    """Print what became of every kind of log."""
    print("## Kinds of logs\n\n| log | system | what comes of it | as it should |\n|---|---|---|---|")
    good, number = 0, 0
    for kind in kinds():
        found = outcome(kind)
        said = found.refusal[:90] or ", ".join(found.doubts) or f"fitted, {max(found.largest, key=_off):.2f}"
        good += found.is_expected(kind)
        number += 1
        print(f"| {kind.name} | {kind.system} | {said} | {'yes' if found.is_expected(kind) else 'NO'} |")
    print(f"\n{good} of {number} as they should.\n")


def _off(ratio: float) -> float:
    return abs(log(ratio))


def print_spoilt(count: int) -> None:
    """Print what became of random spoilt logs; nonsense is a fit without a doubt that is 10 % off the clean one's."""
    refused = doubted = same = nonsense = 0
    for seed in range(count):
        text, rate = spoilt(random.Random(seed))
        try:
            fit, doubtful = fitted(text)
        except P2Error:
            refused += 1
            continue
        clean, _ = fitted(logs.all_reduce(rate=rate))
        off = fit.system.network.links[0].bandwidth / clean.system.network.links[0].bandwidth
        doubted += bool(doubtful)
        same += not doubtful and abs(log(off)) < log(1.1)
        nonsense += not doubtful and abs(log(off)) >= log(1.1)
    print("## Spoilt logs\n\nRows deleted or doubled, other units, two clusters mixed (`tests/cost/calibration/`):")
    print(
        f"{count} logs, {refused} refused, {doubted} doubted, {same} fitted as before, {nonsense} fitted to nonsense."
    )


def clone_of(folder: Path, repository: str) -> Path | None:
    """Return the git directory of a repository's clone."""
    names = (folder / repository, folder / repository.replace("/", "+"))
    each = [path for name in names for path in (name / ".git", name / "repo", name)]
    return next((path for path in each if (path / "HEAD").exists()), None)


def files_of(clone: Path, pattern: str, count: int) -> Iterator[tuple[str, bytes]]:
    """Yield `count` files of a clone that match a pattern, evenly spaced, with what is in them."""
    git = ("git", f"--git-dir={clone}")
    names = subprocess.run([*git, "ls-tree", "-r", "--name-only", "HEAD"], capture_output=True, text=True, check=True)
    found = sorted(name for name in names.stdout.splitlines() if fnmatch(name, pattern))
    for name in evenly_spaced(found, count):
        yield name, subprocess.run([*git, "show", f"HEAD:{name}"], capture_output=True, check=True).stdout


def print_public(folder: Path) -> None:
    """Print what becomes of the logs of public repositories."""
    print("# Public logs\n\n`scripts/judge_logs.py --clones FOLDER`; no log is kept here, and none was edited.\n")
    print(
        "Ratios are predicted / measured time of each table's largest message, fitted and by the preset as it comes.\n"
    )
    print("| repository, file | system | looks like | fitted | median errors from 1 MiB on, % | preset | warnings |")
    print("|---|---|---|---|---|---|---|")
    every: list[tuple[float, float]] = []
    joint: dict[str, bytes] = {}
    for repository, pattern, named, count in LOGS:
        clone = clone_of(folder, repository)
        for name, content in files_of(clone, pattern, count) if clone else ():
            system = find_system(named)
            with tempfile.TemporaryDirectory() as place:
                path = Path(place, Path(name).name)
                path.write_bytes(content)
                try:
                    read = read_data([path], system)
                except P2Error as error:
                    print(f"| {repository} {path.name} | {named} | refused: {str(error).replace(place, '')} | | | | |")
                    continue
                fit = fit_measured(system, read.measurements)
            found = [largest_and_median(rows) for rows in tables_of(fit)]
            doubtful = dict.fromkeys(str(doubt.kind) for doubt in doubts(fit, system))
            every += [] if doubtful else found
            joint.setdefault(named, content)
            ratios = " ".join(f"{ratio:.2f}" for ratio, _ in found)
            offs = " ".join(f"{off:.0f}" for _, off in found)
            last = [rows[-1].measurement for rows in tables_of(fit)] if system.name else []
            preset = " ".join(f"{by_preset(one, system) / one.seconds:.2f}" for one in last)
            cells = (f"{repository} {path.name}", named, _carried(fit), ratios, offs, preset, ", ".join(doubtful))
            print(f"| {' | '.join(cells)} |")
    _print_summary(every)
    system = find_system("dgx-h100:10x8")
    texts = [joint[f"{JOINT[0]}:{sizes}"] for sizes in ("10x8", "10x1", "1x8") if f"{JOINT[0]}:{sizes}" in joint]
    each = [read_nccl_text(text.decode(), f"log {number}", system, None) for number, text in enumerate(texts)]
    rows = [one for read in each for one in read.measurements if one.group.split()[0] in JOINT[1]]
    if rows:
        print_joint("All-gathers and reduce-scatters of ten DGX H100", system, rows)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print tables in Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clones", type=Path, metavar="FOLDER")
    parser.add_argument("--spoilt", type=int, default=40, metavar="N", help="how many spoilt logs are tried [40]")
    given = parser.parse_args(arguments)
    if given.clones is not None:
        print_public(given.clones)
        return 0
    tables = public_tables()
    print("# Logs of NCCL: presets, fits, kinds, spoilt logs\n")
    print("`scripts/judge_logs.py`, on `scripts/public_tables.csv`.\n")
    print_presets(tables)
    print_fitted(tables)
    system = find_system("dgx-h100:10x8")
    together = [one for one in tables if one.system.startswith(JOINT[0]) and one.test in JOINT[1]]
    rows = [row for one in together for row in _placed(one, system)]
    print_joint("All-gathers and reduce-scatters of ten DGX H100", system, rows)
    print_kinds()
    print_spoilt(given.spoilt)
    return 0


def _placed(table: PublicTable, system: System) -> Sequence[Measurement]:
    """Return the rows of a table of a part of a system, with the table's name as their place."""
    return read_nccl_text(table.text, f"{table.system} {table.test}", system, None).measurements


if __name__ == "__main__":
    sys.exit(main())
