"""Training steps of `p2smt.shard` beside DistributedDataParallel and FSDP2, on gloo ranks of this machine.

    .venv/bin/python scripts/bench_front_door.py
    .venv/bin/python scripts/bench_front_door.py --ranks 2 --rounds 20 --json results.json

All contenders train the same GPT-2-like model from the same parameters on the same batches with AdamW, in the same
processes, one step each in alternating order. A round's seconds are those of the slowest rank: CPU seconds (of all its
threads) and wall-clock seconds. Ratios are taken per round, against each contender and against the one that is faster
in the median; the median over the rounds is what counts, for other processes may share the machine. `--dropout` and
`--accumulate` change what is trained.
"""

import argparse
import copy
import json
import platform
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import torch
import torch.distributed as dist
from bench_step_models import Language, Size, token_loss
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FSDPModule, fully_shard
from torch.multiprocessing.spawn import spawn
from torch.nn.parallel import DistributedDataParallel

import p2smt

MOST = 1.05
WARMUPS = 4
Batch = tuple[torch.Tensor, torch.Tensor]
Step = Callable[[Batch], torch.Tensor]
Seconds = dict[str, list[tuple[float, float]]]
"""CPU and wall-clock seconds of each round, by contender."""


def size_of(given: argparse.Namespace) -> Size:
    """The lengths of the model; `batch` is that of all ranks."""
    return Size(
        hidden=given.hidden, layers=given.layers, heads=4, sequence=64, batch=given.batch, vocabulary=1000, image=32
    )


def model(size: Size, dropout: float) -> Language:
    """The model, the same on all ranks."""
    torch.manual_seed(0)
    made = Language(size, "gpt2")
    for each in made.modules():
        if isinstance(each, nn.Dropout):
            each.p = dropout
    return made


def batches(size: Size, count: int) -> list[Batch]:
    """The parts of batches that are for this rank."""
    torch.manual_seed(1)
    rank, ranks = dist.get_rank(), dist.get_world_size()
    whole = [torch.randint(0, size.vocabulary, (2, size.batch, size.sequence)) for _ in range(count)]
    parts = [each.chunk(ranks, dim=1)[rank] for each in whole]
    return [(each[0].contiguous(), each[1].contiguous()) for each in parts]


def optimizer_of(module: nn.Module, fused: bool) -> torch.optim.Optimizer:
    return torch.optim.AdamW(module.parameters(), lr=1e-3, fused=fused)


def plain(module: nn.Module, *, fused: bool, accumulate: int = 1) -> Step:
    """A step of a wrapped module, as PyTorch's tutorials write it; gradients are reduced in the last micro-batch."""
    optimizer, calls = optimizer_of(module, fused), [0]

    def step(batch: Batch) -> torch.Tensor:
        calls[0] += 1
        last = calls[0] % accumulate == 0
        if isinstance(module, DistributedDataParallel):
            module.require_backward_grad_sync = last
        elif isinstance(module, FSDPModule):
            module.set_requires_gradient_sync(last)
        loss = token_loss(module, *batch)
        (loss / accumulate).backward()  # type: ignore[no-untyped-call]
        if last:
            optimizer.step()
            optimizer.zero_grad()
        return loss.detach()

    return step


def contenders(size: Size, given: argparse.Namespace, batch: Batch) -> tuple[dict[str, Step], str]:
    """The steps by names, and the distributed program of p2smt's."""
    begun, fused = model(size, given.dropout), not given.unfused
    ours, ddp, fsdp = (copy.deepcopy(begun) for _ in range(3))
    mesh = init_device_mesh("cpu", (dist.get_world_size(),))
    for block in fsdp.blocks:
        fully_shard(block, mesh=mesh)
    fully_shard(fsdp, mesh=mesh)
    training = p2smt.shard(
        ours,
        token_loss,
        batch,
        given.system,
        optimizer=optimizer_of(ours, fused),
        batches="own",
        accumulate=given.accumulate,
        conditions=given.condition,
    )
    if given.source and dist.get_rank() == 0:
        given.source.write_text(training.source, encoding="utf-8")
    made = {
        "p2smt": training.step,
        "ddp": plain(DistributedDataParallel(ddp), fused=fused, accumulate=given.accumulate),
        "fsdp2": plain(fsdp, fused=fused, accumulate=given.accumulate),
    }
    return made, training.sharding


def kind_of(sharding: str) -> str:
    """What the answer is: the collectives of the distributed program, counted."""
    found = {word: sharding.count(f" {word}(") for word in ("AllReduce", "ReduceScatter", "AllGather", "AllToAll")}
    return ", ".join(f"{count} {word}" for word, count in found.items() if count) or "no collectives"


def slowest(seconds: tuple[float, float]) -> tuple[float, float]:
    """The larger of all ranks' CPU and wall-clock seconds."""
    found = torch.tensor(seconds, dtype=torch.float64)
    dist.all_reduce(found, dist.ReduceOp.MAX)
    cpu, wall = found.tolist()
    return cpu, wall


