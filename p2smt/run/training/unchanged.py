"""Detect changes of a module and its optimizer after the capture of their step, which the step would ignore."""

from collections.abc import Callable, Iterable

import torch

from p2smt.frontend.torch_graph.training import Training
from p2smt.run.training.surroundings import WriteCount, numbers_around


class ChangeGuard:
    """The state of a module and an optimizer at capture, by torch's version counters of tensors.

    `is_trained(name, tensor)` returns True if a parameter or buffer has the step's current value; loading
    trained values into the module does not count as a change.
    """

    def __init__(self, training: Training, is_trained: Callable[[str, torch.Tensor], bool]) -> None:
        module, optimizer = training.module, training.optimizer
        assert optimizer is not None
        self._module, self._optimizer, self._loss, self._is_trained = module, optimizer, training.loss, is_trained
        self._tensors = {**dict(module.named_parameters()), **dict(module.named_buffers())}
        self._parts = dict(module.named_modules())
        self._trained = {name: each.requires_grad for name, each in self._tensors.items()}
        self._modes = {name: each.training for name, each in self._parts.items()}
        self._written = self._writes()
        self._states = self._states_written()
        self._numbers = self._numbers_read()

    def check(self, *, thorough: bool) -> None:
        """Raise ValueError for a change; with `thorough`, also for replaced tensors and changed numbers."""
        if thorough:
            self._check_names()
            self._check_numbers()
        for name, each in self._tensors.items():
            if each.requires_grad != self._trained[name]:
                raise ValueError(
                    f"requires_grad of {name} was {self._trained[name]} when the step was captured, and "
                    f"is {each.requires_grad}, which the step ignores; close this training and make "
                    "another with p2smt.shard"
                )
        for name, part in self._parts.items():
            if part.training != self._modes[name]:
                mode = "train" if self._modes[name] else "eval"
                raise ValueError(
                    f"{name or 'the module'} is not in the mode of the capture, which the step ignores; "
                    f"call .{mode}() on it, and training.eval() or evaluate(batch) to evaluate"
                )
        if (written := self._writes()) != self._written:
            for (name, each), now, before in zip(self._tensors.items(), written, self._written, strict=True):
                if now != before and not self._is_trained(name, each):
                    raise ValueError(
                        f"{name} of the module was changed after p2smt.shard, which the step ignores: the ranks "
                        "have their own weights, in training.state_dict(); load new ones with "
                        "training.load_state_dict"
                    )
            self._written = written
        if self._states_written() != self._states:
            raise ValueError(
                "the states of the optimizer were changed since p2smt.shard, by its step or its "
                "load_state_dict, which the step ignores: call training.step, and "
                "training.load_state_dict"
            )

    def _check_names(self) -> None:
        now = {**dict(self._module.named_parameters()), **dict(self._module.named_buffers())}
        for name in sorted(self._tensors.keys() | now.keys()):
            # Identity, not equality: training writes into tensors, but must not see them replaced.
            if now.get(name) is not self._tensors.get(name):
                raise ValueError(
                    f"{name} of the module is another tensor than when the step was captured; write into "
                    "tensors, or close this training and make another with p2smt.shard"
                )

    def _check_numbers(self) -> None:
        numbers = self._numbers_read()
        for name, before in self._numbers.items():
            now = numbers.get(name, before)
            if isinstance(now, WriteCount) and now != before:
                raise ValueError(
                    f"{name} is a tensor that was written or replaced since the step was captured, which "
                    "the step ignores: give it in the batch, or register it as a buffer"
                )
            if now != before:
                raise ValueError(
                    f"{name} was {before} when the step was captured, and is {now}, which the "
                    "step ignores: give what changes in the batch, as a tensor, or make another step with "
                    "p2smt.shard(..., like=training)"
                )

    def _numbers_read(self) -> dict[str, object]:
        """Return the numbers that the loss reads from its environment, and modules' float and bool attributes."""
        found = numbers_around(self._loss)
        for prefix, part in self._parts.items():
            for key, value in vars(part).items():
                if isinstance(value, bool | float) and key != "training":
                    found[f"{prefix}.{key}" if prefix else key] = value
        return found

    def _writes(self) -> list[int]:
        return [0 if each.is_inference() else each._version for each in self._tensors.values()]

    def _states_written(self) -> dict[tuple[int, str], tuple[int, int]]:
        return {
            (id(parameter), key): (id(value), value._version)
            for parameter, own in self._optimizer.state.items()
            for key, value in own.items()
            if isinstance(value, torch.Tensor)
        }


def refuse_two_optimizers(training: Training, others: Iterable[Training]) -> None:
    """Raise ValueError if another open training shares parameters but updates a different set (GANs)."""
    own = {id(each): name for name, each in training.module.named_parameters()}
    for theirs in others:
        shared = [own[id(each)] for _, each in theirs.module.named_parameters() if id(each) in own]
        if shared and _updated(theirs) != _updated(training):
            raise ValueError(
                f"{shared[0]} is a parameter of another p2smt.shard with another optimizer: each would go "
                "on with its own copy. Close the other, or train both losses in one step with one "
                "optimizer of two parameter groups; steps of two optimizers in turn, as of GANs, are not "
                "supported"
            )


def _updated(training: Training) -> set[int]:
    """Return the ids of an optimizer's parameters."""
    assert training.optimizer is not None
    return {id(each) for group in training.optimizer.param_groups for each in group["params"]}
