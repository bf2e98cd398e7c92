"""Forward and backward of a loss as one graph: the only file that knows torch's export of joint graphs.

`aot_export_joint_with_descriptors` is torch's own experimental function; tests pin what is used of it (torch 2.13).
Nothing is decomposed but attention, which is traced as its parts. Tensors are fake: no weight is allocated.
"""

import operator
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Protocol

import torch
from torch import fx, nn
from torch._functorch.aot_autograd import aot_export_joint_with_descriptors
from torch._subclasses import FakeTensorMode
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    FakeTensor,
    unset_fake_temporarily,
)
from torch.fx import traceback
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.overrides import TorchFunctionMode

from p2smt.errors import CaptureError, DefectError
from p2smt.frontend.torch_graph.graph import Argument, Given, Graph, Item, Meta, Node, Reference

_TORCH = str(Path(torch.__file__).parent)
_HERE = str(Path(__file__).parent)
_EXAMPLES = str(Path(__file__).parent / "examples")
_MOST_ELEMENTS = 64
_SKIPPED = ("aten.detach.default", "aten.alias.default", "aten.clone.default", "aten.lift_fresh_copy.default")


class _Lines(TorchFunctionMode):
    """Says of every operation on which line of the user's it is called; the last of these lines."""

    def __init__(self) -> None:
        super().__init__()
        self.last = ""
        self._own: dict[CodeType, bool] = {}

    def __torch_function__(
        self,
        func: Callable[..., object],
        types: object,
        args: Sequence[object] = (),
        kwargs: dict[str, object] | None = None,
    ) -> object:
        line = "" if getattr(func, "__name__", "") == "__get__" else self._line(sys._getframe(1))
        if line:
            self.last = line
            traceback.set_stack_trace([line])
        return func(*args, **(kwargs or {}))

    def _line(self, frame: FrameType | None) -> str:
        """The innermost line that is neither torch's nor ours."""
        while frame is not None:
            code = frame.f_code
            own = self._own.get(code)
            if own is None:
                own = self._own[code] = _is_users(code.co_filename)
            if own:
                return f"{code.co_filename}:{frame.f_lineno}"
            frame = frame.f_back
        return ""


def _is_users(path: str) -> bool:
    return path.startswith(_EXAMPLES) or not path.startswith((_TORCH, _HERE, "<"))


@contextmanager
def fake_tensors() -> Iterator[FakeTensorMode]:
    """Tensors that are made have shapes and types, and no elements."""
    before = nn.Module._apply
    nn.Module._apply = _converted  # type: ignore[method-assign]
    try:
        with FakeTensorMode(allow_non_fake_inputs=True) as mode:
            yield mode
    finally:
        nn.Module._apply = before  # type: ignore[method-assign]


def _converted(module: nn.Module, function: Callable[[torch.Tensor], torch.Tensor], recurse: bool = True) -> nn.Module:
    """As `Module._apply` (of `double()`, `to()`), which cannot swap fake tensors; tied ones stay tied."""
    made: dict[int, nn.Parameter] = {}
    for each in module.modules() if recurse else (module,):
        for name, parameter in each._parameters.items():
            if parameter is not None:
                if id(parameter) not in made:
                    made[id(parameter)] = nn.Parameter(function(parameter.detach()), parameter.requires_grad)
                each._parameters[name] = made[id(parameter)]
        for name, buffer in each._buffers.items():
            if buffer is not None:
                each._buffers[name] = function(buffer)
    return module


@contextmanager
def _without_fused_cells() -> Iterator[None]:
    """Recurrent layers as their cells, not as one call of oneDNN; `mkldnn.flags` warns of GPUs that are not there."""
    before = torch._C._get_mkldnn_enabled()
    torch._C._set_mkldnn_enabled(False)
    try:
        yield
    finally:
        torch._C._set_mkldnn_enabled(before)


def traced(name: str, loss: nn.Module, batch: Mapping[str, torch.Tensor], mode: FakeTensorMode) -> Graph:
    """The joint graph of a module that gives the loss, on a batch by names; both are fake tensors of this mode."""
    names = _first_names(loss)
    with ExitStack() as stack, mode, traceback.preserve_node_meta(), _Lines() as lines:
        stack.enter_context(sdpa_kernel(SDPBackend.MATH))
        stack.enter_context(_without_fused_cells())
        try:
            joint = aot_export_joint_with_descriptors(stack, loss, tuple(batch.values()))
        except (DataDependentOutputException, DynamicOutputShapeException) as cause:
            raise CaptureError(f"{lines.last}: what is called there is {cause.func}: it depends on the values of "
                               "tensors, which have none while a step is captured") from cause  # fmt: skip
        except AssertionError as cause:
            if "Unexpected fake buffer" not in str(cause):
                raise
            raise CaptureError("the loss uses a tensor that is neither parameter nor buffer of the module, nor in the "
                               "batch; register it as a buffer, or make it where it is used") from cause  # fmt: skip
        reader = _Reader(name, list(batch), names, joint.graph_module)
        try:
            return reader.graph()
        except Exception as cause:
            said = f"{name}: reading torch's graph, p2smt raised {type(cause).__name__}: {cause}"
            raise DefectError(f"{said}. That is a defect of p2smt, not of the model; please report it") from cause


