"""An emitted step as it runs on a rank: its tensors by the module's names, whole or as this rank's part."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from types import ModuleType
from typing import Protocol, cast

import torch

State = Mapping[str, object]
Tensors = dict[str, torch.Tensor]

ACCUMULATED, EMA = "accumulated", "ema"
"""The states of parameters that are no optimizer's: the sum of micro-batches' gradients, the moving average."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepSource:
    """A step that was emitted: its text, the output that is the loss, the text's inputs by the names of the batch's.

    `keys` has for every name of a parameter or buffer in the text the module's own. `sharding` is the distributed
    program as text. The first dimension of `first_input`, a name of the text, has as many `samples`; the layouts hold
    for any multiple of `divisor`. `rates` are the scalars of each parameter group's learning rate. `micro` is the text
    of the step that only adds up gradients, for all but the last of `accumulate` micro-batches; `late` are the states
    in which each rank adds up its own, with the names of these. `norm` is the output that is the norm of gradients.
    `offsets` are the numbers that states begin with, by names of the text, of those that are kept as differences from
    them. `limits` are the rows among which all elements of an input are looked up. `seconds` is what a step is
    predicted to take, `flops` the operations that it takes together, `peak` how many all devices do in a second; 0
    where it is not known.
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
    """The record in an emitted file of a tensor that is given or observed."""

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
    """The class `Step` of an emitted file."""

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
    """A step on this rank's parts; names are those of the text."""

    step: _Step
    tensors: Mapping[str, _Tensor]
    micro: _Step | None = None

    def train(self, inputs: Tensors, scalars: Mapping[str, float]) -> Tensors:
        """A whole step; what was accumulated before is used up."""
        outputs = self.step(inputs, **scalars)
        for name, held in self.step.held.items():
            if held is not None and name.endswith(f".{ACCUMULATED}"):
                held.zero_()
        return outputs

    def add(self, inputs: Tensors, scalars: Mapping[str, float], seed: int) -> Tensors:
        """Gradients alone, which are added up; `seed` counts for dropout as a step's number does."""
        assert self.micro is not None
        self.micro.held, self.micro.number = self.step.held, seed - 1
        return self.micro(inputs, **scalars)

    def beside(self, emitted: StepSource, device: torch.device, timeout_s: float) -> "EmittedStep":
        """The step of another text on the same parts."""
        timeout = timedelta(seconds=timeout_s)
        step, tensors = _on_parts_of(self.step, emitted.source, device, timeout)
        micro = _on_parts_of(self.step, emitted.micro, device, timeout)[0] if emitted.micro else None
        for name in self.step.held.keys() & tensors.keys():
            assert str(tensors[name]) == str(self.tensors[name]), name
        return EmittedStep(step, tensors, micro)

    def go_on_from(self, other: "EmittedStep") -> None:
        """Have the parts and the number of another step."""
        self.step.held, self.step.keys, self.step.number = other.step.held, other.step.keys, other.step.number

    def whole(self, name: str) -> torch.Tensor:
        """A parameter or state, whole, on the device; every rank asks at the same point."""
        return self.step._whole(self.tensors[name], self.step.held[name])

    def is_same(self, name: str, whole: torch.Tensor) -> bool:
        """True if this rank's part has the values of a whole tensor."""
        held = self.step.held.get(name)
        own = self.step._own(name, self.tensors[name], whole.detach().to(self.step.ranks.device))
        return held is None or own is None or torch.equal(own, held)

    def put(self, name: str, whole: torch.Tensor) -> None:
        """Write this rank's part of a whole tensor."""
        held = self.step.held.get(name)
        own = self.step._own(name, self.tensors[name], whole.detach())
        if held is not None and own is not None:
            held.copy_(own)

    def states(self) -> Iterator[tuple[str, str]]:
        """The names of states of parameters, each with its parameter and its own, but for what is accumulated."""
        for name, tensor in self.tensors.items():
            parameter, _, key = name.rpartition(".")
            if tensor.kind == "moment" and key != ACCUMULATED:
                yield parameter, key

    def interval(self, name: str) -> tuple[list[int], list[int]]:
        """Start and length of this rank's part of a tensor."""
        tensor = self.tensors[name]
        begins, lengths = [0] * len(tensor.shape), list(tensor.shape)
        for dimension, cut in tensor.cuts:
            part = self.step.ranks.part(cut)
            begins[dimension], lengths[dimension] = part.start, part.length
        return begins, lengths

    def close(self) -> None:
        """Give the process groups back."""
        self.step.close()
        if self.micro is not None:
            self.micro.close()


def begin_step(
    emitted: StepSource, begin: Callable[[type], State], device: torch.device, timeout_s: float
) -> EmittedStep:
    """The step of an emitted text, from what `begin` gives for its class `Step`."""
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
    """The step of another text on the same parts, and its tensors."""
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
