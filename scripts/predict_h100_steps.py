"""Predict training steps that were measured on an H100 and an H200, eager and emitted ones: no GPU is needed.

    .venv/bin/python scripts/predict_h100_steps.py
    .venv/bin/python scripts/predict_h100_steps.py --only emitted

The steps of h100_steps.json ran on the H100 whose operations are those of `models/h100.toml`; those of
scripts/results/emitted_steps.md on an H200 of which no operation was measured: its model has the bandwidth of the data
sheet, and what kinds of operations reach as on that H100. An eager step is the program's time line with what eager
PyTorch does otherwise: a dropout is one launch, and AdamW is 21 words for each parameter where the fused kernel moves
seven (`foreach`, which moves them at 0.77 of the bandwidth). transformers' norms are in parts. The table is Markdown,
kept in scripts/results/steps.md.
"""

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import cast
from unittest.mock import patch

import torch
from bench_step import moved
from bench_step_models import LARGE, MODELS, Language, Size, Step

from p2smt.cost.computing.roofline import DROPOUT_LAUNCHES
from p2smt.cost.computing.time_line import StepTask, StepTimeLine, time_line
from p2smt.cost.network.backend import Gloo
from p2smt.frontend.torch_graph import joint
from p2smt.frontend.torch_graph.examples.models import training_step
from p2smt.frontend.torch_graph.examples.transformer import Attention
from p2smt.frontend.torch_graph.live import live_program
from p2smt.frontend.torch_graph.settings import Example, OptimizerName, Settings, settings_of
from p2smt.frontend.torch_graph.settings import Size as Packaged
from p2smt.frontend.torch_graph.training import training_of
from p2smt.problem.system.build import build_system
from p2smt.problem.system.device_model import DeviceModel
from p2smt.problem.system.device_model_entries import device_model
from p2smt.problem.system.text import find_system
from p2smt.spmd.account.instructions import account
from p2smt.spmd.devices.network import PICO
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.reading.launches import launch_shares
from p2smt.spmd.reading.step_time_line import step_time_line
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import ProgramAxis
from p2smt.tensor.program import Program

HERE = Path(__file__).parent
FOREACH = (21 / 0.77) / (7 / 0.66)
"""How many times as long the kernels of AdamW take tensor by tensor, in several operations each, as fused."""
GPT2 = Size(hidden=768, layers=12, heads=12, sequence=1024, batch=8, vocabulary=50257, image=32)
LLAMA = Size(hidden=1024, layers=12, heads=16, sequence=512, batch=4, vocabulary=32000, image=32)

EMITTED = {
    "mlp": (1.7, 1.5, 1.4, 0.9),
    "gpt2": (37.8, 37.4, 9.4, 9.5),
    "llama": (39.4, 38.5, 12.9, 11.3),
    "bert": (39.9, 39.4, 10.6, 9.7),
    "vit": (17.9, 17.3, 11.8, 10.7),
    "resnet": (27.1, 26.9, 12.1, 9.0),
    "convnext": (27.6, 27.4, 14.0, 13.4),
    "experts": (56.6, 56.1, 17.8, 17.0),
}
"""Milliseconds of scripts/results/emitted_steps.md: eager and emitted in float32, then in bfloat16."""


@dataclass(frozen=True)
class Case:
    """A step, how its numbers are kept, and its measured milliseconds."""

    name: str
    dtype: str
    kind: str
    ms: float
    program: Callable[[], Program]


def packaged(example: Example) -> Step:
    """A packaged model with eight samples; what attention drops out is part of its kernel in PyTorch, so of none."""
    settings: Settings = settings_of(example, Packaged.PAPER, 8)
    made = training_step(example, settings, OptimizerName.ADAM)
    for each in made.module.modules():
        if isinstance(each, Attention):
            each.dropout = 0.0
    assert made.optimizer is not None
    return made.module, tuple(made.batch.values()), made.loss, made.optimizer


class NewGelu(torch.nn.Module):
    """GELU by tanh in parts, as GPT-2 of transformers has it."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Of the shape of x."""
        inner = math.sqrt(2 / math.pi) * (x + 0.044715 * torch.pow(x, 3.0))
        return 0.5 * x * (1.0 + torch.tanh(inner))


def gpt2_of_transformers() -> Step:
    """GPT-2 small with 1,024 positions."""
    made = MODELS["gpt2"](GPT2)
    for block in cast(Language, made[0]).blocks:
        block.get_submodule("feed").add_module("1", NewGelu())
    return made


def under_autocast(step: Step) -> Step:
    """The step whose products are made in bfloat16, with parameters in float32."""
    module, batch, loss, optimizer = step

    def lowered(called: torch.nn.Module, *given: torch.Tensor) -> torch.Tensor:
        with torch.autocast("cpu", torch.bfloat16):
            return loss(called, *given)

    return module, batch, lowered, optimizer


