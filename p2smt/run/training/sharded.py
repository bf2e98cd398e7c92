"""A model whose training is spread over ranks: what `p2smt.shard` gives. Imports torch, in processes of ranks alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from types import ModuleType
from typing import Protocol, TypedDict, cast

import torch

from p2smt.frontend.torch_graph.live import Batch, Module, Optimizer
from p2smt.run.training.joining import from_first

State = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Emitted:
    """A step that was emitted: its text, the output that is the loss, the text's inputs by the names of the batch's.

    `keys` has for every name of a parameter or buffer in the text the module's own. `sharding` is the distributed
    program as text. The first dimension of `first_input`, a name of the text, has as many `samples`; the layouts hold
    for any multiple of `divisor`.
    """

    source: str
    loss: str
    inputs: Mapping[str, str]
    keys: Mapping[str, str]
    sharding: str = ""
    first_input: str = ""
    samples: int = 0
    divisor: int = 1


class Checkpoint(TypedDict):
    """Whole tensors: the module's own state_dict, the optimizer's states by parameters' names; the number of steps."""

    module: dict[str, torch.Tensor]
    optimizer: dict[str, dict[str, torch.Tensor]]
    step: int


class _Step(Protocol):
    """The class `Step` of an emitted file."""

    number: int

    def __call__(self, batch: Mapping[str, torch.Tensor]) -> dict[str, torch.Tensor]: ...

    def state_dict(self) -> Checkpoint: ...

    def load_state_dict(self, state: State, *, strict: bool = True) -> None: ...

    def close(self) -> None: ...


class ShardedTraining:
    """A module and its optimizer, spread over all ranks, each of which calls the same methods in the same order.

    The module that it was made of is left as it was: the trained one is in `state_dict`. Learning rates and the like
    stay as they were when it was made. Dropout's bits are counted, the same in every sharding.
    """

    def __init__(
        self, emitted: Emitted, module: Module, optimizer: Optimizer, device: torch.device, timeout_s: float
    ) -> None:
        """Begin as module and optimizer are on rank 0."""
        self._emitted = emitted
        self._names = {key: name for name, key in emitted.keys.items()}
        self._known = {self._names.get(key, key) for key in module.state_dict()}
        loaded = ModuleType("p2smt_step")
        exec(compile(emitted.source, "<step of p2smt.shard>", "exec"), loaded.__dict__)
        made = loaded.__dict__["Step"]
        begin = self._in_text(from_first(made.from_torch(module, optimizer), device))
        self._step = cast("_Step", made(begin, device, timeout=timedelta(seconds=timeout_s), strict=False))

    @property
    def source(self) -> str:
        """The step as a file of its own, as p2smt emit writes it."""
        return self._emitted.source

    @property
    def sharding(self) -> str:
        """The distributed program as text, as p2smt shard writes it."""
        return self._emitted.sharding

    @property
    def number(self) -> int:
        """How many steps were made."""
        return self._step.number

    def step(self, batch: Batch) -> torch.Tensor:
        """One step of training on a batch, the same on all ranks; the loss before it."""
        inputs, emitted = self._inputs(batch), self._emitted
        first = inputs.get(emitted.first_input)
        if first is not None and first.ndim and first.shape[0] != emitted.samples:
            raise ValueError(
                f"the batch has {first.shape[0]} samples, and this step is for {emitted.samples}: p2smt.shard(..., "
                f"like=this) with a batch of any multiple of {emitted.divisor} takes its layouts without a search"
            )
        return self._step(inputs)[emitted.loss]

    def close(self) -> None:
        """Give the process groups back, with the threads of each; every rank does so behind its last call."""
        self._step.close()

    def state_dict(self) -> Checkpoint:
        """A checkpoint in the host's memory, on every rank."""
        state, keys = self._step.state_dict(), self._emitted.keys
        return {
            "module": {keys.get(name, name): each for name, each in state["module"].items()},
            "optimizer": {keys.get(name, name): each for name, each in state["optimizer"].items()},
            "step": self.number,
        }

    def load_state_dict(self, state: State) -> None:
        """Go on from a checkpoint of any sharding, or from a module's own state_dict with a new optimizer.

        KeyError or ValueError for a checkpoint of another model.
        """
        named = self._in_text(state)
        module = named["module"]
        assert isinstance(module, Mapping)
        if unknown := sorted(module.keys() - self._known):
            raise KeyError(f"the module has no {unknown[0]}, which this checkpoint has: it is one of another model")
        self._step.load_state_dict(named, strict=False)

    def _in_text(self, state: State) -> dict[str, object]:
        """A checkpoint under the names of the text."""
        parts = {part: state.get(part) for part in ("module", "optimizer")}
        if not isinstance(parts["module"], Mapping):
            parts = {"module": state, "optimizer": {}}
        renamed: dict[str, object] = {"step": state.get("step", 0) if parts["module"] is not state else 0}
        for part, table in parts.items():
            assert isinstance(table, Mapping)
            renamed[part] = {self._names.get(key, key): each for key, each in table.items()}
        return renamed

    def _inputs(self, batch: Batch) -> dict[str, torch.Tensor]:
        """The tensors of a batch under the names of the text."""
        inputs = self._emitted.inputs
        if isinstance(batch, Mapping):
            return {text: batch[name] for name, text in inputs.items() if name in batch}
        tensors = [batch] if isinstance(batch, torch.Tensor) else list(batch)
        if len(tensors) != len(inputs):
            raise ValueError(f"the batch has {len(tensors)} tensors; they are {', '.join(inputs)}")
        return dict(zip(inputs.values(), tensors, strict=True))
