"""Judge the step-time model on published training runs: factors fitted on one table, errors on another.

    scripts/judge_jobs.py --fit A.csv --judge B.csv [--json] [--all]
    scripts/judge_jobs.py --fit A.csv --corrections > p2smt/job/step/corrections.toml
    scripts/judge_jobs.py --fit A.csv --refit          # the constants of the model, anew
    scripts/judge_jobs.py --fit A.csv --halves 2       # constants and factors of a random half, judged on the other
    scripts/judge_jobs.py --fit A.csv --leave-out      # factors of all but one source, framework, model, device, group
    scripts/judge_jobs.py --fit A.csv --families       # ranks of each family by constants of all other runs

Constants are fitted from `FIRST_PRINCIPLES`, not from those shipped, which have seen all public runs. --families also
prints the rank correlation that a model without error would have if a run that is repeated takes 1, 2 or 3 % (one
standard deviation) more or less.

Columns are those of public_jobs.csv. Rows count where their column `judge` says yes; --all takes the others as well.
"""

import argparse
import json
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, fields, replace
from itertools import combinations
from math import exp, log
from pathlib import Path
from statistics import fmean, median

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from p2smt.errors import P2Error
from p2smt.job.step.constants import CONSTANTS, Constants
from p2smt.job.step.correction import Corrections, fit_corrections
from p2smt.job.step.published import PublishedRun, judged_runs
from p2smt.job.step.step_time import step_time
from p2smt.problem.transformer.memory import split_memory

_CLOSE = {
    "tensor": 0.15,
    "tensor_first": 0.3,
    "recompute": 0.05,
    "gather": 0.3,
    "data": 0.3,
    "expert_layer_seconds": 0.3,
    "expert_seconds": 0.3,
    "unaligned_head": 0.5,
    "expert_inside": 0.3,
    "expert_outside": 0.3,
    "output": 0.2,
    "context": 0.2,
    "attention_blackwell": 0.2,
    "experts": 0.08,
    "matmul": 0.08,
    "matmul_fp8": 0.08,
    "hidden_bytes": 0.2,
    "narrow_output": 0.3,
    "narrow_input": 0.3,
    "few_rows": 0.3,
    "send": 0.3,
    "accumulation_bytes_fused": 0.3,
    "logit_bytes_fused": 0.3,
}
_FIXED = {"memory_rate", "link_rate", "collective_seconds"}
_HOLD = 0.12
_SPREADS = (0.01, 0.02, 0.03)
_REPETITIONS = 200

FIRST_PRINCIPLES = Constants(
    # What cuBLAS and flash attention reach of the peak; rooflines of some 100 operations a byte.
    matmul=0.75,
    matmul_fp8=0.65,
    experts=0.6,
    narrow_output=100,
    narrow_input=100,
    few_rows=100,
    attention=0.35,
    attention_hopper=0.25,
    attention_blackwell=0.5,
    small_head=16,
    unaligned_head=8,
    odd_head=0.1,
    # Bytes, counted from the operations of a layer, the loss, the optimizer and the accumulation of gradients.
    hidden_bytes=60,
    inner_bytes=24,
    routing_bytes=60,
    logit_bytes=24,
    logit_bytes_fused=12,
    quantise_bytes=6,
    optimizer_bytes=30,
    accumulation_bytes=20,
    accumulation_bytes_fused=6,
    # Communication takes what its bytes take, and overlapped kinds a part of it.
    tensor=1,
    tensor_first=2,
    tensor_overlapped=0.3,
    expert_inside=1,
    expert_outside=1,
    context=0.3,
    send=0.1,
    data=1,
    data_overlapped=0.4,
    gather=1,
    gather_hidden=0.8,
    gather_slowdown=0.3,
    # Ten launches of 5 us; with experts ten times as many.
    layer_seconds=5e-5,
    expert_layer_seconds=3e-4,
    expert_seconds=3e-5,
    output=1,
    recompute=1,
)
"""Values before any run is seen, in round numbers; the fit of constants begins here."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fit", type=Path, required=True)
    parser.add_argument("--judge", type=Path)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--corrections", action="store_true")
    parser.add_argument("--refit", action="store_true")
    parser.add_argument("--halves", type=int, default=0, metavar="N")
    parser.add_argument("--leave-out", action="store_true")
    parser.add_argument("--families", action="store_true")
    given = parser.parse_args(arguments)
    if given.halves < 0:
        parser.error(f"--halves {given.halves} is below 0; give how many random halves are tried")
    if given.judge is None and not (
        given.corrections or given.refit or given.leave_out or given.families or given.halves
    ):
        parser.error("--judge is missing; give the table to compare with")
    try:
        _print_asked(given)
    except (P2Error, OSError) as error:
        print(f"judge_jobs: {error}", file=sys.stderr)
        return 2
    return 0


def _print_asked(given: argparse.Namespace) -> None:
    left_out: dict[str, str] = {}
    runs = judged_runs(given.fit, left_out, every=given.all)
    if given.corrections:
        print(corrections_text(fit_corrections((run.kept_group, log(run.seconds / predicted(run))) for run in runs)))
    elif given.refit:
        print(json.dumps(asdict(refitted(runs)), indent=2))
    elif given.leave_out:
        print(json.dumps(without_one(runs), indent=2))
    elif given.families:
        print(json.dumps(unseen_families(runs), indent=2))
    elif given.halves:
        for seed in range(given.halves):
            print(json.dumps(half(runs, seed)))
    else:
        against = judged_runs(given.judge, left_out, every=given.all)
        report(judged(against, fitted(runs)) | {"left out": left_out}, as_json=given.json)


def predicted(run: PublishedRun, constants: Constants = CONSTANTS) -> float:
    """Seconds of a run's step without a correction."""
    return step_time(replace(run.setting, constants=constants)).seconds


