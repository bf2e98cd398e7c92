"""Repairs of values that are, or should be, sums over ranks. Left: the replacement; right: the mistake that it reveals.

    the sum, the mean or the maximum over an axis's ranks    a reduction is missing
    the operand of a sum over ranks                          the sum should not be there
    k and 1 / k times the result of a sum                    a sum should be a mean, or the other way round
    the sum over another axis's ranks                        the group is wrong
    the root of the sum of squares, log of exponentials      roots or logarithms are added
    one rank's summand, element by element                   other ranks' contributions are not masked
    a summand that is equal on all ranks, divided by k       it is counted once per rank
    k, 1 / k and their roots times a product or a quotient   a factor depends on the number of ranks
    a product or a quotient, weighted by the ranks' rows     a mean of means is not the mean
Complexity: one run of what depends on the value for each repair.
Reference: Reiter, "A theory of diagnosis from first principles", 1987.

Example: y = relu(x a_r) b_r on rank r, and y + c is returned: a sum over ranks is missing on y, not on y + c.
"""

from collections.abc import Iterator, Mapping
from math import sqrt

import numpy as np

from p2smt.tensor.conversion import AllReduce, ReduceScatter
from p2smt.tensor.expression import Read
from p2smt.tensor.layout import ReductionOp, Sliced
from p2smt.tensor.operation import Array
from p2smt.tensor.placing import world
from p2smt.tensor.ranks.programs import GroupExchange, LocalCall, NamedExchange, OneRankCall, RankPrograms
from p2smt.tensor.ranks.repair import RIGHT, RankValue, Repair, axes_of, calls_of, is_all, made_by, read_by
from p2smt.tensor.ranks.simulation import Origin

_KINDS = (("maximum", ReductionOp.MAX), ("sum", ReductionOp.SUM), ("mean", ReductionOp.SUM))


def missing_sums(held: RankValue) -> Iterator[Repair]:
    """Yield the sum, the mean or the maximum over the ranks of an axis."""
    ranks, name, arrays = held.ranks, held.name, held.arrays
    if _is_exchanged(ranks, name) or _is_given_to_a_sum(ranks, name):
        return
    is_largest = is_all(ranks, name, "max", "max_kept")
    divides = "; each rank divides by its own, and a mean of means is not the mean" if _divides(ranks, name) else ""
    for words, groups in axes_of(ranks):
        if all(np.array_equal(arrays[rank], arrays[group[0]]) for group in groups for rank in group):
            continue
        for kind, reduction in _KINDS if is_largest else _KINDS[1:]:
            made: dict[Origin, Array] = {}
            for group in groups:
                total = held.meaning.reduced(reduction, [arrays[rank] for rank in group])
                whole = total / len(group) if kind == "mean" else total
                made |= {(rank, name): whole for rank in group}
            yield Repair(made, f"a {kind} of {name} over {words} is missing; with it {RIGHT}{divides}")


def _divides(ranks: RankPrograms, name: str) -> bool:
    """True if the value is used only as a divisor."""
    uses = [
        call
        for statement in ranks.statements
        for call in (
            statement.calls
            if isinstance(statement, LocalCall)
            else (statement.call,)
            if isinstance(statement, OneRankCall)
            else ()
        )
        if Read(name) in call.operands
    ]
    return bool(uses) and all(call.operation == "div" and call.operands[1] == Read(name) for call in uses)


def other_sums(held: RankValue) -> Iterator[Repair]:
    """Yield repairs of a sum over ranks.

    It may be superfluous, should be a mean, or is over the wrong ranks or the wrong values.
    """
    found = _sum_of(held.ranks, held.name)
    if found is None:
        return
    (operands, count), name, arrays = found, held.name, held.arrays
    given = [held.values[rank][operands[rank, name]] for rank in range(len(arrays))]
    alike = all(one.shape == array.shape for one, array in zip(given, arrays, strict=True))
    if alike:
        yield held.repair(given, f"the sum {name} over ranks is one too many; without it {RIGHT}")
    yield held.repair([array / count for array in arrays], f"{name} is a sum where a mean would be right")
    yield held.repair(
        [array * count for array in arrays],
        f"{name} is too small by {count}, the number of ranks: with the sum {RIGHT}",
    )
    if not alike:
        return
    yield from _other_groups(held, given, count)
    yield from _not_added(held, given, count)
    yield from _one_rank_alone(held, given, operands[0, name])


def _other_groups(held: RankValue, given: list[Array], count: int) -> Iterator[Repair]:
    for words, groups in axes_of(held.ranks) if len(held.ranks.mesh) > 1 else ():
        own = {rank: sum((given[each] for each in group), np.zeros(())) for group in groups for rank in group}
        ratio = count / len(groups[0])
        for factor in dict.fromkeys((1.0, ratio)):
            yield held.repair(
                [own[rank] * factor for rank in range(len(given))],
                f"{held.name} is a sum over other ranks; with one over {words} {RIGHT}",
            )


def _not_added(held: RankValue, given: list[Array], count: int) -> Iterator[Repair]:
    if count < len(given):
        return
    # Norms and logarithms are told apart by sign and size: roots are not negative, exponents must
    # stay finite.
    if all(bool(np.all(each >= 0)) for each in given):
        root = np.sqrt(sum((each**2 for each in given), np.zeros(())))
        yield held.repair(
            [root] * count,
            f"{held.name} adds up roots, as norms are; with the root of the sum of their squares {RIGHT}",
        )
    if all(bool(np.all(np.abs(each) < _MOST_EXPONENT)) for each in given):
        total = np.log(sum((np.exp(each) for each in given), np.zeros(())))
        yield held.repair(
            [total] * count,
            f"{held.name} adds up logarithms; with the logarithm of the sum of their exponentials {RIGHT}",
        )


