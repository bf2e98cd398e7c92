"""Steps of optimizers other than torch's SGD, Adam and AdamW, recorded like the model.

The optimizer runs once from the initial state, and twice more from symbolic states. The latter two recordings
must be equal, and must agree with the first if the states are zero. A number that counts steps is replaced by the
program's step number.
"""

import inspect
from collections import defaultdict
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass

import torch
from torch._dispatch.python import enable_python_dispatcher
from torch._subclasses.fake_tensor import DataDependentOutputException
from torch._subclasses.functional_tensor import FunctionalTensor, FunctionalTensorMode

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.counters import NumberSlot, step_counters
from p2smt.frontend.torch_graph.elements import uniform_element
from p2smt.frontend.torch_graph.first_step import is_as_the_others, with_differences
from p2smt.frontend.torch_graph.graph import GraphSource, OptimizerGraph, Reference
from p2smt.frontend.torch_graph.kernels import own_kernels
from p2smt.frontend.torch_graph.lines import Lines, line_of
from p2smt.frontend.torch_graph.metas import meta
from p2smt.frontend.torch_graph.recording import RecordingMode, StepTape, UnknownTensorError
from p2smt.frontend.torch_graph.scalars import scalars_as_tensors
from p2smt.frontend.torch_graph.states import BegunStates, States, computed_group, made_before, own_copy, plain


@dataclass(frozen=True, slots=True)
class _Parameter:
    name: str
    tensor: torch.Tensor
    trained: bool


def stepped(
    optimizer: torch.optim.Optimizer,
    names: Mapping[int, str],
    parameters: Mapping[str, torch.Tensor],
    trained: frozenset[str],
    mode: RecordingMode,
    foreign: Mapping[int, str],
) -> OptimizerGraph:
    """Return the optimizer's updates by parameter name; the `trained` parameters have gradients.

    `names` maps ids of the optimizer's parameters to names, `parameters` holds their fake stand-ins. The
    optimizer is not changed. `foreign` are ids of the original tensors, which the step must not reach.
    CaptureError if steps differ in more than their inputs.
    """
    kind = type(optimizer).__name__
    closure = inspect.signature(optimizer.step).parameters.get("closure")
    if closure is not None and closure.default is inspect.Parameter.empty:
        raise CaptureError(
            f"a step of {kind} may compute the loss several times, by a closure; a program computes it once; "
            "use another optimizer"
        )
    made = made_before(optimizer, names)
    if any(isinstance(each, torch.optim.Optimizer) for each in vars(optimizer).values()):
        raise CaptureError(f"{kind} calls another optimizer in its step, which is not supported")

    def stand_in(parameter: torch.Tensor) -> _Parameter:
        name = names[id(parameter)]
        return _Parameter(name, parameters[name], name in trained)

    groups = [[stand_in(each) for each in group["params"]] for group in optimizer.param_groups]
    for shifted in (False, True):
        found = _compared(optimizer, groups, mode, foreign, made, shifted)
        if found is not None:
            return found
    raise CaptureError(
        f"the first step of {kind} differs from the later steps in more than its initial states; "
        "such an optimizer is not supported"
    )


def _compared(
    optimizer: torch.optim.Optimizer,
    groups: list[list[_Parameter]],
    mode: RecordingMode,
    foreign: Mapping[int, str],
    made: States,
    shifted: bool,
) -> OptimizerGraph | None:
    """Return the step, recorded from the initial state and from symbolic states; None if the two differ.

    `shifted`: states are stored as differences from their initial values.
    """
    kind = type(optimizer).__name__
    first = _Run(optimizer, groups, mode, foreign)
    begun = first.recorded(made, (), shifted)
    before = first.numbers()
    first.once_more()
    counters = tuple(step_counters(kind, before, first.numbers()))
    states, offsets = first.states(), first.offsets() if shifted else {}
    second, third = (_Run(optimizer, groups, mode, foreign, offsets).recorded(states, counters) for _ in range(2))
    if second != third:
        raise CaptureError(
            f"a step of {kind} computes something else than the step before it, although its arguments and "
            "states are alike; such an optimizer is not supported"
        )
    return with_differences(second, offsets) if is_as_the_others(begun, second, offsets) else None