def program_of(step: Step, dtype: torch.dtype | None = None, *, in_parts: bool = False) -> Program:
    """The program of a step on one device; `in_parts`: with RMS norm taken apart, as transformers has its norms."""
    with patch.object(joint, "whole_rms_norm", nullcontext) if in_parts else nullcontext():
        return live_program(moved(training_of(step), torch.device("cpu"), dtype)).program.on(ProgramAxis("rank", 1))


def predicted(program: Program, model: DeviceModel, dtype: str, *, eager: bool) -> StepTimeLine:
    """The time line of a step on one device."""
    numbers = DType.BF16 if dtype == "bfloat16" else DType.F32
    system = build_system(replace(find_system("device:1"), device=model))
    cluster = cluster_of(system, Gloo(), None, numbers, tf32=dtype in ("tf32", "autocast"))
    line = step_time_line(program, account(program, cluster), cluster)
    masked = launch_shares(program)
    return time_line([as_eager(span.task, masked) for span in line.spans]) if eager else line


def as_eager(task: StepTask, masked: Mapping[str, int]) -> StepTask:
    """The task in eager PyTorch; dropouts that read a mask are one launch already."""
    match task.name.split():
        case "dropout", statement if statement not in masked:
            return replace(task, launch=task.launch // DROPOUT_LAUNCHES)
        case "fused", *_:
            return replace(task, duration=round(FOREACH * task.duration))
        case _:
            return task


def eager_program(make: Callable[[], Step], *, is_cast: bool, in_parts: bool) -> Program:
    """The program of a model, under autocast or not."""
    return program_of(under_autocast(make()) if is_cast else make(), in_parts=in_parts)


def eager_cases() -> Iterator[Case]:
    """The steps of h100_steps.json."""
    makers: dict[str, Callable[[], Step]] = {
        "packaged-vit": lambda: packaged(Example.VIT),
        "packaged-bert": lambda: packaged(Example.BERT),
        "gpt2-12x768-b8-s1024": gpt2_of_transformers,
        "llama-12x1024-kv4-b4-s512": lambda: MODELS["llama"](LLAMA),
    }
    for each in json.loads((HERE / "h100_steps.json").read_text(encoding="utf-8"))["eager"]:
        make, is_cast = makers[each["model"]], each["dtype"] == "bf16"

        program = partial(eager_program, make, is_cast=is_cast, in_parts=each["model"].startswith("llama"))
        yield Case(each["model"], "autocast" if is_cast else each["dtype"], "eager", each["ms"], program)


def bench_program(name: str, dtype: torch.dtype) -> Program:
    """The program of a model of bench_step.py."""
    return program_of(MODELS[name](LARGE), dtype)


def emitted_cases() -> Iterator[Case]:
    """The steps of emitted_steps.md."""
    for name, (*in_f32, eager, emitted) in EMITTED.items():
        for dtype, pair in (("float32", in_f32), ("bfloat16", (eager, emitted))):
            for kind, ms in zip(("eager", "emitted"), pair, strict=True):
                yield Case(name, dtype, kind, ms, partial(bench_program, name, getattr(torch, dtype)))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=("eager", "emitted"), help="of the first machine, or the second")
    given = parser.parse_args()
    torch.set_num_threads(1)
    first, second = device_model("h100"), device_model("h200")
    found: dict[str, list[float]] = {}
    known: dict[tuple[str, str], Program] = {}
    print("| model | numbers | step | measured | predicted | of the host | predicted / measured |")
    print("|---|---|---|---|---|---|---|")
    for where, cases, model in (("eager", eager_cases(), first), ("emitted", emitted_cases(), second)):
        for case in cases if given.only in (None, where) else ():
            key = case.name, "float32" if case.dtype == "tf32" else case.dtype
            if key not in known:
                known[key] = case.program()
            line = predicted(known[key], model, case.dtype, eager=case.kind == "eager")
            ours, host = line.makespan / PICO * 1e3, line.host / PICO * 1e3
            found.setdefault(f"{case.kind}, {'first' if where == 'eager' else 'second'} machine", []).append(
                ours / case.ms
            )
            print(
                f"| {case.name} | {case.dtype} | {case.kind} | {case.ms:.1f} ms | {ours:.1f} ms | {host:.1f} ms "
                f"| {ours / case.ms:.2f} |",
                flush=True,
            )
    for name, ratios in found.items():
        logs, parts = [abs(math.log(each)) for each in ratios], [abs(each - 1) for each in ratios]
        print(
            f"{name}: mean |ln| {fmean(logs):.2f}, largest {max(logs):.2f}; "
            f"{fmean(parts):.0%} of what was measured, largest {max(parts):.0%}",
            file=sys.stderr,
        )


if __name__ == "__main__":
    main()
