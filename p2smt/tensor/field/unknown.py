"""Operations known by their signature alone: keyed hashes of everything that an element depends on.

Where an operation is linear in an operand, the hash of the others is the factor of each of its elements.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from p2smt.tensor.frame import Attribute, Attributes, Frame
from p2smt.tensor.layout import Reduction
from p2smt.tensor.meaning import DoesNotRunError
from p2smt.tensor.operation import Array, Kind, Operation
from p2smt.tensor.signature import Blocked, Dimension, LabelKind, Parallel, Reduced, Signature

Hash = Callable[..., int]


def elements(shape: tuple[int, ...], values: Sequence[int]) -> Array:
    """An array of elements of a field."""
    made: npt.NDArray[np.object_] = np.empty(len(values), dtype=object)
    made[:] = values
    return np.asarray(made.reshape(shape), dtype=object)


def flat(array: Array) -> list[int]:
    """The elements of an array in order."""
    found: list[int] = np.asarray(array, dtype=object).ravel().tolist()
    return found


def spread(arrays: Sequence[Array], shape: tuple[int, ...]) -> list[list[int]]:
    """The element of each operand for each element of a result, of operands that are lined up from the last dimension.

    What is repeated is seen from the arrays: a rank can have one index of a dimension that others have more of.
    """
    return [np.broadcast_to(np.asarray(array, dtype=object), shape).ravel().tolist() for array in arrays]


def linear_operand(signed: Signature) -> int | None:
    """The first operand in which an operation is linear by itself."""
    # only: an operation is linear if it passes sums on
    sums = [each.operands for each in signed.distributes if each.before is Reduction.SUM]
    return min((min(operands) for operands in sums if len(operands) == 1), default=None)


def unknown(declared: Operation, arrays: Sequence[Array], frame: Frame, hashed: Hash, prime: int) -> Array:
    """Result of an operation that looks across rows: a hash of what it reads, for each index of its parallel labels.

    Along labels that are summed it is a sum of such hashes.
    """
    if 0 in frame.shape:
        return elements(frame.shape, [])
    signed = declared.signature([array.shape for array in arrays], _of_part(declared, frame))
    if signed.shape != frame.shape:
        raise DoesNotRunError(f"{declared.name} gives {list(signed.shape)}, not {list(frame.shape)}")
    result: Array = np.zeros(signed.shape, dtype=object)
    # A linear operand enters as a sum of hashed factors times its elements, so that scaling or
    # splitting it commutes with the operation, as it must.
    alone = linear_operand(signed)
    # Indices of parallel labels are hashed one by one, so a rank with a slice gets the same
    # elements as one device with everything.
    labels = [label for label in signed.labels if _is_taken_apart(label.kind)]
    for index in np.ndindex(*(label.size for label in labels)):
        at = dict(zip((label.name for label in labels), index, strict=True))
        rows = [_row(array, each, at) for array, each in zip(arrays, signed.operands, strict=True)]
        others = [row.tolist() for number, row in enumerate(rows) if number != alone]
        known = hashed(declared.name, said(declared, frame), _positions(declared, signed, frame, at), others)
        where = _place(signed.result, at)
        values = _values(known, np.shape(result[where]), None if alone is None else rows[alone], hashed, prime)
        result[where] = (result[where] + values) % prime
    return result


def _of_part(declared: Operation, frame: Frame) -> Attributes:
    """The attributes with which the signature of the whole is that of a rank's part.

    Attributes say lengths of whole tensors, and arrays are a rank's parts. Of a gradient that is put into classes the
    length is that of the last dimension, of which a rank may have a slice.
    """
    # only: all other lengths are of dimensions that are whole on every rank, or of exact operations
    if declared.kind is not Kind.PUT:
        return frame.attributes
    pairs = zip(declared.parameters, frame.attributes, strict=True)
    return tuple(frame.shape[-1] if parameter.length else attribute for parameter, attribute in pairs)


def _is_taken_apart(kind: LabelKind) -> bool:
    """True if each index of such a label is computed by itself; the others are hashed by the whole row."""
    match kind:
        case Parallel() | Reduced(Reduction.SUM):
            return True
        case Blocked() | Reduced():
            return False


def _values(known: int, shape: tuple[int, ...], row: Array | None, hashed: Hash, prime: int) -> Array:
    values = []
    for index in np.ndindex(*shape):
        if row is None:
            values.append(hashed(known, index))
        else:
            terms = (hashed(known, index, at) * int(row[at]) for at in np.ndindex(*row.shape))
            values.append(sum(terms) % prime)
    made = elements(shape, values)
    return made if shape else made[()]


def _row(array: Array, dimensions: tuple[Dimension, ...], at: dict[str, int]) -> Array:
    """Part of an operand at these indices of parallel labels."""
    return np.asarray(array[_place(dimensions, at)], dtype=object)


def _place(dimensions: tuple[Dimension, ...], at: dict[str, int]) -> tuple[int | slice, ...]:
    """The positions of these indices; an index with a granule is a block of that many elements."""
    return tuple(
        slice(None)
        if each.label not in at
        else at[each.label]
        if each.granule == 1
        else slice(at[each.label] * each.granule, (at[each.label] + 1) * each.granule)
        for each in dimensions
    )


def said(declared: Operation, frame: Frame) -> list[Attribute]:
    """The attributes but the number of the dimension that is looked across: transposing changes nothing else."""
    pairs = zip(declared.parameters, frame.attributes, strict=True)
    return [attribute for parameter, attribute in pairs if parameter.name != "dim"]


def _positions(declared: Operation, signed: Signature, frame: Frame, at: dict[str, int]) -> list[int]:
    """Global indices that the operation depends on with these attributes, and the step whose bits it draws."""
    counted = sorted(name for name in declared.counted(frame.attributes) if name in at)
    if not counted:
        return []
    sides = zip((*signed.operands, signed.result), (*frame.operands, frame.result), strict=True)
    starts = {
        each.label: interval.start // each.granule
        for side, part in sides
        for each, interval in zip(side, part, strict=True)
    }
    draws = any(parameter.name == "seed" for parameter in declared.parameters)
    return [*(starts[name] + at[name] for name in counted), *([frame.step] if draws else [])]