def fitted(runs: Sequence[PublishedRun], constants: Constants = CONSTANTS) -> Corrections:
    """The corrections of the runs' groups."""
    return fit_corrections((run.group, log(run.seconds / predicted(run, constants))) for run in runs)


def judged(
    runs: Sequence[PublishedRun], corrections: Corrections, constants: Constants = CONSTANTS
) -> dict[str, object]:
    """Errors of steps, ranks and memory."""
    steps = {run.name: predicted(run, constants) * corrections.factor(run.group) for run in runs}
    errors = {run.name: abs(log(steps[run.name] / run.seconds)) for run in runs}
    plain = [errors[run.name] for run in runs if run.is_plain]
    other = [errors[run.name] for run in runs if not run.is_plain]
    memory = [abs(log(needed(run) / run.memory)) for run in runs if run.memory is not None]
    ranks = rank_correlations(runs, steps)
    return {
        "rows": len(runs),
        "all": mean(list(errors.values())),
        "dense 16 bits": mean(plain),
        "dense 16 bits, rows": len(plain),
        "experts or fp8": mean(other),
        "experts or fp8, rows": len(other),
        "rank correlation, mean over families": mean(list(ranks.values())),
        "rank correlation of all pairs": agreeing_pairs(runs, steps),
        "families": ranks,
        "memory": mean(memory),
        "memory, rows within 12 %": sum(error <= log(1.12) for error in memory),
        "memory, rows": len(memory),
        "runs": {
            run.name: {"measured": run.seconds, "predicted": steps[run.name], "error": errors[run.name]} for run in runs
        },
    }


def without_one(runs: Sequence[PublishedRun]) -> dict[str, dict[str, float]]:
    """Mean errors of runs whose source, framework, model, device or group had no part in the factors, by its name.

    The constants of the model are those shipped; only the factors are fitted.
    """
    ratios = {run.name: log(run.seconds / predicted(run)) for run in runs}
    found: dict[str, dict[str, float]] = {}
    for kind, name in _KINDS.items():
        errors: dict[str, list[float]] = {}
        for one in dict.fromkeys(map(name, runs)):
            factors = fit_corrections((run.group, ratios[run.name]) for run in runs if name(run) != one)
            errors[one] = [abs(ratios[run.name] - log(factors.factor(run.group))) for run in runs if name(run) == one]
        every = [error for some in errors.values() for error in some]
        found[kind] = {"all": fmean(every)} | {one: fmean(some) for one, some in errors.items()}
    return found


_KINDS: dict[str, Callable[[PublishedRun], str]] = {
    "source": lambda run: run.source,
    "framework": lambda run: run.framework,
    "model": lambda run: f"{run.setting.transformer.layers} x {run.setting.transformer.hidden}",
    "device": lambda run: run.group[0],
    "group": lambda run: ", ".join(run.group),
}


def needed(run: PublishedRun) -> float:
    """Bytes of the fullest device."""
    setting = run.setting
    return split_memory(setting.transformer, setting.split, setting.footprint).total


def families(runs: Sequence[PublishedRun]) -> dict[str, list[PublishedRun]]:
    """Runs of one model, device, precision, number of devices, batch and length in a source, split in several ways."""
    found: dict[str, list[PublishedRun]] = {}
    for run in runs:
        model, size = run.setting.transformer, run.setting.cluster.devices
        key = (
            f"{run.source.split(',')[0]}: {model.layers} x {model.hidden}, {model.heads} heads, "
            f"{model.batch} x {model.sequence} on {size} {run.group[0]} {run.group[1]}"
        )
        found.setdefault(key, []).append(run)
    return {key: some for key, some in found.items() if len({run.setting.split for run in some}) > 2}


def rank_correlations(runs: Sequence[PublishedRun], steps: dict[str, float]) -> dict[str, float]:
    """Spearman's correlation of measured and predicted steps, per family; repeated splits count by their median."""
    found = {}
    for key, some in families(runs).items():
        by_split: dict[object, list[PublishedRun]] = {}
        for run in some:
            by_split.setdefault(run.setting.split, []).append(run)
        measured = [median(run.seconds for run in same) for same in by_split.values()]
        found[key] = spearman(measured, [steps[same[0].name] for same in by_split.values()])
    return found


