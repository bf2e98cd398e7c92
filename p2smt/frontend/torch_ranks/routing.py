"""Calls that exchange single tensors: messages, gather, scatter, all-to-all of lists."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch

from p2smt.frontend.torch_graph.graph import Item, Reference, TorchNode
from p2smt.frontend.torch_graph.metas import meta
from p2smt.frontend.torch_ranks.communicator import Members
from p2smt.frontend.torch_ranks.recorder import RankRecorder
from p2smt.frontend.torch_ranks.unfollowed import MisfitError
from p2smt.frontend.torch_ranks.user_line import user_line

Tensor = torch.Tensor


@dataclass(frozen=True, slots=True)
class Routing:
    """The calls of one rank in one communicator; members are indices in it, ranks are global."""

    recorder: RankRecorder
    members: Members
    rank: int

    @property
    def _key(self) -> str:
        return self.recorder.key(self.members)

    def send(self, tensor: Tensor, target: int, tag: int) -> int:
        """Record a send to a member, and return its number."""
        pair = self.rank, self.members.ranks[target]
        key = self._message_key(pair, tag)
        self.recorder.exchange("send", key, self.rank, [(pair[1], self.recorder.reference(tensor))], [])
        agreed = self._agreed(tensor)
        return self.recorder.post("send", self.members, self.rank, [tensor], [], agreed=agreed, pair=pair, tag=tag)

    def receive(self, tensor: Tensor, source: int, tag: int) -> int:
        """Record a receive from a member, and return its number."""
        pair = self.members.ranks[source], self.rank
        key = self._message_key(pair, tag)
        self.recorder.exchange("recv", key, self.rank, [], [(pair[0], tensor)])
        agreed = self._agreed(tensor)
        return self.recorder.post("recv", self.members, self.rank, [], [tensor], agreed=agreed, pair=pair, tag=tag)

    def _message_key(self, pair: tuple[int, int], tag: int) -> str:
        stream = f"{self.members.communicator} {pair[0]}-{pair[1]} {tag}"
        return self.recorder.key(Members(stream, pair))

    def _agreed(self, tensor: Tensor) -> str:
        return f"a message of {tensor.numel()} {str(tensor.dtype).removeprefix('torch.')}"

    def all_to_all(self, outputs: Sequence[Tensor], inputs: Sequence[Tensor]) -> None:
        """Record an all-to-all of one tensor per member."""
        count = len(self.members.ranks)
        if (len(outputs), len(inputs)) != (count, count):
            raise MisfitError(
                f"an all-to-all among {count} ranks of {len(inputs)} tensors into {len(outputs)}; give one "
                "tensor for each rank on both sides"
            )
        sent = [self.recorder.reference(each) for each in inputs]
        self.recorder.exchange(
            "all_to_all",
            self._key,
            self.rank,
            list(zip(self.members.ranks, sent, strict=True)),
            list(zip(self.members.ranks, outputs, strict=True)),
        )

    def gather(self, outputs: Sequence[Tensor], source: Tensor, root: int) -> None:
        """Record a gather of one tensor per member to the root."""
        at = self.members.ranks[root]
        got = list(zip(self.members.ranks, outputs, strict=True)) if at == self.rank else []
        self.recorder.exchange("gather", self._key, self.rank, [(at, self.recorder.reference(source))], got)

    def scatter(self, output: Tensor, inputs: Sequence[Tensor], root: int) -> None:
        """Record a scatter of one tensor per member from the root."""
        at = self.members.ranks[root]
        given = [self.recorder.reference(each) for each in inputs]
        sent = list(zip(self.members.ranks, given, strict=True)) if at == self.rank else []
        self.recorder.exchange("scatter", self._key, self.rank, sent, [(at, output)])

    def unequal_blocks(self, output: Tensor, source: Tensor, got: Sequence[int], sent: Sequence[int]) -> None:
        """Record an all-to-all of one tensor in blocks of these sizes along its first dimension."""
        count = len(self.members.ranks)
        for tensor, sizes in ((output, got), (source, sent)):
            blocks = sizes or [tensor.shape[0] // count] * count
            if len(blocks) != count or tensor.shape[:1] != (sum(blocks),):
                raise MisfitError(
                    f"an all-to-all among {count} ranks with blocks {list(blocks)} of shape "
                    f"{list(tensor.shape)} does not fit"
                )
        taken = list(got) or [output.shape[0] // count] * count
        given = list(sent) or [source.shape[0] // count] * count
        before = self._blocks(self.recorder.reference(source), source, given)
        into = [self.recorder.empty((size, *source.shape[1:]), source) for size in taken]
        sending = [(to, each) for to, each, size in zip(self.members.ranks, before, given, strict=True) if size]
        got_from = [(of, each) for of, each, size in zip(self.members.ranks, into, taken, strict=True) if size]
        self.recorder.exchange("all_to_all", self._key, self.rank, sending, got_from)
        blocks_got: list[Item] = [self.recorder.reference(each) for _, each in got_from]
        node = TorchNode(
            name=self.recorder.free("all_to_all.joined"),
            operation="aten.cat.default",
            arguments=[blocks_got, 0],
            keywords={},
            results=[meta(output)],
            line=user_line(),
        )
        self.recorder.nodes.append(node)
        self.recorder.done(output, Reference(node.name))

    def _blocks(self, source: Reference, tensor: Tensor, sizes: Sequence[int]) -> list[Reference]:
        found, start = [], 0
        for size in sizes:
            like = self.recorder.empty((size, *tensor.shape[1:]), tensor)
            node = TorchNode(
                name=self.recorder.free(f"{source.node}.block"),
                operation="aten.slice.Tensor",
                arguments=[source, 0, start, start + size],
                keywords={},
                results=[meta(like)],
                line=user_line(),
            )
            if size:
                self.recorder.nodes.append(node)
            found.append(Reference(node.name))
            start += size
        return found
