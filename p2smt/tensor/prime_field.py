"""Tensor programs over the field of 2^61 - 1 elements: equality without tolerance.

Sums, products and moves of elements are computed in the field. Every other operation is a keyed hash of what its
signature says that an element depends on, times the operand in which it is linear, if there is one. Two programs that
differ by a rule that does not hold agree on random values with probability about 2^-61 per element (Schwartz, Zippel).
"""

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from math import inf
from random import Random

import numpy as np
import numpy.typing as npt

from p2smt.tensor.conversion import AllReduce, Reduce, ReduceScatter
from p2smt.tensor.frame import Attribute, Frame
from p2smt.tensor.layout import Partial, Reduction
from p2smt.tensor.meaning import DoesNotRunError
from p2smt.tensor.operation import Array, Kind, Operation
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.operations.checks import real_number
from p2smt.tensor.operations.random import kept
from p2smt.tensor.program import Convert, DType, Program
from p2smt.tensor.signature import Dimension, Parallel, Signature

PRIME = 2**61 - 1
_TRUTH = ("gt", "ge", "lt", "eq")


def covers(program: Program) -> bool:
    """Whether the field speaks of a program: it has no order, so not of maxima and minima over ranks."""
    placed = [each for source in program.sources for each in source.layouts]
    placed += [each for output in program.outputs for each in output.layouts]
    conversions = [part.conversion for part in program.expressions() if isinstance(part, Convert)]
    # only Partial: others are neither summed nor generated; a match beside it has what each is given
    reductions = [each.layout.reduction for each in placed if isinstance(each.layout, Partial)]
    reductions += [each.reduction for each in conversions if isinstance(each, AllReduce | ReduceScatter | Reduce)]
    # only: the field has no order, so others are not covered
    return all(reduction is Reduction.SUM for reduction in reductions)


