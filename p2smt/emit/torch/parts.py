"""The fixed text of the emitted torch file, in the order in which it appears there."""

from string import Template

from p2smt.collective import Collective

DOCSTRING = '''"""One reduction over {devices} devices, as torch.distributed collectives.

Written by p2smt; needs torch alone. The rank of a process is the number of its device.

{facts}
Steps, each in all of its groups at once:

{steps}
Use, on every rank, once dist.init_process_group() has been called:

    reduction = Reduction()
    total = reduction(tensor)  # or in place: reduction(tensor, out=tensor)

Check it against dist.all_reduce on one machine: torchrun --standalone --nproc-per-node {devices} FILE
(on several machines: the usual torchrun arguments, {devices} processes in all).
"""

'''

IMPORTS = """import os
import sys
from collections.abc import Iterable, Iterator
from datetime import timedelta
from inspect import signature
from itertools import product
from math import prod

import torch
import torch.distributed as dist
"""

CONSTANTS = """
Ranks = tuple[int, ...]
Rule = tuple[tuple[int, ...], tuple[int, ...]]

# The digits that a rank spells, most significant first: one per level and axis.
{sizes}WORLD = prod(SIZES)
# Buffers are padded to a multiple of this many elements.
MULTIPLE = {multiple}
# Groups by rule: the places of the digits that differ inside a group, of the digits that are 0 in all its ranks.
"""

GROUPS = '''
reduce_scatter_single = getattr(dist, "reduce_scatter_single", None) or dist.reduce_scatter_tensor
all_gather_single = getattr(dist, "all_gather_single", None) or dist.all_gather_into_tensor


def groups_of(rule: Rule) -> Iterator[Ranks]:
    """The groups of a rule in ascending order, members ascending; the first member is the root."""
    varying, zero = rule
    inside = [range(size) if place in varying else (0,) for place, size in enumerate(SIZES)]
    outside = [(0,) if place in varying or place in zero else range(size) for place, size in enumerate(SIZES)]
    offsets = [rank_of(digits) for digits in product(*inside)]
    for digits in product(*outside):
        first = rank_of(digits)
        yield tuple(first + offset for offset in offsets)


def rank_of(digits: Iterable[int]) -> int:
    """The rank that the digits spell."""
    rank = 0
    for digit, size in zip(digits, SIZES, strict=True):
        rank = rank * size + digit
    return rank


def make_groups(rules: Iterable[Rule], timeout: timedelta, known: dict[Ranks, dist.ProcessGroup]) -> None:
    """Add the groups that `known` lacks; all ranks make all groups in one order, as new_group asks."""
    described = "group_desc" in signature(dist.new_group).parameters
    for ranks in sorted({ranks for rule in rules for ranks in groups_of(rule)} - known.keys()):
        more = {"group_desc": f"p2smt {ranks[0]}..{ranks[-1]} ({len(ranks)})"} if described else {}
        known[ranks] = dist.new_group(list(ranks), timeout=timeout, **more)
'''

DEVICE_CLASS = '''

def device_class(rank: int) -> int:
    """The class of a rank: bit `i` is set when its digits at `LEVELS[i]` are not all 0."""
    digits = []
    for size in reversed(SIZES):
        rank, digit = divmod(rank, size)
        digits.insert(0, digit)
    return sum(1 << i for i, level in enumerate(LEVELS) if any(digits[place] for place in level))
'''

REDUCTION = '''

class Reduction:
    """Sums a tensor over the rank's reduction group; make it once on every rank, call it as often as you like.

    `groups` holds process groups by their ranks: give one dict to several emitted modules, and they share them.
    """

    def __init__(
        self, timeout: timedelta = timedelta(minutes=5), groups: dict[Ranks, dist.ProcessGroup] | None = None
    ) -> None:
        """Create the process groups that `groups` lacks; every rank must do this, at the same point."""
        self.rank = dist.get_rank()
        if dist.get_world_size() != WORLD:
            raise RuntimeError(f"this reduction is made for {{WORLD}} ranks, not for {{dist.get_world_size()}}")
        self.groups = {{}} if groups is None else groups
        make_groups(RULES, timeout, self.groups)
        self._mine = {{rule: ranks for rule in RULES for ranks in groups_of(rule) if self.rank in ranks}}
{fields}
    @torch.no_grad()
    def __call__(self, tensor: torch.Tensor, out: torch.Tensor | None = None) -> torch.Tensor:
        """The sum, in a new tensor or in `out`, which may be `tensor` itself."""
        out = torch.empty_like(tensor) if out is None else out
        if (out.shape, out.dtype) != (tensor.shape, tensor.dtype):
            raise ValueError(f"out is {{out.dtype}} {{tuple(out.shape)}}, not {{tensor.dtype}} {{tuple(tensor.shape)}}")
        length = tensor.numel()
        if length == 0:
            return out
        padding = -length % MULTIPLE
        if out is tensor and tensor.is_contiguous() and not padding:
            buffer = tensor.view(-1)
        else:
            buffer = tensor.new_zeros(length + padding)
            buffer[:length] = tensor.reshape(-1)
        result = self._run(buffer, length + padding)
        if result.data_ptr() != out.data_ptr():
            out.copy_(result[:length].view(tensor.shape))
        return out

    def _run(self, buffer: torch.Tensor, padded: int) -> torch.Tensor:
{calls}'''

