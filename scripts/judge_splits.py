"""Rank the splits that public jobs ran with among all splits of the same job, by predicted step time.

    scripts/judge_splits.py --jobs public_jobs.csv [--json] [--all] [--any-recompute]

A job is a model, batch, length, precision, framework and cluster of one source; its published split is the fastest one
measured. A split is tp x pp x cp x dp x ep; each takes the micro-batch and interleaving with which it is fastest and
fits into memory. ZeRO stage, hybrid sharding and recomputation stay as published (--any-recompute searches the last,
too), and splits that the source's software could not run at its time are left out (`_SOFTWARE`). Frameworks that only
shard (llm-foundry, fms-fsdp) leave one split; such jobs are counted apart.

`rank` counts every faster split, `clear` those that are faster by more than the 2 % by which a repeated run differs.
A published split fits, whatever the memory formula says, because it ran.

A job's split is `beaten` if the table itself has a faster one: another split of nearly the same job (device, library,
length, parameters within 10 %, at most twice or half the devices, heads that 8 divides or doesn't, products in as many
bits or more) has at least 5 % more operations/s per device. Jobs without such a run are also counted apart.

Splits are priced by ascending lower bound (computing of an average stage) up to the published split's own time, so that
every faster one is found and no other is priced.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from p2smt.errors import P2Error
from p2smt.job.step.grid import FixedDegrees, grid
from p2smt.job.step.published import PublishedRun, judged_runs, read_published
from p2smt.job.step.search import model_flops
from p2smt.job.step.setting import Setting
from p2smt.job.step.step_time import LayerTime, layer_key, layer_time, step_time
from p2smt.problem.transformer.memory import fits, split_memory
from p2smt.problem.transformer.parameters import parameters
from p2smt.problem.transformer.split import Framework, Precision, Split

_NEAR = 1.08
_BEST = 3
_NOISE = 1.02
_BEATEN = 1.05
_SAME_SIZE = 1.1
_SHARD_ONLY = ("llm-foundry/Composer", "fms-fsdp")
_SOFTWARE = (
    ("images/tables.tex", FixedDegrees(pp=1, cp=1, chunks=1, sequence_parallel=False)),  # Megatron-LM of 2020
    ("Megatron-LM README", FixedDegrees(cp=1, chunks=1, sequence_parallel=False)),  # January 2021
    ("Korthikanti", FixedDegrees(cp=1)),  # 2022, with sequence parallelism; context parallelism came in 2023
    ("bigscience", FixedDegrees(cp=1, chunks=1, sequence_parallel=False)),  # DeepSpeed's pipeline of early 2022
)
"""Part of a source's name, and what its software had to leave at 1."""

_RAMP_UP = ("bigscience", 4)
"""BLOOM's batch grew in steps of 32 sequences, for which its authors took multiples of 4 as dp.

Source: chronicles-prequel.md, "Choosing the fastest 3D Topology". Earlier runs have other dp, and are not bound by it.
"""

