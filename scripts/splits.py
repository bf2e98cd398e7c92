"""Table of splits of large models next to what was published: `scripts/results/splits.md`.

    scripts/splits.py --jobs public_jobs.csv > scripts/results/splits.md

For every public run of Llama 3.1 405B, DeepSeek-V3 and Qwen3-235B-A22B on H100 in sequences of at most 8192 tokens: the
split that the search finds, its step and memory, and the published split with its predicted and its measured step.
Runs that differ in nothing but the measured step count once, by their median. CPU seconds are those of the search.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import process_time

from p2smt.errors import P2Error
from p2smt.job.step.cluster import usual_cluster
from p2smt.job.step.published import PublishedRun, read_published
from p2smt.job.step.search import StepQuestion, priced, search_steps
from p2smt.job.step.split_words import split_words
from p2smt.problem.transformer.memory import fits
from p2smt.problem.transformer.named import named_model
from p2smt.problem.transformer.split import Framework

_MODELS = {(126, 16384): "llama-405b", (61, 7168): "deepseek-v3", (94, 4096): "qwen3-235b-a22b"}
_HEAD = """\
Written by `scripts/splits.py`. Steps in seconds, memory in GiB of 80; the best split is that of the published
framework. Best splits have not been run: their steps are predictions. Where a source doesn't say how much is
recomputed, or which micro-batch was taken, none and 1 are assumed, so that a split that ran may not fit here.
"""
_UNMEASURED = (("llama-405b", 512, 1024, 8192), ("deepseek-v3", 2048, 15360, 4096))
"""Asked for, and not in the table in 16 bits: model, H100s, batch, length."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=Path, required=True)
    given = parser.parse_args(arguments)
    try:
        runs = list(read_published(given.jobs, left_out={}))
    except (P2Error, OSError) as error:
        print(f"splits: {error}", file=sys.stderr)
        return 2
    found: dict[object, list[PublishedRun]] = {}
    for run in runs:
        model = run.setting.transformer
        if run.group[0] == "H100" and (model.layers, model.hidden) in _MODELS and model.sequence <= 8192:
            key = (run.framework, run.setting.precision, run.setting.split, model.batch, model.sequence)
            found.setdefault(key, []).append(run)
    print("# Splits of large models on H100, next to what was published\n")
    print(_HEAD)
    print(
        "| model | H100 | batch x length | best split | step | GiB | CPU s | published split | predicted | measured |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    for same in sorted(found.values(), key=lambda same: (same[0].setting.transformer.layers, same[0].seconds)):
        print(line(same))
    for name, devices, batch, length in _UNMEASURED:
        print(line_without_run(name, devices, batch, length))
    return 0


def framework_of(run: PublishedRun) -> Framework:
    """The framework that runs the best split."""
    if "torchtitan" in run.framework or "AutoModel" in run.framework:
        return Framework.TORCHTITAN
    return Framework.MEGATRON


def line(runs: Sequence[PublishedRun]) -> str:
    """One published job, and the best split that is found for it."""
    run = runs[0]
    setting = run.setting
    name = _MODELS[setting.transformer.layers, setting.transformer.hidden]
    model = named_model(name, setting.transformer.batch, setting.transformer.sequence)
    question = StepQuestion(
        transformer=model, cluster=setting.cluster, framework=framework_of(run), precision=setting.precision
    )
    published = priced(question, setting.split)
    measured = f"{median(one.seconds for one in runs):.4g} ({run.framework.split(' (')[0]})"
    room = "" if fits(published.memory, setting.cluster.memory) else ", does not fit"
    asked = f"{split_words(setting.split)}{room}"
    return f"{_best(name, question)} {asked} | {published.seconds:.4g} | {measured} |"


def line_without_run(name: str, devices: int, batch: int, length: int) -> str:
    """A job that is not in the table of public jobs."""
    question = StepQuestion(transformer=named_model(name, batch, length), cluster=usual_cluster("H100", devices))
    return f"{_best(name, question)} - | - | - |"


def _best(name: str, question: StepQuestion) -> str:
    begin = process_time()
    found = search_steps(question, keep=3)
    spent = process_time() - begin
    model = question.transformer
    start = f"| {name} {question.precision} | {question.cluster.devices} | {model.batch} x {model.sequence} |"
    if not found.best:
        return f"{start} none fits | - | - | {spent:.1f} |"
    best = found.best[0]
    step, memory = f"{best.seconds:.4g}", f"{best.memory.total / 2**30:.0f}"
    return f"{start} {split_words(best.split)} | {step} | {memory} | {spent:.1f} |"


if __name__ == "__main__":
    sys.exit(main())
