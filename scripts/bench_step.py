"""Emitted steps beside the same in eager PyTorch: time and memory of a step on one device.

    .venv/bin/python scripts/bench_step.py
    .venv/bin/python scripts/bench_step.py --only mlp,gpt2 --json results.json
    .venv/bin/python scripts/bench_step.py --model model.py:step --rounds 20
    .venv/bin/python scripts/bench_step.py --device cuda --tf32 --compile --json results.json

Both run in this process and take turns, one step each; the ratio is the median over the rounds. On the processor a
step's time is CPU seconds of one thread, on CUDA that between two events. Memory is what is held before a step, and the
most that is allocated beyond it while one runs. Both begin with the same parameters, so the losses of their first steps
are beside each other too (those of models that drop out differ, for so do the bits). `--compile` puts torch.compile on
both. `--model` takes the function that `p2smt capture` takes. Capture is pinned to one version of torch; for others
`--emitted` takes steps that were emitted elsewhere.
"""

import argparse
import json
import os
import platform
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from runpy import run_path
from statistics import median
from time import perf_counter, process_time
from types import ModuleType

os.environ.setdefault("KINETO_LOG_LEVEL", "99")  # read when torch is imported; its profiler reports starts otherwise

import torch
from bench_step_models import LARGE, MODELS, SMALL

from p2smt.emit.torch.program.source import emit_program
from p2smt.frontend.torch_graph.live import live_program
from p2smt.frontend.torch_graph.training import Training, training_of
from p2smt.tensor.expression import ProgramAxis

MOST, MOST_EACH = 1.05, 1.10
Result = dict[str, object]


@dataclass(frozen=True, slots=True)
class Contender:
    """A step that can be made again and again; `kept` are the tensors that it keeps between steps."""

    step: Callable[[], torch.Tensor]
    kept: Callable[[], list[torch.Tensor]]


def eager(training: Training, *, compiled: bool) -> Contender:
    """The step as a user writes it."""
    module, batch, optimizer = training.module, training.batch, training.optimizer
    assert optimizer is not None
    called = torch.compile(module) if compiled else module

    def step() -> torch.Tensor:
        loss = training.loss(called, *batch.values())
        loss.backward()
        if training.max_norm is not None:
            torch.nn.utils.clip_grad_norm_(module.parameters(), training.max_norm)
        optimizer.step()
        optimizer.zero_grad()
        return loss.detach()

    def kept() -> list[torch.Tensor]:
        states = [each for state in optimizer.state.values() for each in state.values() if torch.is_tensor(each)]
        return [*module.parameters(), *module.buffers(), *batch.values(), *states]

    return Contender(step, kept)


@dataclass(frozen=True, slots=True)
class StepSource:
    """An emitted step, its loss, and what its names stand for."""

    source: str
    loss: str
    keys: dict[str, str]
    inputs: dict[str, str]


def emitted_of(training: Training, kept: Path | None, *, compiled: bool) -> StepSource:
    """The step that is emitted of a training; from the file where it is kept, if there is one."""
    if kept is not None and kept.is_file():
        return StepSource(**json.loads(kept.read_text(encoding="utf-8")))
    live = live_program(training)
    source = emit_program(live.program.on(ProgramAxis("rank", 1)), compile=compiled)
    made = StepSource(source, live.program.outputs[0].name, dict(live.keys), dict(live.inputs))
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(asdict(made)), encoding="utf-8")
    return made


def emitted(live: StepSource, training: Training, device: torch.device) -> Contender:
    """The step that is emitted of the same, with the parameters that it has now."""
    loaded = ModuleType("emitted_step")
    sys.modules["emitted_step"] = loaded
    exec(compile(live.source, "<emitted step>", "exec"), loaded.__dict__)
    names = {key: name for name, key in live.keys.items()}
    state = {names.get(key, key): each for key, each in training.module.state_dict().items()}
    ranks = loaded.__dict__["OneDevice"](device, loaded.__dict__["REAL"])
    made = loaded.__dict__["Step"](state, device, strict=False, ranks=ranks)
    batch = {live.inputs[name]: each for name, each in training.batch.items()}

    def step() -> torch.Tensor:
        found: torch.Tensor = made(batch)[live.loss]
        return found

    return Contender(step, lambda: [*made.held.values(), *made.others.values(), *batch.values()])