Mesh = tuple[int, int, int, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitRank:
    """Rank of a job's published split, `loss` = its step / the best one's, out of so many possible splits.

    `beaten` names the run with another split that was fastest on nearly the same job; it is empty if there is none.
    """

    job: str
    published: str
    best: str
    rank: int
    clear: int
    loss: float
    possible: int
    fits: bool
    beaten: str = ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line per job and the two parts that count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=Path, required=True)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--all", action="store_true", help="rows whose column `judge` says no as well")
    parser.add_argument("--any-recompute", action="store_true", help="search the recomputation, too")
    given = parser.parse_args(arguments)
    left_out: dict[str, str] = {}
    try:
        runs = judged_runs(given.jobs, left_out, every=given.all)
        evidence = list(read_published(given.jobs, left_out={}))
    except (P2Error, OSError) as error:
        print(f"judge_splits: {error}", file=sys.stderr)
        return 2
    every = [
        replace(ranked(run, any_recompute=given.any_recompute), beaten=beaten(run, evidence))
        for run in fastest_of_jobs(runs)
    ]
    ranks = [one for one in every if one.possible > 1]
    chosen = [one for one in ranks if not one.beaten]
    total = {
        "jobs": len(every),
        "jobs with more than one possible split": len(ranks),
        f"all jobs: published among the {_BEST} best": _part(one.rank <= _BEST for one in every),
        f"all jobs: published within {_NEAR - 1:.0%} of the best": _part(one.loss <= _NEAR for one in every),
        f"published among the {_BEST} best": _part(one.rank <= _BEST for one in ranks),
        f"published among the {_BEST} best, or within {_NOISE - 1:.0%} of them": _part(
            one.clear <= _BEST for one in ranks
        ),
        f"published within {_NEAR - 1:.0%} of the best": _part(one.loss <= _NEAR for one in ranks),
        "jobs of these whose split the table itself does not beat": len(chosen),
        f"unbeaten: published among the {_BEST} best": _part(one.rank <= _BEST for one in chosen),
        f"unbeaten: the same, or within {_NOISE - 1:.0%} of them": _part(one.clear <= _BEST for one in chosen),
        f"unbeaten: published within {_NEAR - 1:.0%} of the best": _part(one.loss <= _NEAR for one in chosen),
        "published does not fit by the memory formula": sum(not one.fits for one in ranks),
        "left out": left_out,
    }
    if given.json:
        print(json.dumps({"total": total, "jobs": [asdict(one) for one in ranks]}, indent=2))
        return 0
    for one in sorted(ranks, key=lambda one: one.rank):
        place = f"{one.rank:3} ({one.clear:2}) of {one.possible:3}  {one.loss:.3f}"
        print(
            f"{place}  {one.published:<32} best {one.best:<32} {one.job}{one.beaten and f' (beaten by {one.beaten})'}"
        )
    for name, value in total.items():
        print(f"{name:<52} {value:.3f}" if isinstance(value, float) else f"{name:<52} {value}")
    return 0


def _part(said: Iterable[bool]) -> float | None:
    """The part that is true; None of nothing."""
    some = list(said)
    return sum(some) / len(some) if some else None


def fastest_of_jobs(runs: Sequence[PublishedRun]) -> list[PublishedRun]:
    """The fastest run of every job."""
    found: dict[str, PublishedRun] = {}
    for run in runs:
        name = job_name(run)
        if name not in found or run.seconds < found[name].seconds:
            found[name] = run
    return list(found.values())


def beaten(run: PublishedRun, runs: Iterable[PublishedRun]) -> str:
    """The fastest run of nearly the same job with another split, by operations/s; empty if none is clearly faster.

    Nothing here is predicted: the rates are the models' operations over measured seconds.
    """
    own = _BEATEN * _rate(run)
    faster = [
        other
        for other in runs
        if _same_kind(run, other) and mesh(other.setting.split) != mesh(run.setting.split) and _rate(other) > own
    ]
    return max(faster, key=_rate).name if faster else ""


def _rate(run: PublishedRun) -> float:
    """The model's operations per second and device, as measured."""
    return model_flops(run.setting.transformer) / run.seconds / run.setting.cluster.devices


_WIDER = {
    Precision.BF16: (Precision.FP16,),
    Precision.FP16: (Precision.BF16,),
    Precision.FP8: (Precision.BF16, Precision.FP16),
}
"""Precisions that are no faster than another one."""


def _library(run: PublishedRun) -> str:
    """The library below a framework, which stands in brackets: "Megatron-Bridge (Megatron Core)"."""
    return run.framework.rpartition("(")[2].rstrip(")")


def _same_kind(run: PublishedRun, other: PublishedRun) -> bool:
    one, two = run.setting.transformer, other.setting.transformer
    sizes = sorted((parameters(one), parameters(two)))
    devices = sorted((run.setting.cluster.devices, other.setting.cluster.devices))
    return (
        run.setting.cluster.name == other.setting.cluster.name
        and _library(run) == _library(other)
        and other.setting.precision in (run.setting.precision, *_WIDER[run.setting.precision])
        and one.sequence == two.sequence
        and (one.head_size % 8 == 0) == (two.head_size % 8 == 0)
        and sizes[1] <= _SAME_SIZE * sizes[0]
        and devices[1] <= 2 * devices[0]
    )


