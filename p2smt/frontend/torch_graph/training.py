"""The training step that a user's function returns: module, batch, loss, optimizer, read under fake tensors."""

import copy
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import torch
from torch import nn
from torch.nn.parameter import UninitializedParameter
from torch.optim.optimizer import _global_optimizer_post_hooks, _global_optimizer_pre_hooks

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.devices import stand_in, traced_as_on_cpu, without_loss_scaling
from p2smt.frontend.torch_graph.elements import storage, uniform_element
from p2smt.frontend.torch_graph.graph import Additions, Survey, TrainingGraph, UpdateRule
from p2smt.frontend.torch_graph.hooks import computed_attributes, refuse_hidden_hooks
from p2smt.frontend.torch_graph.joint import fake_tensors, traced
from p2smt.frontend.torch_graph.recording import RecordingMode
from p2smt.frontend.torch_graph.remembered import nothing_remembered
from p2smt.frontend.torch_graph.stepping import stepped

_WRITTEN = (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW)
"""Optimizers with known update formulas; subclasses of these may behave differently."""
_RATE = "lr"
Batch = Mapping[str, torch.Tensor]
Loss = Callable[..., torch.Tensor]


@dataclass(frozen=True, slots=True)
class Training:
    """A training step: `loss(module, *batch)`, its gradients, clipped to `max_norm`, and the optimizer's update."""

    module: nn.Module
    batch: Batch
    loss: Loss
    optimizer: torch.optim.Optimizer | None = None
    max_norm: float | None = None


class _Loss(nn.Module):
    """The loss wrapped as a module for tracing."""

    def __init__(self, training: Training) -> None:
        super().__init__()
        self.module = training.module
        self._training = training
        self.function = training.loss
        self._names = list(training.batch)

    def forward(self, *batch: torch.Tensor) -> torch.Tensor:
        loss = loss_of(replace(self._training, module=self.module), dict(zip(self._names, batch, strict=True)))
        if not isinstance(loss, torch.Tensor) or loss.shape or not loss.requires_grad:
            shape = f" of shape {list(loss.shape)}" if isinstance(loss, torch.Tensor) else ""
            raise CaptureError(
                f"the loss is {type(loss).__name__}{shape}; it has to be one tensor without dimensions "
                "that depends on a parameter"
            )
        return loss


def loss_of(training: Training, batch: Batch) -> torch.Tensor:
    """Return the loss of a batch, passed by names, as the single mapping of `loss(module, batch)`, or in order.

    >>> step = Training(nn.Identity(), {}, lambda module, batch: sum(batch.values()))
    >>> loss_of(step, {"x": torch.tensor(1.0), "y": torch.tensor(2.0)})
    tensor(3.)
    """
    signature = inspect.signature(training.loss)
    try:
        signature.bind(training.module, **batch)
    except TypeError:
        kinds = [each.kind for each in signature.parameters.values()]
        takes_one = len(batch) > 1 and kinds == [inspect.Parameter.POSITIONAL_OR_KEYWORD] * 2
        return training.loss(training.module, *((batch,) if takes_one else batch.values()))
    return training.loss(training.module, **batch)


def training_of(given: object) -> Training:
    """Return the step in a function's return value. CaptureError, stating the contract, for other values."""
    if isinstance(given, Training):
        return given
    if not isinstance(given, tuple) or not 4 <= len(given) <= 5:
        found = f"{len(given)} values" if isinstance(given, tuple) else type(given).__name__
        raise CaptureError(
            f"the function returns {found}; it has to return module, batch, loss, optimizer, and "
            "the norm that gradients are clipped to, if they are (`p2smt example model` prints one)"
        )
    module, batch, loss, optimizer = given[:4]
    if not isinstance(module, nn.Module) or not callable(loss):
        raise CaptureError(
            f"module is {type(module).__name__} and loss {type(loss).__name__}; they are an nn.Module "
            "and a function: loss(module, *batch) gives a tensor without dimensions"
        )
    if optimizer is not None and not isinstance(optimizer, torch.optim.Optimizer):
        raise CaptureError(
            f"optimizer is of type {type(optimizer).__name__}; it must be a torch.optim.Optimizer or None"
        )
    return Training(module, named_batch(batch, loss), loss, optimizer, given[4] if len(given) == 5 else None)


