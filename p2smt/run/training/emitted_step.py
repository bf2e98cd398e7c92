"""An emitted step loaded on a rank, with access to its tensors, unsharded or as this rank's shards."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from types import ModuleType
from typing import Protocol, cast

import torch

State = Mapping[str, object]
Tensors = dict[str, torch.Tensor]

ACCUMULATED, EMA = "accumulated", "ema"
"""States of parameters outside the optimizer: gradients accumulated over micro-batches, and moving averages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSource:
    """An emitted step: its source text, its loss output, and the mapping from the batch's names to its inputs.

    `keys` maps each parameter or buffer name in the text to the module's name. `sharding` is the distributed
    program as text. `first_input` is an input whose first dimension has length `samples`; the layouts hold for
    any multiple of `divisor`. `rates` are the scalar inputs for the parameter groups' learning rates.

    `micro` is the text of the step that only accumulates gradients, used for all but the last of `accumulate`
    micro-batches. `late` maps each state in which every rank accumulates its own gradients to its name there.
    `norm` is the output with the gradients' norm. `offsets` holds the initial values of states stored as
    differences from them. `limits` holds the table length for each input of indices.

    `seconds` is the predicted time of a step, `flops` the operations of all devices in it, and `peak` the
    devices' total operations per second; 0 if unknown.
    """

    source: str
    loss: str
    inputs: Mapping[str, str]
    keys: Mapping[str, str]
    sharding: str = ""
    first_input: str = ""
    samples: int = 0
    divisor: int = 1
    rates: tuple[str, ...] = ()
    micro: str = ""
    late: Mapping[str, str] = field(default_factory=dict)
    accumulate: int = 1
    norm: str = ""
    has_average: bool = False
    offsets: Mapping[str, float] = field(default_factory=dict)
    limits: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    flops: int = 0
    peak: float = 0.0


class _Tensor(Protocol):
    """The record of an input or output tensor in an emitted file."""

    kind: str
    shape: tuple[int, ...]
    cuts: tuple[tuple[int, object], ...]
    summed: tuple[int, ...]
    roots: tuple[tuple[int, int], ...]


class _Part(Protocol):
    start: int
    length: int


class _Ranks(Protocol):
    device: torch.device

    def part(self, cut: object) -> _Part: ...


class _Step(Protocol):
    """The interface of class `Step` in an emitted file."""

    number: int
    held: dict[str, torch.Tensor | None]
    keys: dict[str, list[str]]
    ranks: _Ranks

    def __call__(self, batch: Mapping[str, torch.Tensor], **scalars: float) -> Tensors: ...

    def state_dict(self) -> dict[str, object]: ...

    def load_state_dict(self, state: State, *, strict: bool = True) -> None: ...

    def close(self) -> None: ...

    def _own(self, name: str, tensor: _Tensor, whole: torch.Tensor) -> torch.Tensor | None: ...

    def _whole(self, tensor: _Tensor, own: torch.Tensor | None) -> torch.Tensor: ...


