"""The goal of a program: the collective that it replaces, as requested or inferred from shapes and operations."""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TypeVar

from p2smt.collective import Collective, Exchange
from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AskedGoal
from p2smt.frontend.xla.layout import Ranges, sliced
from p2smt.frontend.xla.mesh import Groups
from p2smt.frontend.xla.operators import Operator
from p2smt.frontend.xla.ssa import HloShape
from p2smt.verify.operation import GoalCollective

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Purpose:
    """A collective in groups; `why` is the evidence for an inferred one, and is empty for a requested one."""

    collective: GoalCollective
    groups: Groups
    root: int = 0
    why: str = ""


def purpose(
    asked: AskedGoal,
    devices: int,
    given: Sequence[HloShape],
    results: Sequence[HloShape],
    used: Mapping[Operator, set[Groups]],
    adds: bool,
) -> Purpose:
    """Return the requested goal, or infer it from the shapes of used parameters and results.

    `used` maps the program's communications to their groups; `adds`: a device adds its own values in a local
    operation.
    """
    groups = (tuple(range(devices)),) if asked.groups is None else asked.groups
    if asked.collective is not None:
        return Purpose(asked.collective, groups, asked.root or 0)
    all_reduce = Purpose(Collective.ALL_REDUCE, groups, asked.root or 0)
    # Exact ratios of sizes tell the collectives apart: equal (all-reduce), n to 1, or 1 to n.
    ratios = {(one.size, other.size) for one, other in zip(given, results, strict=False)}
    if len(given) != len(results) or not given:
        return all_reduce
    if all(one == other for one, other in ratios):
        return _by_words(asked, groups, used, adds) or all_reduce
    for collective, times in (
        (Collective.ALL_GATHER, _times((other, one) for one, other in ratios)),
        (Collective.REDUCE_SCATTER, _times(ratios)),
    ):
        if times is None:
            continue
        if all(len(group) == times for group in groups):
            return Purpose(collective, groups, 0, "the shapes of parameters and results")
        own = {one for of_one in used.values() for one in of_one if all(len(group) == times for group in one)}
        if asked.groups is None and len(own) == 1:
            return Purpose(collective, own.pop(), 0, "the shapes of parameters and results, and the only such groups")
    return all_reduce


def blocks(long: HloShape, short: HloShape, size: int) -> tuple[Ranges, ...]:
    """Return the blocks of a tensor, one for each of `size` members, with the shape of another tensor.

    They are taken along the dimension in which the shapes differ. Raises VerifyError if there is none, or
    several.
    """
    return _only({_cut(long, axis, size) for axis in _axes(long, short, size)}, long, short)


def exchanged(
    before: HloShape, after: HloShape, size: int, written: AbstractSet[tuple[int, int]]
) -> tuple[tuple[Ranges, ...], tuple[Ranges, ...]]:
    """Return the blocks sent and received by an all-to-all that splits one dimension and concatenates another.

    If the shapes allow several pairs of dimensions, the pair in `written` decides, provided it is the only one.
    Raises VerifyError if there is none, or several.
    """
    pairs = [
        (split, concat)
        for split in range(len(before.dims))
        for concat in range(len(after.dims))
        if before.dims[split] % size == 0 and _exchanged(before.dims, split, concat, size) == after.dims
    ]
    if len(pairs) > 1 and len(written) == 1:
        pairs = [pair for pair in pairs if pair in written]
    found = {(_cut(before, split, size), _cut(after, concat, size)) for split, concat in pairs}
    return _only(found, before, after)


def _by_words(asked: AskedGoal, groups: Groups, used: Mapping[Operator, set[Groups]], adds: bool) -> Purpose | None:
    """Return the goal of a program with a single kind of communication and no local sums; else None."""
    if adds or len(used) != 1:
        return None
    (word, written), *_ = used.items()
    match word:
        case Exchange.ALL_TO_ALL:
            return Purpose(Exchange.ALL_TO_ALL, groups, 0, "its only kind of communication")
        case Collective.BROADCAST:
            root = _root(asked, written)
            return Purpose(
                Collective.BROADCAST, groups, root, f"its only kind of communication, from index {root} of each"
            )
        case _:
            return None


def _root(asked: AskedGoal, written: set[Groups]) -> int:
    """The requested root, or the first device of the only group in the program."""
    firsts = {own[0][0] for own in written if len(own) == 1}
    alone = len(firsts) == 1 and len(written) == 1 and asked.groups is None and asked.root is None
    return firsts.pop() if alone else asked.root or 0


def _times(pairs: Iterable[tuple[int, int]]) -> int | None:
    """The common ratio of the first numbers to the second, if there is one."""
    found = {one // other if one % other == 0 else None for one, other in pairs}
    times = found.pop() if len(found) == 1 else None
    return times if times is not None and times > 1 else None


def _axes(long: HloShape, short: HloShape, size: int) -> list[int]:
    """Return the dimensions in which `long` is `size` times as long as `short`, or that `short` lacks."""
    found = []
    for axis, length in enumerate(long.dims):
        before, behind = long.dims[:axis], long.dims[axis + 1 :]
        less = (*before, length // size, *behind)
        if length % size == 0 and (short.dims == less or (length == size and short.dims == (*before, *behind))):
            found.append(axis)
    flat = sum(length > 1 for length in long.dims) == 1 and long.size == size * short.size
    if not found and flat:
        found = [axis for axis, length in enumerate(long.dims) if length > 1]
    return found


def _exchanged(dims: tuple[int, ...], split: int, concat: int, size: int) -> tuple[int, ...]:
    new = list(dims)
    new[split] //= size
    if concat < len(new):
        new[concat] *= size
    return tuple(new)


def _cut(shape: HloShape, axis: int, size: int) -> tuple[Ranges, ...]:
    step = shape.dims[axis] // size
    return tuple(
        sliced(
            shape,
            [
                (block * step, (block + 1) * step, 1) if place == axis else (0, length, 1)
                for place, length in enumerate(shape.dims)
            ],
        )
        for block in range(size)
    )


def _only(found: set[Found], one: HloShape, other: HloShape) -> Found:
    if len(found) != 1:
        which = "several dimensions" if found else "no dimension"
        raise VerifyError(
            f"{one} and {other} may be sharded along {which}; shards are supported only where the shapes "
            "determine the dimension"
        )
    return found.pop()
