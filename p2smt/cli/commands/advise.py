"""`p2smt advise`."""

from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.exit_code import ExitCode, of_search
from p2smt.cli.options.shared import FORCE, JSON, TIMEOUT, backend_options, deadline_after
from p2smt.cli.options.values import Command, Option, take, with_options
from p2smt.cost.network.backend import Backend
from p2smt.errors import ProblemError
from p2smt.problem.system.text import SYSTEM_FORMS

if TYPE_CHECKING:
    from p2smt.cost.network.backend import Cost
    from p2smt.job.advice import Advice, SplitQuestion
    from p2smt.problem.system.network import System
    from p2smt.problem.transformer.model import Transformer
    from p2smt.problem.transformer.splits import SplitChoice


def _size(name: str, text: str) -> Option:
    return click.option(name, type=click.IntRange(min=1), metavar="N", help=text)


_OPTIONS = (
    click.option("--model", required=True, metavar="NAME", help="A model such as llama-70b; --model list names all."),
    click.option("--system", metavar="SYSTEM", help=f"{SYSTEM_FORMS}."),
    click.option("--split", type=click.Choice(["auto"]), help="Try every split of the devices that fits into memory."),
    _size("--tp", "Tensor-parallel devices [1; auto: any]."),
    _size("--pp", "Pipeline stages [1; auto: any]."),
    _size("--dp", "Data-parallel devices [what is left]."),
    click.option("--cp", type=click.IntRange(min=1), default=1, metavar="N", help="Context-parallel devices [1]."),
    click.option("--ep", type=click.IntRange(min=1), default=1, metavar="N", help="Expert-parallel devices of dp [1]."),
    click.option("--chunks", type=click.IntRange(min=1), default=1, metavar="N", help="Chunks of layers a stage [1]."),
    click.option("--zero", type=click.IntRange(0, 3), default=1, help="ZeRO stage; 1 is a distributed optimizer [1]."),
    click.option("--sequence-parallel/--no-sequence-parallel", "sequence_parallel", default=None,
                 help="Cut activations along the sequence [where tp is more than 1]."),
    _size("--batch", "Sequences per step [the first multiple of the devices from 1024 on]."),
    click.option("--micro-batch", type=click.IntRange(min=1), default=1, metavar="N", help="Sequences at a time [1]."),
    _size("--sequence", "Tokens of a sequence [the model's]."),
    click.option("--recompute", is_flag=True, help="Keep only the input of every layer for the backward pass."),
    click.option("--memory", metavar="SIZE", help="What a device holds, such as 80GB [the system's]."),
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What the options say; None: not given."""

    model: str
    system: str | None
    split: str | None
    tp: int | None
    pp: int | None
    dp: int | None
    cp: int
    ep: int
    chunks: int
    zero: int
    sequence_parallel: bool | None
    batch: int | None
    micro_batch: int
    sequence: int | None
    recompute: bool
    memory: str | None

    @property
    def auto(self) -> bool:
        """Whether splits are searched: asked for, or nothing is said of any."""
        return self.split is not None or (self.tp, self.pp, self.dp) == (None, None, None)

    def choice(self) -> "SplitChoice":
        """What is fixed of the split."""
        from p2smt.problem.transformer.model import Zero
        from p2smt.problem.transformer.splits import SplitChoice

        return SplitChoice(
            tp=self.tp,
            pp=self.pp,
            dp=self.dp,
            cp=self.cp,
            ep=self.ep,
            chunks=self.chunks,
            sequence_parallel=self.sequence_parallel,
            zero=Zero(self.zero),
        )

    def transformer(self, devices: int) -> "Transformer":
        """The model and what a step of its training takes."""
        from p2smt.problem.transformer.named import named_model, usual_batch

        batch = usual_batch(devices, self.micro_batch) if self.batch is None else self.batch
        return named_model(self.model, batch, self.sequence, self.micro_batch)

    def question(self) -> "SplitQuestion":
        """All of it."""
        from p2smt.job.advice import SplitQuestion
        from p2smt.problem.model import Search
        from p2smt.problem.quantity import parse_bytes
        from p2smt.problem.system.text import find_system

        if self.system is None:
            raise ProblemError("--system is missing; give it, `p2smt system` lists the presets")
        system = find_system(self.system)
        return SplitQuestion(
            system=system,
            transformer=self.transformer(system.devices),
            choice=self.choice(),
            search=Search(),
            memory=system.network.memory if self.memory is None else parse_bytes(self.memory),
            recompute=self.recompute,
        )


def _model_options(command: Command) -> Command:
    @wraps(command)
    def with_asked(**values: object) -> int:
        return command(asked=take(_Asked, values), **values)

    return with_options(with_asked, _OPTIONS)


@click.command("advise")
@_model_options
@backend_options
@TIMEOUT
@click.option("--top", type=click.IntRange(min=1), default=5, show_default=True, help="Placements or splits to print.")
@click.option("--out", type=click.Path(path_type=Path), help="Write the job, for optimize, mesh, explain and report.")
@FORCE
@JSON
def command(
    asked: _Asked, backend: Backend, timeout: float | None, top: int, out: Path | None, force: bool, as_json: bool
) -> ExitCode:
    """Say where to put the axes of a model's training, what the usual order loses, and what to type.

    Communication of a step is predicted on every placement, with the best program for every reduction and with the
    sends between pipeline stages; computation is not. Without --tp, --pp and --dp, or with --split auto, every split of
    the devices is tried that a formula for memory lets pass; those that are given stay as they are.

    \b
    Example:
      p2smt advise --model llama-70b --system dgx-h100:8x8 --tp 8 --pp 4 --dp 2
      p2smt advise --model llama-70b --system aws-p5:16x8 --split auto --recompute
      p2smt advise --model mixtral-8x7b --system dgx-h100:4x8 --tp 4 --ep 8 --out job.toml && p2smt explain job.toml

    Exit codes: 0 answered, 1 no split fits, 2 bad input, 3 stopped early.
    """  # noqa: D301
    from p2smt.cli.output.files import is_stdout, refuse_overwriting
    from p2smt.cost.network.backend import cost_of

    if asked.model == "list":
        return _list_models()
    if out is not None and is_stdout(out):
        raise ProblemError("--out takes a file; the answer goes to stdout")
    refuse_overwriting(out, force=force)
    question = asked.question()
    cost, deadline = cost_of(question.system, backend), deadline_after(timeout)
    shown = _Shown(asked.model, asked.system or "", top, out, force, as_json)
    return _searched(question, cost, deadline, shown) if asked.auto else _answered(question, cost, deadline, shown)


@dataclass(frozen=True, slots=True)
class _Shown:
    """What the answer is called, how much of it is printed, and where its job goes."""

    model: str
    system: str
    top: int
    out: Path | None
    force: bool
    as_json: bool


def _answered(question: "SplitQuestion", cost: "Cost", deadline: float | None, shown: _Shown) -> ExitCode:
    """Advise on the one split that was given."""
    from p2smt.cli.output.advise import advice_document, print_advice
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.progress import progress
    from p2smt.cli.output.solved import unfinished
    from p2smt.job.advice import Advice, advise, training
    from p2smt.problem.transformer.splits import the_split

    split = the_split(question.choice, question.system.devices)
    job = training(question.system, question.transformer, split, question.search, recompute=question.recompute)
    with progress("placements") as on_progress:
        result = advise(job, cost, deadline, on_progress)
    if not isinstance(result, Advice):
        return unfinished(result, as_json=shown.as_json)
    _write_job(question.system, result, shown)
    if shown.as_json:
        print_json(advice_document(result, shown.model, question.memory, shown.top))
    else:
        print_advice(result, shown.model, question.memory, shown.top)
    return of_search(complete=result.optimum.proved)


def _searched(question: "SplitQuestion", cost: "Cost", deadline: float | None, shown: _Shown) -> ExitCode:
    """Advise on every split."""
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.progress import progress
    from p2smt.cli.output.split_search import print_splits, splits_document
    from p2smt.job.advice import search_splits

    with progress("splits", remaining=False) as on_progress:
        found = search_splits(question, cost, deadline, on_progress)
    if shown.as_json:
        print_json(splits_document(found, question, shown.model))
    else:
        print_splits(found, question, shown.model, shown.top)
    if found.advice:
        _write_job(question.system, found.advice[0], shown)
    return of_search(found=bool(found.advice), complete=found.complete)


def _write_job(system: "System", advice: "Advice", shown: _Shown) -> None:
    from p2smt.cli.output.files import write_and_say
    from p2smt.problem.job_file import training_text

    if shown.out is None:
        return
    described = system if shown.system.endswith(".toml") else shown.system
    text = training_text(described, advice.training.transformer, advice.training.parallelism)
    write_and_say(shown.out, text, "the job", f"p2smt mesh {shown.out} --to devicemesh", force=shown.force)


def _list_models() -> ExitCode:
    from p2smt.cli.output.advise import print_models
    from p2smt.problem.transformer.named import named_models

    print_models(tuple(named_models().values()))
    return ExitCode.FOUND
