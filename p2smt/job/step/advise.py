"""Find the split with the shortest step; entry point for users of the Python API."""

from time import monotonic
from types import NoneType
from typing import TypeVar

from p2smt.argument_types import require
from p2smt.errors import ProblemError
from p2smt.frontend.models.reading import read_model
from p2smt.job.step.cluster import cluster_of
from p2smt.job.step.grid import FixedDegrees
from p2smt.job.step.search import StepQuestion, StepSearch, search_steps
from p2smt.problem.spellings import system_given
from p2smt.problem.system.network import System
from p2smt.problem.transformer.model import Transformer
from p2smt.problem.transformer.named import usual_batch
from p2smt.problem.transformer.split import Dispatcher, Framework, Precision
from p2smt.wording import did_you_mean

_Choice = TypeVar("_Choice", Dispatcher, Framework, Precision)


def advise(
    model: str | Transformer,
    system: str | System,
    *,
    batch: int | None = None,
    sequence: int | None = None,
    framework: Framework | str = Framework.MEGATRON,
    precision: Precision | str = Precision.BF16,
    dispatcher: Dispatcher | str | None = None,
    fixed: FixedDegrees | None = None,
    memory: int | None = None,
    keep: int = 10,
    timeout: float | None = None,
) -> StepSearch:
    """Return the splits of a model over a system with the shortest steps, fastest first.

    `model` is a name (`p2smt advise --model list`), a config.json, a TOML file with `[transformer]`, or a
    transformer with its own batch size. `fixed` holds degrees that must not change; `dispatcher` sends tokens to
    experts (None: the fastest on the device). Raises P2Error for unknown
    or contradictory arguments.

    >>> found = advise("llama-8b", "dgx-h100:1x8", batch=64, framework="torchtitan")
    >>> found.best[0].split.dp
    8
    """
    chosen = system_given(system)
    require(model, (str, Transformer), "model", "write a name such as 'llama-8b', or a config.json")
    for name, value in (("batch", batch), ("sequence", sequence), ("memory", memory)):
        require(value, (int, NoneType), name, "sizes are whole numbers")
    if isinstance(model, str):
        model = read_model(model, usual_batch(chosen.devices) if batch is None else batch, sequence)
    question = StepQuestion(
        transformer=model,
        cluster=cluster_of(chosen, memory),
        framework=_chosen(Framework, framework, "framework"),
        precision=_chosen(Precision, precision, "precision"),
        fixed=FixedDegrees() if fixed is None else fixed,
        dispatcher=None if dispatcher is None else _chosen(Dispatcher, dispatcher, "dispatcher"),
    )
    return search_steps(question, keep, None if timeout is None else monotonic() + timeout)


def _chosen(choice: type[_Choice], value: _Choice | str, name: str) -> _Choice:
    try:
        return choice(value)
    except ValueError:
        meant = did_you_mean(str(value), choice)
        raise ProblemError(f"{name} {str(value)[:40]!r} is unknown; choose one of {', '.join(choice)}{meant}") from None