class PrimeField:
    """Elements as whole numbers in arrays of objects; the key is the seed."""

    def __init__(self, seed: int = 0) -> None:
        self._random = Random(seed)
        self._key = str(seed).encode()

    def number(self, value: float) -> Array:
        """A number that is written down: a float is a fraction."""
        above, below = value.as_integer_ratio()
        return _elements((), [above * pow(below, -1, PRIME) % PRIME])

    def call(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        """What an operation makes of one rank's arrays."""
        declared = OPERATIONS[operation]
        if operation == "div":
            return _reduced(arrays[0] * _inverse(arrays[1]))
        if declared.exact:
            return _reduced(declared.numpy(arrays, frame))
        if declared.kind is Kind.RANDOM:  # only: others are hashed by their signature
            scale = self.number(1 - real_number(frame.attributes[0]))
            return _reduced(arrays[0] * kept(frame).astype(object) * _inverse(scale))
        return self._hashed(declared, arrays, frame)

    def reduced(self, reduction: Reduction, arrays: Sequence[Array]) -> Array:
        """The reduction of arrays of one shape; a maximum is that of the numbers that stand for elements."""
        stacked = np.stack([np.asarray(array, dtype=object) for array in arrays])
        match reduction:
            case Reduction.SUM:
                return _reduced(stacked.sum(axis=0))
            case Reduction.MAX:
                return np.asarray(stacked.max(axis=0), dtype=object)
            case Reduction.MIN:
                return np.asarray(stacked.min(axis=0), dtype=object)

    def random(self, shape: tuple[int, ...], dtype: DType) -> Array:
        """Any elements; indices below 7; 0 and 1."""
        match dtype:
            case DType.I32 | DType.I64:
                below = 7
            case DType.BOOL:
                below = 2
            case DType.F16 | DType.BF16 | DType.F32 | DType.F64:
                below = PRIME
        return _elements(shape, [self._random.randrange(below) for _ in range(int(np.prod(shape)))])

    def summands(self, reduction: Reduction, array: Array, count: int) -> list[Array]:
        """Any arrays whose reduction is this one."""
        match reduction:
            case Reduction.SUM:
                others = [self.random(array.shape, DType.F32) for _ in range(count - 1)]
                return [*others, _reduced(array - sum(others))]
            case Reduction.MAX:
                bound = 0
            case Reduction.MIN:
                bound = PRIME - 1
        values = [int(value) for value in array.flat]
        winners = [self._random.randrange(count) for _ in values]

        def share(rank: int) -> Iterator[int]:
            for value, winner in zip(values, winners, strict=True):
                yield value if winner == rank else self._random.randint(min(bound, value), max(bound, value))

        return [_elements(array.shape, list(share(rank))) for rank in range(count)]

    def equal(self, left: Array, right: Array) -> bool:
        """Whether two arrays are the same elements."""
        return left.shape == right.shape and bool(np.all(left == right))

    def _hash(self, *parts: object) -> int:
        return int.from_bytes(blake2b(repr(parts).encode(), key=self._key, digest_size=16).digest(), "big") % PRIME

    def _hashed(self, declared: Operation, arrays: Sequence[Array], frame: Frame) -> Array:
        signed = declared.signature([array.shape for array in arrays], frame.attributes)
        if signed.shape != frame.shape:
            raise DoesNotRunError(f"{declared.name} gives {list(signed.shape)}, not {list(frame.shape)}")
        result: Array = np.zeros(signed.shape, dtype=object)
        alone = _linear(signed)
        below = 2 if declared.name in _TRUTH else arrays[0].shape[-1] if declared.name == "topk_indices" else PRIME
        # only Parallel: others are hashed by the whole row, which tells more values apart
        labels = [label for label in signed.labels if isinstance(label.kind, Parallel)]
        if len(labels) == len(signed.labels) and not declared.positional and _is_elementwise(signed):
            return self._elementwise(declared, signed, arrays, frame, alone, below)
        for index in np.ndindex(*(label.size for label in labels)):
            at = dict(zip((label.name for label in labels), index, strict=True))
            rows = [_row(array, each, at) for array, each in zip(arrays, signed.operands, strict=True)]
            others = [row.tolist() for number, row in enumerate(rows) if number != alone]
            known = self._hash(declared.name, _said(declared, frame), _positions(declared, signed, frame, at), others)
            where = tuple(at.get(dimension.label, slice(None)) for dimension in signed.result)
            result[where] = self._values(known, np.shape(result[where]), None if alone is None else rows[alone], below)
        return result

    def _elementwise(
        self,
        declared: Operation,
        signed: Signature,
        arrays: Sequence[Array],
        frame: Frame,
        alone: int | None,
        below: int,
    ) -> Array:
        """The same where every element depends on one element of each operand, without a walk over indices."""
        names = [dimension.label for dimension in signed.result]
        spread = [
            _spread(array, each, names, signed.shape) for array, each in zip(arrays, signed.operands, strict=True)
        ]
        said = _said(declared, frame)
        if alone is None:
            return _elements(
                signed.shape, [self._hash(declared.name, said, each) % below for each in zip(*spread, strict=True)]
            )
        rows = spread.pop(alone)
        others = zip(*spread, strict=True) if spread else [()] * len(rows)
        hashes = (self._hash(declared.name, said, each) for each in others)
        return _elements(signed.shape, [known * int(row) % PRIME for known, row in zip(hashes, rows, strict=True)])

    def _values(self, known: int, shape: tuple[int, ...], row: Array | None, below: int) -> Array:
        values = []
        for index in np.ndindex(*shape):
            if row is None:
                values.append(self._hash(known, index) % below)
            else:
                terms = (self._hash(known, index, at) * int(row[at]) for at in np.ndindex(*row.shape))
                values.append(sum(terms) % PRIME)
        made = _elements(shape, values)
        return made if shape else made[()]


def _elements(shape: tuple[int, ...], values: list[int]) -> Array:
    made: npt.NDArray[np.object_] = np.empty(len(values), dtype=object)
    made[:] = values
    return np.asarray(made.reshape(shape), dtype=object)


def _is_elementwise(signed: Signature) -> bool:
    """Whether the dimensions of every operand are some of the result's, each once."""
    names = [dimension.label for dimension in signed.result]
    operands = [[dimension.label for dimension in each] for each in signed.operands]
    return all(len(set(each)) == len(each) and set(each) <= set(names) for each in (names, *operands))


def _spread(
    array: Array, dimensions: tuple[Dimension, ...], names: Sequence[str], shape: tuple[int, ...]
) -> list[float]:
    """The operand's element for each element of a result with these dimensions."""
    own = [dimension.label for dimension in dimensions]
    ordered = np.transpose(array, [own.index(name) for name in names if name in own])
    aligned = ordered[tuple(slice(None) if name in own else None for name in names)]
    return list(np.broadcast_to(aligned, shape).ravel().tolist())


def _linear(signed: Signature) -> int | None:
    """The first operand in which an operation is linear by itself."""
    sums = [each.operands for each in signed.distributes if each.before is Reduction.SUM]  # only: linear means additive
    return min((min(operands) for operands in sums if len(operands) == 1), default=None)


def _row(array: Array, dimensions: tuple[Dimension, ...], at: dict[str, int]) -> Array:
    """What an operand has at these indices of parallel labels."""
    return np.asarray(array[tuple(at.get(dimension.label, slice(None)) for dimension in dimensions)], dtype=object)


def _said(declared: Operation, frame: Frame) -> list[Attribute]:
    """The attributes but the number of the dimension that is looked across: transposing changes nothing else."""
    pairs = zip(declared.parameters, frame.attributes, strict=True)
    return [attribute for parameter, attribute in pairs if parameter.name != "dim"]


def _positions(declared: Operation, signed: Signature, frame: Frame, at: dict[str, int]) -> list[int]:
    """Global indices that the operation depends on, if its first attribute says so."""
    if not declared.positional or not frame.attributes[0]:
        return []
    starts = {each.label: interval.start for each, interval in zip(signed.result, frame.result, strict=True)}
    return [starts[name] + at[name] for name in sorted(declared.positional) if name in at]


def _reduced(array: Array) -> Array:
    elements = np.asarray(array, dtype=object)
    plain = {*map(type, elements.ravel())} <= {int}  # then numpy asks the integers themselves, five times as fast
    return np.asarray(elements % PRIME if plain else _MODULO(elements), dtype=object)


def _modulo(value: int | float) -> int | float:
    """The least representative; the maximum of nothing is no element, and stays."""
    return value if value in (inf, -inf) else int(value) % PRIME


def _inverse(array: Array) -> Array:
    """1 / x; that of 0 is 0."""
    return np.asarray(_INVERTED(array), dtype=object)


_MODULO = np.frompyfunc(_modulo, 1, 1)
_INVERTED = np.frompyfunc(lambda value: pow(int(value), PRIME - 2, PRIME), 1, 1)
