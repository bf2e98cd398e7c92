"""Forward and backward of a loss as one graph; only this file and `recording.py` depend on torch's tracing internals.

The step runs once on fake tensors, and its operations are recorded below torch's functionalization, so that
nothing is written in place; tests pin the torch internals that are used (torch 2.13). Only attention is
decomposed, and only on request.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass

import torch
from torch import nn
from torch._dispatch.python import enable_python_dispatcher
from torch._subclasses.fake_tensor import DataDependentOutputException, DynamicOutputShapeException
from torch._subclasses.functional_tensor import FunctionalTensor, FunctionalTensorMode
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.utils.stateless import _reparametrize_module

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph import other_draws
from p2smt.frontend.torch_graph.attention import whole_attention
from p2smt.frontend.torch_graph.attributes import attributes, changed, tensors
from p2smt.frontend.torch_graph.elements import forget, storage
from p2smt.frontend.torch_graph.graph import GraphSource, Reference, TrainingGraph
from p2smt.frontend.torch_graph.hooks import take_hooks
from p2smt.frontend.torch_graph.kernels import own_kernels
from p2smt.frontend.torch_graph.lines import Lines
from p2smt.frontend.torch_graph.metas import meta
from p2smt.frontend.torch_graph.random_state import counted_draws
from p2smt.frontend.torch_graph.recording import RecordingMode, StepTape, UnknownTensorError
from p2smt.frontend.torch_graph.refusals import WITHOUT_CONDITION, depends_on_values
from p2smt.frontend.torch_graph.rms_norm import whole_rms_norm
from p2smt.frontend.torch_graph.same_step import is_same_step
from p2smt.frontend.torch_graph.selections.calls import whole_selections
from p2smt.frontend.torch_graph.skipping.ways import touched_among, ways_to
from p2smt.frontend.torch_graph.tracing import as_tracers_do, without_fused_cells


@contextmanager
def fake_tensors() -> Iterator[RecordingMode]:
    """A mode in which tensors have shapes and types but no elements."""
    before, truncated = nn.Module._apply, nn.init._no_grad_trunc_normal_
    nn.Module._apply = _converted  # type: ignore[method-assign]
    nn.init._no_grad_trunc_normal_ = _drawn
    try:
        with RecordingMode() as mode:
            yield mode
    finally:
        nn.Module._apply = before  # type: ignore[method-assign]
        nn.init._no_grad_trunc_normal_ = truncated


def _drawn(tensor: torch.Tensor, *_: object, **__: object) -> torch.Tensor:
    """Return random, hence unknown, elements; torch would redraw outliers, a decision that depends on values."""
    with torch.no_grad():
        return tensor.normal_()


def _converted(module: nn.Module, function: Callable[[torch.Tensor], torch.Tensor], recurse: bool = True) -> nn.Module:
    """Replace `Module._apply`, which cannot swap fake tensors; tied parameters stay tied."""
    made: dict[int, nn.Parameter] = {}
    for each in module.modules() if recurse else (module,):
        for name, parameter in each._parameters.items():
            if parameter is not None:
                if id(parameter) not in made:
                    made[id(parameter)] = nn.Parameter(function(parameter.detach()), parameter.requires_grad)
                    take_hooks(made[id(parameter)], parameter)
                each._parameters[name] = made[id(parameter)]
        for name, buffer in each._buffers.items():
            if buffer is not None:
                each._buffers[name] = function(buffer)
    return module


def traced(
    name: str,
    loss: nn.Module,
    batch: Mapping[str, torch.Tensor],
    mode: RecordingMode,
    attention_whole: bool,
    foreign: Mapping[int, str],
) -> TrainingGraph:
    """Return the joint graph of a module that computes the loss, on a batch by names; all tensors are fake."""
    with ExitStack() as stack:
        stack.enter_context(mode)
        stack.enter_context(enable_python_dispatcher())
        stack.enter_context(sdpa_kernel(SDPBackend.MATH))
        stack.enter_context(without_fused_cells())
        stack.enter_context(as_tracers_do())
        stack.enter_context(FunctionalTensorMode(_allow_token_discovery=True))
        if attention_whole:
            stack.enter_context(whole_attention())
        stack.enter_context(whole_rms_norm())
        lines = Lines()
        stack.enter_context(whole_selections(lines, mode))
        stack.enter_context(lines)
        stack.enter_context(own_kernels(lines))
        stack.enter_context(counted_draws(lines, mode))
        try:
            before, drawn = attributes(loss), other_draws.state()
            graph = _run(name, loss, batch, mode, lines, foreign)
            other_draws.refuse(drawn, lambda: _run(name, loss, batch, mode, lines, foreign))
            if others := changed(before, attributes(loss)):
                if graph.touched is not None:
                    raise CaptureError(
                        f"the loss changes {others[0]}, and has code that may be skipped; keep state between steps in "
                        f"buffers, or {WITHOUT_CONDITION}"
                    )
                _refuse_others(graph, others, lambda: _run(name, loss, batch, mode, lines, foreign))
            return graph
        except (DataDependentOutputException, DynamicOutputShapeException) as cause:
            raise CaptureError(
                f"{lines.last}: {cause.func} is called there: {depends_on_values(str(cause.func))}"
            ) from cause


def _run(
    name: str,
    loss: nn.Module,
    batch: Mapping[str, torch.Tensor],
    mode: RecordingMode,
    lines: Lines,
    foreign: Mapping[int, str],
) -> TrainingGraph:
    tape = StepTape(lines, frozenset(tensors(attributes(loss).values())), mode.survey)
    step = _Step(tape, loss, batch, lambda: lines.without(foreign))
    if mode.survey is not None and not mode.survey.begun:
        mode.survey.begun, mode.survey.nodes, mode.survey.given = True, tape.nodes, step.given()
    try:
        mode.tape = tape
        return step.graph(name)
    finally:
        mode.tape = None


def _refuse_others(graph: TrainingGraph, others: list[str], again: Callable[[], TrainingGraph]) -> None:
    """Raise CaptureError if a second run of the step differs, because modules keep state between steps."""
    try:
        same = is_same_step(graph, again())
    except UnknownTensorError:
        same = False
    if not same:
        raise CaptureError(
            f"the loss changes {others[0]}, and computes something else in the next step; keep state between "
            "steps in buffers"
        )


@dataclass(frozen=True, slots=True)
class _ModuleTensor:
    """A parameter or buffer with all its names (the primary one first), its stand-in, and its storage."""

    names: list[str]
    tensor: FunctionalTensor
    given: GraphSource
    storage: int


class _Step:
    """A step on tensors from which torch's functionalization removes in-place writes."""

    def __init__(
        self,
        tape: StepTape,
        loss: nn.Module,
        batch: Mapping[str, torch.Tensor],
        users: Callable[[], AbstractContextManager[None]],
    ) -> None:
        self._tape = tape
        self._users = users
        self._loss = loss
        self._inputs = [self._given(name, tensor) for name, tensor in batch.items()]
        self._parameters = self._kept(lambda module: module._parameters)
        self._buffers = self._kept(lambda module: module._buffers)

    def given(self) -> list[GraphSource]:
        """Inputs, parameters and buffers."""
        kept = (*self._parameters, *self._buffers)
        return [*(given for _, given in self._inputs), *(each.given for each in kept)]

    def graph(self, name: str) -> TrainingGraph:
        """The graph of forward and backward, with the parameters' hooks as PyTorch runs them."""
        kept = (*self._parameters, *self._buffers)
        swapped: dict[str, torch.Tensor] = {name: each.tensor for each in kept for name in each.names}
        trained = [each for each in self._parameters if each.tensor.requires_grad]
        with _reparametrize_module(self._loss, swapped):  # what is checkpointed is computed again in the backward pass
            with self._users():
                loss = self._loss(*(tensor for tensor, _ in self._inputs))
                one = torch.empty_like(loss)
                tangent = self._tape.given(_inner(one))
                ways = ways_to(loss, self._tape.skipping)
                loss.backward(one)
            gradients = [each.tensor.grad for each in trained]
        touched = touched_among({each.given.name: each.tensor for each in trained}, ways or {}, self._tape.skipping)
        mutated = list(self._mutated(kept, swapped))
        self._tape.skipping.check(
            [each for each in self._tape.nodes if not each.backward],
            [self._reference(loss), *(each for _, each in mutated)],
        )
        return TrainingGraph(
            name=name,
            inputs=[given for _, given in self._inputs],
            parameters=[each.given for each in self._parameters],
            buffers=[each.given for each in self._buffers],
            tangent=tangent,
            nodes=self._tape.nodes,
            loss=self._reference(loss),
            gradients=[
                (each.given.name, self._reference(gradient))
                for each, gradient in zip(trained, gradients, strict=True)
                if gradient is not None
            ],
            mutated=mutated,
            touched=None if ways is None else [(name, self._reference(truth)) for name, truth in touched],
        )

    def _mutated(
        self, kept: Iterable[_ModuleTensor], swapped: Mapping[str, torch.Tensor]
    ) -> Iterator[tuple[str, Reference]]:
        for each in kept:
            new = self._new(each, swapped)
            if new is not None:
                yield each.given.name, new

    def _new(self, kept: _ModuleTensor, swapped: Mapping[str, torch.Tensor]) -> Reference | None:
        """Return the new value of what is not trained: what the forward pass wrote into it or replaced it with."""
        others = [swapped[name] for name in kept.names if swapped[name] is not kept.tensor]
        new = _inner(others[0] if others else kept.tensor)
        reference = self._tape.reference(new)
        if reference == Reference(kept.given.node):
            return None
        name = kept.given.name
        if kept in self._parameters and kept.tensor.requires_grad:
            line = next(
                (f"{each.line}: " for each in self._tape.nodes if each.name == reference.node and each.line), ""
            )
            raise CaptureError(
                f"{line}the loss changes the parameter {name}; only the optimizer may, and a loss may change buffers "
                "and parameters that have no gradient (requires_grad=False); clip weights in a hook of the optimizer "
                "(register_step_post_hook) that walks its param_groups"
            )
        if len({kept.given.meta, *(meta(_inner(each)) for each in (*others, kept.tensor))}) > 1:
            raise CaptureError(f"the loss changes the shape or type of the buffer {name}; both have to stay the same")
        if len(others) not in (0, len(kept.names)):
            raise CaptureError(f"the loss changes {name} under only one of its names; write into the tensor itself")
        if any(each.storage == kept.storage for each in (*self._parameters, *self._buffers) if each is not kept):
            raise CaptureError(
                f"the loss changes the buffer {name}, which shares its storage with another tensor; give it its own"
            )
        return reference

    def _kept(self, own: Callable[[nn.Module], Mapping[str, torch.Tensor | None]]) -> list[_ModuleTensor]:
        """The tensors without duplicates: a shared weight or layer counts once, under its first name."""
        found: dict[int, _ModuleTensor] = {}
        for prefix, module in self._loss.named_modules():
            for key, tensor in own(module).items():
                if tensor is None:
                    continue
                name = f"{prefix}.{key}"
                if id(tensor) not in found:
                    functional, given = self._given(name.removeprefix("module."), tensor)
                    found[id(tensor)] = _ModuleTensor([], functional, given, storage(tensor))
                found[id(tensor)].names.append(name)
        return list(found.values())

    def _given(self, name: str, tensor: torch.Tensor) -> tuple[FunctionalTensor, GraphSource]:
        inner = tensor.detach()
        forget(inner)
        functional = FunctionalTensor.to_functional(inner)
        functional.requires_grad_(tensor.requires_grad)
        take_hooks(functional, tensor)
        known = meta(inner)
        assert known is not None
        return functional, GraphSource(self._tape.given(inner), name, known)

    def _reference(self, tensor: torch.Tensor) -> Reference:
        return self._tape.reference(_inner(tensor))


def _inner(tensor: torch.Tensor) -> torch.Tensor:
    """The recorded tensor, after all writes into it."""
    return tensor.from_functional() if isinstance(tensor, FunctionalTensor) else tensor
