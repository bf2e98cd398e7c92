"""Hooks on gradients: hooks of parameters, and of the AccumulateGrad nodes of parameters."""

from collections.abc import Iterable
from typing import cast

import torch
from torch import nn

from p2smt.errors import CaptureError

_MARK = "p2smt"


def take_hooks(to: torch.Tensor, of: torch.Tensor) -> None:
    """Copy the hooks of a tensor, in order, to its stand-in."""
    if not to.requires_grad:
        return
    for hook in (of._backward_hooks or {}).values():
        to.register_hook(hook)  # type: ignore[no-untyped-call]
    for hook in (getattr(of, "_post_accumulate_grad_hooks", None) or {}).values():
        to.register_post_accumulate_grad_hook(hook)  # type: ignore[no-untyped-call]


def refuse_hidden_hooks(parameters: Iterable[tuple[str, nn.Parameter]]) -> None:
    """Raise CaptureError if user code holds a reference to an AccumulateGrad node, because its hooks cannot be listed.

    torch recreates a node to which nobody holds a reference; such a node has no hooks.
    """
    for name, parameter in parameters:
        if not (parameter.requires_grad and parameter.is_leaf):
            continue
        _notes(parameter)[_MARK] = True
        if _notes(parameter).pop(_MARK, False):
            raise CaptureError(
                f"something keeps the autograd node of {name}, which may have hooks that change its "
                "gradient (register_multi_grad_hook, Node.register_hook); remove them, or delete "
                "what was computed with the module before, such as an earlier loss"
            )


def _notes(parameter: nn.Parameter) -> dict[object, object]:
    """The metadata dictionary of the node: a property, although its stub declares a method."""
    return cast("dict[object, object]", torch.autograd.graph.get_gradient_edge(parameter).node.metadata)
