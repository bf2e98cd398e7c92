"""The collectives that one rank calls, written down among what it does between them."""

from collections.abc import Sequence
from typing import NoReturn

import torch
from torch._subclasses.fake_tensor import FakeTensor

from p2smt.frontend.torch_function.events import Posted, Waited
from p2smt.frontend.torch_graph.graph import Argument, Meta, Node, Reference
from p2smt.frontend.torch_ranks.tape import Tape
from p2smt.frontend.torch_ranks.unfollowed import MisfitError, UnfollowedError

Tensor = torch.Tensor


class Recorder(Tape):
    """A tape whose nodes of operation `collective.NAME` have the ranks of their group, and how they reduce.

    What a collective writes has its value from the call on; that nobody reads it before the wait, nor writes what is
    read, is looked at afterwards, in the journal.
    """

    def __init__(self, path: str = "") -> None:
        super().__init__(path)
        self._started: dict[int, list[int]] = {}
        self.may_be_left: set[int] = set()

    def post(self, name: str, communicator: str, ranks: tuple[int, ...], member: int, ins: Sequence[Tensor],
             outs: Sequence[Tensor], root: int = 0) -> int:  # fmt: skip
        """The number of a call that is at work on its tensors until it is waited for."""
        number = self.journal.next_call()
        spans = [tuple(span for each in tensors for span in self.memory.spans(each)) for tensors in (ins, outs)]
        self.journal.add(
            Posted(number=number, name=name, communicator=communicator, group=ranks, member=member, ins=spans[0],
                   outs=spans[1], dtype="", line=self.journal.line(), root=root)
        )  # fmt: skip
        return number

    def started(self, tensor: Tensor, number: int) -> None:
        """A call that is waited for by its result, which may be left."""
        self._started.setdefault(self.memory.storage(tensor).number, []).append(number)
        self.may_be_left.add(number)

    def waited(self, tensor: Tensor) -> None:
        """The calls that give this tensor are waited for."""
        for number in self._started.pop(self.memory.storage(tensor).number, []):
            self.journal.add(Waited(number))

    def together(self, name: str, ranks: tuple[int, ...], what: str = "") -> None:
        """Record an action of several ranks that moves no tensor."""
        line = self.line()
        self.nodes.append(
            Node(name=self.free(f"{name}.line{line.rpartition(':')[2]}"), operation=f"collective.{name}", arguments=[],
                 keywords={"group": list(ranks), "reduction": what}, results=[], line=line)
        )  # fmt: skip

    def _collective(self, name: str, ranks: tuple[int, ...], source: Reference, more: list[int],
                    shape: tuple[int, ...], like: Tensor, reduction: str = "") -> Reference:  # fmt: skip
        line = self.line()
        words = f"{name}.line{line.rpartition(':')[2]}"
        dtype = str(like.dtype).removeprefix("torch.")
        node = Node(name=self.free(words), operation=f"collective.{name}",
                    arguments=[source, *more], keywords={"group": list(ranks), "reduction": reduction},
                    results=[Meta(shape, dtype)], line=line)  # fmt: skip
        self.nodes.append(node)
        return Reference(node.name)

    def _moved(self, operation: str, source: Reference, argument: Argument, shape: tuple[int, ...],
               like: Tensor) -> Reference:  # fmt: skip
        """A view that the collective takes of its operand, or gives of its result."""
        dtype = str(like.dtype).removeprefix("torch.")
        node = Node(name=f"{source.node}.{operation}{len(self.nodes)}", operation=f"aten.{operation}.default",
                    arguments=[source, argument], keywords={}, results=[Meta(shape, dtype)],
                    line=self.line())  # fmt: skip
        self.nodes.append(node)
        return Reference(node.name)

    def _shaped(self, source: Reference, before: Sequence[int], after: Sequence[int], like: Tensor) -> Reference:
        if tuple(before) == tuple(after):
            return source
        return self._moved("view", source, [int(each) for each in after], tuple(after), like)

    def _done(self, tensor: Tensor, reference: Reference) -> None:
        """Elements that torch knows, for they are written in the code, are others from now on."""
        if isinstance(tensor, FakeTensor) and tensor.constant is not None:
            tensor.fake_mode.fake_tensor_converter.invalidate_constant_aliases(tensor.constant)
            tensor.constant = None
        self.memory.write(tensor, reference)

    def _averaged(self, reference: Reference, reduction: str, count: int, shape: tuple[int, ...],
                  like: Tensor) -> Reference:  # fmt: skip
        return self._moved("div", reference, count, shape, like) if reduction == "avg" else reference

    def all_reduce(self, tensor: Tensor, reduction: str, ranks: tuple[int, ...]) -> None:
        """In place."""
        shape, before = tuple(tensor.shape), self.reference(tensor)
        name = "all_reduce" if reduction in ("sum", "avg") else f"all_reduce_{reduction}"
        made = self._collective(name, ranks, before, [], shape, tensor, reduction)
        self._done(tensor, self._averaged(made, reduction, len(ranks), shape, tensor))

    def broadcast(self, tensor: Tensor, root: int, ranks: tuple[int, ...]) -> None:
        """In place, from a member of the group."""
        made = self._collective("broadcast", ranks, self.reference(tensor), [root], tuple(tensor.shape), tensor)
        self._done(tensor, made)

    def all_gather(self, output: Tensor, source: Tensor, ranks: tuple[int, ...]) -> None:
        """Into one tensor, along the first dimension, or a new one before it."""
        shape, count = tuple(source.shape), len(ranks)
        if output.numel() != source.numel() * count:
            _refused(f"an all-gather of {source.numel()} elements among {count} ranks into {output.numel()}")
        joined = tuple(output.shape) if output.shape[1:] == source.shape[1:] and shape else (count, *shape)
        before = (joined[0] // count, *joined[1:])
        operand = self._shaped(self.reference(source), shape, before, source)
        made = self._collective("all_gather", ranks, operand, [0], joined, source)
        self._done(output, self._shaped(made, joined, tuple(output.shape), source))

    def all_gather_list(self, outputs: list[Tensor], source: Tensor, ranks: tuple[int, ...]) -> None:
        """A tensor of each member."""
        shape = tuple(source.shape)
        if len(outputs) != len(ranks):
            _refused(f"an all-gather among {len(ranks)} ranks into {len(outputs)} tensors")
        operand = self._moved("unsqueeze", self.reference(source), 0, (1, *shape), source)
        made = self._collective("all_gather", ranks, operand, [0], (len(ranks), *shape), source)
        dtype = str(source.dtype).removeprefix("torch.")
        node = Node(name=f"{made.node}.unbind", operation="aten.unbind.int", arguments=[made, 0], keywords={},
                    results=[Meta(shape, dtype)] * len(ranks), line=self.line())  # fmt: skip
        self.nodes.append(node)
        for position, output in enumerate(outputs):
            if output.shape != source.shape:
                _refused(f"an all-gather of shape {list(shape)} into one of {list(output.shape)}")
            self._done(output, Reference(node.name, position))

    def reduce_scatter(self, output: Tensor, source: Tensor, reduction: str, ranks: tuple[int, ...]) -> None:
        """Of one tensor, along its first dimension."""
        shape, count = tuple(output.shape), len(ranks)
        if source.numel() != output.numel() * count:
            _refused(f"a reduce-scatter of {source.numel()} elements among {count} ranks into {output.numel()}")
        joined = tuple(source.shape) if output.shape[1:] == source.shape[1:] and shape else (count, *shape)
        operand = self._shaped(self.reference(source), tuple(source.shape), joined, source)
        name = "reduce_scatter" if reduction in ("sum", "avg") else f"reduce_scatter_{reduction}"
        part = (joined[0] // count, *joined[1:])
        made = self._collective(name, ranks, operand, [0], part, source, reduction)
        made = self._averaged(made, reduction, count, part, source)
        self._done(output, self._shaped(made, part, shape, source))

    def all_to_all(self, output: Tensor, source: Tensor, got: Sequence[int], sent: Sequence[int],
                   ranks: tuple[int, ...]) -> None:  # fmt: skip
        """Of equal blocks along the first dimension; block i comes from member i. Where sizes are given, of these."""
        shape, count = tuple(source.shape), len(ranks)
        for tensor, sizes in ((output, got), (source, sent)):
            if sizes and (len(sizes) != count or tensor.shape[:1] != (sum(sizes),)):
                _refused(f"an all-to-all among {count} ranks with blocks {list(sizes)} of shape {list(tensor.shape)}")
        if len(set(got)) > 1 or len(set(sent)) > 1:
            raise UnfollowedError("an all-to-all of unequal blocks is not followed")
        if output.numel() != source.numel() or not shape or shape[0] % count:
            _refused(f"an all-to-all of shape {list(shape)} among {count} ranks into {list(output.shape)}")
        blocks = (shape[0] // count, *shape[1:])
        operand = self._shaped(self.reference(source), shape, (1, count, *blocks), source)
        made = self._collective("all_to_all", ranks, operand, [0, 1], (count, 1, *blocks), source)
        self._done(output, self._shaped(made, (count, 1, *blocks), tuple(output.shape), source))


def _refused(what: str) -> NoReturn:
    raise MisfitError(f"{what} does not fit")
