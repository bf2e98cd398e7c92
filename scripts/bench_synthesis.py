"""How fast synthesis is, as JSON: the paper's 42 experiments, three and four levels, and any cluster size.

Every figure is taken in this process, so the first is a cold start. The paper's own times stand beside ours;
what must not depend on the machine is a ratio of two times of one run: `ratio_alone` sets all experiments by one
synthesizer beside each by one of its own, with nothing found before. `--quick` leaves out four levels. Nothing comes
from the user's cache: `kept` is how long programs take that were put on disk before. `in_one_check` sets the search
beside the same by asking again.

`--only-cpu` prints the CPU seconds of all programs over three, four and five levels, of the best program of any length
over five, and of the best of 1,458 placements. With `--against FOLDER`, where an older commit is checked out, its code
does the same in a process of its own just afterwards, and its seconds over ours are printed too.
"""

import csv
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from math import prod
from pathlib import Path

started = time.perf_counter()

from p2smt.cli.main import collect_rarely  # noqa: E402
from p2smt.cli.output.progress import working  # noqa: E402
from p2smt.cost.network.nccl import NetworkCost  # noqa: E402
from p2smt.cost.ranking import rank  # noqa: E402
from p2smt.problem.build import build_problem  # noqa: E402
from p2smt.problem.model import Axis, Grammar, Payload, Problem, Search  # noqa: E402
from p2smt.problem.system.build import default_system  # noqa: E402
from p2smt.problem.system.network import Level  # noqa: E402
from p2smt.reduction.language.language import full_language  # noqa: E402
from p2smt.reduction.rules.choices import ProgramCode  # noqa: E402
from p2smt.reduction.rules.level_rules import LevelRules  # noqa: E402
from p2smt.reduction.rules.programs import unrolled  # noqa: E402
from p2smt.reduction.synth.disk_cache import DiskCache  # noqa: E402
from p2smt.reduction.synth.session import Synthesis, Synthesizer  # noqa: E402
from p2smt.smt.all_answers import all_answers  # noqa: E402
from p2smt.smt.query import Query, all_codes  # noqa: E402

imported = time.process_time()

EXPERIMENTS = Path(__file__).with_name("p2_experiments.csv")


def problem(sizes: list[int], axes: list[int], reduce: list[int], grammar: Grammar) -> Problem:
    levels = [Level(f"level{i}", size) for i, size in enumerate(sizes)]
    parts = [Axis(f"axis{i}", size) for i, size in enumerate(axes)]
    return build_problem(default_system(levels), parts, reduce, Payload(2**30, "float32"), Search(grammar=grammar))


def solve(synthesizer: Synthesizer, asked: Problem) -> Synthesis:
    """Synthesise, replay and rank, as `p2smt synth` does."""
    synthesis = synthesizer.synthesize(asked)
    assert synthesis.complete, synthesis.reason
    rank(synthesis, NetworkCost(asked.system))
    return synthesis


def timed(asked: Problem) -> tuple[float, Synthesis]:
    began = time.perf_counter()
    synthesis = solve(Synthesizer(DiskCache(None)), asked)
    return time.perf_counter() - began, synthesis


def experiments() -> dict[str, object]:
    rows = list(csv.DictReader(EXPERIMENTS.open(encoding="utf-8")))
    asked = [
        problem(
            [int(row["nodes"]), int(row["gpus_per_node"])],
            [int(size) for size in row["axes"].split("x")],
            [int(axis) for axis in row["reduce"].split("+")],
            Grammar.PAPER,
        )
        for row in rows
    ]
    synthesizer = Synthesizer(DiskCache(None))
    found = [solve(synthesizer, one) for one in asked]
    total, cpu = time.perf_counter() - started, time.process_time()
    alone = [timed(one)[0] for one in asked]
    alone_cpu = time.process_time() - cpu
    return {
        "experiments": len(rows),
        "programs": sum(synthesis.total_programs for synthesis in found),
        "total_s_cold_process": total,
        "cpu_s_cold_process": cpu,
        "cpu_s_of_imports": imported,
        "cpu_s_each_alone": alone_cpu,
        "ratio_alone": alone_cpu / (cpu - imported),
        "paper_total_s": sum(float(row["synthesis_s"]) for row in rows),
        "slowest_alone_s": max(alone),
        "paper_slowest_s": max(float(row["synthesis_s"]) for row in rows),
        "ratio": sum(float(row["synthesis_s"]) for row in rows) / total,
    }


