"""What one rank does, written down below autograd while it runs on tensors that have no elements."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import torch
from torch._ops import OpOverload
from torch._subclasses.fake_tensor import FakeTensor, unset_fake_temporarily
from torch.utils._pytree import tree_leaves

from p2smt.frontend.torch_graph.graph import Argument, Meta, Node, Reference, argument_of

Tensor = torch.Tensor
_TORCH = str(Path(torch.__file__).parent)
_HERE = str(Path(__file__).parent)
_MOST_ELEMENTS = 64
_MOST_NODES = 100_000
Geometry = tuple[tuple[int, ...], tuple[int, ...], int]


class UnfollowedError(Exception):
    """The function does what cannot be followed, so that nothing is known of it."""


class MisfitError(Exception):
    """On real ranks the call would be refused."""


@dataclass(slots=True)
class _State:
    """What a tensor stands for, since which write of its storage, and of which tensor it is which view."""

    reference: Reference
    version: int
    base: Tensor | None = None
    view: Node | None = None


@dataclass(frozen=True, slots=True)
class _Write:
    """The last write to a storage: how often it was written, through a tensor of this geometry, what is there since."""

    version: int
    geometry: Geometry
    reference: Reference


class Tape:
    """Nodes of one rank, and which tensor is the result of which."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._kept: list[Tensor] = []
        self._states: dict[int, _State] = {}
        self._writes: dict[int, _Write] = {}
        self.unread: dict[int, str] = {}
        self._names: dict[str, int] = {}

    def source(self, tensor: Tensor, name: str) -> None:
        """A tensor that is given."""
        self._remember(tensor, Reference(name))

    def line(self) -> str:
        """The innermost line that is neither torch's nor ours."""
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            path = frame.f_code.co_filename
            if not path.startswith((_TORCH, _HERE, "<")):
                return f"{path}:{frame.f_lineno}"
            frame = frame.f_back
        return ""

    def operation(self, operation: OpOverload, arguments: Sequence[object], keywords: dict[str, object],
                  result: object) -> None:  # fmt: skip
        """An operation of aten's on tensors, after it has been done."""
        schema = operation._schema
        names = [each.name for each in schema.arguments]
        given = dict(zip(names, arguments, strict=False)) | keywords
        written = [given.get(each.name) for each in schema.arguments if each.alias_info and each.alias_info.is_write]
        tensors = [each for each in tree_leaves(written) if isinstance(each, Tensor)]
        plain = {name: value for name, value in keywords.items() if not (tensors and name == "out")}
        base = str(schema.name).removeprefix("aten::")
        name = f"aten.{base.rstrip('_') if tensors else base}.{schema.overload_name or 'default'}"
        results = tensors or [each for each in tree_leaves(result) if each is not None]
        node = self._node(name, arguments, plain, results)
        if tensors:
            for position, tensor in enumerate(tensors):
                self.write(tensor, Reference(node.name, position))
            return
        views = any(each.alias_info is not None for each in schema.returns)
        base_tensor = arguments[0] if views and arguments and isinstance(arguments[0], Tensor) else None
        for position, tensor in enumerate(results):
            if isinstance(tensor, Tensor):
                self._remember(tensor, Reference(node.name, position), base_tensor, node)

    def _node(self, operation: str, arguments: Sequence[object], keywords: dict[str, object],
              results: Sequence[object]) -> Node:  # fmt: skip
        line = self.line()
        words = f"{operation.split('.')[1]}.line{line.rpartition(':')[2]}" if line else operation.split(".")[1]
        node = Node(
            name=self.free(words),
            operation=operation,
            arguments=[self._argument(each) for each in arguments],
            keywords={name: self._argument(each) for name, each in keywords.items()},
            results=[_meta(each) for each in results],
            line=line,
        )
        self.nodes.append(node)
        if len(self.nodes) > _MOST_NODES:
            raise UnfollowedError(f"more than {_MOST_NODES} operations on a rank")
        return node

    def free(self, words: str) -> str:
        """The words, with a number if they are taken."""
        count = self._names[words] = self._names.get(words, 0) + 1
        return words if count == 1 else f"{words}.{count}"

    def _argument(self, argument: object) -> Argument:
        return argument_of(argument, lambda item: self.reference(item) if isinstance(item, Tensor) else None)

    def reference(self, tensor: Tensor) -> Reference:
        """What a tensor stands for now. UnfollowedError if that is not known."""
        storage = storage_of(tensor)
        if storage in self.unread:
            raise UnfollowedError(f"{self.unread[storage]} is not waited for before its result is used")
        state = self._states.get(id(tensor))
        if state is None:
            return self._constant(tensor)
        last = self._writes.get(storage)
        if last is None or last.version == state.version:
            return state.reference
        if _geometry(tensor) == last.geometry:
            state.reference = last.reference
        elif state.base is not None and state.view is not None:
            state.reference = self._viewed_again(state)
        else:
            raise UnfollowedError("a tensor is used after a part of it was written through another")
        state.version = last.version
        return state.reference

    def _viewed_again(self, state: _State) -> Reference:
        """The same view of what its base has become."""
        assert state.base is not None
        assert state.view is not None
        old, first = state.view, self.reference(state.base)
        node = Node(name=f"{old.name}.again{len(self.nodes)}", operation=old.operation,
                    arguments=[first, *old.arguments[1:]], keywords=old.keywords, results=old.results,
                    line=old.line)  # fmt: skip
        self.nodes.append(node)
        return Reference(node.name, state.reference.result)

    def _constant(self, tensor: Tensor) -> Reference:
        """A tensor that was made before anything was written down: its elements, if they are few."""
        known = getattr(tensor, "constant", None) if isinstance(tensor, FakeTensor) else tensor
        if not isinstance(known, Tensor) or not 0 < known.numel() <= _MOST_ELEMENTS:
            raise UnfollowedError("a tensor is used that is no parameter of the function, and was not made in it")
        with unset_fake_temporarily():
            elements = [float(each) for each in known.flatten().tolist()]
        node = Node(name=f"constant.{len(self.nodes)}", operation="constant", arguments=[list(elements)], keywords={},
                    results=[_meta(tensor)], line=self.line())  # fmt: skip
        self.nodes.append(node)
        self._remember(tensor, Reference(node.name))
        return Reference(node.name)

    def _remember(self, tensor: Tensor, reference: Reference, base: Tensor | None = None,
                  view: Node | None = None) -> None:  # fmt: skip
        last = self._writes.get(storage_of(tensor))
        self._kept.append(tensor)
        self._states[id(tensor)] = _State(
            reference, last.version if last else 0, base, view if base is not None else None
        )

    def write(self, tensor: Tensor, reference: Reference) -> None:
        """The tensor's elements are another value's from now on."""
        storage = storage_of(tensor)
        last = self._writes.get(storage)
        version = (last.version if last else 0) + 1
        self._writes[storage] = _Write(version, _geometry(tensor), reference)
        state = self._states.get(id(tensor))
        if state is None:
            self._remember(tensor, reference)
            state = self._states[id(tensor)]
        state.reference, state.version = reference, version

    def cloned(self, tensor: Tensor) -> Tensor:
        """A tensor of its own with the same elements."""
        made = self.empty(tuple(tensor.shape), tensor)
        self.write(made, self.reference(tensor))
        return made

    def empty(self, shape: tuple[int, ...], like: Tensor) -> Tensor:
        """A tensor that nothing is known of yet."""
        made = torch.empty(shape, dtype=like.dtype)
        self._kept.append(made)
        return made


def storage_of(tensor: Tensor) -> int:
    """What tells memory apart that tensors share."""
    return int(tensor.untyped_storage()._cdata)


def _geometry(tensor: Tensor) -> Geometry:
    return tuple(tensor.shape), tuple(tensor.stride()), int(tensor.storage_offset())


def _meta(value: object) -> Meta | None:
    if not isinstance(value, Tensor):
        return None
    return Meta(tuple(int(length) for length in value.shape), str(value.dtype).removeprefix("torch."))