@contextmanager
def clock(device: torch.device) -> Iterator[list[float]]:
    """Seconds of what is done inside: of the processor, or of the device."""
    seconds: list[float] = []
    if device.type == "cpu":
        begin = process_time()
        yield seconds
        seconds.append(process_time() - begin)
        return
    first, last = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    torch.cuda.synchronize()
    first.record()
    yield seconds
    last.record()
    torch.cuda.synchronize()
    seconds.append(first.elapsed_time(last) / 1000)


def timed(contenders: Mapping[str, Contender], device: torch.device, rounds: int) -> dict[str, list[float]]:
    """Seconds of every step; who begins changes with the round."""
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(rounds):
        order = list(contenders) if number % 2 else list(reversed(contenders))
        for name in order:
            with clock(device) as found:
                contenders[name].step()
            seconds[name] += found
    return seconds


def peak(contender: Contender, device: torch.device) -> int:
    """Bytes that are kept, and the most that a step allocates beyond them."""
    kept = {each.untyped_storage().data_ptr(): each.untyped_storage().nbytes() for each in contender.kept()}
    if device.type == "cuda":
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        contender.step()
        torch.cuda.synchronize()
        return sum(kept.values()) + torch.cuda.max_memory_allocated() - before
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], profile_memory=True) as profile:
        contender.step()
    most = now = 0
    events = [each for each in profile.profiler.kineto_results.events() if each.name() == "[memory]"]
    for event in sorted(events, key=lambda each: each.start_ns()):
        now += event.nbytes()
        most = max(most, now)
    return sum(kept.values()) + most


def moved(training: Training, device: torch.device, dtype: torch.dtype | None) -> Training:
    """The training on a device, in numbers of a type."""
    training.module.to(device, dtype)
    assert training.optimizer is not None
    batch = {
        name: each.to(device, dtype if each.is_floating_point() else None) for name, each in training.batch.items()
    }
    return Training(training.module, batch, training.loss, training.optimizer, training.max_norm)


def autocast(training: Training) -> Training:
    """The training with its loss under autocast to bf16."""

    def loss(module: torch.nn.Module, *batch: torch.Tensor) -> torch.Tensor:
        with torch.autocast(batch[0].device.type, torch.bfloat16):
            return training.loss(module, *batch)

    return Training(training.module, training.batch, loss, training.optimizer, training.max_norm)


def drops_out(module: torch.nn.Module) -> bool:
    """Return whether anything is left to chance."""
    return any(getattr(each, "dropout", 0.0) or getattr(each, "p", 0.0) for each in module.modules())


def measured(name: str, make: Callable[[], object], device: torch.device, given: argparse.Namespace) -> Result:
    """Both contenders of a model, beside each other."""
    torch.manual_seed(0)
    begin = perf_counter()
    training = moved(training_of(make()), torch.device("cpu"), torch.bfloat16 if given.bf16 else None)
    training = autocast(training) if given.autocast else training
    types = [kind for kind, is_asked in (("bf16", given.bf16), ("autocast", given.autocast)) if is_asked]
    size = "large" if device.type == "cuda" else "small"
    kind = "-".join([size, *types, *(["compiled"] if given.compile else [])])
    kept = given.emitted / f"{name}-{kind}.json" if given.emitted and not given.model else None
    live = emitted_of(training, kept, compiled=given.compile)
    if given.emit_only:
        return {"failed": f"not run: emitted to {kept}"}
    training = moved(training, device, None)
    step = emitted(live, training, device)
    made = perf_counter() - begin
    contenders = {"eager": eager(training, compiled=given.compile), "emitted": step}
    first = {name: float(each.step()) for name, each in contenders.items()}
    timed(contenders, device, 2)
    seconds = timed(contenders, device, given.rounds)
    bytes_ = {name: peak(each, device) for name, each in contenders.items()}
    ratios = [ours / theirs for ours, theirs in zip(seconds["emitted"], seconds["eager"], strict=True)]
    return {
        "ratio": round(median(ratios), 3),
        "ratio_of_least": round(min(seconds["emitted"]) / min(seconds["eager"]), 3),
        "memory_ratio": round(bytes_["emitted"] / bytes_["eager"], 3),
        **{f"{name}_ms": round(1000 * median(each), 3) for name, each in seconds.items()},
        **{f"{name}_bytes": each for name, each in bytes_.items()},
        "first_losses": first,
        "drops_out": drops_out(training.module),
        "capture_and_emit_s": round(made, 1),
    }


