"""What a user's function gives: module, batch, loss, optimizer; read under fake tensors."""

import copy
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import torch
from torch import nn
from torch.optim.optimizer import _global_optimizer_post_hooks, _global_optimizer_pre_hooks

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.graph import Graph, Rule
from p2smt.frontend.torch_graph.hooks import refuse_hidden_hooks
from p2smt.frontend.torch_graph.joint import fake_tensors, traced
from p2smt.frontend.torch_graph.recording import RecordingMode, storage
from p2smt.frontend.torch_graph.stepping import stepped

_WRITTEN = (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW)
"""Optimizers whose formulas are known; their subclasses may do other things."""
Batch = Mapping[str, torch.Tensor]
Loss = Callable[..., torch.Tensor]


@dataclass(frozen=True, slots=True)
class Training:
    """A step: loss(module, *batch) is differentiated, the optimizer updates; `max_norm` clips the gradients first."""

    module: nn.Module
    batch: Batch
    loss: Loss
    optimizer: torch.optim.Optimizer | None = None
    max_norm: float | None = None


class _Loss(nn.Module):
    """The loss as a module, for exporting."""

    def __init__(self, training: Training) -> None:
        super().__init__()
        self.module = training.module
        self._loss = training.loss
        self._names = list(training.batch)
        self._by_name = _takes_names(training)

    def forward(self, *batch: torch.Tensor) -> torch.Tensor:
        if self._by_name:
            loss = self._loss(self.module, **dict(zip(self._names, batch, strict=True)))
        else:
            loss = self._loss(self.module, *batch)
        if not isinstance(loss, torch.Tensor) or loss.shape or not loss.requires_grad:
            shape = f" of shape {list(loss.shape)}" if isinstance(loss, torch.Tensor) else ""
            raise CaptureError(f"the loss is {type(loss).__name__}{shape}; it has to be one tensor without dimensions "
                               "that depends on a parameter")  # fmt: skip
        return loss


def _takes_names(training: Training) -> bool:
    try:
        inspect.signature(training.loss).bind(training.module, **training.batch)
    except TypeError:
        return False
    return True


def training_of(given: object) -> Training:
    """The step that a function's result stands for. CaptureError with the contract, if it is another thing."""
    if isinstance(given, Training):
        return given
    if not isinstance(given, tuple) or not 4 <= len(given) <= 5:
        raise CaptureError(f"the function gives {type(given).__name__}; it gives module, batch, loss, optimizer, and "
                           "the norm that gradients are clipped to, if they are")  # fmt: skip
    module, batch, loss, optimizer = given[:4]
    if not isinstance(module, nn.Module) or not callable(loss):
        raise CaptureError(f"module is {type(module).__name__} and loss {type(loss).__name__}; they are an nn.Module "
                           "and a function: loss(module, *batch) gives a tensor without dimensions")  # fmt: skip
    if optimizer is not None and not isinstance(optimizer, torch.optim.Optimizer):
        raise CaptureError(f"optimizer is {type(optimizer).__name__}; it is a torch.optim.Optimizer or None")
    return Training(module, _named(batch, loss), loss, optimizer, given[4] if len(given) == 5 else None)


def _named(batch: object, loss: Loss) -> Batch:
    """The batch by names: its own, or those of the loss's parameters."""
    if isinstance(batch, torch.Tensor):
        batch = (batch,)
    if isinstance(batch, tuple | list):
        names = list(inspect.signature(loss).parameters)[1:]
        unnamed = [f"input{number}" for number in range(len(batch))]
        batch = dict(zip(names if len(names) == len(batch) else unnamed, batch, strict=True))
    if not isinstance(batch, dict) or not all(isinstance(each, torch.Tensor) for each in batch.values()):
        raise CaptureError(
            "the batch is a tuple or dict of tensors, in the order in which loss(module, ...) takes them"
        )
    return batch


def graph_of_real(name: str, training: Training) -> Graph:
    """The same of a module and a batch that have elements: they are not touched, a copy without elements is traced."""
    names = {id(each): key for key, each in training.module.named_parameters()}
    _own_storage(training.module)
    refuse_hidden_hooks(training.module.named_parameters())
    foreign = _tensors(training.module) | {id(each): name for name, each in training.batch.items()}
    with fake_tensors() as mode:
        shared = {id(each): each for each in (*training.module.parameters(), *training.module.buffers())}
        module = copy.deepcopy(training.module, shared)
        module.to("cpu")  # as every conversion, it makes parameters without elements here
        batch = {key: torch.empty_like(each) for key, each in training.batch.items()}
        graph = graph_of(name, Training(module, batch, training.loss, None, training.max_norm), mode, foreign=foreign)
        return _optimized(graph, training.optimizer, names, module, mode, foreign)


