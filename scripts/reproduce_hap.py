"""Predict the HAP paper's comparisons (EuroSys 2024, section 7): its models on its clusters, at its numbers of GPUs.

Each model's training step, with 64 samples per GPU (BERT-MoE 32, and two experts per GPU), is sharded over one axis of
all GPUs, and so are its baselines: data parallelism with even and with proportional shares, expert parallelism. What
is printed is predicted by this model, what stands beside it as a claim was measured by the paper.
Memory is no limit to the search here; what needs more of it than a GPU has is marked with *.

    scripts/reproduce_hap.py --models vgg --gpus 8 16
    scripts/reproduce_hap.py --cluster hap-p100 --gpus 32 --json
    scripts/reproduce_hap.py --cluster hap-a100-p100 --gpus 4 --models bert-moe --experts 4 5 6 7 8
    scripts/reproduce_hap.py --cluster hap-p100 --gpus 32 --rooflines
    scripts/reproduce_hap.py --kept scripts/results/hap.jsonl

Computing is priced as HAP does, by profiled speeds, or with --rooflines by the devices' models; then the time lines of
the answer and of data parallelism are printed as well.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from pathlib import Path

from hap_report import Row, text

from p2smt.cost.network.backend import Nccl
from p2smt.errors import P2Error, ProblemError
from p2smt.frontend.torch_graph.capture import capture_example
from p2smt.frontend.torch_graph.settings import Example, Settings, Size, settings_of
from p2smt.problem.system.devices import ComputingMethod
from p2smt.problem.system.file import preset, resized
from p2smt.spmd.account.candidate import Candidate
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.network import PICO, CollectivePrice, NetworkModel
from p2smt.spmd.devices.shares import even, vertices
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.reading.step_time_line import step_picoseconds
from p2smt.spmd.search.sharded import ShardingResult
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.program import Program

MODELS = (Example.VGG, Example.VIT, Example.BERT, Example.MOE)
CLUSTERS = {"hap-v100-p100": 8, "hap-p100": 4, "hap-a100-p100": 2}
"""The paper's clusters and how many machines each has."""

EXPERTS_PER_GPU = 2


