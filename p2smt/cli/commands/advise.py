"""`p2smt advise`."""

from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.exit_code import ExitCode, of_search
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.paths import OutputPath
from p2smt.cli.options.shared import FORCE, JSON, TIMEOUT, backend_options, deadline_after
from p2smt.cli.options.training import TRAINING_OPTIONS
from p2smt.cli.options.values import Command, take, with_options
from p2smt.cost.network.backend import Backend, asked_cost
from p2smt.errors import ProblemError
from p2smt.problem.model import Search
from p2smt.problem.quantity import parse_memory
from p2smt.problem.system.text import find_system
from p2smt.problem.transformer.model import Zero
from p2smt.problem.transformer.split import Dispatcher, Framework, Pipeline, Precision, Recompute

if TYPE_CHECKING:
    from p2smt.job.advice import Advice
    from p2smt.job.step.explanation import WhatIf
    from p2smt.job.step.grid import FixedDegrees
    from p2smt.job.step.search import SplitCandidate, StepQuestion, StepSearch
    from p2smt.problem.system.network import System
    from p2smt.problem.transformer.model import Transformer
    from p2smt.problem.transformer.split import Split


@dataclass(frozen=True, slots=True, kw_only=True)
class _AdviseOptions:
    """The command's options; None if an option is not given."""

    model: str
    system: str | None
    framework: str
    precision: str
    dispatcher: str | None
    split: str | None
    tp: int | None
    pp: int | None
    dp: int | None
    cp: int | None
    ep: int | None
    etp: int | None
    replicas: int | None
    chunks: int | None
    pipeline: str | None
    zero: int | None
    sequence_parallel: bool | None
    batch: int | None
    micro_batch: int | None
    sequence: int | None
    recompute: str | None
    memory: str | None
    mfu: float | None

    @property
    def named_system(self) -> str:
        """The text of --system; raises ProblemError if it is missing."""
        if self.system is None:
            raise ProblemError("--system is missing; give a preset or a system file (`p2smt system` lists the presets)")
        return self.system

    @property
    def auto(self) -> bool:
        """True if all splits are searched: --split auto is given, or no degree is fixed."""
        return self.split is not None or (self.tp, self.pp, self.dp) == (None, None, None)

    def fixed(self) -> "FixedDegrees":
        """Return the degrees of parallelism that the options fix."""
        from p2smt.job.step.grid import FixedDegrees

        return FixedDegrees(
            tp=self.tp,
            pp=self.pp,
            dp=self.dp,
            cp=self.cp,
            ep=self.ep,
            etp=self.etp,
            chunks=self.chunks,
            replicate=self.replicas,
            zero=None if self.zero is None else Zero(self.zero),
            micro_batch=self.micro_batch,
            recompute=None if self.recompute is None else Recompute(self.recompute),
            sequence_parallel=self.sequence_parallel,
            pipeline=None if self.pipeline is None else Pipeline(self.pipeline),
        )

    def question(self, system: "System") -> "StepQuestion":
        """Return the request to the search: model, cluster, framework, precision and fixed degrees."""
        from p2smt.frontend.models.reading import read_model
        from p2smt.job.step.cluster import cluster_of
        from p2smt.job.step.search import StepQuestion
        from p2smt.problem.transformer.named import usual_batch

        size = 1 if self.auto or self.micro_batch is None else self.micro_batch
        batch = usual_batch(system.devices, size) if self.batch is None else self.batch
        return StepQuestion(
            transformer=read_model(self.model, batch, self.sequence, size),
            cluster=cluster_of(system, None if self.memory is None else parse_memory(self.memory)),
            framework=Framework(self.framework),
            precision=Precision(self.precision),
            fixed=self.fixed(),
            utilisation=self.mfu,
            dispatcher=None if self.dispatcher is None else Dispatcher(self.dispatcher),
        )


def _model_options(command: Command) -> Command:
    @wraps(command)
    def with_asked(**values: object) -> int:
        return command(asked=take(_AdviseOptions, values), **values)

    return with_options(with_asked, TRAINING_OPTIONS)


