"""How far a captured step, as it is emitted for one device, is from PyTorch: losses, gradients and new parameters.

Whole numbers have to be equal. Differences of others are relative to the largest element of a tensor; of gradients that
cancel to rounding, to a hundredth of the largest in the same part of the module. Parameters are moved a little from
where they begin, so that none is zero.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import ModuleType

import numpy as np
import numpy.typing as npt
import torch
from checked_models import numbers_of
from torch.nn.attention import SDPBackend, sdpa_kernel
from zoo_models.training import Step

from p2smt.emit.torch.program.source import emit_program
from p2smt.errors import P2Error
from p2smt.frontend.torch_graph.joint import fake_tensors
from p2smt.frontend.torch_graph.program import LegibleNames, legible_names, program_of
from p2smt.frontend.torch_graph.remembered import nothing_remembered
from p2smt.frontend.torch_graph.training import Training, graph_of, graph_of_real, loss_of, training_of
from p2smt.tensor.expression import Output, ProgramAxis
from p2smt.tensor.program import Program

STEPS, MOVED = 3, 0.02
Tensors = dict[str, torch.Tensor]


@dataclass(frozen=True, slots=True)
class Captured:
    """A program, and its names by those of the module and the batch."""

    program: Program
    names: LegibleNames


@dataclass(frozen=True, slots=True)
class StepResult:
    """The loss of a step, and by the module's names gradients before it, parameters and buffers after it."""

    loss: torch.Tensor
    gradients: Tensors
    state: Tensors


def captured(make: Callable[[], Step]) -> Captured:
    """As `p2smt capture` does it: nothing of the model has elements, if it can be built so. CaptureError if refused."""
    with nothing_remembered():
        try:
            with fake_tensors() as mode:
                training = _of_one_type(training_of(make()))
                graph = graph_of("step", training, mode)
        except P2Error:
            raise
        except Exception:
            graph = graph_of_real("step", _of_one_type(training_of(make())))
    return Captured(program_of(graph), legible_names(graph))


def _of_one_type(training: Training) -> Training:
    """The step with a batch of the default type, whatever type its numbers were made in."""
    dtype = torch.get_default_dtype()
    batch = {name: each.to(dtype) if each.is_floating_point() else each for name, each in training.batch.items()}
    return replace(training, batch=batch)


def begun(make: Callable[[], Step]) -> Training:
    """The step with elements, of which every parameter is moved a little: the same numbers in both types."""
    with numbers_of(torch.float32), torch.no_grad():
        training = training_of(make())
        for each in training.module.parameters():
            each.add_(MOVED * torch.randn(each.shape))
    training.module.to(torch.get_default_dtype())
    return _of_one_type(training)


def batches(training: Training) -> list[Tensors]:
    """One for each step: the same elements in other orders."""
    first = dict(training.batch)
    orders = [{name: torch.randperm(each.numel()) for name, each in first.items()} for _ in range(STEPS - 1)]
    return [
        first,
        *({name: each.flatten()[order[name]].view(each.shape) for name, each in first.items()} for order in orders),
    ]


def in_pytorch(make: Callable[[], Step]) -> list[StepResult]:
    """The steps of a plain loop; of dropout the bits are ours."""
    from frontend.torch_graph.eager import CounterBits

    training, found = begun(make), []
    assert training.optimizer is not None
    for number, batch in enumerate(batches(training), 1):
        training.optimizer.zero_grad()
        with CounterBits(number), sdpa_kernel(SDPBackend.MATH):
            loss = loss_of(training, batch)
            loss.backward()
        named = dict(training.module.named_parameters())
        gradients = {name: each.grad.clone() for name, each in named.items() if each.grad is not None}
        training.optimizer.step()
        state = {name: each.clone() for name, each in _tensors(training.module).items()}
        found.append(StepResult(loss.detach(), gradients, state))
    return found


def as_emitted(made: Captured, make: Callable[[], Step]) -> list[StepResult]:
    """The same steps of the program that was captured."""
    training, names, program = begun(make), made.names, made.program
    known = {each.name for each in program.statements}
    gradients = {key: f"gradient.{name}" for key, name in names.kept.items() if f"gradient.{name}" in known}
    outputs = (*program.outputs, *(Output(name) for name in gradients.values()))
    text = emit_program(replace(program, outputs=outputs).on(ProgramAxis("rank", 1)), fold=False, buckets=0)
    loaded, cpu, found = ModuleType("step"), torch.device("cpu"), []
    exec(compile(text, "<emitted step>", "exec"), loaded.__dict__)
    state = {names.kept.get(key, key): each for key, each in _tensors(training.module).items()}
    alone = loaded.__dict__["OneDevice"](cpu, loaded.__dict__["REAL"])
    step = loaded.__dict__["Step"](state, cpu, strict=False, ranks=alone)
    keys = {name: key for key, name in names.kept.items()}
    for batch in batches(training):
        made_now = step({names.inputs[name]: each for name, each in batch.items()})
        kept = {keys[name]: each.clone() for name, each in step.held.items() if name in keys}
        found.append(
            StepResult(
                made_now[program.outputs[0].name], {key: made_now[name] for key, name in gradients.items()}, kept
            )
        )
    return found


def _tensors(module: torch.nn.Module) -> Tensors:
    return {name: each.detach() for name, each in (*module.named_buffers(), *module.named_parameters())}


def furthest(ours: list[StepResult], theirs: list[StepResult]) -> tuple[float, str]:
    """The largest difference, and of what."""
    from frontend.torch_graph.eager import apart, least_of, part_of

    found = []
    for number, (mine, its) in enumerate(zip(ours, theirs, strict=True), 1):
        least = least_of(its.gradients)
        found.append((apart(_array(mine.loss), its.loss), f"loss {number}"))
        found += [
            (apart(_array(each), its.gradients[name], least[part_of(name)]), f"gradient {number} of {name}")
            for name, each in mine.gradients.items()
            if name in its.gradients
        ]
        found += [(_changed(each, its.state[name]), f"{name} after {number}") for name, each in mine.state.items()]
    return max(found)


def _changed(ours: torch.Tensor, theirs: torch.Tensor) -> float:
    """How far values of a state are apart; whole numbers and truth values, such as counters, have to be equal."""
    from frontend.torch_graph.eager import apart

    if theirs.is_floating_point() or theirs.is_complex():
        return float(apart(_array(ours), theirs))
    return 0.0 if torch.equal(ours.double(), theirs.double()) else math.inf


def _array(tensor: torch.Tensor) -> npt.NDArray[np.float64]:
    found: npt.NDArray[np.float64] = tensor.detach().double().numpy()
    return found
