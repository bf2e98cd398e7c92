"""The parameter groups of the user's optimizer: a step reads their learning rates and refuses other changes."""

from collections.abc import Mapping, Sequence
from copy import copy

import torch

State = Mapping[str, object]
Moments = dict[str, dict[str, torch.Tensor]]
"""Map parameter names to their optimizer states."""

_STEP, _LR = "step", "lr"
_OTHERS = {"momentum": "momentum_buffer"}
"""Map state names in the step to different names in torch."""
_AGAIN = (
    "make another step: p2smt.shard(..., like=training), then load_state_dict(training.state_dict()) of it takes all "
    "weights and states over"
)


class ParameterGroups:
    """An optimizer's parameter groups, compared with their state when the step was captured.

    `rates` are the step's scalar inputs for each group's learning rate; empty if the step has them as
    constants.
    """

    def __init__(self, optimizer: torch.optim.Optimizer, module: torch.nn.Module, rates: Sequence[str]) -> None:
        self._optimizer = optimizer
        self._names = {id(each): name for name, each in module.named_parameters()}
        self._rates = tuple(rates)
        self._fixed = [key for key in optimizer.defaults if key != _LR or not rates]
        self._begun = [self._said(group) for group in optimizer.param_groups]
        self._members = [[id(each) for each in group["params"]] for group in optimizer.param_groups]

    def rates(self) -> dict[str, float]:
        """Return the step's scalars with the current learning rates.

        Raises ValueError if a setting that the step does not read has changed.
        """
        groups = self._optimizer.param_groups
        if [[id(each) for each in group["params"]] for group in groups] != self._members:
            raise ValueError(f"the optimizer has other parameters than when its step was captured; {_AGAIN}")
        for number, (group, begun) in enumerate(zip(groups, self._begun, strict=True)):
            for key, now in self._said(group).items():
                if now != begun[key]:
                    raise ValueError(self._changed(number, key, begun[key], now))
        self._optimizer._opt_called = True  # type: ignore[attr-defined]  # schedulers ask whether a step came first
        pairs = zip(self._rates, groups, strict=False)
        return {name: float(group[_LR]) for name, group in pairs if name}

    def _changed(self, number: int, key: str, before: object, now: object) -> str:
        kind = type(self._optimizer).__name__
        why = "the step was captured with it and does not read it"
        if key == _LR:
            why = f"the step of {kind} was recorded with it: of SGD, Adam and AdamW, without hooks, it is read"
        elif key in ("betas", "momentum"):
            why += " (OneCycleLR and CyclicLR change it unless they are given cycle_momentum=False)"
        return f"{key} of parameter group {number} of {kind} was {before}, and is {now}: {why}; {_AGAIN}"

    def _said(self, group: Mapping[str, object]) -> dict[str, object]:
        return {key: _plain(group.get(key)) for key in self._fixed}

    def in_torch(self, moments: Mapping[str, Mapping[str, torch.Tensor]], step: int) -> dict[str, object]:
        """Return the state_dict that torch's optimizer would have."""
        state: dict[int, dict[str, object]] = {}
        groups: list[dict[str, object]] = []
        kind = type(self._optimizer)
        counts = kind.__module__.startswith("torch.optim") and kind is not torch.optim.SGD
        number = 0
        for group in self._optimizer.param_groups:
            first = number
            for each in group["params"]:
                if own := moments.get(self._names[id(each)]):
                    named: dict[str, object] = {_OTHERS.get(key, key): tensor for key, tensor in own.items()}
                    state[number] = ({_STEP: torch.tensor(float(step))} if counts else {}) | named
                number += 1
            groups.append({**_settings(group), "params": list(range(first, number))})
        has_begun = step or any(bool(each.any()) for own in moments.values() for each in own.values())
        return {"state": state if has_begun else {}, "param_groups": groups}

    def settings(self) -> list[dict[str, object]]:
        """Return the settings of the groups, without their parameters."""
        return [_settings(group) for group in self._optimizer.param_groups]

    def take(self, settings: Sequence[Mapping[str, object]]) -> None:
        """Copy the settings of a checkpoint into the groups."""
        for group, other in zip(self._optimizer.param_groups, settings, strict=True):
            group.update(_settings(other))

    def out_of_torch(self, state: State, wanted: Mapping[str, Sequence[str]]) -> tuple[Moments, int]:
        """Return states by parameter name, and the number of steps, from an optimizer's state_dict.

        `wanted` lists the states that the step keeps for each parameter. Raises KeyError or ValueError if the
        state_dict belongs to another optimizer, or if states are missing or unknown.
        """
        saved, groups = state.get("param_groups"), self._optimizer.param_groups
        own = [len(group["params"]) for group in groups]
        if not isinstance(saved, list) or [len(group["params"]) for group in saved] != own:
            raise ValueError(
                f"the optimizer's groups have {own} parameters, and those of this checkpoint differ: it belongs to "
                "another optimizer"
            )
        numbers = [number for group in saved for number in group["params"]]
        names = [self._names[id(each)] for group in groups for each in group["params"]]
        known = dict(zip(numbers, names, strict=True))
        states = state.get("state", {})
        assert isinstance(states, Mapping)
        return _states(states, known, wanted)


def _states(
    states: Mapping[object, object], known: Mapping[object, str], wanted: Mapping[str, Sequence[str]]
) -> tuple[Moments, int]:
    # Torch's state names in terms of this step's.
    back = {torchs: ours for ours, torchs in _OTHERS.items()}
    moments: Moments = {}
    steps: set[int] = set()
    for number, own in states.items():
        if number not in known or not isinstance(own, Mapping):
            raise KeyError(
                f"the optimizer lacks parameter {number}, whose states this checkpoint has: it is of another optimizer"
            )
        name = known[number]
        tensors: dict[str, torch.Tensor] = {
            str(key) if key in wanted.get(name, ()) else back.get(str(key), str(key)): each
            for key, each in own.items()
            if each is not None and (key != _STEP or key in wanted.get(name, ()))
        }
        if _STEP in own:
            steps.add(int(own[_STEP]))
        moments[name] = tensors
        if unknown := sorted(tensors.keys() - set(wanted.get(name, ()))):
            raise KeyError(
                f"the step keeps no {unknown[0]} of {name}, which this checkpoint has: it belongs to another optimizer"
            )
    for name, keys in wanted.items():
        if moments and (missing := sorted(set(keys) - moments.get(name, {}).keys())):
            raise KeyError(f"the checkpoint lacks {missing[0]} of {name}, which the optimizer keeps")
    # Torch counts steps per parameter, the emitted step has one counter.
    if len(steps) > 1:
        raise ValueError(
            f"parameters of this checkpoint have taken {' and '.join(map(str, sorted(steps)))} "
            "steps; all parameters need the same number"
        )
    return moments, next(iter(steps), 0)


def _settings(group: Mapping[str, object]) -> dict[str, object]:
    return {key: copy(value) for key, value in group.items() if key != "params"}


def _plain(value: object) -> object:
    if isinstance(value, torch.Tensor):
        return value.item() if value.numel() == 1 else tuple(value.flatten().tolist())
    return tuple(map(_plain, value)) if isinstance(value, list | tuple) else value