@dataclass(slots=True)
class EmittedStep:
    """An emitted step on this rank's shards; `tensors` are by the names that the emitted file uses."""

    step: _Step
    tensors: Mapping[str, _Tensor]
    micro: _Step | None = None

    def train(self, inputs: Tensors, scalars: Mapping[str, float]) -> Tensors:
        """Execute a full step and clear the accumulated gradients."""
        outputs = self.step(inputs, **scalars)
        for name, held in self.step.held.items():
            if held is not None and name.endswith(f".{ACCUMULATED}"):
                held.zero_()
        return outputs

    def add(self, inputs: Tensors, scalars: Mapping[str, float], seed: int) -> Tensors:
        """Compute gradients and accumulate them; `seed` takes the place of the step number for dropout."""
        assert self.micro is not None
        self.micro.held, self.micro.number = self.step.held, seed - 1
        return self.micro(inputs, **scalars)

    def beside(self, emitted: StepSource, device: torch.device, timeout_s: float) -> "EmittedStep":
        """Return the step of another text that shares this one's shards."""
        timeout = timedelta(seconds=timeout_s)
        step, tensors = _on_parts_of(self.step, emitted.source, device, timeout)
        micro = _on_parts_of(self.step, emitted.micro, device, timeout)[0] if emitted.micro else None
        for name in self.step.held.keys() & tensors.keys():
            assert str(tensors[name]) == str(self.tensors[name]), name
        return EmittedStep(step, tensors, micro)

    def go_on_from(self, other: "EmittedStep") -> None:
        """Take over the shards and the step number of another step."""
        self.step.held, self.step.keys, self.step.number = other.step.held, other.step.keys, other.step.number

    def whole(self, name: str) -> torch.Tensor:
        """Return an unsharded parameter or state on the device; every rank must call it at the same point."""
        return self.step._whole(self.tensors[name], self.step.held[name])

    def is_same(self, name: str, whole: torch.Tensor) -> bool:
        """True if this rank's shard has the values of an unsharded tensor."""
        held = self.step.held.get(name)
        own = self.step._own(name, self.tensors[name], whole.detach().to(self.step.ranks.device))
        return held is None or own is None or torch.equal(own, held)

    def put(self, name: str, whole: torch.Tensor) -> None:
        """Copy this rank's shard out of an unsharded tensor."""
        held = self.step.held.get(name)
        own = self.step._own(name, self.tensors[name], whole.detach())
        if held is not None and own is not None:
            held.copy_(own)

    def states(self) -> Iterator[tuple[str, str]]:
        """Yield the parameter and the state's own name for every optimizer state and moving average."""
        for name, tensor in self.tensors.items():
            parameter, _, key = name.rpartition(".")
            if tensor.kind == "moment" and key != ACCUMULATED:
                yield parameter, key

    def interval(self, name: str) -> tuple[list[int], list[int]]:
        """Return the start and the length of this rank's shard in every dimension."""
        tensor = self.tensors[name]
        begins, lengths = [0] * len(tensor.shape), list(tensor.shape)
        for dimension, cut in tensor.cuts:
            part = self.step.ranks.part(cut)
            begins[dimension], lengths[dimension] = part.start, part.length
        return begins, lengths

    def close(self) -> None:
        """Destroy the process groups."""
        self.step.close()
        if self.micro is not None:
            self.micro.close()


def begin_step(
    emitted: StepSource, begin: Callable[[type], State], device: torch.device, timeout_s: float
) -> EmittedStep:
    """Return the step of an emitted text; `begin` returns the initial state for its class `Step`."""
    timeout = timedelta(seconds=timeout_s)
    loaded = _executed(emitted.source)
    made = loaded["Step"]
    assert isinstance(made, type)
    step = cast("_Step", made(begin(made), device, timeout=timeout, strict=False))
    micro = _on_parts_of(step, emitted.micro, device, timeout)[0] if emitted.micro else None
    return EmittedStep(step, cast("Mapping[str, _Tensor]", loaded.get("TENSORS", {})), micro)


def _on_parts_of(
    step: _Step, source: str, device: torch.device, timeout: timedelta
) -> tuple[_Step, Mapping[str, _Tensor]]:
    """Return the step of another text that shares a step's shards, and the records of its tensors."""
    loaded = _executed(source)
    kind, ranks = loaded["Step"], cast("Callable[..., object]", loaded["Ranks"])
    assert isinstance(kind, type)
    made = cast("_Step", object.__new__(kind))
    vars(made).update(vars(step) | {"ranks": ranks(device, loaded["REAL"], timeout), "shares_ranks": False})
    return made, cast("Mapping[str, _Tensor]", loaded.get("TENSORS", {}))


def _executed(source: str) -> dict[str, object]:
    loaded = ModuleType("p2smt_step")
    exec(compile(source, "<step of p2smt.shard>", "exec"), loaded.__dict__)
    return loaded.__dict__
