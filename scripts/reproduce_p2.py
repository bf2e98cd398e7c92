"""Rebuild the P2 paper's Tables 3 and 4 and its appendix: measured times beside those of a fitted network.

One set of figures per machine kind (A100, V100), the same for 2 and 4 nodes, is fitted to the AllReduce times of
`--fit`; the rows of `--data` are predicted. Where both are the same rows, every experiment (system, nodes, axes,
reduction axes) is predicted by a fit that has not seen it. The best program's time is the predicted minimum over
all programs of the paper's grammar. Prints text, or one JSON document with --json; --plot draws the paper's
Figure 11 for all rows.

    scripts/reproduce_p2.py
    scripts/reproduce_p2.py --data new_rows.csv --json
"""

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from math import log
from pathlib import Path
from typing import Any

from p2_cases import ALGORITHMS, KINDS, PRESETS, Case, read_cases
from p2_report import draw, text
from scipy.stats import spearmanr

from p2smt.cost.calibration.fit import Fit, fit_system
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.calibration.parameters import parameters, with_parameters
from p2smt.cost.network.backend import Nccl
from p2smt.cost.network.cost import step_work
from p2smt.cost.network.nccl import NetworkCost
from p2smt.cost.network.pattern import pattern_of
from p2smt.cost.ranking import Ranker
from p2smt.errors import CalibrationError, P2Error
from p2smt.placement.matrix_check import check_matrix
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Grammar, Payload, Problem, Search
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.file import preset, resized, system_text
from p2smt.problem.system.network import System
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.synth.session import Synthesizer

BESIDE = Path(__file__).with_name("p2_measurements.csv")
PAYLOAD = Payload(2**29 * 4 * 4, "float32")
"""The paper: 2^29 x nodes numbers per GPU; but its times at 2 and at 4 nodes are those of one size, that of 4."""

NOMINAL = {
    "nic.bandwidth": 8e9,
    "nvswitch.bandwidth": 270e9,
    "nvlink.bandwidth": 135e9,
    "host.bandwidth": 32e9,
    "nic.latency": 14e-6,
    "nvswitch.latency": 3.4e-6,
    "nvlink.latency": 3.4e-6,
    "host.latency": 5.7e-6,
    "nic.ring_flow": 4e9,
    "nic.tree_flow": 1.2e9,
    "device.memory_bandwidth": 1e12,
    "overlap": 1.0,
}
"""Where fits begin: bandwidths as the paper assumed them (section 5), latencies as NCCL has them.

Rows that do not tell a figure leave it at that: no payload here is small enough for latencies. Where a kind's rows
do not tell what one connection gets, it keeps what is known of the other kind, on the same cloud.
"""

IMPROVED = 1.01


def problem_of(case: Case, system: System) -> Problem:
    axes = [Axis(f"axis{number}", size) for number, size in enumerate(case.axes)]
    problem = build_problem(system, axes, case.reduce, PAYLOAD, Search(grammar=Grammar.PAPER))
    check_matrix(case.matrix, problem)
    return problem


@cache
def start(kind: str) -> System:
    """The links of a machine kind with the figures that the paper assumed."""
    system = preset(PRESETS[kind])
    known = {name: value for name, value in NOMINAL.items() if name in parameters(system.network)}
    return replace(system, network=with_parameters(system.network, known))


def measurements(cases: Sequence[Case]) -> Iterator[Measurement]:
    for case in cases:
        problem = problem_of(case, resized(start(case.system), case.sizes))
        plan = Lowering(problem, case.matrix).direct
        works = tuple(step_work(plan.payload, step, partial(pattern_of, plan)) for step in plan.steps)
        for algorithm in ALGORITHMS:
            if (algorithm, "allreduce") in case.measured:
                seconds = case.measured[algorithm, "allreduce"]
                yield Measurement(
                    place=case.place,
                    group=case.experiment,
                    sizes=case.sizes,
                    backend=Nccl(algorithm),
                    works=works,
                    seconds=seconds,
                )