def named_batch(batch: object, loss: Loss) -> Batch:
    """Return the batch as a mapping: by its own keys, or by the parameter names of the loss."""
    if isinstance(batch, torch.Tensor):
        batch = (batch,)
    if isinstance(batch, Mapping):
        batch = dict(batch)
    if isinstance(batch, tuple | list):
        names = list(inspect.signature(loss).parameters)[1:]
        unnamed = [f"input{number}" for number in range(len(batch))]
        batch = dict(zip(names if len(names) == len(batch) else unnamed, batch, strict=True))
    if not isinstance(batch, dict):
        raise CaptureError(
            "the batch must be a tuple or dict of tensors, in the order in which loss(module, ...) takes them"
        )
    for name, each in batch.items():
        if not isinstance(each, torch.Tensor):
            raise CaptureError(
                f"{name} of the batch is {type(each).__name__}, and the batch is a tuple or dict of "
                "tensors, in the order in which loss(module, ...) takes them: make it a tensor where it "
                "changes, or let the loss read it from its closure"
            )
    return batch


def graph_of_real(
    name: str,
    training: Training,
    added: Additions | None = None,
    *,
    whole_attention: bool = True,
    survey: Survey | None = None,
) -> TrainingGraph:
    """Return the graph of a step with a real module and batch; a fake copy is traced, the originals are not touched."""
    added = added or Additions()
    _refuse_lazy(training.module)
    names = {id(each): key for key, each in training.module.named_parameters()}
    _own_storage(training.module)
    refuse_hidden_hooks(training.module)
    foreign = _tensors(training.module) | {id(each): name for name, each in training.batch.items()}
    device = device_of(training.module)
    with nothing_remembered(), fake_tensors() as mode, traced_as_on_cpu(device), without_loss_scaling():
        named = (*training.module.named_parameters(), *training.module.named_buffers())
        shared = {id(each): each for _, each in named}
        shared |= {id(each): stand_in(each) for each in computed_attributes(training.module)}
        module = copy.deepcopy(training.module, shared)
        module._apply(stand_in)  # type: ignore[no-untyped-call]
        batch = {key: stand_in(each) for key, each in training.batch.items()}
        mode.survey = survey
        step = Training(module, batch, training.loss, None, training.max_norm)
        graph = graph_of(name, step, mode, whole_attention, foreign)
        graph = replace(graph, added=added)
        return _optimized(graph, training.optimizer, names, module, mode, foreign)


def _refuse_lazy(module: nn.Module) -> None:
    """Raise CaptureError for lazy parameters, whose shapes depend on the first batch."""
    for name, each in module.named_parameters():
        if isinstance(each, UninitializedParameter):
            raise CaptureError(
                f"{name} has no shape before its module is called, as it is of a lazy module; call the module once on "
                "the batch before the optimizer is made"
            )


def device_of(module: nn.Module) -> torch.device:
    """Return the device of a module's parameters; CaptureError if they are on several."""
    places = {each.device: name for name, each in module.named_parameters()}
    if len({each.type for each in places}) > 1 or len(places) > 1:
        told = ", ".join(f"{name} is on {device}" for device, name in places.items())
        raise CaptureError(f"the parameters are on several devices ({told}); put the module on one")
    return next(iter(places), torch.device("cpu"))


