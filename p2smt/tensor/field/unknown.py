"""Operations known by their signature alone: keyed hashes of everything that an element depends on.

If an operation is linear in one operand, hashes of the other operands become the factors of its elements.
"""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from p2smt.tensor.frame import Attribute, Attributes, Frame
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.meaning import DoesNotRunError
from p2smt.tensor.operation import Array, Kind, Operation
from p2smt.tensor.signature import Blocked, Dimension, LabelKind, ParallelLabel, Reduced, Signature

Hash = Callable[..., int]


def elements(shape: tuple[int, ...], values: Sequence[int]) -> Array:
    """Return an object array of field elements."""
    made: npt.NDArray[np.object_] = np.empty(len(values), dtype=object)
    made[:] = values
    return np.asarray(made.reshape(shape), dtype=object)


def flat(array: Array) -> list[int]:
    """Return the elements of an array in row-major order."""
    found: list[int] = np.asarray(array, dtype=object).ravel().tolist()
    return found


def spread(arrays: Sequence[Array], shape: tuple[int, ...]) -> list[list[int]]:
    """Return, for each operand, its elements broadcast to the shape of the result.

    Repetition follows from the array shapes, since a rank may hold one index of a longer dimension.
    """
    return [np.broadcast_to(np.asarray(array, dtype=object), shape).ravel().tolist() for array in arrays]


def linear_operand(signed: Signature) -> int | None:
    """Return the first operand in which the operation is linear on its own; None if there is none."""
    # only: an operation is linear if it passes sums on
    sums = [each.operands for each in signed.distributes if each.before is ReductionOp.SUM]
    return min((min(operands) for operands in sums if len(operands) == 1), default=None)


def unknown(declared: Operation, arrays: Sequence[Array], frame: Frame, hashed: Hash, prime: int) -> Array:
    """Return the result of an unknown operation: a hash of the elements it reads, per index of parallel labels.

    Along summed labels the hashes are added. An operand in which the operation is linear enters as a factor.
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
    """Return the attributes with lengths replaced by those of the rank's part.

    Attributes hold lengths of unsharded tensors, while arrays are a rank's parts. Only the classes of a
    gradient put at indices, its last dimension, can be sliced.
    """
    # only: all other lengths are of dimensions that are whole on every rank, or of exact operations
    if declared.kind is not Kind.PUT:
        return frame.attributes
    pairs = zip(declared.parameters, frame.attributes, strict=True)
    return tuple(frame.shape[-1] if parameter.length else attribute for parameter, attribute in pairs)


def _is_taken_apart(kind: LabelKind) -> bool:
    """True if each index of such a label is computed separately; other labels are hashed by the whole row."""
    match kind:
        case ParallelLabel() | Reduced(ReductionOp.SUM):
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
    """Return the slice of an operand at the given indices of its parallel labels."""
    return np.asarray(array[_place(dimensions, at)], dtype=object)


def _place(dimensions: tuple[Dimension, ...], at: dict[str, int]) -> tuple[int | slice, ...]:
    """Return the array index of these label indices; a label with a granule selects a block of that length."""
    return tuple(
        slice(None)
        if each.label not in at
        else at[each.label]
        if each.granule == 1
        else slice(at[each.label] * each.granule, (at[each.label] + 1) * each.granule)
        for each in dimensions
    )


def said(declared: Operation, frame: Frame) -> list[Attribute]:
    """Return the attributes except the dimension number, so that hashes do not change with transposition."""
    pairs = zip(declared.parameters, frame.attributes, strict=True)
    return [attribute for parameter, attribute in pairs if parameter.name != "dim"]


def _positions(declared: Operation, signed: Signature, frame: Frame, at: dict[str, int]) -> list[int]:
    """Return the global indices that the operation depends on, and the training step if it draws random numbers."""
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