PARTS = '''
    def _parts(self, rule: Rule, parts: dict[int, int]) -> int:
        """What part of the payload the root of this rank's group holds: 1 / this number."""
        return parts[device_class(self._mine[rule][0])] if rule in self._mine else 1
'''

COLLECTIVES = {
    Collective.ALL_REDUCE: """
    def _all_reduce(self, buffer: torch.Tensor, rule: Rule) -> torch.Tensor:
        if rule in self._mine:
            dist.all_reduce(buffer, group=self.groups[self._mine[rule]])
        return buffer
""",
    Collective.REDUCE_SCATTER: """
    def _reduce_scatter(self, buffer: torch.Tensor, rule: Rule) -> torch.Tensor:
        if rule not in self._mine:
            return buffer
        ranks = self._mine[rule]
        part = buffer.new_empty(buffer.numel() // len(ranks))
        reduce_scatter_single(part, buffer, group=self.groups[ranks])
        return part
""",
    Collective.REDUCE: '''
    def _reduce(self, buffer: torch.Tensor, rule: Rule) -> torch.Tensor:
        """The root alone keeps a buffer; what backends leave in the others is undefined."""
        if rule not in self._mine:
            return buffer
        ranks = self._mine[rule]
        dist.reduce(buffer, dst=ranks[0], group=self.groups[ranks])
        return buffer if self.rank == ranks[0] else buffer.new_empty(0)
''',
    Collective.ALL_GATHER: """
    def _all_gather(self, buffer: torch.Tensor, rule: Rule) -> torch.Tensor:
        if rule not in self._mine:
            return buffer
        ranks = self._mine[rule]
        whole = buffer.new_empty(buffer.numel() * len(ranks))
        all_gather_single(whole, buffer, group=self.groups[ranks])
        return whole
""",
    Collective.BROADCAST: """
    def _broadcast(self, buffer: torch.Tensor, rule: Rule, length: int) -> torch.Tensor:
        if rule not in self._mine:
            return buffer
        ranks = self._mine[rule]
        if self.rank != ranks[0]:
            buffer = buffer.new_empty(length)
        dist.broadcast(buffer, src=ranks[0], group=self.groups[ranks])
        return buffer
""",
}

CHECK = '''

def check(device: torch.device) -> int:
    """How many results on this rank differ from those of one plain dist.all_reduce."""
    timeout, known = timedelta(minutes=5), {}
    reduction = Reduction(timeout, known)
    make_groups([REDUCTION], timeout, known)
    mine = next(ranks for ranks in groups_of(REDUCTION) if reduction.rank in ranks)
    wrong = 0
    for length in (1000 * MULTIPLE, 1000 * MULTIPLE + 1, 1, 0):
        values = torch.randint(-50, 50, (length,), generator=torch.Generator().manual_seed(reduction.rank))
        tensor = values.to(device, torch.float32)
        expected = tensor.clone()
        dist.all_reduce(expected, group=known[mine])
        wrong += not torch.equal(reduction(tensor), expected)
        wrong += not torch.equal(reduction(tensor, out=tensor), expected)
    return wrong
'''

MAIN = Template('''

def main() -> int:
    """Check this file under torchrun; 0 when every rank agrees with $reference."""
    if os.environ.get("WORLD_SIZE") != str(WORLD):
        print(f"start {WORLD} processes: torchrun --standalone --nproc-per-node {WORLD} {sys.argv[0]}", file=sys.stderr)
        return 2
    local, local_world = int(os.environ["LOCAL_RANK"]), int(os.environ["LOCAL_WORLD_SIZE"])
    cuda = torch.cuda.is_available() and torch.cuda.device_count() >= local_world
    device = torch.device("cuda", local) if cuda else torch.device("cpu")
    if cuda:
        torch.cuda.set_device(device)
    dist.init_process_group("nccl" if cuda else "gloo", timeout=timedelta(minutes=5))
    try:
        wrong = torch.tensor([check(device)], device=device)
        dist.all_reduce(wrong)
        if dist.get_rank() == 0:
            verdict = "$verb $reference" if not wrong.item() else f"WRONG: {wrong.item()} $results differ"
            print(f"$subject on {WORLD} ranks ({dist.get_backend()}, torch {torch.__version__}): {verdict}")
        return 1 if wrong.item() else 0
    finally:
        dist.destroy_process_group()


if __name__ == "__main__":
    sys.exit(main())
''')
