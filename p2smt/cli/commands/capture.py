"""`p2smt capture`."""

from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.exit_code import ExitCode, of_search
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.paths import FUNCTION_TEXT, OutputPath
from p2smt.cli.options.shared import FORCE, JSON
from p2smt.cli.options.values import choice
from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.settings import AttentionForm, Example, OptimizerName, Size, settings_of
from p2smt.wording import counted, plural

if TYPE_CHECKING:
    from p2smt.tensor.program import Program

_DEFAULT_TIMEOUT_S = 600


@click.command("capture", cls=HelpPage, no_args_is_help=True)
@click.argument("target", type=FUNCTION_TEXT, metavar="FILE.py:FUNCTION", required=False)
@click.option("--run-python", is_flag=True, help="Run the file's code, with tensors that have no elements.")
@choice("--example", Example, help="A model that comes with p2smt, instead of a file.")
@choice("--size", Size, default=Size.SMALL, help="Its configuration: small, or that of the papers.")
@click.option("--layers", type=click.IntRange(1, 1000), metavar="N", help="Its number of layers.")
@click.option("--batch", type=click.IntRange(1, 2**20), metavar="N", help="Samples in its batch.")
@click.option("--experts", type=click.IntRange(2, 2**12), metavar="N", help="Experts of bert-moe.")
@click.option(
    "--dropout",
    type=click.FloatRange(0, 1, max_open=True),
    metavar="SHARE",
    help="How much of its values it drops out.",
)
@choice("--optimizer", OptimizerName, default=OptimizerName.ADAM, help="What updates its parameters.")
@click.option(
    "--clip", type=click.FloatRange(0, min_open=True), metavar="NORM", help="Clip its gradients to this norm."
)
@choice("--attention", AttentionForm, default=AttentionForm.WHOLE, help="One operation, or its parts.")
@click.option(
    "--timeout",
    type=click.FloatRange(0, min_open=True),
    metavar="SECONDS",
    help=f"Give up tracing after so long [{_DEFAULT_TIMEOUT_S}].",
)
@click.option(
    "--dry-run", is_flag=True, help="List all that keeps FILE.py:FUNCTION from being captured; write nothing."
)
@click.option("--out", type=OutputPath(), metavar="FILE", help="File to write instead of stdout.")
@FORCE
@JSON
def command(
    target: str | None,
    run_python: bool,
    example: Example | None,
    size: Size,
    layers: int | None,
    batch: int | None,
    experts: int | None,
    dropout: float | None,
    optimizer: OptimizerName,
    clip: float | None,
    attention: AttentionForm,
    timeout: float | None,
    dry_run: bool,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> ExitCode:
    """Write a training step of a PyTorch model as a tensor program: forward, backward and optimizer.

    FUNCTION takes nothing and gives (module, batch, loss, optimizer), and behind them, if gradients are clipped, to
    which norm. The batch is a tuple or dict of tensors; loss(module, *batch) gives a tensor without dimensions; the
    optimizer is one of torch's, or your own, whose step is recorded, or None: then the gradients are the outputs. No
    tensor has elements while it runs, so that models of any size are captured. Parameters keep their names. Dropout
    becomes one by counter, the same however the program is distributed. What the language lacks is an error that names
    operation and line.

    \b
    Example:
      # model.py
      import torch
      from torch.nn import functional as F
      def step():
          module = torch.nn.Sequential(torch.nn.Linear(32, 128), torch.nn.ReLU(), torch.nn.Linear(128, 10))
          batch = {"x": torch.zeros(64, 32), "y": torch.zeros(64, dtype=torch.long)}
          loss = lambda module, x, y: F.cross_entropy(module(x), y)
          return module, batch, loss, torch.optim.AdamW(module.parameters(), lr=1e-3)
    \b
      p2smt capture model.py:step --run-python --out step.tp
      p2smt capture --example gpt --layers 24 --out gpt.tp

    Exit codes: 0 written, 2 bad input, or an operation that the language lacks. With --dry-run: 0 nothing keeps the
    step from being captured, 1 what is listed does, 3 so does it, and ends the step: there may be more.
    """  # noqa: D301
    if (target is None) == (example is None):
        raise CaptureError("there is no step to capture, or two; give either FILE.py:FUNCTION or --example")
    if dry_run or as_json:
        return _surveyed(target, run_python, out, timeout or _DEFAULT_TIMEOUT_S, attention, dry_run, as_json)
    from p2smt.cli.output.files import refuse_overwriting, write_and_say
    from p2smt.frontend.torch_graph.capture import capture_example, capture_function
    from p2smt.tensor.printer import print_program

    refuse_overwriting(out, force=force)
    if example is not None:
        settings = settings_of(example, size, batch, layers, experts, dropout)
        program = capture_example(example, settings, optimizer, clip, timeout or _DEFAULT_TIMEOUT_S, attention)
    else:
        program = capture_function(*_named(target or "", run_python), timeout or _DEFAULT_TIMEOUT_S, attention)
    write_and_say(out, print_program(program), _said(program), f"p2smt show {out}", force=force)
    return ExitCode.FOUND


def _surveyed(
    target: str | None,
    run_python: bool,
    out: Path | None,
    limit: float,
    attention: AttentionForm,
    dry_run: bool,
    as_json: bool,
) -> ExitCode:
    """Print the obstacles to capturing a training step (--dry-run)."""
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.feasibility import feasibility_document, print_feasibility
    from p2smt.frontend.torch_graph.capture import survey_function

    if not dry_run:
        raise CaptureError("--json prints the findings of --dry-run; a program is text, which --out writes")
    if target is None or out is not None:
        raise CaptureError("--dry-run takes FILE.py:FUNCTION, and writes nothing; leave out --example and --out")
    found = survey_function(*_named(target, run_python), limit, attention)
    if as_json:
        print_json(feasibility_document(target, found))
    else:
        print_feasibility(target, found)
    return of_search(found=found.is_captured, complete=not found.ended)


def _named(target: str, run_python: bool) -> tuple[Path, str]:
    """Split FILE.py:FUNCTION into the file and the function."""
    path, _, function = target.rpartition(":")
    if not path or not function:
        raise CaptureError(f"{target!r} names no function; give FILE.py:FUNCTION")
    if not run_python:
        raise CaptureError(f"{path} is Python code, which is not run by default; give --run-python if you trust it")
    return Path(path), function


def _said(program: "Program") -> str:
    """Describe the size of a program in words."""
    from p2smt.tensor.expression import SourceKind

    parameters = [source for source in program.sources if source.kind is SourceKind.PARAMETER]
    elements = sum(prod(source.shape) for source in parameters)
    calls = [part.operation for part in program.expressions() if hasattr(part, "operation")]
    dropouts = "; dropout is by counter" if {"dropout", "dropped_attention"} & set(calls) else ""
    size = f"{counted(len(parameters), 'parameter')} of {elements:,} {plural('element', elements)}"
    return f"a step with {size}, {counted(len(program.statements), 'statement')}{dropouts}"
