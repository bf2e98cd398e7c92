"""Hooks on gradients: hooks of parameters, and of the AccumulateGrad nodes of parameters."""

from typing import cast

import torch
from torch import nn
from torch.autograd.function import _HookMixin
from torch.autograd.graph import Node

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


def refuse_hidden_hooks(module: nn.Module) -> None:
    """Raise CaptureError if user code holds a reference to an AccumulateGrad node, because its hooks may be anyone's.

    torch recreates a node to which nobody holds a reference; such a node has no hooks. A tensor that a module keeps,
    as `torch.nn.utils.weight_norm` and pruning do, is computed again in the step; it may hold nodes without hooks.
    """
    derived = _derived_from(module)
    for name, parameter in module.named_parameters():
        if not (parameter.requires_grad and parameter.is_leaf):
            continue
        _notes(parameter)[_MARK] = True
        if _notes(parameter).pop(_MARK, False) and (id(parameter) not in derived or _has_hooks(parameter)):
            raise CaptureError(
                f"something keeps the autograd node of {name}, which may have hooks that change its "
                "gradient (register_multi_grad_hook, Node.register_hook); remove them, or delete "
                "what was computed with the module before, such as an earlier loss"
            )


def computed_attributes(module: nn.Module) -> list[torch.Tensor]:
    """Tensors that modules keep as plain attributes and that have gradients."""
    kept = [each for one in module.modules() for each in vars(one).values()]
    return [each for each in kept if isinstance(each, torch.Tensor) and each.grad_fn is not None]


def _derived_from(module: nn.Module) -> set[int]:
    """The ids of tensors from which such attributes were computed."""
    rest, seen, found = [each.grad_fn for each in computed_attributes(module)], set[Node | None](), set[int]()
    while rest:
        node = rest.pop()
        if node is not None and node not in seen:
            seen.add(node)
            found.add(id(getattr(node, "variable", None)))
            rest += [each for each, _ in node.next_functions]
    return found


def _has_hooks(parameter: nn.Parameter) -> bool:
    """True if the parameter's node has hooks of Python: torch hands those that are there to whoever adds one."""
    # Hooks of nodes are kept in C++, which gives their table to the method that adds one: it is looked at on the way.
    found: list[bool] = []
    before = vars(_HookMixin)["_register_hook"]

    def seen(hooks: dict[int, object] | None, hook: object) -> object:
        found.append(bool(hooks))
        return before.__func__(hooks, hook)

    _HookMixin._register_hook = staticmethod(seen)  # type: ignore[method-assign]
    try:
        node = torch.autograd.graph.get_gradient_edge(parameter).node
        for register in (node.register_hook, node.register_prehook):
            register(lambda *_: None).remove()
    finally:
        _HookMixin._register_hook = before  # type: ignore[method-assign]
    return any(found)


def _notes(parameter: nn.Parameter) -> dict[object, object]:
    """The metadata dictionary of the node: a property, although its stub declares a method."""
    return cast("dict[object, object]", torch.autograd.graph.get_gradient_edge(parameter).node.metadata)