_MOST_EXPONENT = 300


def _one_rank_alone(held: RankValue, given: list[Array], operand: str) -> Iterator[Repair]:
    for of, expected in held.whole.items():
        if expected.shape != given[0].shape or np.array_equal(expected, held.arrays[0]) or not expected.any():
            continue
        near = [np.isclose(each, expected, rtol=1e-9, atol=1e-12) for each in given]
        if bool(np.all(np.logical_or.reduce(near))) and not any(bool(np.all(each)) for each in near):
            yield held.repair(
                [expected] * len(given),
                f"{held.name} adds up all that ranks have of {operand}, where what one rank has is {of}: "
                "what is outside of a rank's part is not masked, and others' is added",
            )


def alike_addends(held: RankValue) -> Iterator[Repair]:
    """Yield repairs of an addend that is equal on all ranks and is added to a partial value."""
    if not _reaches_a_sum(held.ranks, held.name) or not is_all(held.ranks, held.name, "add"):
        return
    calls = calls_of(held.ranks, held.name)
    names = {call.operands for call in calls}
    count = world(held.ranks.mesh)
    if len(names) > 1 or len(calls) != count:
        return
    for operand in names.pop():
        if not isinstance(operand, Read):
            continue
        arrays = [mine[operand.name] for mine in held.values]
        if all(np.array_equal(each, arrays[0]) for each in arrays) and not all(
            np.array_equal(each, held.arrays[0]) for each in held.arrays
        ):
            yield held.repair(
                # Counted `count` times, it must be counted once: all but 1 / count of it is taken
                # away on each rank.
                [array - own * (1 - 1 / count) for array, own in zip(held.arrays, arrays, strict=True)],
                f"{operand.name} is added in {held.name} on every rank, and counted {count} times, once per rank, in "
                f"the sum over ranks; counted once, {RIGHT}",
            )


def factors(held: RankValue) -> Iterator[Repair]:
    """Yield a product or a quotient times the number of ranks or its root, or weighted by the rows of each rank."""
    if not is_all(held.ranks, held.name, "mul", "div", "matmul", "einsum", "linear"):
        return
    for sizes in _unlike_sizes(held.ranks):
        weights = [size * len(sizes) / sum(sizes) for size in sizes]
        yield held.repair(
            [array * weight for array, weight in zip(held.arrays, weights, strict=True)],
            f"{held.name} counts alike on ranks that have {', '.join(map(str, sizes))} of all, so that a "
            f"mean of means is not the mean; weighted by these {RIGHT}",
        )
    for count in {len(groups[0]): None for _, groups in axes_of(held.ranks)}:
        for factor, said in (
            (1 / count, f"too large by {count}, the number of ranks"),
            (count, f"too small by {count}, the number of ranks"),
            (1 / sqrt(count), f"too large by the root of {count}, the number of ranks"),
            (sqrt(count), f"too small by the root of {count}, the number of ranks"),
        ):
            yield held.repair([array * factor for array in held.arrays], f"{held.name} is {said}; else {RIGHT}")


def _unlike_sizes(ranks: RankPrograms) -> set[tuple[int, ...]]:
    """Return the unequal block sizes of sources that are sliced along one axis."""
    # only Sliced: other layouts cut nothing
    found = {
        each.layout.sizes for source in ranks.sources for each in source.layouts if isinstance(each.layout, Sliced)
    }
    return {sizes for sizes in found if sizes is not None and len(sizes) == world(ranks.mesh) and len(set(sizes)) > 1}


def _reaches_a_sum(ranks: RankPrograms, name: str) -> bool:
    """True if a value enters a sum over ranks, directly or through linear operations."""
    reached = {name}
    for statement in ranks.statements:
        if reached.isdisjoint(read_by(statement)):
            continue
        if isinstance(statement, GroupExchange | NamedExchange):
            if _is_sum(statement.conversion):
                return True
        elif is_all(ranks, made_by(statement)[0], "add", "reshape", "transpose", "sum", "mul", "div"):
            reached.update(made_by(statement))
    return False


def _is_exchanged(ranks: RankPrograms, name: str) -> bool:
    return any(name in made_by(each) for each in ranks.statements if not isinstance(each, LocalCall | OneRankCall))


def _is_given_to_a_sum(ranks: RankPrograms, name: str) -> bool:
    """True if a value is already summed over ranks, so that a second sum would be wrong."""
    # What other collectives are given may be a summand.
    return any(
        isinstance(each, GroupExchange | NamedExchange) and name in read_by(each) and _is_sum(each.conversion)
        for each in ranks.statements
    )


def _sum_of(ranks: RankPrograms, name: str) -> tuple[Mapping[Origin, str], int] | None:
    """Return each rank's summand of a sum over ranks, and the group size; None for other values."""
    found: dict[Origin, str] = {}
    count = 0
    for statement in ranks.statements:
        # Of collectives that add nothing up nothing is said.
        if isinstance(statement, GroupExchange) and statement.name == name and _is_sum(statement.conversion):
            found |= {(rank, name): statement.operand for group in statement.groups for rank in group}
            count = len(statement.groups[0])
        elif isinstance(statement, NamedExchange) and name in statement.names and _is_sum(statement.conversion):
            found |= {
                (rank, mine): operand
                for rank, mine, operand in zip(statement.group, statement.names, statement.operands, strict=True)
            }
            count = len(statement.group)
    complete = all((rank, name) in found for rank in range(world(ranks.mesh)))
    return (found, count) if found and complete and count > 1 else None


def _is_sum(conversion: object) -> bool:
    # only: other collectives, and maxima, add nothing up
    return isinstance(conversion, AllReduce | ReduceScatter) and conversion.reduction is ReductionOp.SUM