class _Run:
    """A recording of a twin of the optimizer, which owns its tensors."""

    def __init__(
        self,
        optimizer: torch.optim.Optimizer,
        groups: list[list[_Parameter]],
        mode: RecordingMode,
        foreign: Mapping[int, str],
        offsets: Mapping[str, float] | None = None,
    ) -> None:
        self._mode, self._foreign = mode, foreign
        self._offsets = dict(offsets or {})
        self._first = offsets is None
        self._lines = Lines()
        self._tape = StepTape(self._lines)
        self._kind = type(optimizer).__name__
        self._twin: torch.optim.Optimizer = object.__new__(type(optimizer))
        self._twin.__dict__.update({key: own_copy(value) for key, value in vars(optimizer).items() if key != "step"})
        self._twin.state = defaultdict(BegunStates)
        self._twin.param_groups = [computed_group(group) for group in optimizer.param_groups]
        self._known: dict[str, FunctionalTensor] = {}
        self._others = [each.tensor for own in groups for each in own if each.tensor.requires_grad]
        self._gradients: list[GraphSource] = []
        self._parameters: list[GraphSource] = []
        with self._modes():
            for group, own in zip(self._twin.param_groups, groups, strict=True):
                group["params"] = [self._parameter(each) for each in own]

    def _modes(self) -> ExitStack:
        stack = ExitStack()
        stack.enter_context(self._mode)
        stack.enter_context(enable_python_dispatcher())
        stack.enter_context(own_kernels(self._lines))
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

    def _given(self, name: str, tensor: torch.Tensor) -> tuple[FunctionalTensor, GraphSource]:
        inner = tensor.from_functional() if isinstance(tensor, FunctionalTensor) else tensor
        known = meta(inner)
        assert known is not None
        return FunctionalTensor.to_functional(inner), GraphSource(self._tape.given(inner), name, known)

    def offsets(self) -> dict[str, float]:
        """Return the nonzero initial values of states; such states are stored as differences."""
        return {
            f"{name}.{key}": value
            for name, tensor in self._known.items()
            for key, value in getattr(self._twin.state.get(tensor), "begun", {}).items()
            if value
        }

    def _shifted(self, name: str, tensor: torch.Tensor, sign: int) -> torch.Tensor:
        """Return a state given its difference from the initial value (sign 1), or the reverse (sign -1)."""
        offset = self._offsets.get(name)
        if offset is None:
            return tensor
        self._mode.tape = self._tape
        try:
            return tensor + sign * offset
        finally:
            self._mode.tape = None

    def recorded(self, states: States, counters: tuple[NumberSlot, ...], shifted: bool = False) -> OptimizerGraph:
        """Record one step from these states, with tensors in place of counters."""
        with self._modes():
            given = self._begun(states)
            counted = [self._counter(slot) for slot in counters]
            self._step()
            if shifted:
                self._offsets = self.offsets()
            return OptimizerGraph(
                nodes=self._tape.nodes,
                gradients=self._gradients,
                parameters=self._parameters,
                states=given,
                counters=counted,
                updated=[(each.name, self._reference(self._known[each.name])) for each in self._parameters],
                kept=sorted(
                    (f"{name}.{key}", self._reference(self._shifted(f"{name}.{key}", value, -1)))
                    for name, own in self.states().items()
                    for key, value in own.items()
                    if isinstance(value, torch.Tensor) and NumberSlot("state", name, key) not in counters
                ),
            )

    def once_more(self) -> None:
        """Record one more step, which may use only the parameters and states that the previous one left."""
        with self._modes():
            self._tape = StepTape(self._lines)
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
            with self._lines.without(self._foreign), scalars_as_tensors():
                self._twin.step()
        except DataDependentOutputException as cause:
            raise CaptureError(
                f"{line_of(cause)}: {cause.func} is called there: {self._kind} reads the value of a tensor or of the "
                "step number; compute with it, for example with torch.where and ** 0.5"
            ) from cause
        except UnknownTensorError as cause:
            raise CaptureError(
                f"{line_of(cause)}: {self._kind} uses a tensor there that is neither parameter nor gradient nor in "
                "its states; keep it in self.state[parameter]"
            ) from cause
        finally:
            self._mode.tape = None
            for each, gradient in before:
                each.grad = gradient

    def _begun(self, states: States) -> list[GraphSource]:
        given = []
        for name, own in states.items():
            for key, value in own.items():
                kept = value
                if isinstance(value, torch.Tensor) and self._first:
                    kept = self._full(value)
                elif isinstance(value, torch.Tensor):
                    kept, known = self._given(f"{name}.{key}", torch.empty_like(value))
                    given.append(known)
                    kept = self._shifted(f"{name}.{key}", kept, 1)
                self._twin.state[self._known[name]][key] = kept
        return given

    def _full(self, value: torch.Tensor) -> torch.Tensor:
        """Return a state of uniform elements, created on the tape as its constructor does."""
        number = uniform_element(value)
        assert number is not None
        self._mode.tape = self._tape
        try:
            return torch.full(tuple(value.shape), number, dtype=value.dtype)
        finally:
            self._mode.tape = None

    def _counter(self, slot: NumberSlot) -> str:
        functional, given = self._given("step", torch.empty((), dtype=torch.float64))
        match slot.kind:
            case "state":
                self._twin.state[self._known[slot.owner]][slot.key] = functional
            case "group":
                self._twin.param_groups[int(slot.owner)][slot.key] = functional
            case _:
                setattr(self._twin, slot.key, functional)
        return given.node

    def states(self) -> States:
        """The states of every parameter."""
        found: States = {name: dict(self._twin.state.get(tensor, {})) for name, tensor in self._known.items()}
        for name, own in found.items():
            for key, value in own.items():
                if not isinstance(value, torch.Tensor | int | float | str | None):
                    raise CaptureError(
                        f"{self._kind} keeps {key} of {name} as {type(value).__name__}; only "
                        "tensors and numbers are supported"
                    )
        if set(map(id, self._twin.state)) - set(map(id, self._known.values())):
            raise CaptureError(f"{self._kind} keeps a state for something that is not a parameter")
        return found

    def numbers(self) -> dict[NumberSlot, object]:
        """Return all non-tensor values of states, groups and optimizer, by location."""
        states = self.states().items()
        found = {NumberSlot("state", name, key): plain(value) for name, own in states for key, value in own.items()}
        for position, group in enumerate(self._twin.param_groups):
            found |= {NumberSlot("group", str(position), key): plain(value) for key, value in group.items()}
        its = {key: value for key, value in vars(self._twin).items() if key not in ("state", "param_groups")}
        return found | {NumberSlot("own", "", key): plain(value) for key, value in its.items()}

    def _reference(self, tensor: torch.Tensor) -> Reference:
        return self._tape.reference(tensor.from_functional() if isinstance(tensor, FunctionalTensor) else tensor)