def job_name(run: PublishedRun) -> str:
    """A job in words: source, model, batch, cluster, precision."""
    model, cluster = run.setting.transformer, run.setting.cluster
    experts = f", {model.experts.count} experts" if model.experts else ""
    source, framework = run.source.split(",")[0].split(" (")[0][:40], run.framework.split(" (")[0]
    return (
        f"{source} {framework}: {model.layers} x {model.hidden}"
        f"{experts}, {model.batch} x {model.sequence} on {cluster.devices} {cluster.name} {run.setting.precision}"
    )


def mesh(split: Split) -> Mesh:
    """The degrees that make a split another one."""
    return split.tp, split.pp, split.cp, split.dp, split.ep


def fixed_degrees(run: PublishedRun, *, any_recompute: bool) -> FixedDegrees:
    """What stays as published, or at 1."""
    one = 1 if run.framework.split()[0] in _SHARD_ONLY else None
    old = next((fixed for name, fixed in _SOFTWARE if name in run.source), FixedDegrees())
    split = run.setting.split
    return replace(
        old,
        tp=one,
        pp=one or old.pp,
        cp=one or old.cp,
        zero=split.zero,
        replicate=split.replicate,
        recompute=None if any_recompute else split.recompute,
    )


def ranked(run: PublishedRun, *, any_recompute: bool = False) -> SplitRank:
    """The rank of a run's split among those of the same job."""
    setting = run.setting
    fixed = fixed_degrees(run, any_recompute=any_recompute)
    every = grid(setting.transformer, setting.cluster.devices, setting.cluster.domain, framework_of(run), fixed)
    source, multiple = _RAMP_UP
    ramps_up = source in run.source and setting.split.dp % multiple == 0
    points = [split for split in every if not ramps_up or split.dp % multiple == 0]
    points.append(setting.split)
    prices = _Prices(setting)
    own = [split for split in points if mesh(split) == mesh(setting.split) and prices.fits(split)]
    seconds = min(prices.seconds(split) for split in [*own, setting.split])
    fastest: dict[Mesh, float] = {mesh(setting.split): seconds}
    for bound, number in sorted((prices.bound(split), number) for number, split in enumerate(points)):
        if bound >= seconds:
            break
        split = points[number]
        step = prices.seconds(split)
        if step < fastest.get(mesh(split), seconds) and prices.fits(split):
            fastest[mesh(split)] = step
    best = min(fastest, key=lambda one: fastest[one])
    return SplitRank(
        job=job_name(run),
        published=_words(mesh(setting.split)),
        best=_words(best),
        rank=1 + sum(step < seconds for step in fastest.values()),
        clear=1 + sum(step * _NOISE < seconds for step in fastest.values()),
        loss=seconds / fastest[best],
        possible=len({mesh(split) for split in points}),
        fits=prices.fits(setting.split),
    )


def framework_of(run: PublishedRun) -> Framework:
    """The framework whose splits a run chose from."""
    fsdp = "FSDP" in run.framework and "Megatron" not in run.framework
    return Framework.TORCHTITAN if fsdp else Framework.MEGATRON


def _words(degrees: Mesh) -> str:
    names = zip(("tp", "pp", "cp", "dp", "ep"), degrees, strict=True)
    return " x ".join(f"{name} {degree}" for name, degree in names if degree > 1) or "1 device"


class _Prices:
    """Steps and memory of a job's splits; times of layers are worked out once for all that share them."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._layers: dict[tuple[object, ...], LayerTime] = {}

    def _layer(self, split: Split) -> LayerTime:
        key = layer_key(split)
        if key not in self._layers:
            self._layers[key] = layer_time(replace(self._setting, split=split))
        return self._layers[key]

    def bound(self, split: Split) -> float:
        """Seconds that an average stage computes."""
        transformer = self._setting.transformer
        slots = split.micro_batches(transformer.batch) + (split.pp - 1) / split.chunks
        return slots * self._layer(split).seconds * transformer.layers / split.pp

    def seconds(self, split: Split) -> float:
        """The step."""
        return step_time(replace(self._setting, split=split), self._layer(split)).seconds

    def fits(self, split: Split) -> bool:
        """True if the fullest device holds it."""
        setting = self._setting
        return fits(split_memory(setting.transformer, split, setting.footprint), setting.cluster.memory)


if __name__ == "__main__":
    sys.exit(main())