def _first_names(module: nn.Module) -> dict[str, str]:
    """The first name of every parameter by each of its names: a weight, or a whole layer, can stand in two places."""
    first: dict[int, str] = {}
    named = module.named_parameters(remove_duplicate=False)
    return {name: first.setdefault(id(parameter), name) for name, parameter in named}


class _Named(Protocol):
    """What torch says of a parameter or buffer."""

    target: str


class _Reader:
    def __init__(self, name: str, inputs: list[str], names: Mapping[str, str], graph: fx.GraphModule) -> None:
        self._name = name
        self._inputs = inputs
        self._graph = graph
        self._nodes = list(graph.graph.nodes)
        self._same: dict[str, Reference] = {}
        self._lines: dict[int, str] = {}
        self._names = names

    def graph(self) -> Graph:
        given: dict[str, list[Given]] = {"PlainAOTInput": [], "ParamAOTInput": [], "BufferAOTInput": []}
        tangents, nodes = [], []
        for node in self._nodes:
            if node.op == "placeholder":
                kind = type(node.meta["desc"]).__name__
                if kind == "TangentAOTInput":
                    tangents.append(node.name)
                elif kind in given:
                    given[kind].append(self._given(node, kind))
            elif node.op == "call_function" and (read := self._node(node)) is not None:
                nodes.append(read)
            elif node.op == "get_attr":
                nodes.append(self._constant(node))
        return self._with_results(given, tangents, nodes)

    def _constant(self, node: fx.Node) -> Node:
        """A tensor whose elements are written in the code; known are those of short ones."""
        value = getattr(self._graph, str(node.target))
        known = getattr(value, "constant", None) if isinstance(value, FakeTensor) else value
        elements: list[Argument] = []
        if isinstance(known, torch.Tensor) and 0 < known.numel() <= _MOST_ELEMENTS:
            with unset_fake_temporarily():
                elements = [[float(each) for each in known.flatten().tolist()]]
        return Node(name=node.name, operation="constant", arguments=elements, keywords={}, results=[_meta(value)],
                    line=self._line(node))  # fmt: skip

    def _with_results(self, given: dict[str, list[Given]], tangents: list[str], nodes: list[Node]) -> Graph:
        (output,) = (node for node in self._nodes if node.op == "output")
        losses: list[Reference] = []
        gradients, mutated = [], []
        for value, described in zip(output.args[0], output.meta["desc"], strict=True):
            if not isinstance(value, fx.Node):
                continue
            match type(described).__name__:
                case "PlainAOTOutput":
                    losses.append(self._reference(value))
                case "GradAOTOutput":
                    gradients.append((self._name_of(described.grad_of), self._reference(value)))
                case "InputMutationAOTOutput":
                    mutated.append((self._name_of(described.mutated_input), self._reference(value)))
                case _:
                    pass
        (loss,), (tangent,) = losses, tangents
        return Graph(name=self._name, inputs=given["PlainAOTInput"], parameters=given["ParamAOTInput"],
                     buffers=given["BufferAOTInput"], tangent=tangent, nodes=nodes, loss=loss, gradients=gradients,
                     mutated=mutated)  # fmt: skip

    def _given(self, node: fx.Node, kind: str) -> Given:
        described = node.meta["desc"]
        meta = _meta(node.meta["val"])
        assert meta is not None
        if kind == "PlainAOTInput":
            return Given(node.name, self._inputs[described.idx], meta)
        return Given(node.name, self._name_of(described), meta)

    def _name_of(self, described: "_Named") -> str:
        """The name that the user knows; tied weights have the first of theirs."""
        name = str(described.target)
        if type(described).__name__ == "ParamAOTInput":
            name = self._names[name]
        return name.removeprefix("module.")

    def _node(self, node: fx.Node) -> Node | None:
        if node.target is operator.getitem:
            source, number = node.args
            assert isinstance(source, fx.Node)
            assert isinstance(number, int)
            self._same[node.name] = Reference(source.name, number)
            return None
        line = self._line(node)
        name = str(node.target)
        if name in _SKIPPED and isinstance(node.args[0], fx.Node):
            self._same[node.name] = self._reference(node.args[0])
            return None
        value = node.meta.get("val")
        values = list(value) if isinstance(value, tuple | list) else [value]
        return Node(
            name=node.name,
            operation=name,
            arguments=[self._argument(argument) for argument in node.args],
            keywords={key: self._argument(argument) for key, argument in node.kwargs.items()},
            results=[_meta(each) for each in values],
            line=line,
            backward=bool(node.meta.get("autograd_backward")),
        )

    def _line(self, node: fx.Node) -> str:
        """That of the model; of the backward pass the line of what it is the backward of."""
        number = node.meta.get("seq_nr", -1)
        if node.meta.get("autograd_backward"):
            return self._lines.get(number, "")
        line = str(node.meta.get("stack_trace") or "")
        self._lines[number] = line
        return line

    def _reference(self, node: fx.Node) -> Reference:
        return self._same.get(node.name, Reference(node.name))

    def _argument(self, argument: object) -> Argument:
        if isinstance(argument, list | tuple):
            return [self._item(item) for item in argument]
        return self._item(argument)

    def _item(self, argument: object) -> Item:
        match argument:
            case fx.Node():
                return self._reference(argument)
            case bool() | int() | float() | str() | None:
                return argument
            case _:
                return str(argument)


def _meta(value: object) -> Meta | None:
    if not isinstance(value, torch.Tensor):
        return None
    return Meta(tuple(int(length) for length in value.shape), str(value.dtype).removeprefix("torch."))
