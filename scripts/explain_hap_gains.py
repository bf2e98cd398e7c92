"""Look for what explains the gains that the HAP paper measured for BERT and ViT and that its cost does not predict.

HAP's answer for both is data parallelism, so that its gain over PyTorch's DDP must be time that DDP takes beside that
cost. For each of the paper's figures this prints a step of data parallelism by HAP's cost, and what each candidate
explains of the gain; negative figures are against it:

    overlap     DDP sums gradients behind the backward pass, HAP's program runs one after the other
    buckets     calls for buckets of 25 MiB instead of a call for each gradient
    copies      gradients copied into buckets and out of them
    launches    all launches of kernels on the host, by the devices' models; both have them
    update      Adam on all parameters on every GPU, the most that slicing could save
    AllReduce   the rate of DDP's AllReduce that would explain the gain, relative to the profiled one, without and with
                overlap

    scripts/explain_hap_gains.py
    scripts/explain_hap_gains.py --small
"""

import argparse
import sys
from dataclasses import dataclass, replace
from math import prod

from reproduce_hap import cluster, settings

from p2smt.frontend.torch_graph.capture import capture_example
from p2smt.frontend.torch_graph.settings import Example, Size
from p2smt.spmd.account.in_buckets import in_buckets
from p2smt.spmd.account.instructions import account
from p2smt.spmd.account.recognition import strategy
from p2smt.spmd.devices.network import PICO
from p2smt.spmd.devices.shares import proportional
from p2smt.spmd.reading.step_time_line import step_time_line
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.expression import SourceKind

MEASURED = (
    (Example.BERT, "hap-v100-p100", 64, 1.28),
    (Example.BERT, "hap-p100", 32, 1.22),
    (Example.VIT, "hap-p100", 32, 1.19),
)
"""Model, cluster, GPUs, and the paper's gain over the better data parallelism (section 7)."""

CANDIDATES = ("overlap", "buckets", "copies", "launches", "update")

BACKWARD = 2 / 3
"""The share of computing behind which gradients can be summed: the backward pass has twice the products."""

DDP_COPIES = 4
"""A gradient is read and written when it is copied into a bucket, and again when it is copied out of it."""

ADAM_TENSORS = 7
"""Adam reads parameter, gradient and two moments, and writes three of them."""


@dataclass(frozen=True)
class Gain:
    """One of the paper's gains, and seconds of a step of data parallelism on its cluster.

    `copies`, `launches` and `update` are upper bounds of what they explain; `overlapped` is the step if all sums that
    fit are hidden behind the backward pass.
    """

    model: str
    cluster: str
    gpus: int
    measured: float
    strategy: str
    computing: float
    summing: float
    overlapped: float
    bucketed: float
    copies: float
    launches: float
    update: float

    @property
    def step(self) -> float:
        """Seconds of a step by HAP's cost."""
        return self.computing + self.summing

    @property
    def missing(self) -> float:
        """Seconds that DDP takes beyond it, by what was measured."""
        return (self.measured - 1) * self.step

    @property
    def rate(self) -> float:
        """The rate of an AllReduce that overlaps with nothing and explains the gain, relative to the profiled one."""
        return self.summing / (self.summing + self.missing)

    @property
    def hidden_rate(self) -> float:
        """The same if it is hidden behind the backward pass as far as that goes."""
        return self.summing / (self.measured * self.step - (1 - BACKWARD) * self.computing)


def gain(model: Example, name: str, gpus: int, measured: float, size: Size) -> Gain:
    """Price a step of data parallelism, which is the fastest program, and what DDP does beside it."""
    real, modelled = cluster(name, gpus), cluster(name, gpus, rooflines=True)
    devices = replace(real, devices=tuple(replace(device, memory=None) for device in real.devices))
    step = capture_example(model, settings(model, gpus, size, None))
    found = shard(step, devices, (proportional(devices.speeds),), beside=False)
    plain, together = found.account, in_buckets(found.program, devices)
    line = step_time_line(found.program, account(found.program, modelled), modelled)
    parameters = sum(prod(each.shape) * each.dtype.bytes for each in step.sources if each.kind is SourceKind.PARAMETER)
    bandwidth = min(each.bandwidth for each in modelled.models)
    computing, summing = plain.computing / PICO, plain.communication / PICO
    return Gain(
        model=str(model),
        cluster=name,
        gpus=gpus,
        measured=measured,
        strategy=strategy(found.program),
        computing=computing,
        summing=summing,
        overlapped=(1 - BACKWARD) * computing + max(BACKWARD * computing, summing),
        bucketed=together.communication / PICO,
        copies=DDP_COPIES * parameters / bandwidth,
        launches=line.host / PICO,
        update=ADAM_TENSORS * parameters / bandwidth * (1 - 1 / gpus),
    )


def main() -> int:
    """Print a row for each of the paper's gains."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--small", action="store_true", help="the models' small configurations, for a trial")
    size = Size.SMALL if parser.parse_args().small else Size.PAPER
    columns = ("model", "cluster", "GPUs", "measured", "answer", "step", "to explain", *CANDIDATES)
    print(f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}")
    gains = [gain(*each, size) for each in MEASURED]
    for each in gains:
        print(
            f"| {each.model} | {each.cluster} | {each.gpus} | {each.measured:.2f} | {each.strategy} | "
            f"{each.step:.3f} s | {each.missing:.3f} s | {each.overlapped - each.step:+.3f} s | "
            f"{each.bucketed - each.summing:+.3f} s | {each.copies:+.4f} s | {each.launches:+.4f} s | "
            f"{each.update:+.4f} s |"
        )
    print("\n| model | cluster | computing | collectives, profiled | rate that explains it | and with overlap |")
    print("|---|---|---|---|---|---|")
    for each in gains:
        print(
            f"| {each.model} | {each.cluster} | {each.computing:.3f} s | {each.summing:.3f} s | {each.rate:.2f} "
            f"| {each.hidden_rate:.2f} |"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
