"""Torch's collective for a goal, in one group: the reference for every program with that goal.

Imports torch; use it only in the processes of ranks.
"""

from dataclasses import dataclass
from typing import Any  # Any: torch's values

import torch
import torch.distributed as dist

from p2smt.collective import Collective

# The same module, for names that it has but does not declare, or had before.
_c10d: Any = dist
_reduce_scatter = getattr(_c10d, "reduce_scatter_single", None) or _c10d.reduce_scatter_tensor
_all_gather = getattr(_c10d, "all_gather_single", None) or _c10d.all_gather_into_tensor


@dataclass(frozen=True, slots=True)
class Plain:
    """A torch collective in this rank's group; `ranks` are ascending, and the first is the root."""

    goal: Collective
    rank: int
    ranks: tuple[int, ...]
    group: dist.ProcessGroup

    @property
    def is_root(self) -> bool:
        """True if this rank is the root."""
        return self.rank == self.ranks[0]

    def __call__(self, tensor: torch.Tensor) -> torch.Tensor:
        """Return this rank's result: `tensor` itself if the shape is unchanged, otherwise a new flat tensor.

        The input of a reduce-scatter is padded with zeros to equal blocks, and block `i` goes to the `i`-th
        rank; an all-gather concatenates the blocks in the same order. A rank to which the collective guarantees
        no result gets an empty tensor.
        """
        match self.goal:
            case Collective.ALL_REDUCE:
                dist.all_reduce(tensor, group=self.group)
                return tensor
            case Collective.BROADCAST:
                dist.broadcast(tensor, src=self.ranks[0], group=self.group)
                return tensor
            case Collective.REDUCE:
                dist.reduce(tensor, dst=self.ranks[0], group=self.group)
                return tensor if self.is_root else tensor.new_empty(0)
            case Collective.REDUCE_SCATTER:
                return self._reduce_scatter(tensor)
            case Collective.ALL_GATHER:
                whole = tensor.new_empty(tensor.numel() * len(self.ranks))
                if whole.numel():
                    _all_gather(whole, tensor.reshape(-1), group=self.group)
                return whole

    def _reduce_scatter(self, tensor: torch.Tensor) -> torch.Tensor:
        length = tensor.numel()
        part = tensor.new_empty(-(-length // len(self.ranks)))
        if length:
            padded = tensor.new_zeros(part.numel() * len(self.ranks))
            padded[:length] = tensor.reshape(-1)
            _reduce_scatter(part, padded, group=self.group)
        return part