def graph_of(
    name: str,
    training: Training,
    mode: RecordingMode,
    whole_attention: bool = True,
    foreign: Mapping[int, str] | None = None,
) -> TrainingGraph:
    """Return the graph of a step, with attention decomposed or whole.

    `foreign` are ids of tensors that the step must not reach; the module's own tensors, replaced by stand-ins,
    are added.
    """
    _own_storage(training.module)
    refuse_hidden_hooks(training.module)
    others = _tensors(training.module) | {id(each): name for name, each in training.batch.items()} | dict(foreign or {})
    graph = traced(name, _Loss(training), training.batch, mode, whole_attention, others)
    graph = replace(graph, max_norm=training.max_norm)
    names = {id(each): key for key, each in training.module.named_parameters()}
    return _optimized(graph, training.optimizer, names, training.module, mode, others)


def _tensors(module: nn.Module) -> dict[int, str]:
    """Parameters and buffers by id, with their names."""
    return {id(each): name for name, each in (*module.named_parameters(), *module.named_buffers())}


def _optimized(
    graph: TrainingGraph,
    optimizer: torch.optim.Optimizer | None,
    names: Mapping[int, str],
    module: nn.Module,
    mode: RecordingMode,
    foreign: Mapping[int, str],
) -> TrainingGraph:
    """Return the graph with the optimizer's step: torch's own optimizers by formula, others recorded."""
    if optimizer is None:
        return graph
    if any(id(each) not in names for group in optimizer.param_groups for each in group["params"]):
        raise CaptureError("the optimizer has a parameter that the module lacks; give it module.parameters()")
    if "step" in vars(optimizer) and not getattr(optimizer.step, "_wrapped_by_lr_sched", False):
        raise CaptureError(
            "the optimizer's step is replaced by another function, which is not supported; write a "
            "subclass of torch.optim.Optimizer, or use hooks"
        )
    hooks = (
        optimizer._optimizer_step_pre_hooks,
        optimizer._optimizer_step_post_hooks,
        _global_optimizer_pre_hooks,
        _global_optimizer_post_hooks,
    )
    if type(optimizer) in _WRITTEN and not any(hooks):
        kind = type(optimizer).__name__.lower()
        return replace(
            graph,
            rules=[_rule(kind, group, names, _RATE if graph.added.rates else "") for group in optimizer.param_groups],
        )
    trained = frozenset(each for each, _ in graph.gradients)
    return replace(graph, stepped=stepped(optimizer, names, dict(module.named_parameters()), trained, mode, foreign))


def _own_storage(module: nn.Module) -> None:
    """Raise CaptureError if distinct parameters share storage; weights tied under two names are one parameter."""
    seen: dict[int, str] = {}
    for name, parameter in module.named_parameters():
        other = seen.setdefault(storage(parameter), name)
        if other != name:
            raise CaptureError(f"{other} and {name} are two parameters with one storage; make them one nn.Parameter")


def _rule(kind: str, group: Mapping[str, object], names: Mapping[int, str], rate: str) -> UpdateRule:
    if group.get("dampening"):
        raise CaptureError(
            f"SGD with dampening={group['dampening']} treats its first step differently from the others; "
            "dampening has to be 0"
        )
    if group.get("decoupled_weight_decay") and kind == "adam":
        kind = "adamw"
    betas = group.get("betas", (group.get("momentum", 0.0), 0.0))
    parameters = group["params"]
    assert isinstance(betas, tuple)
    assert isinstance(parameters, list)
    return UpdateRule(
        kind=kind,
        parameters=tuple(names[id(each)] for each in parameters),
        lr=0.0 if rate else _number(group, "lr"),
        rate=rate,
        betas=(float(betas[0]), float(betas[1])),
        eps=_number(group, "eps"),
        weight_decay=_number(group, "weight_decay"),
        nesterov=bool(group.get("nesterov")),
        amsgrad=bool(group.get("amsgrad")),
        maximize=bool(group.get("maximize")),
    )


def _number(group: Mapping[str, object], name: str) -> float:
    found = group.get(name, 0.0)
    if isinstance(found, torch.Tensor):
        found = uniform_element(found) if found.numel() == 1 else None
    if not isinstance(found, int | float):
        raise CaptureError(f"the optimizer's {name} is {type(found).__name__}; it has to be a number")
    return float(found)