@dataclass(frozen=True)
class Padded:
    """A network without HAP's choice of collectives: uneven shards are always padded to the largest."""

    network: NetworkModel

    def all_reduce(self, count: int) -> CollectivePrice:
        """As it is."""
        return self.network.all_reduce(count)

    def all_gather(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Of even shards, each as large as the largest."""
        return self.network.all_gather(*_padded(count, parts))

    def reduce_scatter(self, count: int, parts: Sequence[Fraction]) -> CollectivePrice:
        """Of even shards, each as large as the largest."""
        return self.network.reduce_scatter(*_padded(count, parts))

    def all_to_all(self, count: int, before: Sequence[Fraction], after: Sequence[Fraction]) -> CollectivePrice:
        """As it is."""
        return self.network.all_to_all(count, before, after)


def _padded(count: int, parts: Sequence[Fraction]) -> tuple[int, list[Fraction]]:
    return round(count * max(parts) * len(parts)), list(even(len(parts)).parts)


def cluster(name: str, gpus: int, *, rooflines: bool = False) -> Cluster:
    """So many GPUs of a cluster, the same number in each of its machines. ProblemError where that cannot be."""
    machines = CLUSTERS[name]
    system = preset(name)
    most = system.devices // machines
    if gpus % machines or not 0 < gpus // machines <= most:
        raise ProblemError(
            f"{name} has {machines} machines of {most} GPUs; {gpus} is not a multiple of {machines} "
            f"up to {machines * most}"
        )
    computing = ComputingMethod.ROOFLINE if rooflines else system.computing
    return cluster_of(replace(resized(system, [machines, gpus // machines]), computing=computing), Nccl())


def settings(model: Example, gpus: int, size: Size, layers: int | None, experts: int | None = None) -> Settings:
    """Of a model on so many GPUs: weak scaling in samples and experts. Other experts have as many samples each."""
    usual = EXPERTS_PER_GPU * gpus if model is Example.MOE else None
    batch = gpus * settings_of(model, size).batch
    if experts is not None and usual is not None:
        batch, usual = batch * experts // usual, experts
    return settings_of(model, size, batch, layers, usual)


def row(model: str, sizes: Settings, step: Program, real: Cluster) -> Row:
    """A step on a cluster, and the baselines on it."""
    start = time.process_time()
    free = replace(real, devices=tuple(replace(device, memory=None) for device in real.devices))
    shares = vertices(free.speeds)
    answer = shard(step, free, shares)
    program_s = answer.candidates[0].account.time / PICO
    shares_s = program_s
    if len(shares) > 1:
        padded = shard(step, replace(free, network=Padded(free.network)), shares[1:], beside=False)
        shares_s = min(program_s, padded.account.time / PICO)
    others = {label: each.account.time / PICO for label, each in answer.baselines}
    return Row(
        model=model,
        cluster=real.name,
        gpus=len(real.devices),
        batch=sizes.batch,
        experts=sizes.experts if model == Example.MOE else None,
        time_s=answer.account.time / PICO,
        lower_bound_s=answer.lower_bound / PICO,
        shares=answer.shares.name,
        meaning=list(answer.meaning),
        collectives_s=answer.account.communication / PICO,
        data_even_s=others.get("data parallel, even"),
        data_proportional_s=others.get("data parallel, proportional"),
        expert_s=others.get("expert parallel, even"),
        program_s=program_s,
        shares_s=shares_s,
        baselines=others,
        too_large=_too_large(answer, real),
        cpu_s=round(time.process_time() - start, 1),
        **_lines(answer, free),
    )


def _lines(answer: ShardingResult, devices: Cluster) -> dict[str, float]:
    """Seconds of the time lines of the answer and of the fastest data parallelism, where devices have models."""
    if not devices.models:
        return {}
    data = [each for name, each in answer.baselines if name.startswith("data parallel, ") and "(" not in name]
    lines = {"line_s": step_picoseconds(answer.program, answer.account, devices) / PICO}
    times = [step_picoseconds(each.program, each.account, devices) / PICO for each in data]
    return lines | ({"data_line_s": min(times)} if times else {})


def _too_large(answer: ShardingResult, real: Cluster) -> list[str]:
    """The baselines, or the answer, whose peak is above what some GPU has."""
    fastest = Candidate(answer.shares, answer.program, answer.account)
    return [
        name
        for name, each in (("answer", fastest), *answer.baselines)
        if any(
            device.memory is not None and peak > device.memory
            for device, peak in zip(real.devices, each.account.memory, strict=True)
        )
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [model.value for model in MODELS]
    parser.add_argument("--models", nargs="+", choices=names, default=names, metavar="MODEL", help=f"of {names} [all]")
    parser.add_argument("--gpus", nargs="+", type=int, default=[8, 16, 32, 64], metavar="N", help="[8 16 32 64]")
    parser.add_argument("--cluster", choices=list(CLUSTERS), default="hap-v100-p100", help="[hap-v100-p100]")
    parser.add_argument("--size", choices=[size.value for size in Size], default="paper", help="of the models [paper]")
    parser.add_argument("--layers", type=int, metavar="N", help="other numbers of layers, but for vgg [the paper's 8]")
    parser.add_argument("--experts", nargs="+", type=int, metavar="N", help="of bert-moe [two per GPU]")
    parser.add_argument("--rooflines", action="store_true", help="price computing by the devices' models")
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.add_argument("--kept", type=Path, metavar="FILE", help="rows that were predicted before, one JSON a line")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="add every row to this file as soon as it is there")
    given = parser.parse_args()
    if given.kept is not None:
        return kept(given.kept, as_json=given.json)
    rows = []
    try:
        for gpus in given.gpus:
            cluster(given.cluster, gpus)
        for model in given.models:
            for gpus in given.gpus:
                layers = None if model == Example.VGG else given.layers
                for experts in given.experts if given.experts and model == Example.MOE else [None]:
                    sizes = settings(Example(model), gpus, Size(given.size), layers, experts)
                    step = capture_example(Example(model), sizes)
                    rows.append(row(model, sizes, step, cluster(given.cluster, gpus, rooflines=given.rooflines)))
                    print(f"{model} on {gpus} GPUs: {rows[-1].cpu_s:.0f} s of CPU", file=sys.stderr, flush=True)
                    if given.keep is not None:
                        with given.keep.open("a", encoding="utf-8") as file:
                            file.write(json.dumps(asdict(rows[-1])) + "\n")
    except (P2Error, OSError) as error:
        print(f"reproduce_hap: {error}", file=sys.stderr)
        return 2
    show(rows, as_json=given.json)
    return 0


def kept(path: Path, *, as_json: bool) -> int:
    """Print rows that are kept in a file; 2 if there are none."""
    try:
        rows = [Row(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]
    except (OSError, ValueError, TypeError) as error:
        print(f"reproduce_hap: {path} has no rows: {error}", file=sys.stderr)
        return 2
    show(rows, as_json=as_json)
    return 0


def show(rows: Sequence[Row], *, as_json: bool) -> None:
    """As one JSON document, or as tables."""
    print(json.dumps({"rows": [asdict(each) for each in rows]}, indent=2) if as_json else text(rows))


if __name__ == "__main__":
    sys.exit(main())
