"""Recorder of a rank's operations and collective calls."""

from collections import Counter
from collections.abc import Sequence
from typing import NoReturn

import torch
from torch._subclasses.fake_tensor import FakeTensor

from p2smt.frontend.torch_function.events import Group, PostEvent, WaitEvent
from p2smt.frontend.torch_graph.elements import overwrite
from p2smt.frontend.torch_graph.graph import Argument, Reference
from p2smt.frontend.torch_graph.metas import meta, shaped_like
from p2smt.frontend.torch_ranks.communicator import Members, factor_of, named_by
from p2smt.frontend.torch_ranks.messages import Action
from p2smt.frontend.torch_ranks.tape import Tape
from p2smt.frontend.torch_ranks.unfollowed import MisfitError
from p2smt.frontend.torch_ranks.user_line import user_line

Tensor = torch.Tensor
_NOBODYS = 1_000_000_007
"""A number subtracted from undefined values; x / x of the difference cannot be proved equal to anything else."""
_UNDEFINED = 12345.678


class RankRecorder(Tape):
    """A tape whose `collective.NAME` nodes carry the ranks of their group and the reduction.

    The output of a collective has its value from the call on; premature reads of it, and writes to the input
    before the wait, are detected afterwards in the journal.
    """

    def __init__(self, path: str = "") -> None:
        super().__init__(path)
        self._started: dict[int, list[int]] = {}
        self._calls: Counter[str] = Counter()
        self._agreed: dict[int, Action] = {}
        self._made: list[Action] = []
        self.may_be_left: set[int] = set()

    def post(
        self,
        name: str,
        members: Members,
        member: int,
        ins: Sequence[Tensor],
        outs: Sequence[Tensor],
        root: int = 0,
        agreed: str = "",
        pair: tuple[int, int] = (0, 0),
        tag: int = 0,
    ) -> int:
        """Record a call, which uses its tensors until it is awaited, and return its number.

        `agreed` describes what all members must agree on; `pair` is the sender and the receiver of a message.
        """
        number = self.journal.next_call()
        spans = [tuple(span for each in tensors for span in self.memory.spans(each)) for tensors in (ins, outs)]
        message = name in ("send", "recv")
        self.journal.add(
            PostEvent(
                number=number,
                name=name,
                communicator=members.communicator,
                group=members.ranks,
                member=member,
                ins=spans[0],
                outs=spans[1],
                dtype="",
                line=self.journal.line(),
                root=root,
                other=members.ranks.index(pair[1]) if message else 0,
                tag=tag,
            )
        )
        stream = f"{members.communicator} {pair[0]}-{pair[1]} {tag}" if message else members.communicator
        self._agreed[number] = Action(
            number=number,
            stream=stream,
            group=pair if message else members.ranks,
            agreed=agreed or name,
            is_message=message,
            line=user_line(),
        )
        return number

    def actions(self) -> list[Action]:
        """Calls and waits of this rank, in order."""
        found, made = [], iter(self._made)
        for record in self.journal.records:
            match record:
                case PostEvent(number=number):
                    found.append(self._agreed[number])
                case WaitEvent(number):
                    found.append(Action(number=number))
                case Group():
                    found.append(next(made))
                case _:
                    pass
        return found

    def started(self, tensor: Tensor, number: int) -> None:
        """Register the result of a call as a tensor that awaits it on use; such a call need not be awaited."""
        self._started.setdefault(self.memory.storage(tensor).number, []).append(number)
        self.may_be_left.add(number)

    def waited(self, tensor: Tensor) -> None:
        """Wait for the calls that write this tensor."""
        for number in self._started.pop(self.memory.storage(tensor).number, []):
            self.journal.add(WaitEvent(number))

    def grouped(self, everyone: tuple[int, ...], members: tuple[int, ...]) -> None:
        """Record a `new_group`, which all ranks of `everyone` call."""
        what = f"new_group({', '.join(map(str, members))})"
        self.journal.add(Group(members, self.journal.line()))
        self._made.append(Action(number=0, stream="new_group", group=everyone, agreed=what, line=user_line()))

    def key(self, members: Members) -> str:
        """Return a fresh key for the next call of a communicator."""
        self._calls[members.communicator] += 1
        return f"{members.communicator}:{self._calls[members.communicator]}"

    def _collective(
        self,
        name: str,
        members: Members,
        source: Reference,
        more: list[int],
        shape: tuple[int, ...],
        like: Tensor,
        reduction: str = "",
    ) -> Reference:
        return self.append(
            self._of_line(name),
            f"collective.{name}",
            [source, *more],
            shaped_like(shape, like),
            group=list(members.ranks),
            reduction=reduction,
            key=self.key(members),
        )

    def _of_line(self, name: str) -> str:
        """Return a unique name for a call, with the number of the user's line."""
        return self.free(f"{name}.line{user_line().rpartition(':')[2]}")

    def exchange(
        self, name: str, key: str, rank: int, sent: Sequence[tuple[int, Reference]], got: Sequence[tuple[int, Tensor]]
    ) -> None:
        """Record an exchange: values sent to ranks, and tensors filled by values from ranks."""
        made = self.append(
            self._of_line(name),
            "collective.exchange",
            [[each for _, each in sent]],
            *(meta(each) for _, each in got),
            key=key,
            rank=rank,
            targets=[each for each, _ in sent],
            sources=[each for each, _ in got],
        )
        for position, (_, tensor) in enumerate(got):
            self.done(tensor, Reference(made.node, position))

    def undefined(self, tensor: Tensor) -> None:
        """Mark a tensor whose contents depend on the backend as undefined, by a unique expression."""
        given, shape = self.reference(tensor), tuple(tensor.shape)
        less = self._moved("sub", given, _NOBODYS, shape, tensor)
        ones = self._moved("div", less, less, shape, tensor)
        made = self._moved("mul", ones, _UNDEFINED, shape, tensor)
        self.undefined_nodes.add(made.node)
        self.done(tensor, made)

    def _moved(
        self, operation: str, source: Reference, argument: Argument, shape: tuple[int, ...], like: Tensor
    ) -> Reference:
        """Emit an operation between a collective and its operand or result, and return its node."""
        name = f"{source.node}.{operation}{len(self.nodes)}"
        return self.append(name, f"aten.{operation}.default", [source, argument], shaped_like(shape, like))

    def _shaped(self, source: Reference, before: Sequence[int], after: Sequence[int], like: Tensor) -> Reference:
        if tuple(before) == tuple(after):
            return source
        return self._moved("view", source, [int(each) for each in after], tuple(after), like)

    def done(self, tensor: Tensor, reference: Reference) -> None:
        """Record a write, and discard element values that torch keeps for the tensor."""
        if isinstance(tensor, FakeTensor) and tensor.constant is not None:
            tensor.fake_mode.fake_tensor_converter.invalidate_constant_aliases(tensor.constant)
        overwrite(tensor)
        self.memory.write(tensor, reference)

    def _averaged(
        self, reference: Reference, reduction: str, count: int, shape: tuple[int, ...], like: Tensor
    ) -> Reference:
        if reduction == "avg":
            return self._moved("div", reference, count, shape, like)
        if (factor := factor_of(reduction)) is not None:
            return self._moved("mul", reference, factor, shape, like)
        return reference

    def all_reduce(self, tensor: Tensor, reduction: str, members: Members) -> None:
        """Record an all-reduce in place."""
        shape, before = tuple(tensor.shape), self.reference(tensor)
        name = named_by("all_reduce", reduction)
        made = self._collective(name, members, before, [], shape, tensor, reduction)
        self.done(tensor, self._averaged(made, reduction, len(members.ranks), shape, tensor))

    def broadcast(self, tensor: Tensor, root: int, members: Members) -> None:
        """Record a broadcast in place from a member of the group, by its index."""
        given = self.reference(tensor)
        if given.node in self.undefined_nodes:
            given = self._nothing(tensor)  # who is sent something has nothing to give
        made = self._collective("broadcast", members, given, [root], tuple(tensor.shape), tensor)
        self.done(tensor, made)

    def _nothing(self, like: Tensor) -> Reference:
        return self.append(self.free("nothing"), "aten.empty.memory_format", [], meta(like))

    def all_gather(self, output: Tensor, source: Tensor, members: Members) -> None:
        """Record an all-gather into one tensor, along its first dimension or a new leading one."""
        shape, count = tuple(source.shape), len(members.ranks)
        if output.numel() != source.numel() * count:
            _refused(f"an all-gather of {source.numel()} elements among {count} ranks into {output.numel()}")
        joined = tuple(output.shape) if output.shape[1:] == source.shape[1:] and shape else (count, *shape)
        before = (joined[0] // count, *joined[1:])
        operand = self._shaped(self.reference(source), shape, before, source)
        made = self._collective("all_gather", members, operand, [0], joined, source)
        self.done(output, self._shaped(made, joined, tuple(output.shape), source))

    def all_gather_list(self, outputs: list[Tensor], source: Tensor, members: Members) -> None:
        """Record an all-gather into one tensor per member."""
        shape = tuple(source.shape)
        ranks = members.ranks
        if len(outputs) != len(ranks):
            _refused(f"an all-gather among {len(ranks)} ranks into {len(outputs)} tensors")
        operand = self._moved("unsqueeze", self.reference(source), 0, (1, *shape), source)
        made = self._collective("all_gather", members, operand, [0], (len(ranks), *shape), source)
        self.append(f"{made.node}.unbind", "aten.unbind.int", [made, 0], *[shaped_like(shape, source)] * len(ranks))
        for position, output in enumerate(outputs):
            if output.shape != source.shape:
                _refused(f"an all-gather of shape {list(shape)} into one of {list(output.shape)}")
            self.done(output, Reference(f"{made.node}.unbind", position))

    def reduce_scatter(self, output: Tensor, source: Tensor, reduction: str, members: Members) -> None:
        """Record a reduce-scatter of one tensor, along its first dimension."""
        shape, count = tuple(output.shape), len(members.ranks)
        if source.numel() != output.numel() * count:
            _refused(f"a reduce-scatter of {source.numel()} elements among {count} ranks into {output.numel()}")
        joined = tuple(source.shape) if output.shape[1:] == source.shape[1:] and shape else (count, *shape)
        operand = self._shaped(self.reference(source), tuple(source.shape), joined, source)
        name = named_by("reduce_scatter", reduction)
        part = (joined[0] // count, *joined[1:])
        made = self._collective(name, members, operand, [0], part, source, reduction)
        made = self._averaged(made, reduction, count, part, source)
        self.done(output, self._shaped(made, part, shape, source))

    def reduce_scatter_list(self, output: Tensor, sources: list[Tensor], reduction: str, members: Members) -> None:
        """Record a reduce-scatter of one tensor per member."""
        if len(sources) != len(members.ranks) or any(each.shape != output.shape for each in sources):
            _refused(
                f"a reduce-scatter among {len(members.ranks)} ranks of {[list(each.shape) for each in sources]} "
                f"into {list(output.shape)}"
            )
        shape = shaped_like((len(sources), *output.shape), output)
        given: list[Argument] = [[self.reference(each) for each in sources], 0]
        stacked = self.append(self.free("stack"), "aten.stack.default", given, shape)
        name = named_by("reduce_scatter", reduction)
        part = (1, *output.shape)
        made = self._collective(name, members, stacked, [0], part, output, reduction)
        made = self._averaged(made, reduction, len(members.ranks), part, output)
        self.done(output, self._shaped(made, part, tuple(output.shape), output))

    def all_to_all(
        self, output: Tensor, source: Tensor, got: Sequence[int], sent: Sequence[int], members: Members
    ) -> None:
        """Record an all-to-all along the first dimension; block i comes from member i.

        Blocks are equal unless sizes are given.
        """
        shape, count = tuple(source.shape), len(members.ranks)
        for tensor, sizes in ((output, got), (source, sent)):
            if sizes and (len(sizes) != count or tensor.shape[:1] != (sum(sizes),)):
                _refused(f"an all-to-all among {count} ranks with blocks {list(sizes)} of shape {list(tensor.shape)}")
        if output.numel() != source.numel() or not shape or shape[0] % count:
            _refused(f"an all-to-all of shape {list(shape)} among {count} ranks into {list(output.shape)}")
        blocks = (shape[0] // count, *shape[1:])
        operand = self._shaped(self.reference(source), shape, (1, count, *blocks), source)
        made = self._collective("all_to_all", members, operand, [0, 1], (count, 1, *blocks), source)
        self.done(output, self._shaped(made, (count, 1, *blocks), tuple(output.shape), source))


def _refused(what: str) -> NoReturn:
    raise MisfitError(f"{what} does not fit")