def functions(given: argparse.Namespace, device: torch.device) -> dict[str, Callable[[], object]]:
    """Return what is to be measured, by names."""
    if given.model:
        path, _, function = given.model.rpartition(":")
        return {given.model: run_path(path)[function]}
    size = LARGE if device.type == "cuda" else SMALL
    names = given.only.split(",") if given.only else list(MODELS)
    return {name: partial(MODELS[name], size) for name in names}


def tried(name: str, make: Callable[[], object], device: torch.device, given: argparse.Namespace) -> Result:
    """A model's figures, or why it has none: one that fails does not stop the others."""
    try:
        return measured(name, make, device, given)
    except Exception as cause:  # whatever it is, the other models are measured
        return {"failed": f"{type(cause).__name__}: {cause}"[:500], "where": traceback.format_exc().splitlines()[-4:]}


def shown(name: str, found: Result) -> str:
    """A line of the table."""
    if "failed" in found:
        return f"{name:12} {found['failed']}"
    return (
        f"{name:12} {found['eager_ms']:>10} {found['emitted_ms']:>10} {found['ratio']:>8} {found['memory_ratio']:>8}"
        f"   {found['first_losses']}"
    )


def summary(results: Mapping[str, Result]) -> Result:
    """The figures that are asked for."""
    ratios = [float(str(each["ratio"])) for each in results.values() if "ratio" in each]
    memory = [float(str(each["memory_ratio"])) for each in results.values() if "memory_ratio" in each]
    return {
        "median_ratio": {"found": round(median(ratios), 3) if ratios else None, "asked": MOST},
        "largest_ratio": {"found": max(ratios, default=None), "asked": MOST_EACH},
        "largest_memory_ratio": {"found": max(memory, default=None), "asked": MOST},
        "failed": sorted(name for name, each in results.items() if "failed" in each),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="FILE.py:FUNCTION in the place of the models here")
    parser.add_argument("--only", help=f"some of {','.join(MODELS)}")
    parser.add_argument("--json", help="write the figures to this file; - is the standard output")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--tf32", action="store_true", help="tf32 in products, for both")
    parser.add_argument("--bf16", action="store_true", help="module and batch in bf16, for both")
    parser.add_argument("--autocast", action="store_true", help="the loss under autocast to bf16, for both")
    parser.add_argument("--compile", action="store_true", help="torch.compile on both")
    parser.add_argument("--emitted", type=Path, help="folder of emitted steps: read where they are there, else written")
    parser.add_argument("--emit-only", action="store_true", help="write the steps for --device to --emitted, run none")
    parser.add_argument("--limit", type=float, default=165.0, help="seconds after which no model is begun [165]")
    given = parser.parse_args()
    device, begin = torch.device(given.device), perf_counter()
    if device.type == "cpu":
        torch.set_num_threads(1)
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = given.tf32
    results: dict[str, Result] = {}
    print(f"{'model':12} {'eager ms':>10} {'emitted ms':>10} {'ratio':>8} {'memory':>8}", file=sys.stderr)
    for name, make in functions(given, device).items():
        late = perf_counter() - begin > given.limit
        results[name] = {"failed": f"not begun after {given.limit:g} s"} if late else tried(name, make, device, given)
        print(shown(name, results[name]), file=sys.stderr, flush=True)
        made = {
            "torch": torch.__version__,
            "python": platform.python_version(),
            "device": torch.cuda.get_device_name() if torch.cuda.is_available() else platform.machine(),
            "options": {key: str(value) for key, value in vars(given).items() if key != "json"},
            "figures": summary(results),
            "models": results,
        }
        if given.json and given.json != "-":
            Path(given.json).write_text(json.dumps(made, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(made if given.json == "-" else made["figures"], indent=2))
    return 0 if not summary(results)["failed"] else 1


if __name__ == "__main__":
    sys.exit(main())