def one_axis(sizes: list[int]) -> dict[str, object]:
    devices = 1
    for size in sizes:
        devices *= size
    seconds, synthesis = timed(problem(sizes, [devices], [0], Grammar.FULL))
    return {
        "levels": len(sizes),
        "seconds": synthesis.elapsed_s,
        "with_ranking_s": seconds,
        "programs": synthesis.total_programs,
    }


def kept(sizes: list[int]) -> dict[str, object]:
    """Programs found by the solver, and the same read back from disk by a synthesizer of its own."""
    asked = problem(sizes, [prod(sizes)], [0], Grammar.FULL)
    with tempfile.TemporaryDirectory() as folder:
        first, second = (Synthesizer(DiskCache(Path(folder))).synthesize(asked) for _ in range(2))
    assert first.placements == second.placements
    return {
        "levels": len(sizes),
        "found_s": first.elapsed_s,
        "read_s": second.elapsed_s,
        "ratio": first.elapsed_s / second.elapsed_s,
    }


def in_one_check(levels: int) -> dict[str, object]:
    """All programs in one check of the solver, and the same found as before, by asking again after every program."""
    language, limit = full_language(levels), 5
    code = ProgramCode(language, limit)
    needs = [term for _, terms in unrolled(LevelRules(language), code) for term in terms]
    began = time.perf_counter()
    once = all_answers("in one check", code.bits, needs, code.significant)
    middle = time.perf_counter()
    again = all_codes(Query("asked again and again", code.bits, needs), code.significant)
    asked_again_s, once_s = time.perf_counter() - middle, middle - began
    assert (once.stop, set(once.items)) == (again.stop, set(again.items))
    assert once.complete
    return {
        "levels": levels,
        "programs": len(once.items),
        "one_check_s": once_s,
        "asked_again_s": asked_again_s,
        "ratio": asked_again_s / once_s,
    }


def any_size() -> dict[str, object]:
    def best(sizes: list[int]) -> float:
        devices = sizes[0] * sizes[1]
        return min(timed(problem(sizes, [devices], [0], Grammar.FULL))[0] for _ in range(15))

    small, large = best([4, 16]), best([64, 1024])
    return {"devices_64_s": small, "devices_65536_s": large, "ratio": large / small}


def cpu_seconds() -> dict[str, float]:
    """CPU seconds of the searches that take longest, each by a synthesizer that knows nothing yet."""
    found = {}
    for levels in (3, 4, 5):
        asked = problem([2] * levels, [2**levels], [0], Grammar.FULL)
        began = time.process_time()
        synthesis = Synthesizer(DiskCache(None)).synthesize(asked)
        found[f"all_of_{levels}_levels"] = time.process_time() - began
    rank(synthesis, NetworkCost(asked.system), top=1)
    found["best_of_5_levels"] = time.process_time() - began
    placed = problem([64, 32, 8], [8, 8, 4, 16, 4], [0, 2], Grammar.FULL)
    began = time.process_time()
    rank(Synthesizer(DiskCache(None)).synthesize(placed), NetworkCost(placed.system), top=1)
    return found | {"best_of_1458_placements": time.process_time() - began}


def with_older(folder: Path, ours: dict[str, float]) -> dict[str, dict[str, float]]:
    """The same by the code in a folder; this script, because an older one does not print CPU seconds."""
    environment = os.environ | {"PYTHONPATH": str(folder)}
    command = [sys.executable, str(Path(__file__).resolve()), "--only-cpu"]
    printed = subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.PIPE).stdout
    older = json.loads(printed)
    return {name: {"cpu_s": s, "older_cpu_s": older[name], "ratio": older[name] / s} for name, s in ours.items()}


def main() -> None:
    collect_rarely()  # as the command does
    if "--only-cpu" in sys.argv:
        with working("synthesizing"):
            ours = cpu_seconds()
            report: dict[str, object] = {**ours}
            if "--against" in sys.argv:
                report = {**with_older(Path(sys.argv[sys.argv.index("--against") + 1]).resolve(), ours)}
        print(json.dumps(report, indent=2))
        return
    with working("synthesizing"):
        report = {"paper_experiments": experiments(), "three_levels": one_axis([2, 2, 2])}
        report["kept"] = kept([2, 2, 2])
        report["any_size"] = any_size()
        report["in_one_check"] = in_one_check(3)
        if "--quick" not in sys.argv:
            report["four_levels"] = one_axis([2, 2, 2, 2])
            report["four_levels_kept"] = kept([2, 2, 2, 2])
            report["four_levels_in_one_check"] = in_one_check(4)
        report["peak_memory_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        report["python"] = platform.python_version()
    print(json.dumps(report, indent=2))


main()
