"""The initial state of a step: rank 0's module and optimizer, or values created piecewise for a module on `meta`."""

from collections.abc import Callable, Mapping
from typing import cast

import torch
import torch.distributed as dist
from torch import nn

from p2smt.run.training.emitted_step import EMA, EmittedStep, State, StepSource
from p2smt.run.training.joining import from_first


def is_on_meta(module: nn.Module) -> bool:
    """True if parameters are on the `meta` device."""
    return any(each.is_meta for _, each in module.named_parameters())


def begun_of(
    step: type, emitted: StepSource, module: nn.Module, optimizer: torch.optim.Optimizer, device: torch.device
) -> State:
    """Return the initial state for the emitted class `Step`, under the names of its text."""
    state: Mapping[str, object]
    if is_on_meta(module):
        state = {"module": _placeholders({**dict(module.named_buffers()), **module.state_dict()}), "optimizer": {}}
    else:
        from_torch = cast("Callable[..., dict[str, object]]", step.from_torch)  # type: ignore[attr-defined]
        state = from_first(from_torch(module, optimizer), device)
    names = {key: name for name, key in emitted.keys.items()}
    parts = {part: _renamed(state[part], names) for part in ("module", "optimizer")}
    if emitted.has_average:
        for name, each in parts["module"].items():
            if name in emitted.keys:
                moments = cast("dict[str, object]", parts["optimizer"].get(name, {}))
                parts["optimizer"][name] = {EMA: each, **moments}
    return {**parts, "step": state.get("step", 0)}


def _renamed(part: object, names: Mapping[str, str]) -> dict[str, object]:
    assert isinstance(part, Mapping)
    return {names.get(key, key): each for key, each in part.items()}


def _placeholders(tensors: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """Return tensors of the same shapes with a storage of one element each; tied tensors stay tied."""
    made: dict[int, torch.Tensor] = {}
    for each in tensors.values():
        if id(each) not in made:
            nothing = torch.full((), float("nan")) if each.is_floating_point() else torch.zeros(())
            made[id(each)] = nothing.to(each.dtype).clone().expand(each.shape)
    return {name: made[id(each)] for name, each in tensors.items()}


def materialise(step: EmittedStep, emitted: StepSource, module: nn.Module, device: torch.device) -> frozenset[str]:
    """Initialise a module on `meta` by calling `reset_parameters` of each submodule in order.

    No rank holds more than one submodule's tensors at a time. All ranks draw equal numbers, from the state of
    rank 0's generator. Return the names of tensors left without values because their submodule lacks
    `reset_parameters`; they must be loaded.
    """
    if not is_on_meta(module):
        return frozenset()
    # All ranks draw the same numbers: the generator's state is rank 0's.
    state = torch.get_rng_state().to(device)
    dist.broadcast(state, src=0)
    names = {key: name for name, key in emitted.keys.items()}
    left: set[str] = set()
    # The user's own generator must not move.
    with torch.random.fork_rng(devices=[]):
        torch.set_rng_state(state.cpu())
        # Tied tensors appear in several modules and are initialised once.
        seen: set[int] = set()
        for prefix, part in module.named_modules():
            own = [(part._parameters, key) for key in part._parameters] + [
                (part._buffers, key) for key in part._buffers
            ]
            mine = [
                (table, key, each) for table, key in own if (each := table[key]) is not None and id(each) not in seen
            ]
            seen |= {id(each) for _, _, each in mine}
            keys = [f"{prefix}.{key}" if prefix else key for _, key, _ in mine]
            reset = getattr(part, "reset_parameters", None)
            if reset is None:
                left |= {key for key, (_, _, each) in zip(keys, mine, strict=True) if each.is_meta and key in names}
                continue
            _reset(part, mine, cast("Callable[[], object]", reset))
            for key, (table, own_key, before) in zip(keys, mine, strict=True):
                made = table[own_key]
                if names.get(key) in step.tensors and made is not None:
                    step.put(names[key], made.detach().to(device))
                table[own_key] = before
    return frozenset(left)


def _reset(
    part: nn.Module,
    mine: "list[tuple[dict[str, nn.Parameter | None] | dict[str, torch.Tensor | None], str, torch.Tensor]]",
    reset: Callable[[], object],
) -> None:
    """Replace a submodule's `meta` tensors by real ones, and fill them with its own function."""
    for table, key, each in mine:
        made = torch.zeros(each.shape, dtype=each.dtype)
        parameter = isinstance(each, nn.Parameter)
        table[key] = nn.Parameter(made, each.requires_grad) if parameter else made  # type: ignore[assignment]
    with torch.no_grad():
        reset()