def graph_of(
    name: str,
    training: Training,
    mode: RecordingMode,
    whole_attention: bool = False,
    foreign: Mapping[int, str] | None = None,
) -> Graph:
    """Forward, backward and optimizer of a step; attention as its parts, or whole.

    `foreign` are tensors, by id, that the step must not reach; so are those of the module, for which others stand.
    """
    _own_storage(training.module)
    refuse_hidden_hooks(training.module.named_parameters())
    others = _tensors(training.module) | {id(each): name for name, each in training.batch.items()} | dict(foreign or {})
    graph = traced(name, _Loss(training), training.batch, mode, whole_attention, others)
    graph = replace(graph, max_norm=training.max_norm)
    names = {id(each): key for key, each in training.module.named_parameters()}
    return _optimized(graph, training.optimizer, names, training.module, mode, others)


def _tensors(module: nn.Module) -> dict[int, str]:
    """Parameters and buffers by id, with their names."""
    return {id(each): name for name, each in (*module.named_parameters(), *module.named_buffers())}


def _optimized(
    graph: Graph,
    optimizer: torch.optim.Optimizer | None,
    names: Mapping[int, str],
    module: nn.Module,
    mode: RecordingMode,
    foreign: Mapping[int, str],
) -> Graph:
    """With the step of the optimizer, whose parameters have these names: torch's own by their formulas."""
    if optimizer is None:
        return graph
    if any(id(each) not in names for group in optimizer.param_groups for each in group["params"]):
        raise CaptureError("the optimizer has a parameter that the module lacks; give it module.parameters()")
    if "step" in vars(optimizer) and not getattr(optimizer.step, "_wrapped_by_lr_sched", False):
        raise CaptureError("the optimizer's step is replaced by another function, which is not followed; write a "
                           "subclass of torch.optim.Optimizer, or use hooks")  # fmt: skip
    hooks = (optimizer._optimizer_step_pre_hooks, optimizer._optimizer_step_post_hooks,
             _global_optimizer_pre_hooks, _global_optimizer_post_hooks)  # fmt: skip
    if type(optimizer) in _WRITTEN and not any(hooks):
        kind = type(optimizer).__name__.lower()
        return replace(graph, rules=[_rule(kind, group, names) for group in optimizer.param_groups])
    trained = frozenset(each for each, _ in graph.gradients)
    return replace(graph, stepped=stepped(optimizer, names, dict(module.named_parameters()), trained, mode, foreign))


def _own_storage(module: nn.Module) -> None:
    """Tied weights are one parameter under two names; two parameters with one storage would be updated twice."""
    seen: dict[int, str] = {}
    for name, parameter in module.named_parameters():
        other = seen.setdefault(storage(parameter), name)
        if other != name:
            raise CaptureError(f"{other} and {name} are two parameters with one storage; make them one nn.Parameter")


def _rule(kind: str, group: Mapping[str, object], names: Mapping[int, str]) -> Rule:
    if group.get("dampening"):
        raise CaptureError(
            f"SGD with dampening={group['dampening']} treats its first step like no other; it has to be 0"
        )
    if group.get("decoupled_weight_decay") and kind == "adam":
        kind = "adamw"
    betas = group.get("betas", (group.get("momentum", 0.0), 0.0))
    parameters = group["params"]
    assert isinstance(betas, tuple)
    assert isinstance(parameters, list)
    return Rule(
        kind=kind,
        parameters=tuple(names[id(each)] for each in parameters),
        lr=_number(group, "lr"),
        betas=(float(betas[0]), float(betas[1])),
        eps=_number(group, "eps"),
        weight_decay=_number(group, "weight_decay"),
        nesterov=bool(group.get("nesterov")),
        amsgrad=bool(group.get("amsgrad")),
        maximize=bool(group.get("maximize")),
    )


def _number(group: Mapping[str, object], name: str) -> float:
    found = group.get(name, 0.0)
    if not isinstance(found, int | float):
        raise CaptureError(f"the optimizer's {name} is {type(found).__name__}; it has to be a number")
    return float(found)
