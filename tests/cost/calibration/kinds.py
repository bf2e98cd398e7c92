"""The kinds of public logs of nccl-tests that were tried, each rebuilt small from its description.

What should come of each: it is fitted without an edit, doubted under a name (and not written), or refused for a reason.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import exp
from pathlib import Path

from cost.calibration import logs

from p2smt.cost.calibration.doubts import doubts
from p2smt.cost.calibration.files import MeasuredFile, measurements
from p2smt.cost.calibration.fit_measured import fit_measured
from p2smt.errors import P2Error
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.text import find_system

H100 = "NVIDIA H100 80GB HBM3"
LARGE = tuple(2**power for power in range(20, 34))
SMALL_TOO = tuple(2**power for power in range(3, 34))


@dataclass(frozen=True)
class Kind:
    """A log, its file's name, the system that it is of, and what should come of it.

    `doubt` is the name of a warning, `refusal` a part of a message; without both it is fitted.
    """

    name: str
    text: str
    system: str
    file: str = "a.log"
    doubt: str = ""
    refusal: str = ""
    algorithm: str = ""


def of(test: str, hosts: int, each: int, rate: float, begin: float, sizes=LARGE, named: bool = True, **more) -> str:
    """A table of a test."""
    factor = {"all_reduce": logs.twice, "sendrecv": lambda ranks: 1.0}.get(test, logs.once)
    parts = hosts * each if test in ("all_gather", "reduce_scatter", "alltoall") else 1
    redop = "sum" if test in ("all_reduce", "reduce_scatter", "sendrecv") else "none"
    times = logs.points(hosts * each, factor, rate, begin, sizes)
    said = {"name": test if named else "", "redop": redop, "parts": parts} | more
    return logs.table(times, hosts, each, factor, **said)


def five(hosts: int, each: int, rates: tuple[float, ...], begin: float) -> str:
    """Five tests in one file, as a loop over the programs prints them."""
    tests = ("all_reduce", "all_gather", "reduce_scatter", "alltoall", "sendrecv")
    return "".join(of(test, hosts, each, rate, begin) for test, rate in zip(tests, rates, strict=True))


def listed(text: str, hosts: int, each: int, keep) -> str:
    """The text with some lines of its device list."""
    lines = logs.devices(hosts, each).splitlines(keepends=True)
    return text.replace("".join(lines), "".join(line for place, line in enumerate(lines) if keep(place)))


def bare(text: str) -> str:
    """The text without device lists."""
    return re.sub(r"(?m)^# Using devices\n|^#  Rank .*\n", "", text)


def rccl(text: str) -> str:
    """The text with the columns of rccl-tests for algorithm, protocol and channels."""
    return re.sub(r"(?m)^( +\d+ +\d+ .*)$", r"\1     RING    SIMPLE     16", text).replace(
        "busbw #wrong\n", "busbw #wrong     algo    proto    channels\n"
    )


def kinds() -> Iterator[Kind]:
    """Yield all kinds."""
    yield from clusters()
    yield from spoilt_runs()
    yield from pages()


def clusters() -> Iterator[Kind]:
    """Yield whole logs of clusters."""
    polaris = of("all_reduce", 2, 4, 16e9, 60e-6, SMALL_TOO, named=False)
    yield Kind("Slingshot, all-reduce, 2x4", polaris, "node:2,gpu:4")
    yield Kind("all-gather, 2x4, from 8 bytes", of("all_gather", 2, 4, 14e9, 50e-6, SMALL_TOO), "node:2,gpu:4")
    old = of("alltoall", 2, 4, 9e9, 80e-6, named=False, redop="")
    yield Kind("old all-to-all, named by its file", old, "node:2,gpu:4", "n2_alltoall.txt")
    yield Kind("old all-to-all without a name", old, "node:2,gpu:4", refusal="the table does not name its collective")
    yield Kind("all-reduce, 128x4", of("all_reduce", 128, 4, 14e9, 3e-3, SMALL_TOO), "node:128,gpu:4")
    yield Kind("all-reduce, 540x4", of("all_reduce", 540, 4, 12e9, 15e-3, SMALL_TOO), "node:540,gpu:4")
    p5 = of("all_reduce", 2, 8, 470e9, 150e-6, SMALL_TOO)
    yield Kind("EFA with mpirun --tag-output", logs.tagged(p5, "[1,0]<stdout>:"), "aws-p5:2x8")
    mega = of("all_reduce", 2, 8, 330e9, 200e-6, SMALL_TOO)
    yield Kind("Markdown that took the #", mega.replace("#", ""), "gcp-a3-mega:2x8")
    yield Kind("five tests, 10x8", five(10, 8, (320e9, 324e9, 323e9, 50e9, 15.2e9), 6e-4), "dgx-h100:10x8")
    yield Kind("five tests, 10x1", five(10, 1, (48e9, 48e9, 48e9, 45e9, 25e9), 9e-5), "dgx-h100:10x1")
    yield Kind("five tests, 1x8", five(1, 8, (480e9, 362e9, 364e9, 348e9, 367e9), 5e-5), "dgx-h100:1x8")
    pairs = of("alltoall", 2, 1, 13.5e9, 4e-5) + of("sendrecv", 2, 1, 13.6e9, 4e-5)
    yield Kind("pairs of machines, all-to-all and sendrecv", pairs, "dgx-h100:2x1")
    yield Kind("30 rows with 25 small ones", of("all_reduce", 2, 4, 74e9, 90e-6, SMALL_TOO[:27]), "node:2,gpu:4")
    alone = logs.table(logs.points(1, logs.twice, 3e11, 1e-5), 1, 1, lambda ranks: 0.0, name="all_reduce")
    yield Kind("one GPU alone", alone, "node:1,gpu:4", refusal="busbw is 0, as of one rank")
    two = of("all_reduce", 2, 4, 75e9, 9e-5) + of("all_reduce", 2, 4, 3.3e9, 9e-5)
    yield Kind("two runs, 23 times apart", two, "node:2,gpu:4", doubt="contradiction")
    yield Kind("all-reduce, 2x1", of("all_reduce", 2, 1, 23e9, 6e-5), "node:2,gpu:1")
    p4d = logs.tagged(of("all_reduce", 2, 8, 43e9, 3e-4, SMALL_TOO, named=False), "[1,0]<stdout>:")
    yield Kind("EFA of 2021, tagged", p4d, "aws-p4d:2x8")
    yield Kind("rccl's columns", rccl(of("all_reduce", 1, 8, 30e9, 9e-5)), "node:1,gpu:8")
    gb10 = of("all_gather", 2, 1, 22e9, 5e-5) + of("all_gather", 2, 1, 2.7e9, 5e-5)
    yield Kind("two runs, 8 times apart", gb10, "dgx-spark", doubt="contradiction")
    tail = listed(of("all_reduce", 18, 4, 835e9, 1.2e-4, LARGE[8:]), 18, 4, lambda place: place == 72)
    yield Kind("the last rank's line alone", tail, "gb200-nvl72:1x72")


def spoilt_runs() -> Iterator[Kind]:
    """Yield logs of runs that went wrong, and parts of logs."""
    twice = re.sub(r"Rank +\d+", "Rank  0", of("all_reduce", 2, 4, 16e9, 9e-5))
    yield Kind("one process per rank without MPI", twice, "node:2,gpu:4", refusal="names rank 0 twice")
    trees = bare(of("all_reduce", 2, 4, 40e9, 9e-5))
    yield Kind("no device list, tree by its file", trees, "node:2,gpu:4", "all_reduce_tree.log")
    cut = listed(of("all_reduce", 16, 8, 180e9, 9e-4), 16, 8, lambda place: place < 6)
    yield Kind("device list cut to five of 128", cut, "dgx-a100:16x8")
    wrong = of("all_reduce", 2, 4, 16e9, 9e-5).replace("      0 ", "    123 ", 400).replace("      0\n", "    123\n")
    yield Kind("wrong elements", wrong, "node:2,gpu:4", refusal="all rows have wrong elements")
    fewer = of("all_reduce", 2, 4, 16e9, 9e-5).replace(logs.devices(2, 4), logs.devices(2, 8))
    yield Kind("rates of 8 ranks below 16 devices", fewer, "node:2,gpu:8", refusal="1.75")
    unnamed = of("sendrecv", 1, 8, 367e9, 4e-5, named=False)
    yield Kind("sendrecv without its name", unnamed, "dgx-h100:1x8")


def pages() -> Iterator[Kind]:
    """Yield pages, and what launchers and people print around tables."""
    gather = of("all_gather", 4, 8, 300e9, 2e-4, named=False)
    command = "srun --nodes=4 --label \\\n  -- all_gather_perf -b 64K -e 8G -f 2\n"
    labelled = "".join(f" 0: {line}\n" for line in gather.splitlines())
    yield Kind("srun --label, command over two lines", command + labelled, "dgx-h100:4x8")
    other = "```\n#bytes #iterations t_min[usec] t_max[usec]\n 2 1000 3.4 10.4 3.46 3.48 0.12 3.62\n"
    page = f"```\n{of('all_reduce', 2, 4, 60e9, 9e-5)}{other}```\n{of('all_reduce', 2, 4, 1e9, 9e-5)}```\n"
    yield Kind("a page with another tool and a slow network", page, "node:2,gpu:4", doubt="contradiction")
    both = of("all_reduce", 2, 1, 1.2e9, 2e-4) + of("all_reduce", 4, 1, 15.7e9, 9e-5)
    yield Kind("TCP on 2 ranks and RoCE on 4", both, "node:4,gpu:1", doubt="largest-message")
    mixed = of("all_reduce", 2, 8, 380e9, 2e-4, named=False) + of("alltoall", 2, 8, 50e9, 2e-4)
    yield Kind("all-reduce and all-to-all on a page", mixed, "dgx-h100:2x8", "h100_allreduce.md")
    nvls = of("all_reduce", 2, 8, 487e9, 2e-4)
    yield Kind("told a ring where it is more", nvls, "aws-p5:2x8", doubt="above-line-rate", algorithm="ring")
    info = "".join(f"h0:9:9 [{r}] NCCL INFO comm 0x5 rank {r} nranks 8 cudaDev {r} - Init COMPLETE\n" for r in range(8))
    rows = "".join(f"{line}\n" for line in of("all_reduce", 1, 8, 30e9, 9e-5).splitlines() if line[:1] == " ")
    yield Kind("the end of a log, without a heading", info + rows, "node:1,gpu:8")
    jitter = re.sub(r"( +2097152 .*?-1 +)\d+\.?\d*", r"\g<1>99999", of("all_reduce", 2, 4, 16e9, 9e-5))
    yield Kind("a row that jitters", jitter, "node:2,gpu:4")
    gke = "kubectl exec host-1 -- /scripts/allgather.sh host-1 host-2\n\n" + bare(
        of("all_gather", 2, 8, 188e9, 1e-4, named=False)
    )
    yield Kind("a script names the test", gke, "gcp-a3-mega:2x8")
    ends = "".join(
        f"==== {hosts}-node ====\n" + "".join(of("all_reduce", hosts, 8, 348e9, 4e-4).splitlines(True)[-6:])
        for hosts in (2, 4, 8)
    )
    yield Kind("the last rows of three runs", "mpirun all_reduce_perf -g 1\n" + ends, "mi300x:8x8")


@dataclass(frozen=True)
class Outcome:
    """What became of a log: a refusal, or names of doubts and predicted / measured of each table's largest message."""

    refusal: str = ""
    doubts: tuple[str, ...] = ()
    largest: tuple[float, ...] = ()

    def is_expected(self, kind: Kind) -> bool:
        """Whether it is what should come of the kind; a fit counts within 10 % at the largest messages."""
        if kind.refusal:
            return kind.refusal in self.refusal
        if self.refusal or bool(self.doubts) != bool(kind.doubt):
            return False
        return kind.doubt in self.doubts if kind.doubt else all(1 / 1.11 < ratio < 1.11 for ratio in self.largest)


def outcome(kind: Kind) -> Outcome:
    """Read and fit a log as the command does."""
    system = find_system(kind.system)
    algorithm = Algorithm(kind.algorithm) if kind.algorithm else None
    try:
        read = measurements(MeasuredFile(Path(kind.file), kind.text.encode()), system, algorithm)
        fit = fit_measured(system, read.measurements)
    except P2Error as error:
        return Outcome(refusal=str(error))
    tables: dict[str, tuple[int, float]] = {}
    for row in fit.rows:
        one = row.measurement
        tables[one.table] = max(tables.get(one.table, (0, 0.0)), (one.size, exp(row.log_error)))
    doubtful = dict.fromkeys(str(doubt.kind) for doubt in doubts(fit, system))
    return Outcome(doubts=tuple(doubtful), largest=tuple(ratio for _, ratio in tables.values()))