@click.command("advise", cls=HelpPage)
@_model_options
@backend_options
@TIMEOUT
@click.option("--top", type=click.IntRange(min=1), default=10, show_default=True, help="Splits to print.")
@click.option("--what-if", "what_if", is_flag=True, help="Ask again with twice the network, and twice the memory.")
@click.option("--groups", is_flag=True, help="Print the groups of ranks, of attention and of experts.")
@click.option("--svg", type=OutputPath(), metavar="FILE", help="Draw the parts of each split's step.")
@click.option("--out", type=OutputPath(), help="Write the job, for optimize, mesh, explain and report.")
@FORCE
@JSON
def command(
    asked: _AdviseOptions,
    backend: Backend,
    timeout: float | None,
    top: int,
    what_if: bool,
    groups: bool,
    svg: Path | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> ExitCode:
    """Say which split of a model over a system has the shortest step, how long it is, and what to type.

    A step is computing by the shapes of its products, communication that is not hidden, stages that wait, and the
    optimizer. Without --tp, --pp and --dp, or with --split auto, every split is tried that fits into memory and that
    the framework runs; what is given stays as it is. The axes of the best are placed with the communication of all
    placements.

    \b
    Example:
      p2smt advise --model llama-70b --system dgx-h100:32x8 --batch 512
      p2smt advise --model config.json --system aws-p5:16x8 --framework torchtitan --precision fp8 --what-if
      p2smt advise --model qwen3-235b-a22b --system dgx-h100:32x8 --sequence 4096 --groups --json
      p2smt advise --model llama-70b --system dgx-h100:8x8 --tp 8 --pp 4 --dp 2 --out job.toml

    Exit codes: 0 answered, 1 no split fits, 2 bad input, 3 stopped early.
    """  # noqa: D301
    from p2smt.cli.output.files import is_stdout, refuse_overwriting
    from p2smt.cli.output.steps import draw_splits
    from p2smt.job.step.explanation import better_on_degrees
    from p2smt.job.step.explanation import what_if as changed
    from p2smt.problem.system.device_models import assumed_devices
    from p2smt.problem.system.link_origin import links_text

    if asked.model == "list":
        return _list_models()
    for option, path in (("--out", out), ("--svg", svg)):
        if path is not None and is_stdout(path):
            raise ProblemError(f"{option} needs a file name, because the answer goes to stdout")
    refuse_overwriting(out, svg, force=force)
    system = find_system(asked.named_system)
    question = asked.question(system)
    deadline = deadline_after(timeout)
    found = _searched(question, top, deadline) if asked.auto else _given(question, system.devices)
    advice, proved = _placed(found, system, backend, deadline)
    better = None if asked.auto else better_on_degrees(question, found.best[0])
    changes = tuple(changed(question)) if what_if and found.best else ()
    shown = _Display(
        asked.model, asked.named_system, f"{assumed_devices(system)}; links: {links_text(system)}", groups, as_json
    )
    _print(found, advice, better, changes, shown)
    if svg is not None and found.best:
        draw_splits(svg, found, force=force)
    if out is not None and advice is not None:
        _write_job(system, advice, asked.named_system, out, force=force)
    elif out is not None and found.best:
        raise ProblemError("the split assigns experts to axes that job files cannot describe; leave --out out")
    return of_search(found=bool(found.best), complete=found.complete and proved)


@dataclass(frozen=True, slots=True)
class _Display:
    """The names for the first lines of the answer, and the output format."""

    model: str
    system: str
    devices: str
    groups: bool
    as_json: bool


def _searched(question: "StepQuestion", top: int, deadline: float | None) -> "StepSearch":
    from p2smt.job.step.search import search_steps

    return search_steps(question, top, deadline)


def _given(question: "StepQuestion", devices: int) -> "StepSearch":
    """Price the one split that the options give, even if it does not fit into memory."""
    from p2smt.job.step.given import given_split
    from p2smt.job.step.search import StepSearch, priced

    split = given_split(question.transformer, question.fixed, devices)
    return StepSearch(
        question=question,
        best=(priced(question, split),),
        points=1,
        priced=1,
        too_large=0,
        least=None,
        complete=True,
    )


def _placed(
    found: "StepSearch", system: "System", backend: Backend, deadline: float | None
) -> "tuple[Advice | None, bool]":
    """Find the best placement of the axes of the best split, and tell whether it is proved optimal.

    The advice is None if no split was found, or if the split cannot be written as a training job.
    """
    from p2smt.job.advice import Advice, advise, training
    from p2smt.job.optimize import Unfinished
    from p2smt.job.step.given import parallelism_of

    parallelism = parallelism_of(found.best[0].split) if found.best else None
    if parallelism is None:
        return None, True
    best = found.best[0]
    transformer = _with_micro_batch(found, best.split)
    job = training(system, transformer, parallelism, Search(), step=best.time)
    result = advise(job, asked_cost(system, backend), deadline)
    return (result, result.optimum.proved) if isinstance(result, Advice) else (None, not isinstance(result, Unfinished))


def _with_micro_batch(found: "StepSearch", split: "Split") -> "Transformer":

    return replace(found.question.transformer, micro_batch=split.micro_batch)


def _print(
    found: "StepSearch",
    advice: "Advice | None",
    better: "SplitCandidate | None",
    changes: "tuple[WhatIf, ...]",
    shown: _Display,
) -> None:
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.groups import print_groups
    from p2smt.cli.output.steps import print_steps
    from p2smt.cli.output.steps_document import steps_document

    if shown.as_json:
        document = steps_document(
            found, shown.model, shown.system, advice, better=better, changes=changes, groups=shown.groups
        )
        print_json(document)
        return
    print_steps(found, shown.model, shown.system, shown.devices, advice, better=better, changes=changes)
    if shown.groups and found.best:
        print_groups(found.best[0].split, experts=found.question.transformer.experts is not None)


def _write_job(system: "System", advice: "Advice", named: str, out: Path, *, force: bool) -> None:
    from p2smt.cli.output.files import write_and_say
    from p2smt.problem.job_file import training_text

    described = system if named.endswith(".toml") else named
    text = training_text(described, advice.training.transformer, advice.training.parallelism)
    write_and_say(out, text, "the job", f"p2smt mesh {out} --to devicemesh", force=force)


def _list_models() -> ExitCode:
    from p2smt.cli.output.models import print_models
    from p2smt.problem.transformer.named import named_models

    print_models(tuple(named_models().values()))
    return ExitCode.FOUND
