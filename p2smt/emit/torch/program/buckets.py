"""A bucket of conversions as one call of the emitted file's functions."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.emit.torch.program.conversions import OPERATORS, EmittedAxis, part_of, suffix
from p2smt.emit.torch.program.cuts import Cuts
from p2smt.emit.torch.program.value import Value
from p2smt.tensor.conversion import AllGather, AllReduce, Conversion, ReduceScatter
from p2smt.tensor.expression import Convert, Read
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.program import Program
from p2smt.tensor.way import Way


@dataclass(frozen=True, slots=True)
class BucketMember:
    """A conversion in a bucket: the value it converts, and the layouts after it."""

    conversion: Conversion
    value: Value
    after: Layouts


def gathered_once(program: Program) -> frozenset[str]:
    """Return the statements of AllGathers whose parameter or state no other AllGather reads.

    A value gathered for the forward pass stays in memory until the backward pass has read it, so at the peak of a step
    all of them exist: keeping their memory adds nothing to the peak. Values gathered twice exist only briefly.
    """
    found: dict[str, list[str]] = {source.name: [] for source in program.sources}
    for each in program.statements:
        match each.expression:
            case Convert(AllGather(), Read(name), _) if name in found:
                found[name].append(each.name)
            case _:
                pass
    return frozenset(names[0] for names in found.values() if len(names) == 1)


def bucket_call(
    members: Sequence[BucketMember], along: EmittedAxis, cuts: Cuts, way: Way, by: str = "", *, is_kept: bool = False
) -> str:
    """Return the call for the values of all members, in order; all have the same kind and reduction.

    `by` is the function of a reduction program that implements the call. With `is_kept`, the memory of gathered values
    may be reused in the next step.
    """
    match members[0].conversion:
        case AllReduce(reduction):
            what = ", ".join(each.value.text for each in members)
            if by:
                return f"all_reduce_bucket_by(({what}), {along.name}, {by}{OPERATORS[reduction]})"
            return f"all_reduce_bucket(({what}), {along.name}{OPERATORS[reduction]})"
        case ReduceScatter(_, _, reduction):
            if way is Way.EXCHANGE and not by:
                return f"reduce_scatter_bucket_exchanged(({_parts(members, cuts)}), {along.name}{OPERATORS[reduction]})"
            name = by or f"reduce_scatter{_suffix(members, along, cuts, way)}"
            return f"reduce_scatter_bucket(({_parts(members, cuts)}), {along.name}, {name}{OPERATORS[reduction]})"
        case AllGather():
            if way is Way.EXCHANGE and not by:
                more = ", is_kept=True" if is_kept else ""
                return f"all_gather_bucket_exchanged(({_parts(members, cuts)}), {along.name}{more})"
            name = by or f"all_gather{_suffix(members, along, cuts, way)}"
            return f"all_gather_bucket(({_parts(members, cuts)}), {along.name}, {name})"
        case other:
            raise AssertionError(f"{other} is in no bucket")


def begun_call(
    members: Sequence[BucketMember], along: EmittedAxis, cuts: Cuts, way: Way, by: str = "", *, is_kept: bool = False
) -> str:
    """Return the call that begins what `bucket_call` does, and returns a function that waits for its values."""
    match members[0].conversion:
        case AllReduce(reduction):
            what = ", ".join(each.value.text for each in members)
            what = f"({what}{',' if len(members) == 1 else ''})"
            if by:
                return f"all_reduce_begun_by({what}, {along.name}, begin_{by}{OPERATORS[reduction]})"
            return f"all_reduce_begun({what}, {along.name}{OPERATORS[reduction]})"
        case ReduceScatter(_, _, reduction):
            if way is Way.EXCHANGE and not by:
                return f"reduce_scatter_begun_exchanged(({_parts(members, cuts)}), {along.name}{OPERATORS[reduction]})"
            name = f"begin_{by or f'reduce_scatter{_suffix(members, along, cuts, way)}'}"
            return f"reduce_scatter_begun(({_parts(members, cuts)}), {along.name}, {name}{OPERATORS[reduction]})"
        case AllGather():
            if way is Way.EXCHANGE and not by:
                more = ", is_kept=True" if is_kept else ""
                return f"all_gather_begun_exchanged(({_parts(members, cuts)}), {along.name}{more})"
            name = f"begin_{by or f'all_gather{_suffix(members, along, cuts, way)}'}"
            return f"all_gather_begun(({_parts(members, cuts)}), {along.name}, {name})"
        case other:
            raise AssertionError(f"{other} is not begun before it is awaited")


def _cut(member: BucketMember) -> tuple[Layouts, int]:
    """Return the sharded layouts and dimension: before a gather, or after a reduce-scatter."""
    match member.conversion:
        case AllGather(dimension):
            return member.value.layouts, dimension
        case ReduceScatter(dimension):
            return member.after, dimension
        case other:
            raise AssertionError(f"{other} cuts nothing")


def _parts(members: Sequence[BucketMember], cuts: Cuts) -> str:
    """Return the values, each with its sharded dimension and the rank's part of it."""
    texts = [f"({each.value.text}, {_cut(each)[1]}, {part_of(each.value, *_cut(each), cuts)})" for each in members]
    return ", ".join(texts) if len(texts) > 1 else f"{texts[0]},"


def _suffix(members: Sequence[BucketMember], along: EmittedAxis, cuts: Cuts, way: Way) -> str:
    """Return the suffix of functions for equal shards; the general one if any member needs it."""
    found = {suffix(each.value, *_cut(each), along, cuts, way) for each in members}
    return max(found, key=len)