def timed(steps: Mapping[str, Step], batches: list[Batch], rounds: int, calls: int) -> Seconds:
    """Seconds of `calls` steps of each in every round; who begins changes with the round."""
    seconds: Seconds = {name: [] for name in steps}
    for number in range(rounds):
        names = list(steps)
        shift = number % len(names)
        for name in [*names[shift:], *names[:shift]]:
            dist.barrier()
            cpu, wall = process_time(), perf_counter()
            for call in range(calls):
                steps[name](batches[(number * calls + call) % len(batches)])
            dist.barrier()
            seconds[name].append(slowest((process_time() - cpu, perf_counter() - wall)))
    return seconds


def on_rank(rank: int, ranks: int, folder: str, given: argparse.Namespace) -> None:
    """What a process does; rank 0 writes the results."""
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method=f"file://{folder}/joined", rank=rank, world_size=ranks)
    size = size_of(given)
    parts = batches(size, 8)
    steps, sharding = contenders(size, given, parts[0])
    losses = {name: [float(step(each)) for each in parts[:WARMUPS]] for name, step in steps.items()}
    sums = torch.tensor([losses[name][-1] for name in steps]) / ranks
    sums[0] *= ranks  # p2smt's is the mean over all samples already
    mine = sums[0].clone()
    dist.all_reduce(sums)
    seconds = timed(steps, parts, given.rounds, given.accumulate)
    if given.profile:
        profiled(steps, parts, Path(given.profile), given.accumulate)
    if rank == 0:
        made = {
            "answer": kind_of(sharding),
            "loss": {"p2smt": float(mine)} | dict(zip(list(steps)[1:], sums.tolist()[1:], strict=True)),
            **ratios(seconds),
        }
        Path(folder, "found.json").write_text(json.dumps(made), encoding="utf-8")
    dist.barrier()
    dist.destroy_process_group()


def profiled(steps: Mapping[str, Step], parts: list[Batch], folder: Path, calls: int) -> None:
    """Write the operators of three steps of each, by their own CPU time."""
    for name, step in steps.items():
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
            for call in range(3 * calls):
                step(parts[call % len(parts)])
        table = profile.key_averages().table(sort_by="self_cpu_time_total", row_limit=25)
        (folder / f"{name}-{dist.get_rank()}.txt").write_text(table, encoding="utf-8")


def ratios(seconds: Seconds) -> dict[str, object]:
    """Milliseconds of each contender, and medians over rounds of p2smt's relative to the others'."""
    found: dict[str, object] = {}
    for number, what in enumerate(("cpu", "wall")):
        by = {name: [each[number] for each in rounds] for name, rounds in seconds.items()}
        middle = {name: round(1000 * median(each), 2) for name, each in by.items()}
        to = {
            name: round(median(o / t for o, t in zip(by["p2smt"], by[name], strict=True)), 3)
            for name in ("ddp", "fsdp2")
        }
        better = min(("ddp", "fsdp2"), key=lambda name: middle[name])
        found[what] = {"ms": middle, "ratio": to, "better": better, "ratio_to_better": to[better]}
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", default="2,4", help="numbers of ranks [2,4]")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--system", help="of p2smt.shard; measured if it is left out")
    parser.add_argument(
        "--condition",
        action="append",
        default=[],
        help="of p2smt.shard, may be given several times: "
        "'states sliced(0)' for ZeRO-1, 'parameters sliced(0)' as well for ZeRO-3",
    )
    parser.add_argument("--hidden", type=int, default=256)
    parser.add_argument("--layers", type=int, default=2)
    parser.add_argument("--batch", type=int, default=8, help="samples of all ranks together [8]")
    parser.add_argument("--dropout", type=float, default=0.0)
    parser.add_argument("--unfused", action="store_true", help="AdamW as it is by default, not fused=True, for all")
    parser.add_argument("--accumulate", type=int, default=1, help="micro-batches of an update [1]")
    parser.add_argument("--json", help="write the figures to this file; - is the standard output")
    parser.add_argument("--profile", help="folder to which each rank writes its operators' times")
    parser.add_argument("--source", type=Path, help="write the emitted step to this file")
    given = parser.parse_args()
    results: dict[str, object] = {}
    worst = 0.0
    for ranks in map(int, given.ranks.split(",")):
        with TemporaryDirectory() as folder:
            spawn(on_rank, args=(ranks, folder, given), nprocs=ranks)  # type: ignore[no-untyped-call]
            found = json.loads(Path(folder, "found.json").read_text(encoding="utf-8"))
        results[str(ranks)] = found
        worst = max(worst, found["cpu"]["ratio_to_better"])
        print(f"{ranks} ranks, {found['answer']}, losses {found['loss']}", file=sys.stderr)
        for what in ("cpu", "wall"):
            print(f"  {what:4} {found[what]}", file=sys.stderr)
    made = {
        "torch": torch.__version__,
        "python": platform.python_version(),
        "options": {key: str(value) for key, value in vars(given).items() if key not in ("json", "profile", "source")},
        "largest_ratio_of_cpu_seconds": {"found": worst, "asked": MOST},
        "ranks": results,
    }
    if given.json and given.json != "-":
        Path(given.json).write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(made if given.json == "-" else made["largest_ratio_of_cpu_seconds"], indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