def fitted(cases: Sequence[Case], kind: str) -> Fit:
    used = [case for case in cases if case.system == kind]
    if not used:
        raise CalibrationError(f"no row to fit {kind} to")
    return fit_system(start(kind), list(measurements(used)), leave_out=False)


def fitted_text(kind: str, fit: Fit, source: str) -> str:
    """The system file of a fit to all rows."""
    said = {
        "rows": len(fit.rows),
        "from": source,
        "mean_abs_log_error": round(fit.mean_abs_log_error, 4),
        "not_identified": [figure.name for figure in fit.figures if not figure.identified],
    }
    return system_text(rounded(fit.system), said)


def rounded(system: System) -> System:
    """Figures to four digits: more than the rows tell."""
    values = {name: float(f"{value:.4g}") for name, value in parameters(system.network).items()}
    return replace(system, network=with_parameters(system.network, values))


def predict(case: Case, system: System, synthesizer: Synthesizer) -> Case:
    problem = problem_of(case, resized(system, case.sizes))
    synthesis = synthesizer.synthesize(problem, only=case.matrix)
    if not synthesis.complete:
        raise CalibrationError(f"{case.place}: synthesis stopped: {synthesis.stop} {synthesis.reason}")
    predicted = {}
    for algorithm in ALGORITHMS:
        ranked = Ranker(NetworkCost(problem.system, algorithm)).placement(problem, synthesis.placements[0], top=1)
        predicted[algorithm, "allreduce"] = ranked.allreduce_seconds
        predicted[algorithm, "best"] = min([ranked.allreduce_seconds, *(one.seconds for one in ranked.programs)])
    return replace(case, predicted=predicted)


def reproduce(data: Sequence[Case], fit: Sequence[Case], apart: bool) -> tuple[list[Case], dict[str, Fit]]:
    """The cases with predicted times, and the fits to all rows; `apart`: data and fit are different rows."""
    fits = {kind: fitted(fit, kind) for kind in dict.fromkeys(case.system for case in data)}
    synthesizer, found = Synthesizer(), []
    unseen: dict[str, System] = {}
    for case in data:
        if apart:
            system = fits[case.system].system
        else:
            if case.experiment not in unseen:
                others = [one for one in fit if one.experiment != case.experiment]
                unseen[case.experiment] = fitted(others, case.system).system
            system = unseen[case.experiment]
        found.append(predict(case, system, synthesizer))
    return found, fits


def pairs(cases: Sequence[Case], kind: str, algorithm: Algorithm | None, what: str) -> list[tuple[float, float]]:
    """(predicted, measured) of the rows of a machine kind."""
    return [
        (case.predicted[key], seconds)
        for case in cases
        for key, seconds in case.measured.items()
        if case.system == kind and key[1] == what and algorithm in (None, key[0])
    ]


def mean_error(found: Sequence[tuple[float, float]]) -> float | None:
    return sum(abs(log(p / m)) for p, m in found) / len(found) if found else None


def correlation(found: Sequence[tuple[float, float]]) -> float | None:
    if len({p for p, _ in found}) < 2 or len({m for _, m in found}) < 2:
        return None
    return float(spearmanr([p for p, _ in found], [m for _, m in found]).statistic)


def figures(cases: Sequence[Case], of: Any) -> dict[str, Any]:
    kinds = dict.fromkeys(case.system for case in cases)
    named: list[tuple[str, Algorithm | None]] = [*((str(one), one) for one in ALGORITHMS), ("all", None)]
    return {
        kind: {name: {what: of(pairs(cases, kind, one, what)) for what in KINDS} for name, one in named}
        for kind in kinds
    }