def unseen_families(runs: Sequence[PublishedRun]) -> dict[str, object]:
    """Rank correlations of families whose runs had no part in the constants, and those of a model without error."""
    found: dict[str, float] = {}
    for some in families(runs).values():
        names = {run.name for run in some}
        constants = refitted([run for run in runs if run.name not in names])
        found |= rank_correlations(some, {run.name: predicted(run, constants) for run in some})
    ceilings = {f"{spread:.0%}": ceiling(runs, spread) for spread in _SPREADS}
    return {"mean": mean(list(found.values())), "families": found, "no error, repeated within": ceilings}


def ceiling(runs: Sequence[PublishedRun], spread: float) -> float:
    """Mean rank correlation of the families with themselves, if every run is repeated with a relative `spread`."""
    chance = random.Random(0)
    again = (
        rank_correlations(runs, {run.name: run.seconds * exp(chance.gauss(0, spread)) for run in runs})
        for _ in range(_REPETITIONS)
    )
    return fmean(value for ranks in again for value in ranks.values())


def agreeing_pairs(runs: Sequence[PublishedRun], steps: dict[str, float]) -> float | None:
    """Kendall's correlation over all pairs of a family whose measured steps are more than 2 % apart."""
    signs = [
        1 if (one.seconds - two.seconds) * (steps[one.name] - steps[two.name]) > 0 else -1
        for some in families(runs).values()
        for one, two in combinations(some, 2)
        if one.setting.split != two.setting.split and abs(log(one.seconds / two.seconds)) > 0.02
    ]
    return fmean(signs) if signs else None


def spearman(one: Sequence[float], two: Sequence[float]) -> float:
    """Correlation of ranks, equal values sharing the mean of their ranks.

    >>> spearman([1, 2, 3], [10, 20, 30])
    1.0
    """
    first, second = ranked(one), ranked(two)
    return round(float(np.corrcoef(first, second)[0, 1]), 4)


def ranked(values: Sequence[float]) -> list[float]:
    """The rank of each value."""
    return [sum(other < value for other in values) + 0.5 * (values.count(value) - 1) for value in values]


def mean(values: Sequence[float]) -> float | None:
    """The mean; None of nothing."""
    return fmean(values) if values else None


def report(found: dict[str, object], *, as_json: bool) -> None:
    """Print it."""
    if as_json:
        print(json.dumps(found, indent=2))
        return
    for name, value in found.items():
        if name not in ("runs", "families"):
            print(f"{name:<40} {value:.3f}" if isinstance(value, float) else f"{name:<40} {value}")


def corrections_text(corrections: Corrections) -> str:
    """The corrections as TOML."""
    lines = [
        "# ln(measured / predicted) of public runs, median per device, precision and framework, their number;",
        "# models with experts stand apart.",
        "# Written by scripts/judge_jobs.py --fit public_jobs.csv --corrections.",
    ]
    for (device, precision, framework), (value, runs) in corrections.groups.items():
        lines += [
            "",
            "[[correction]]",
            f'device = "{device}"',
            f'precision = "{precision}"',
            f'framework = "{framework}"',
            f"ln = {value:.4f}",
            f"runs = {runs}",
        ]
    return "\n".join(lines)


def refitted(runs: Sequence[PublishedRun], start: Constants = FIRST_PRINCIPLES) -> Constants:
    """Least squares over the constants and one factor per group, each held near where it starts."""
    names = [one.name for one in fields(Constants) if one.name not in _FIXED]
    groups = sorted({run.group for run in runs})
    at = np.array([groups.index(run.group) for run in runs])
    first = np.log([getattr(start, name) for name in names])
    holds = np.array([_HOLD / _CLOSE.get(name, 0.6) for name in names])

    def constants(values: NDArray[np.float64]) -> Constants:
        return replace(start, **dict(zip(names, np.exp(values[len(groups) :]).tolist(), strict=True)))

    def residuals(values: NDArray[np.float64]) -> NDArray[np.float64]:
        now = constants(values)
        errors = [log(predicted(run, now) / run.seconds) for run in runs]
        return np.concatenate(
            [np.array(errors) + values[at], _HOLD * values[: len(groups)], holds * (values[len(groups) :] - first)]
        )

    solved = least_squares(
        residuals, np.concatenate([np.zeros(len(groups)), first]), loss="soft_l1", f_scale=0.1, max_nfev=8
    )
    return constants(solved.x)


def half(runs: Sequence[PublishedRun], seed: int) -> dict[str, object]:
    """Constants and corrections of a random half, judged on the other."""
    mixed = random.Random(seed).sample(list(runs), len(runs))
    fit, judge = mixed[: len(mixed) // 2], mixed[len(mixed) // 2 :]
    constants = refitted(fit)
    found = judged(judge, fitted(fit, constants), constants)
    return {name: value for name, value in found.items() if name not in ("runs", "families")}


if __name__ == "__main__":
    sys.exit(main())
