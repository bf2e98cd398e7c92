"""The level algebra: state matrices as pairs of level sets, for hierarchies of any size.

With aligned scatter, in every state from which the goal can be reached, each device is empty or has a pair (F, M) =
(scattered, merged) of level sets. With digits d[l] of device d on level l,
    d holds chunk c         if  c[l] = d[l] for all l in F,
    e has contributed to it if  e[l] = d[l] for all l not in M.
So validity only depends on the number of levels, and devices fall into 2^n classes: per level, digit 0 ("first") or
not. A step takes O(2^n) time, instead of operations on k x k bits for each of k devices. Proof: `README.md` beside this
file.

Level sets and device classes are bit masks: bit `l - 1` stands for level `l`, and is set in a class if the digit on
level `l` is not 0. `rules/level_rules.py` restates the algebra for the solver, with the same names in the same order.
Reference: Xie et al., "Synthesizing optimal parallelism placement and reduction strategies on hierarchical systems for
deep learning", 2022, sections 3.2 and 3.3, for the state matrices.

Example: one level. Every device starts with its own contribution to all chunks; after a ReduceScatter each has its
chunk, with all contributions.
    >>> apply_step((HeldLevels(), HeldLevels()), (Grouping(0, 1), Collective.REDUCE_SCATTER), 1)
    (HeldLevels(scattered=1, merged=1), HeldLevels(scattered=1, merged=1))
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from p2smt.collective import Collective
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import Step
from p2smt.reduction.semantics.groups import own_chunks
from p2smt.reduction.semantics.state import State


@dataclass(frozen=True, slots=True)
class HeldLevels:
    """The holding of a non-empty device: its scattered and its merged levels, as bit masks."""

    scattered: int = 0
    merged: int = 0


LevelState = tuple[HeldLevels | None, ...]
_Group = tuple[HeldLevels | None, ...]


def level_mask(levels: range) -> int:
    """Return a set of levels as a bit mask.

    >>> level_mask(range(2, 4))
    6
    """
    return sum(1 << (level - 1) for level in levels)


def below_mask(grouping: Grouping, levels: int) -> int:
    """Return the levels (a bit mask) on which only digit 0 takes part: for masters, all levels below the grouping."""
    return level_mask(range(grouping.inner + 1, levels + 1)) if grouping.masters else 0


@lru_cache(maxsize=1 << 10)
def class_groups(grouping: Grouping, levels: int) -> tuple[tuple[int, ...], ...]:
    """Return the groups of device classes, root first.

    >>> class_groups(Grouping(0, 1), 2)
    ((0, 1), (2, 3))
    """
    inside = level_mask(grouping.levels)
    fixed = inside | below_mask(grouping, levels)
    # All subsets of the levels that vary, as bit masks; the empty one first, which is the root.
    members = [part for part in range(inside + 1) if part & ~inside == 0]
    return tuple(tuple(root | part for part in members) for root in range(2**levels) if not root & fixed)


def all_reduce(group: _Group, along: int) -> _Group | None:
    """AllReduce: all members have the same (F, M), disjoint from L; all get (F, M + L)."""
    common = _reducible(group, along)
    return None if common is None else (HeldLevels(common.scattered, common.merged | along),) * len(group)


def reduce_scatter(group: _Group, along: int) -> _Group | None:
    """ReduceScatter: preconditions of AllReduce; the result is split: (F + L, M + L)."""
    common = _reducible(group, along)
    return None if common is None else (HeldLevels(common.scattered | along, common.merged | along),) * len(group)


def reduce(group: _Group, along: int) -> _Group | None:
    """Reduce: preconditions of AllReduce; the root gets (F, M + L), the others become empty."""
    common = _reducible(group, along)
    return None if common is None else (HeldLevels(common.scattered, common.merged | along), *(None for _ in group[1:]))


def all_gather(group: _Group, along: int) -> _Group | None:
    """AllGather: all members have the same (F, M), and both contain L; all get (F - L, M)."""
    common = _common(group)
    # `along & ~x` is not empty if some level that varies lies outside of `x`.
    if common is None or along & ~common.scattered or along & ~common.merged:
        return None
    return (HeldLevels(common.scattered & ~along, common.merged),) * len(group)


def broadcast(group: _Group, along: int) -> _Group | None:
    """Broadcast: the root has (F, M), L disjoint from F and within M; others are empty or hold less; all get (F, M).

    At least one member must differ from the root.
    """
    root = group[0]
    if root is None or along & root.scattered or along & ~root.merged:
        return None
    # A member holds no more than the root if it is cut at least as far and merged at most as far.
    if any(h and (root.scattered & ~h.scattered or h.merged & ~root.merged) for h in group):
        return None
    return (root,) * len(group) if any(holding != root for holding in group) else None


RULES: dict[Collective, Callable[[_Group, int], _Group | None]] = {
    Collective.ALL_REDUCE: all_reduce,
    Collective.REDUCE_SCATTER: reduce_scatter,
    Collective.REDUCE: reduce,
    Collective.ALL_GATHER: all_gather,
    Collective.BROADCAST: broadcast,
}


def apply_step(state: LevelState, step: Step, levels: int) -> LevelState | None:
    """Return the state after one step, or None if a rule forbids it or the goal can no longer be reached."""
    grouping, collective = step
    along, rule = level_mask(grouping.levels), RULES[collective]
    after = list(state)
    for members in class_groups(grouping, levels):
        result = rule(tuple([state[member] for member in members]), along)
        if result is None:
            return None
        for member, holding in zip(members, result, strict=True):
            after[member] = holding
    return tuple(after)


def scatterable(step: Step, levels: int) -> tuple[int, ...]:
    """Return the level sets (bit masks) that can be scattered on the root before a valid step over `levels` levels.

    AllGather needs its own levels scattered; the other collectives need theirs not scattered; all other levels are
    free.

    >>> scatterable((Grouping(0, 1), Collective.ALL_REDUCE), 2), scatterable((Grouping(0, 1), Collective.ALL_GATHER), 2)
    ((0, 2), (1, 3))
    """
    grouping, collective = step
    along = level_mask(grouping.levels)
    match collective:
        case Collective.ALL_GATHER:
            needed = along
        case Collective.ALL_REDUCE | Collective.REDUCE_SCATTER | Collective.REDUCE | Collective.BROADCAST:
            needed = 0
    return tuple(scattered for scattered in range(1 << levels) if scattered & along == needed)


def state_matrices(state: LevelState, sizes: Sequence[int]) -> State:
    """Return the state matrices that a level state represents on a hierarchy with these sizes."""
    shape = tuple(sizes)
    matrices = []
    for device, digits in enumerate(product(*map(range, shape))):
        # The class of a device: bit `l - 1` says that its digit on level `l` is not 0.
        holding = state[sum(1 << place for place, digit in enumerate(digits) if digit)]
        matrices.append(_matrix(holding, device, shape))
    return tuple(matrices)


@lru_cache(maxsize=4096)
def _matrix(holding: HeldLevels | None, device: int, sizes: tuple[int, ...]) -> tuple[int, ...]:
    everything = own_chunks(sizes, device, range(0))
    if holding is None:
        return (0,) * len(everything)
    chunks, contributors = everything, everything
    for level in range(1, len(sizes) + 1):
        own = own_chunks(sizes, device, range(level, level + 1))
        chunks = chunks & own if holding.scattered >> (level - 1) & 1 else chunks
        contributors = contributors if holding.merged >> (level - 1) & 1 else contributors & own
    row = sum(1 << contributor for contributor in contributors)
    return tuple(row if chunk in chunks else 0 for chunk in range(len(everything)))


def _common(group: _Group) -> HeldLevels | None:
    return group[0] if all(holding == group[0] for holding in group) else None


def _reducible(group: _Group, along: int) -> HeldLevels | None:
    common = _common(group)
    if common is None or along & common.scattered or along & common.merged:
        return None
    return common
