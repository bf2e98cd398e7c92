"""Fused Adam and AdamW, as the per-tensor operations of torch's CPU kernel."""

from collections.abc import Sequence

import torch
from torch._ops import OpOverload

from p2smt.frontend.torch_ranks.unfollowed import UnfollowedError

Tensor = torch.Tensor
_STEPS = ("_fused_adam_", "_fused_adamw_")


def is_fused(operation: OpOverload) -> bool:
    """True for a fused Adam or AdamW step with a numeric learning rate."""
    name = operation.overloadpacket.__name__
    return operation.namespace == "aten" and name in _STEPS and operation._overloadname == "default"


def step(
    operation: OpOverload,
    parameters: Sequence[Tensor],
    gradients: Sequence[Tensor],
    averages: Sequence[Tensor],
    squares: Sequence[Tensor],
    largest: Sequence[Tensor],
    steps: Sequence[Tensor],
    *,
    lr: float,
    beta1: float,
    beta2: float,
    weight_decay: float,
    eps: float,
    amsgrad: bool,
    maximize: bool,
    grad_scale: Tensor | None = None,
    found_inf: Tensor | None = None,
) -> None:
    """Run one optimizer step on every parameter, in place."""
    if amsgrad or grad_scale is not None or found_inf is not None:
        raise UnfollowedError(f"{operation} with amsgrad or scaled gradients is not modelled; give fused=False")
    decoupled = operation.overloadpacket.__name__ == "_fused_adamw_"
    rows = zip(parameters, gradients, averages, squares, steps, strict=True)
    for parameter, given, average, square, count in rows:
        gradient = -given if maximize else given
        if weight_decay and decoupled:
            parameter.mul_(1 - lr * weight_decay)
        elif weight_decay:
            gradient = gradient + weight_decay * parameter
        average.mul_(beta1).add_(gradient, alpha=1 - beta1)
        square.mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
        number = count.item()
        root = (square / (1 - beta2**number)).sqrt() + eps
        parameter.addcdiv_(average, root, value=-lr / (1 - beta1**number))
