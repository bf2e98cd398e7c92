"""LAMB (You et al. 2020) and LARS (You et al. 2017), which torch lacks: update lengths follow parameter norms."""

from collections.abc import Iterable

import torch
from torch import nn


def _trust(weight: torch.Tensor, change: torch.Tensor) -> torch.Tensor:
    """The trust ratio: norm of the weight over norm of the change; 1 where either is 0."""
    above, below = torch.linalg.vector_norm(weight), torch.linalg.vector_norm(change)
    return torch.where((above > 0) & (below > 0), above / below, torch.ones_like(above))


class Lamb(torch.optim.Optimizer):
    """Adam with decoupled weight decay, each parameter's change scaled to the parameter's norm."""

    def __init__(
        self,
        parameters: Iterable[nn.Parameter],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-6,
        weight_decay: float = 0.01,
    ) -> None:
        super().__init__(parameters, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: object = None) -> None:  # type: ignore[override]
        """One step on all parameters with gradients."""
        for group in self.param_groups:
            (first, second), decay = group["betas"], group["weight_decay"]
            for each in group["params"]:
                if each.grad is None:
                    continue
                state = self.state[each]
                if not state:
                    state.update(step=0, exp_avg=torch.zeros_like(each), exp_avg_sq=torch.zeros_like(each))
                state["step"] += 1
                mean = state["exp_avg"].mul_(first).add_(each.grad, alpha=1 - first)
                variance = state["exp_avg_sq"].mul_(second).addcmul_(each.grad, each.grad, value=1 - second)
                root = (variance / (1 - second ** state["step"])).sqrt() + group["eps"]
                change = mean / (1 - first ** state["step"]) / root + decay * each
                each.sub_(group["lr"] * _trust(each, change) * change)


class Lars(torch.optim.Optimizer):
    """Momentum SGD with a rate per parameter: `trust` times the norm of the parameter over the norm of its gradient."""

    def __init__(
        self,
        parameters: Iterable[nn.Parameter],
        lr: float = 0.1,
        momentum: float = 0.9,
        weight_decay: float = 1e-4,
        trust: float = 1e-3,
    ) -> None:
        super().__init__(parameters, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay, "trust": trust})

    @torch.no_grad()
    def step(self, closure: object = None) -> None:  # type: ignore[override]
        """One step on all parameters with gradients."""
        for group in self.param_groups:
            for each in group["params"]:
                if each.grad is None:
                    continue
                state = self.state[each]
                if not state:
                    state["momentum"] = torch.zeros_like(each)
                change = each.grad + group["weight_decay"] * each
                rate = group["lr"] * group["trust"] * _trust(each, change)
                each.sub_(state["momentum"].mul_(group["momentum"]).add_(rate * change))
