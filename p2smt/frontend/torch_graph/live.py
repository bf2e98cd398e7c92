"""Training of a live module as a program; the module is read and left unchanged."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import torch
from torch import nn

from p2smt.argument_types import require
from p2smt.frontend.torch_graph.graph import Additions
from p2smt.frontend.torch_graph.program import legible_names, program_of, rate_names
from p2smt.frontend.torch_graph.training import Training, graph_of_real, training_of
from p2smt.tensor.program import Program

Module: TypeAlias = nn.Module
Device: TypeAlias = torch.device
Optimizer: TypeAlias = torch.optim.Optimizer
Loss: TypeAlias = Callable[..., torch.Tensor]
Batch: TypeAlias = torch.Tensor | Sequence[torch.Tensor] | Mapping[str, torch.Tensor]
"""The arguments of the loss after the module: in this order, or by these names."""


@dataclass(frozen=True, slots=True)
class LiveProgram:
    """A program with the mapping of its names: parameters and buffers by module names, inputs by batch names.

    `rates` are the scalar inputs that hold the learning rate of each parameter group; empty if rates are
    literals. `offsets` are the nonzero initial values of optimizer states that the program stores as differences.
    """

    program: Program
    keys: Mapping[str, str]
    inputs: Mapping[str, str]
    rates: tuple[str, ...] = ()
    offsets: Mapping[str, float] = field(default_factory=dict)


def live_training(
    module: Module, batch: Batch, loss: Loss, optimizer: Optimizer | None, max_norm: float | None
) -> Training:
    """Return the training step, with AdamW by default. CaptureError for an invalid module, batch or loss."""
    if optimizer is None:
        optimizer = torch.optim.AdamW(module.parameters())
    given = tuple(batch) if isinstance(batch, Sequence) else dict(batch) if isinstance(batch, Mapping) else batch
    return training_of((module, given, loss, optimizer, max_norm))


def capture(
    module: Module, loss: Loss, batch: Batch, *, optimizer: Optimizer | None = None, max_norm: float | None = None
) -> Program:
    """Capture the training step of a module as a tensor program for one device; the module is not changed.

    `loss(module, *batch)` is a zero-dimensional tensor. The default optimizer is AdamW; `max_norm` clips
    gradients by their global norm. CaptureError, with file and line, if the language of tensor programs lacks an
    operation.
    """
    require(module, nn.Module, "module", "loss comes second, and the batch third")
    return live_program(live_training(module, batch, loss, optimizer, max_norm)).program


def live_program(training: Training, added: Additions | None = None) -> LiveProgram:
    """Return the program of a step, with the requested additions.

    CaptureError if the step fails, or uses an operation that the language of tensor programs lacks.
    """
    graph = graph_of_real("step", training, added)
    names = legible_names(graph)
    keys = {legible: name for name, legible in names.kept.items()}
    rates = rate_names(graph) if graph.added.rates else ()
    offsets = {} if graph.stepped is None else graph.stepped.offsets
    return LiveProgram(program_of(graph), keys, dict(names.inputs), rates, offsets)
