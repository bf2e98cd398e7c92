"""Tape of one rank: its operations, recorded below autograd on fake tensors.

Every dispatched operation is checked for effects (`effects.py`). An in-place write is recorded in `memory.py` as
the result of the functional variant. If there is none, or the operation draws random numbers, the values come
from a node that states why it is not modelled, and nothing that depends on it is proved.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch._ops import OpOverload
from torch._subclasses.fake_tensor import FakeTensor, unset_fake_temporarily
from torch.utils._pytree import tree_leaves

from p2smt.frontend.torch_function.events import Group, PostEvent, SpanAccess
from p2smt.frontend.torch_function.journal import Journal
from p2smt.frontend.torch_graph.effects import Effects, effects, named, without_copying, without_writing
from p2smt.frontend.torch_graph.graph import Argument, Meta, Reference, TorchNode, argument_of
from p2smt.frontend.torch_graph.metas import meta
from p2smt.frontend.torch_ranks.memory import RankMemory, Storage, StoragePlace, overlap, place_of
from p2smt.frontend.torch_ranks.messages import UNMODELLED
from p2smt.frontend.torch_ranks.pieces import joined, pieces
from p2smt.frontend.torch_ranks.unfollowed import UnfollowedError
from p2smt.frontend.torch_ranks.user_line import user_line
from p2smt.frontend.torch_ranks.written import counted, is_unwritten, why_unmodelled

Tensor = torch.Tensor
_MOST_ELEMENTS = 64
_MOST_NODES = 100_000
_OVERWRITING = ("aten.copy.default", "aten.fill.Scalar", "aten.fill.Tensor", "aten.zero.default")
"""Operations that ignore the contents of their first argument, which may thus be unknown."""
_ALIASES = ("aten::_unsafe_view",)
"""Views of an argument whose schemas do not declare it."""


@dataclass(frozen=True, slots=True)
class _PendingOperation:
    """An operation before it runs: its recorded form, and the values of the memory that it accesses."""

    operation: OpOverload
    effects: Effects
    written: tuple[Tensor, ...]
    name: str
    arguments: list[Argument]
    keywords: dict[str, Argument]
    given: tuple[Tensor, ...]
    moved: StoragePlace | None


class Tape:
    """The nodes of one rank, and the memory that holds their results."""

    def __init__(self, path: str = "") -> None:
        self.nodes: list[TorchNode] = []
        self.memory = RankMemory()
        self.journal: Journal[Group | PostEvent | SpanAccess] = Journal(path)
        self._names: dict[str, int] = {}
        self.undefined_nodes: set[str] = set()

    def source(self, tensor: Tensor, name: str) -> None:
        """Register a tensor as a source."""
        self.memory.know(tensor, Reference(name))

    def begun(
        self, operation: OpOverload, arguments: Sequence[object], keywords: Mapping[str, object]
    ) -> _PendingOperation | None:
        """Prepare an operation before it runs; return None if it neither returns nor writes tensors."""
        found = effects(operation, arguments, keywords)
        if operation.overloadpacket.__name__ == "as_strided" or (found.views and self._is_written_buffer(arguments[0])):
            return None  # a view of what lies in the storage, which is found by its place
        if found.communicates:
            raise UnfollowedError(f"{operation} communicates, but is not a supported collective")
        if not (found.written or found.moved or any("Tensor" in str(each.type) for each in operation._schema.returns)):
            return None
        values = named(operation, arguments, keywords)
        written = tuple(_tensors([values.get(name) for name in found.written]))
        given = tuple(_tensors([arguments, keywords]))
        outs = {each.name for each in operation._schema.arguments if each.is_out}
        plain = {name: value for name, value in keywords.items() if name not in outs}
        self._touched(operation, found, written, given, [arguments, plain])
        name = self._modelled(operation, found, written)
        if name in _OVERWRITING:
            arguments = [None, *arguments[1:]]
        return _PendingOperation(
            operation=operation,
            effects=found,
            written=written,
            name=name or str(operation),
            arguments=[self._argument(each) for each in arguments] if name else [],
            keywords=self._keywords(plain) if name else {UNMODELLED: why_unmodelled(operation, found)},
            given=given,
            moved=place_of(given[0]) if found.moved and given else None,
        )

    def _is_written_buffer(self, tensor: object) -> bool:
        """Return True for a flat buffer that was written in parts; a view of it may include unwritten elements."""
        if not isinstance(tensor, Tensor) or tensor.dim() != 1:
            return False
        storage, place = self.memory.storage(tensor), place_of(tensor)
        return place.is_contiguous and len(storage.history) > 1 and self._current(storage, place) is None

    def _modelled(self, operation: OpOverload, found: Effects, written: tuple[Tensor, ...]) -> str | None:
        """The name of the functional operation with the same results; None if it is not modelled."""
        if found.random or is_unwritten(operation):
            return None
        one = without_writing(operation) if written or found.moved else operation
        return None if one is None else str(without_copying(one))

    def _touched(
        self, operation: OpOverload, found: Effects, written: Sequence[Tensor], given: Sequence[Tensor], plain: object
    ) -> None:
        """Record memory read and written. UnfollowedError if an operation's input partly overlaps what it writes."""
        if found.views or found.moved:
            return
        read = _tensors(plain)
        for target in written:
            for other in read:
                if other is target or self.memory.storage(other) is not self.memory.storage(target):
                    continue
                same = place_of(other) == place_of(target)
                if not same and overlap(self.memory.spans(target), self.memory.spans(other)):
                    raise UnfollowedError(f"{operation} writes into memory that it reads as another tensor")
        self.touched(read, written)

    def touched(self, read: Sequence[Tensor], written: Sequence[Tensor]) -> None:
        """Record local work, which must not conflict with running calls."""
        if self.in_flight:
            spans = [tuple(span for each in tensors for span in self.memory.spans(each)) for tensors in (read, written)]
            self.journal.add(SpanAccess(*spans))

    @property
    def in_flight(self) -> bool:
        """True once a call was started; before, no access can conflict with a call."""
        return any(isinstance(each, PostEvent) for each in self.journal.records)

    def ended(self, begun: _PendingOperation, result: object) -> None:
        """Record the operation after it ran."""
        leaves = [each for each in tree_leaves(result) if each is not None]
        fresh = [each for each in leaves if not any(each is one for one in begun.written)]
        if begun.moved is not None:
            self._looks_elsewhere(begun, begun.given[0])
            return
        node = self._node(begun, [*fresh, *begun.written])
        if is_unwritten(begun.operation):
            self.undefined_nodes.add(node.name)
        for position, tensor in enumerate(fresh):
            if isinstance(tensor, Tensor):
                self._given(begun, node, tensor, Reference(node.name, position))
        for position, tensor in enumerate(begun.written, start=len(fresh)):
            self.memory.write(tensor, Reference(node.name, position))

    def _looks_elsewhere(self, begun: _PendingOperation, tensor: Tensor) -> None:
        """Record that a tensor now views its memory differently, or views other memory with a known value."""
        if torch.Tag.inplace_view in begun.operation.tags and place_of(tensor) != begun.moved:
            node = self._node(begun, [tensor])
            self.memory.know(tensor, Reference(node.name), begun.moved, node)

    def _given(self, begun: _PendingOperation, node: TorchNode, tensor: Tensor, reference: Reference) -> None:
        storage = self.memory.storage(tensor)
        base = next((each for each in begun.given if self.memory.storage(each) is storage), None)
        if base is not None and not begun.effects.views and begun.operation._schema.name not in _ALIASES:
            raise UnfollowedError(
                f"{begun.operation} returns a view of its input that its schema does not declare, which is "
                "not supported"
            )
        self.memory.know(tensor, reference, None if base is None else place_of(base), node)

    def _node(self, begun: _PendingOperation, results: Sequence[object]) -> TorchNode:
        line = user_line()
        base = begun.name.split(".")[1]
        words = f"{base}.line{line.rpartition(':')[2]}" if line else base
        node = TorchNode(
            name=self.free(words),
            operation=begun.name,
            arguments=begun.arguments,
            keywords=begun.keywords,
            results=[meta(each) for each in results],
            elements=counted(begun.name, begun.arguments, results),
            line=line,
        )
        self.nodes.append(node)
        if len(self.nodes) > _MOST_NODES:
            raise UnfollowedError(f"more than {_MOST_NODES} operations on a rank, the limit")
        return node

    def append(
        self, name: str, operation: str, arguments: list[Argument], *results: Meta | None, **keywords: Argument
    ) -> Reference:
        """Append a node for a call at the user's current line, and return the node's first result."""
        node = TorchNode(
            name=name,
            operation=operation,
            arguments=arguments,
            keywords=keywords,
            results=list(results),
            line=user_line(),
        )
        self.nodes.append(node)
        return Reference(name)

    def free(self, words: str) -> str:
        """A unique name that begins with these words."""
        count = self._names[words] = self._names.get(words, 0) + 1
        return words if count == 1 else f"{words}.{count}"

    def _argument(self, argument: object) -> Argument:
        return argument_of(argument, lambda item: self.reference(item) if isinstance(item, Tensor) else None)

    def _keywords(self, keywords: Mapping[str, object]) -> dict[str, Argument]:
        return {key: self._argument(value) for key, value in keywords.items()}

    def reference(self, tensor: Tensor) -> Reference:
        """Return the node result that a tensor currently holds. UnfollowedError if that is unknown."""
        storage, place = self.memory.storage(tensor), place_of(tensor)
        found = self._current(storage, place) or self._reshaped(storage, place, tensor)
        if found is None and storage.history and (found := self._pieced(storage, place, tensor)) is None:
            raise UnfollowedError("a tensor is used after too many of its parts were written through other tensors")
        return found or self._constant(tensor)

    def _pieced(self, storage: Storage, place: StoragePlace, tensor: Tensor) -> Reference | None:
        """Return the concatenation of the pieces that were written to a place."""
        listed = pieces(storage.history, place)
        if listed is None:
            return None
        nodes, found = joined(listed, place.shape, meta(tensor), self.free)
        self.nodes += [replace(each, line=user_line()) for each in nodes]
        self.memory.know(tensor, found)
        return found

    def _current(self, storage: Storage, place: StoragePlace) -> Reference | None:
        """Return the current value of a place, directly or as a view of a known place; None if unknown."""
        value = storage.values.get(place)
        if value is None:
            return None
        if value.version < storage.version:
            base = None if value.base is None else self._current(storage, value.base)
            # The base was written after this view was taken: the view is replayed on the new base.
            if base is None or value.view is None:
                return None
            name = f"{value.view.name}.again{len(self.nodes)}"
            # Elements known of the view of the old base are not those of the new one.
            node = replace(value.view, name=name, arguments=[base, *value.view.arguments[1:]], elements=[])
            self.nodes.append(node)
            value.reference, value.version = Reference(node.name, value.result), storage.version
        return value.reference

    def _reshaped(self, storage: Storage, place: StoragePlace, tensor: Tensor) -> Reference | None:
        """Return the value by reshaping a contiguous place with the same elements, if this place is contiguous too."""
        if not place.is_contiguous:
            return None
        for other in list(storage.values):
            same = other.is_contiguous and other != place and other.flat() == place.flat()
            if same and (found := self._current(storage, other)) is not None:
                view = self.append(self.free("view"), "aten.view.default", [found, list(place.shape)], meta(tensor))
                self.memory.know(tensor, view)
                return view
        return None

    def _constant(self, tensor: Tensor) -> Reference:
        """Return a constant node for a tensor that existed before recording, if it has few elements.

        Elements of a real tensor are read at every use, because code other than torch may write them.
        """
        known = getattr(tensor, "constant", None) if isinstance(tensor, FakeTensor) else tensor
        if not isinstance(known, Tensor) or known.numel() > _MOST_ELEMENTS:
            raise UnfollowedError(
                "a tensor is used that is neither a parameter of the function nor made in it; pass it as a parameter"
            )
        with unset_fake_temporarily():
            elements = np.array(known.flatten().tolist(), dtype=np.float64).tobytes()
        constant = self.append(f"constant.{len(self.nodes)}", "constant", [], meta(tensor))
        self.nodes[-1].elements.append(elements)
        if isinstance(tensor, FakeTensor):
            self.memory.know(tensor, constant)
        return constant

    def cloned(self, tensor: Tensor) -> Tensor:
        """A new tensor with the same elements."""
        made = self.empty(tuple(tensor.shape), tensor)
        self.memory.write(made, self.reference(tensor))
        return made

    def empty(self, shape: tuple[int, ...], like: Tensor) -> Tensor:
        """Return a new tensor of this shape, of unknown contents."""
        return torch.empty(shape, dtype=like.dtype)


def _tensors(value: object) -> list[Tensor]:
    return [each for each in tree_leaves(value) if isinstance(each, Tensor)]
