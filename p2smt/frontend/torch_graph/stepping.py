"""The step of an optimizer that is not torch's SGD, Adam or AdamW, recorded as the model's is.

It runs once from nothing, as the first step does, and twice more from states that are given: these two have to be the
same, and the first has to be what they are where states are zeros. A number that counts the steps is the step's own.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from copy import copy
from dataclasses import dataclass

import torch
from torch._dispatch.python import enable_python_dispatcher
from torch._subclasses.fake_tensor import DataDependentOutputException
from torch._subclasses.functional_tensor import FunctionalTensor, FunctionalTensorMode

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.first_step import is_as_the_others
from p2smt.frontend.torch_graph.graph import Given, Reference, Stepped
from p2smt.frontend.torch_graph.kernels import own_kernels
from p2smt.frontend.torch_graph.lines import Lines, line_of
from p2smt.frontend.torch_graph.recording import RecordingMode, Tape, UnknownTensorError, meta

_States = dict[str, dict[str, object]]
"""By the names of parameters."""


@dataclass(frozen=True, slots=True)
class _Parameter:
    name: str
    tensor: torch.Tensor
    trained: bool


@dataclass(frozen=True, slots=True)
class _Slot:
    """Where a number stands that changes from step to step: in the states of a parameter, a group, the optimizer."""

    kind: str
    owner: str
    key: str


def stepped(
    optimizer: torch.optim.Optimizer,
    names: Mapping[int, str],
    parameters: Mapping[str, torch.Tensor],
    trained: frozenset[str],
    mode: RecordingMode,
    foreign: Mapping[int, str],
) -> Stepped:
    """What the step does to parameters, by name, of which the `trained` ones have gradients.

    `names` are those of the optimizer's parameters, `parameters` tensors without elements that stand for them. The
    optimizer is left as it is. The `foreign` tensors, by id, are those that the step must not reach, for others stand
    for them. CaptureError where steps differ in more than in what they are given.
    """
    kind = type(optimizer).__name__
    if optimizer.state:
        raise CaptureError(f"{kind} has states before its first step; known are optimizers that make them in it")
    if any(isinstance(each, torch.optim.Optimizer) for each in vars(optimizer).values()):
        raise CaptureError(f"{kind} steps with another optimizer inside, which is not followed")
    groups = [[_Parameter(names[id(each)], parameters[names[id(each)]], names[id(each)] in trained)
               for each in group["params"]] for group in optimizer.param_groups]  # fmt: skip
    first = _Run(optimizer, groups, mode, foreign)
    begun = first.recorded({}, ())
    before = first.numbers()
    first.once_more()
    after = first.numbers()
    counters = tuple(_counters(kind, before, after))
    states = first.states()
    second, third = (_Run(optimizer, groups, mode, foreign).recorded(states, counters) for _ in range(2))
    if second != third:
        raise CaptureError(f"a step of {kind} does other things than the step before it, and nothing that it is given "
                           "says so")  # fmt: skip
    if not is_as_the_others(begun, second):
        raise CaptureError(f"the first step of {kind} is not what the others are where all its states are zeros; such "
                           "an optimizer is not captured")  # fmt: skip
    return second


def _counters(kind: str, before: Mapping[_Slot, object], after: Mapping[_Slot, object]) -> Iterator[_Slot]:
    """Numbers that are 1 behind the first step and 2 behind the second."""
    for slot in before.keys() | after.keys():
        pair = before.get(slot), after.get(slot)
        if pair == (1, 2):
            yield slot
        elif pair[0] != pair[1]:
            raise CaptureError(f"{slot.key} of {kind} is {pair[0]} behind its first step and {pair[1]} behind its "
                               "second; of numbers that change those are known that count steps")  # fmt: skip


class _Run:
    """A twin of the optimizer, on tensors of its own."""

    def __init__(
        self,
        optimizer: torch.optim.Optimizer,
        groups: list[list[_Parameter]],
        mode: RecordingMode,
        foreign: Mapping[int, str],
    ) -> None:
        self._mode, self._foreign = mode, foreign
        self._lines = Lines()
        self._tape = Tape(self._lines)
        self._kind = type(optimizer).__name__
        self._twin: torch.optim.Optimizer = object.__new__(type(optimizer))
        self._twin.__dict__.update({key: _own(value) for key, value in vars(optimizer).items() if key != "step"})
        self._twin.state = defaultdict(dict)
        self._twin.param_groups = [dict(group) for group in optimizer.param_groups]
        self._known: dict[str, FunctionalTensor] = {}
        self._others = [each.tensor for own in groups for each in own if each.tensor.requires_grad]
        self._gradients: list[Given] = []
        self._parameters: list[Given] = []
        with self._modes():
            for group, own in zip(self._twin.param_groups, groups, strict=True):
                group["params"] = [self._parameter(each) for each in own]

    def _modes(self) -> ExitStack:
        stack = ExitStack()
        stack.enter_context(self._mode)
        stack.enter_context(enable_python_dispatcher())
        stack.enter_context(own_kernels())
        stack.enter_context(FunctionalTensorMode(_allow_token_discovery=True))
        stack.enter_context(self._lines)
        return stack

    def _parameter(self, each: _Parameter) -> FunctionalTensor:
        functional, given = self._given(each.name, each.tensor.detach())
        functional.requires_grad_(each.tensor.requires_grad)
        self._known[each.name] = functional
        self._parameters.append(given)
        if each.trained:
            functional.grad, given = self._given(each.name, torch.empty_like(each.tensor).detach())
            self._gradients.append(given)
        return functional

    def _given(self, name: str, tensor: torch.Tensor) -> tuple[FunctionalTensor, Given]:
        inner = tensor.from_functional() if isinstance(tensor, FunctionalTensor) else tensor
        known = meta(inner)
        assert known is not None
        return FunctionalTensor.to_functional(inner), Given(self._tape.given(inner), name, known)

    def recorded(self, states: _States, counters: tuple[_Slot, ...]) -> Stepped:
        """One step from these states, with tensors for what counts."""
        with self._modes():
            given = self._begun(states)
            counted = [self._counter(slot) for slot in counters]
            self._step()
            return Stepped(
                nodes=self._tape.nodes,
                gradients=self._gradients,
                parameters=self._parameters,
                states=given,
                counters=counted,
                updated=[(each.name, self._reference(self._known[each.name])) for each in self._parameters],
                kept=sorted(
                    (f"{name}.{key}", self._reference(value))
                    for name, own in self.states().items()
                    for key, value in own.items()
                    if isinstance(value, torch.Tensor) and _Slot("state", name, key) not in counters
                ),
            )

    def once_more(self) -> None:
        """A step that goes on from what the one before left in parameters and states, and in nothing else."""
        with self._modes():
            self._tape = Tape(self._lines)
            own = [value for each in self.states().values() for value in each.values()]
            for name in [each.name for each in self._gradients]:
                parameter = self._known[name]
                parameter.grad, _ = self._given(name, torch.empty_like(parameter).detach())
            for tensor in (*self._known.values(), *own):
                if isinstance(tensor, FunctionalTensor):
                    self._tape.given(tensor.from_functional())
            self._step()

    def _step(self) -> None:
        before = [(each, each.grad) for each in self._others]
        for each in self._others:
            each.grad = torch.empty_like(each).detach()  # whoever steps with it, and not the twin's, is found
        self._mode.tape = self._tape
        try:
            with self._lines.without(self._foreign):
                self._twin.step()
        except DataDependentOutputException as cause:
            raise CaptureError(f"{line_of(cause)}: what is called there is {cause.func}: {self._kind} asks for the "
                               "value of a tensor, or of the number of the step; compute with it, as with torch.where "
                               "and ** 0.5") from cause  # fmt: skip
        except UnknownTensorError as cause:
            raise CaptureError(f"{line_of(cause)}: {self._kind} uses a tensor there that is neither parameter nor "
                               "gradient nor in its states; keep it in self.state[parameter]") from cause  # fmt: skip
        finally:
            self._mode.tape = None
            for each, gradient in before:
                each.grad = gradient

    def _begun(self, states: _States) -> list[Given]:
        given = []
        for name, own in states.items():
            for key, value in own.items():
                kept = value
                if isinstance(value, torch.Tensor):
                    kept, known = self._given(f"{name}.{key}", torch.empty_like(value))
                    given.append(known)
                self._twin.state[self._known[name]][key] = kept
        return given

    def _counter(self, slot: _Slot) -> str:
        functional, given = self._given("step", torch.empty((), dtype=torch.float64))
        match slot.kind:
            case "state":
                self._twin.state[self._known[slot.owner]][slot.key] = functional
            case "group":
                self._twin.param_groups[int(slot.owner)][slot.key] = functional
            case _:
                setattr(self._twin, slot.key, functional)
        return given.node

    def states(self) -> _States:
        """What is kept for every parameter."""
        found: _States = {name: dict(self._twin.state.get(tensor, {})) for name, tensor in self._known.items()}
        for name, own in found.items():
            for key, value in own.items():
                if not isinstance(value, torch.Tensor | int | float | str | None):
                    raise CaptureError(f"{self._kind} keeps {key} of {name} as {type(value).__name__}; known are "
                                       "tensors and numbers")  # fmt: skip
        if set(map(id, self._twin.state)) - set(map(id, self._known.values())):
            raise CaptureError(f"{self._kind} keeps a state for what is no parameter")
        return found

    def numbers(self) -> dict[_Slot, object]:
        """All that it has but tensors, by where it stands."""
        found = {_Slot("state", name, key): _plain(value) for name, own in self.states().items()
                 for key, value in own.items()}  # fmt: skip
        for position, group in enumerate(self._twin.param_groups):
            found |= {_Slot("group", str(position), key): _plain(value) for key, value in group.items()}
        its = {key: value for key, value in vars(self._twin).items() if key not in ("state", "param_groups")}
        return found | {_Slot("own", "", key): _plain(value) for key, value in its.items()}

    def _reference(self, tensor: torch.Tensor) -> Reference:
        return self._tape.reference(tensor.from_functional() if isinstance(tensor, FunctionalTensor) else tensor)


def _own(value: object) -> object:
    """A list or dict of the twin's own."""
    return copy(value) if isinstance(value, list | dict | set) else value


def _plain(value: object) -> object:
    """Numbers and texts, and what is made of them; None for anything else."""
    match value:
        case int() | float() | str():
            return value
        case list() | tuple():
            return tuple(_plain(each) for each in value)
        case dict():
            return tuple((str(key), _plain(each)) for key, each in value.items())
        case _:
            return None