def improvement(times: Sequence[dict[tuple[Algorithm, str], float]]) -> dict[str, Any]:
    """Share of (placement, algorithm) pairs whose best program beats AllReduce by more than 1 %, mean and maximum."""
    gains = [
        one[a, "allreduce"] / one[a, "best"]
        for one in times
        for a in ALGORITHMS
        if {(a, k) for k in KINDS} <= one.keys()
    ]
    better = [gain for gain in gains if gain > IMPROVED]
    return {
        "pairs": len(gains),
        "share": len(better) / len(gains) if gains else None,
        "mean_speedup": sum(better) / len(better) if better else None,
        "max_speedup": max(better, default=None),
    }


def placement_effect(cases: Sequence[Case]) -> dict[str, Any] | None:
    """The experiment in which the choice of the matrix changes AllReduce most, by measured times."""
    groups: dict[tuple[str, Algorithm], list[Case]] = defaultdict(list)
    for case in cases:
        for algorithm in ALGORITHMS:
            if (algorithm, "allreduce") in case.measured:
                groups[case.experiment, algorithm].append(case)
    found = []
    for (_, algorithm), group in groups.items():
        key = (algorithm, "allreduce")
        slow, fast = (pick(group, key=lambda case: case.measured[key]) for pick in (max, min))
        found.append(
            (slow.measured[key] / fast.measured[key], slow.predicted[key] / fast.predicted[key], slow, fast, algorithm)
        )
    if not found:
        return None
    measured, predicted, slow, fast, algorithm = max(found, key=lambda one: one[0])
    return {
        "slow": slow.name,
        "fast": fast.name,
        "algorithm": str(algorithm),
        "measured": measured,
        "predicted": predicted,
    }


def same_rows(cases: Sequence[Case]) -> list[dict[tuple[Algorithm, str], float]]:
    """Predicted times, of what was measured."""
    return [{key: case.predicted[key] for key in case.measured} for case in cases]


def document(cases: Sequence[Case], fits: dict[str, Fit], apart: bool) -> dict[str, Any]:
    return {
        "predicted_by": "one fit to all rows of --fit" if apart else "fits that have not seen the row's experiment",
        "mean_abs_log_error": figures(cases, mean_error),
        "spearman": figures(cases, correlation),
        "improved": {
            "measured": improvement([case.measured for case in cases]),
            "predicted": improvement(same_rows(cases)),
        },
        "placement_effect": placement_effect(cases),
        "figures": {
            kind: {
                one.name: {"value": one.after, "error": one.error, "identified": one.identified} for one in fit.figures
            }
            for kind, fit in fits.items()
        },
        "rows": [
            {
                "system": case.system,
                "sizes": case.sizes,
                "axes": case.axes,
                "reduce": case.reduce,
                "matrix": str(case.matrix),
                "algorithm": str(algorithm),
                "what": what,
                "measured_s": seconds,
                "predicted_s": case.predicted[algorithm, what],
                "ratio": case.predicted[algorithm, what] / seconds,
            }
            for case in cases
            for (algorithm, what), seconds in case.measured.items()
        ],
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=BESIDE, help="rows to predict [the paper's]")
    parser.add_argument("--fit", type=Path, default=BESIDE, help="rows to fit to [the paper's]")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="write the fitted systems there, as system files")
    parser.add_argument("--plot", type=Path, help="file to draw to (png, svg, pdf)")
    given = parser.parse_args()
    try:
        data, fit = read_cases(given.data), read_cases(given.fit)
        apart = given.data.resolve() != given.fit.resolve()
        cases, fits = reproduce(data, fit, apart)
    except P2Error as error:
        print(f"reproduce_p2: {error}", file=sys.stderr)
        return 2
    found = document(cases, fits, apart)
    if given.write is not None:
        for kind, fit_of_kind in fits.items():
            (given.write / f"{PRESETS[kind]}.toml").write_text(
                fitted_text(kind, fit_of_kind, given.fit.name), encoding="utf-8"
            )
    if given.plot is not None:
        draw(cases, given.plot)
    if given.json:
        print(json.dumps(found, indent=2))
    else:
        print(text(cases, found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
