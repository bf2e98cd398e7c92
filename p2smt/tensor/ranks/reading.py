"""Translation of local calls, with their bounds and lengths, to calls on unsharded tensors.

The ranks' calls agree except for lengths and bounds, so what has to be found is the unsharded length: a local length n
that is a part of a dimension of N elements stands for N wherever it occurs in a target shape. A reshape joins and
splits dimensions in groups of equal products; in each group one dimension takes the factor N / n, and each possibility
is a candidate. Few are right, and the caller tests them by the parts that they give.

    target on unsharded tensors = local target with one length of a group times N / n,   for each choice of the length.

Complexity: a product over groups of their numbers of dimensions.
Reference: Cousot and Cousot, "Abstract interpretation", 1977, for lifting concrete shapes.

Example: of [8, 64] a rank holds [4, 64] and views it as [4, 4, 16]. [8, 4, 16] is the first candidate.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice, product
from math import prod

from p2smt.tensor.checks import whole_number
from p2smt.tensor.expression import Call
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.operations.move import groups
from p2smt.tensor.signature import Shape

MOST_WAYS = 16
"""The largest number of ways to add or remove dimensions of length 1 that are tried."""


def whole_calls(
    calls: Sequence[Call], whole: Shape, locals: Sequence[tuple[Shape, Shape]], *, stacked: bool
) -> Iterator[Call]:
    """Yield calls on unsharded tensors that may act on the parts as the ranks' calls do, most likely first.

    `whole` is the unsharded shape of the first operand; `locals` has each rank's shapes of the first operand
    and the result. The caller checks by the resulting parts whether a call fits. A new dimension of length 1
    may be one of which each rank holds one index; with `stacked` this is tried before a dimension of length 1
    in the unsharded tensor.
    """
    first = calls[0]
    if any(_fixed(call) != _fixed(first) for call in calls):
        return
    old, new = max(locals, key=lambda pair: prod(pair[1]))
    match first.operation:
        case "reshape":
            alike = sorted(set(islice(_with_ones(whole, old, new), MOST_WAYS)), reverse=True)
            for target in chain(() if stacked else alike, _reshaped(whole, old, new), alike if stacked else ()):
                yield Call("reshape", first.operands, (target,))
        case "expand":
            lined = (1,) * (len(new) - len(old)), (1,) * (len(new) - len(old))
            pairs = zip((*lined[0], *old), (*lined[1], *whole), new, strict=True)
            yield Call("expand", first.operands, (tuple(_repeated(*each) for each in pairs),))
        case _:
            if all(call == first for call in calls):
                yield first


def _fixed(call: Call) -> tuple[object, ...]:
    """Return the operation, operands and attributes that must agree on all ranks: all except lengths and bounds."""
    parameters = OPERATIONS[call.operation].parameters
    rest = [value for each, value in zip(parameters, call.attributes, strict=True) if not each.length]
    return call.operation, call.operands, tuple(rest)


def _repeated(local: int, whole: int, target: int) -> int:
    return whole if local == target else target


def _reshaped(whole: Shape, old: Shape, new: Shape) -> Iterator[Shape]:
    """Yield unsharded target shapes of a reshape.

    In each group of joined and split dimensions, one takes the sharding factor.
    """
    if 0 in old or 0 in new:
        return
    choices = []
    for before, after in groups(old, new):
        factor = prod(whole[position] for position in before), prod(old[position] for position in before)
        choices.append(
            [tuple(new[position] for position in after)]
            if factor[0] == factor[1]
            else [_with(new, after, at, *factor) for at in after]
        )
    seen = set()
    for parts in product(*choices):
        target = tuple(length for part in parts for length in part)
        if target not in seen and len(target) == len(new):
            seen.add(target)
            yield target
    for position in range(len(new)):
        target = _with(new, range(len(new)), position, prod(whole), prod(old))
        if target not in seen:
            seen.add(target)
            yield target


def _with_ones(whole: Shape, old: Shape, new: Shape) -> Iterator[Shape]:
    """Yield unsharded target shapes if only dimensions of length 1 are added or removed.

    A rank may hold one index of a longer dimension.
    """
    if not old:
        if all(length == 1 for length in new):
            yield new
        return
    if new and new[0] == old[0]:
        yield from ((whole[0], *rest) for rest in _with_ones(whole[1:], old[1:], new[1:]))
    if new and new[0] == 1:
        yield from ((1, *rest) for rest in _with_ones(whole, old, new[1:]))
    if whole[0] == old[0] == 1:
        yield from _with_ones(whole[1:], old[1:], new)


def _with(new: Shape, dims: range, at: int, whole: int, local: int) -> Shape:
    """Return these dimensions, with one lengthened to match the element count of the unsharded tensor."""
    others = local // new[at]
    return tuple(whole // others if position == at and whole % others == 0 else new[position] for position in dims)


def bounds(call: Call) -> tuple[int, int, int]:
    """Return the dimension, start and stop of a slice."""
    dim, start, stop = map(whole_number, call.attributes)
    return dim, start, stop
