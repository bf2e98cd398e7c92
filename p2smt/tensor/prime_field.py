"""Tensor programs over a field of a random prime near 2^61, for equality without tolerance, in one run of each program.

Sums, products, quotients and moves are computed in the field. Every other operation is an unknown function: a keyed
hash of what an element depends on, with the properties that `field/` knows. Programs that compute different functions
agree on random values with probability about 2^-60 per element (Schwartz-Zippel, 1980): x * x and x + x on two of all
x. Quotients, roots and logarithms are not defined everywhere. `guards` records the conditions not implied by known
signs: two programs that agree in the field compute the same function if their guards are equal.
"""

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from math import inf
from random import Random

import numpy as np

from p2smt.tensor.checks import real_number
from p2smt.tensor.conversion import AllReduce, Reduce, ReduceScatter
from p2smt.tensor.dtype import LARGEST_F16, DType
from p2smt.tensor.expression import Call, Convert
from p2smt.tensor.field.choices import COMPARISONS, LARGEST, LOOKED_UP, chosen, compared, rows_reduced
from p2smt.tensor.field.primes import MERSENNE, prime_of
from p2smt.tensor.field.signs import NOT_NEGATIVE, POSITIVE, Signs, is_power, sign_of
from p2smt.tensor.field.unknown import elements, flat, linear_operand, said, spread, unknown
from p2smt.tensor.frame import Frame
from p2smt.tensor.layout import Partial, ReductionOp
from p2smt.tensor.operation import Array, Kind, Operation
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Program
from p2smt.tensor.typed_walk import TypedExpression, TypedExpressions, typed_walk

PRIME = MERSENNE
"""The prime of seed 0; every other seed has its own."""
Guard = tuple[str, int]
"""An operation with a restricted domain, and its operand."""


def covers(program: Program) -> bool:
    """True if ranks can be simulated over the field.

    A field has no order, so it has no maxima over ranks. Programs that sum over ranks must not cast to smaller types.
    """
    placed = [each for source in program.sources for each in source.layouts]
    placed += [each for output in program.outputs for each in output.layouts]
    conversions = [part.conversion for part in program.expressions() if isinstance(part, Convert)]
    # only Partial: others are neither summed nor generated; a match beside it has what each is given
    reductions = [each.layout.reduction for each in placed if isinstance(each.layout, Partial)]
    reductions += [each.reduction for each in conversions if isinstance(each, AllReduce | ReduceScatter | Reduce)]
    # only: the field has no order, so others are not covered
    if any(reduction is not ReductionOp.SUM for reduction in reductions):
        return False
    walk = typed_walk(program) if reductions else ()
    return not any(_narrows(each, walk) for each in walk)


def _narrows(typed: TypedExpression, walk: TypedExpressions) -> bool:
    """True for a cast to a type of smaller range, or to integers or booleans."""
    match typed.expression:
        case Call("cast", _, (target,)):
            before = walk[typed.operands[0]].whole.dtype
            return before is None or not before.fits(DType(str(target)))
        case _:
            return False


class PrimeField:
    """The arithmetic of one prime field.

    Elements are Python integers in object arrays; the seed keys the hash.
    """

    def __init__(self, seed: int = 0) -> None:
        self.prime = prime_of(seed)
        self.guards: set[Guard] = set()
        self._random = Random(seed)
        self._key = str(seed).encode()
        self._signs = Signs()
        # What is known of single elements, whichever expression they came from.
        self._truths: set[int] = {0, 1}
        self._wholes: set[int] = set()
        self._types: dict[int, DType] = {}
        self._written: set[int] = set()

    def number(self, value: float) -> Array:
        """Return a literal; a float is taken as the exact fraction that it is."""
        return elements((), [self._number(value)])

    def _number(self, value: float) -> int:
        if value in (inf, -inf) or value != value:  # noqa: PLR0124 - NaN
            self.guards.add((f"{value}", 0))
            return self._hash("number", str(value))
        above, below = value.as_integer_ratio()
        number = above * pow(below, -1, self.prime) % self.prime
        self._signs.learn(number, sign_of(value))
        if abs(value) <= LARGEST_F16:
            self._written.add(number)
        return number

    def call(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        """Return the result of an operation on one rank's arrays."""
        declared = OPERATIONS[operation]
        self._guard(declared, arrays, frame)
        if declared.exact:
            result = self._modulo(declared.numpy(arrays, frame))
            self._learn(operation, arrays, result, frame)
            return result
        if operation in LOOKED_UP:
            return self._modulo(LOOKED_UP[operation](arrays, frame, self._hit))
        # only: others have no largest element
        if operation in LARGEST and declared.kind is Kind.REDUCE:
            return elements(frame.shape, [self._largest(operation, row) for row in rows_reduced(arrays[0], frame)])
        match declared.kind:
            case Kind.MAP:
                return self._mapped(declared, arrays, frame)
            case Kind.RANDOM:
                return self._random_factors(operation, arrays[0], frame)
            case _:
                result = unknown(declared, arrays, frame, self._hash, self.prime)
                self._signs.learn_call(operation, [[]] * len(arrays), flat(result))
                return result

    def reduced(self, reduction: ReductionOp, arrays: Sequence[Array]) -> Array:
        """Return the elementwise reduction; maxima compare the integers that represent elements."""
        stacked = np.stack([np.asarray(array, dtype=object) for array in arrays])
        match reduction:
            case ReductionOp.SUM:
                return self._modulo(stacked.sum(axis=0))
            case ReductionOp.MAX:
                # The order of the numbers that stand for elements means nothing; `covers` refuses maxima over ranks.
                return np.asarray(stacked.max(axis=0), dtype=object)
            case ReductionOp.MIN:
                return np.asarray(stacked.min(axis=0), dtype=object)

    def random(self, shape: tuple[int, ...], dtype: DType) -> Array:
        """Return random field elements for every type; results must not depend on which ones."""
        values = [self._random.randrange(self.prime) for _ in range(int(np.prod(shape)))]
        if dtype is DType.BOOL:
            self._truths.update(values)
            for value in values:
                self._signs.learn(value, NOT_NEGATIVE)
        elif dtype.is_whole:
            self._wholes.update(values)
        return elements(shape, values)

    def summands(self, reduction: ReductionOp, array: Array, count: int) -> list[Array]:
        """Return `count` random arrays whose reduction is this array."""
        match reduction:
            case ReductionOp.SUM:
                others = [self.random(array.shape, DType.F32) for _ in range(count - 1)]
                return [*others, self._modulo(array - sum(others))]
            case ReductionOp.MAX:
                bound = 0
            case ReductionOp.MIN:
                bound = self.prime - 1
        values = [int(value) for value in array.flat]
        winners = [self._random.randrange(count) for _ in values]

        def share(rank: int) -> Iterator[int]:
            for value, winner in zip(values, winners, strict=True):
                yield value if winner == rank else self._random.randint(min(bound, value), max(bound, value))

        return [elements(array.shape, list(share(rank))) for rank in range(count)]

    def equal(self, left: Array, right: Array) -> bool:
        """True if two arrays have equal shapes and elements."""
        return left.shape == right.shape and bool(np.all(left == right))

    def _hash(self, *parts: object) -> int:
        return int.from_bytes(blake2b(repr(parts).encode(), key=self._key, digest_size=16).digest(), "big") % self.prime

    def _modulo(self, array: Array) -> Array:
        return np.asarray(np.asarray(array, dtype=object) % self.prime, dtype=object)

    def _truth(self, *relation: object) -> int:
        value = self._hash("truth", *relation)
        self._truths.add(value)
        self._signs.learn(value, NOT_NEGATIVE)
        return value

    def _hit(self, index: int, of: int) -> int:
        """Return the truth value of index == class; values not known to be integers are truncated first."""
        whole = index in self._wholes or index in self._truths
        return compared("eq", index, of, self._truth) if whole else self._truth("hit", index, of)

    def _not_zero(self, value: int) -> int:
        """Return the truth value of value != 0."""
        return value if value in self._truths else self._truth("not zero", value)

    def _largest(self, operation: str, row: Sequence[int]) -> int:
        """Return the maximum or minimum of a set: an unknown of the set, or its only element."""
        values = sorted(set(row))
        result = values[0] if len(values) == 1 else self._hash(LARGEST[operation], values)
        self._signs.learn_reduction(LARGEST[operation], values, result)
        return result

    def _random_factors(self, operation: str, array: Array, frame: Frame) -> Array:
        """Multiply each element by a nonnegative unknown of attributes, training step and global index."""
        if operation == "dropout" and real_number(frame.attributes[0]) == 0:
            return array
        offsets = [interval.start for interval in frame.result]
        values = []
        for index in np.ndindex(*frame.shape):
            at = [start + each for start, each in zip(offsets, index, strict=True)]
            values.append(self._hash(operation, *frame.attributes, frame.step, at))
        result = self._modulo(array * elements(frame.shape, values))
        for value, operand in zip(flat(result), flat(array), strict=True):
            if self._signs.of(operand) | NOT_NEGATIVE == NOT_NEGATIVE:
                self._signs.learn(value, NOT_NEGATIVE)
        return result

    def _mapped(self, declared: Operation, arrays: Sequence[Array], frame: Frame) -> Array:
        """Compute a pointwise operation, with operands broadcast from the last dimension."""
        name = declared.name
        columns = spread(arrays, frame.shape)
        match name:
            case "where":
                values = chosen(arrays, frame.shape, self._not_zero, self.prime)
            case "div":
                values = [self._quotient(*pair) for pair in zip(*columns, strict=True)]
            case "pow":
                values = [self._power(*pair) for pair in zip(*columns, strict=True)]
            case "cast":
                values = self._cast(columns[0], frame)
            case "maximum" | "minimum":
                values = [self._largest(name, pair) for pair in zip(*columns, strict=True)]
            case _ if name in COMPARISONS:
                values = [compared(name, pair[0], pair[1], self._truth) for pair in zip(*columns, strict=True)]
            case _:
                values = self._unknown_map(declared, columns, frame)
        self._signs.learn_call(name, columns, values)
        return elements(frame.shape, values)

    def _unknown_map(self, declared: Operation, columns: list[list[int]], frame: Frame) -> list[int]:
        shapes = [(1,)] * len(columns)
        alone = linear_operand(declared.signature(shapes, frame.attributes))
        attributes = said(declared, frame)
        rest = [column for number, column in enumerate(columns) if number != alone]
        rows = zip(*rest, strict=True) if rest else iter([()] * len(columns[0]))
        hashes = [self._hash(declared.name, attributes, each) for each in rows]
        if alone is None:
            return hashes
        return [factor * each % self.prime for factor, each in zip(hashes, columns[alone], strict=True)]

    def _quotient(self, above: int, below: int) -> int:
        """Return a quotient; division by 0 gives an unknown that differs for each dividend."""
        return above * pow(below, -1, self.prime) % self.prime if below else self._hash("infinite", above)

    def _power(self, base: int, exponent: int) -> int:
        return pow(base, exponent, self.prime) if is_power(exponent) else self._hash("pow", base, exponent)

    def _cast(self, values: list[int], frame: Frame) -> list[int]:
        """Return the values after a cast: unchanged if it only rounds, else unknowns.

        A product of an integer and a fraction may have an integer type without being an integer.
        """
        target, known = DType(str(frame.attributes[0])), frame.types[0] if frame.types else None
        if target is DType.BOOL:
            return [self._not_zero(value) for value in values]
        made = [self._cast_value(value, target, None if known is None else DType(known)) for value in values]
        if target.is_whole:
            self._wholes.update(made)
        return made

    def _cast_value(self, value: int, target: DType, known: DType | None) -> int:
        """Cast one element and record its type, so that a cast to a larger type and back changes nothing."""
        least = self._types.get(value, known)
        if least is None and value in self._written and not target.is_whole:
            return value
        whole = value in self._wholes or value in self._truths
        if least is not None and least.fits(target) and (whole or not target.is_whole):
            self._types[value] = least
            return value
        # Not linear: 0.5 + 0.5 is 1, and each half is cut off to 0.
        made = self._hash("cast", str(target), value)
        self._types[made] = target
        return made

    def _guard(self, declared: Operation, arrays: Sequence[Array], frame: Frame) -> None:
        """Record the conditions under which the operation is defined, unless signs imply them."""
        for number, signs in declared.domain:
            for value in {*flat(arrays[number])}:
                if self._signs.of(value) & ~signs:
                    self.guards.add((declared.name, value))
        for number, parameter in enumerate(declared.parameters):
            if parameter.name == "eps" and real_number(frame.attributes[number]) <= 0:
                self.guards.add((declared.name, self._hash([array.tolist() for array in arrays])))
        if declared.name == "pow":
            base, exponent = np.broadcast_arrays(*arrays)
            for pair in {*zip(flat(base), flat(exponent), strict=True)}:
                if not is_power(pair[1]) and self._signs.of(pair[0]) != POSITIVE:
                    self.guards.add(("pow", self._hash(pair)))

    def _learn(self, operation: str, arrays: Sequence[Array], result: Array, frame: Frame) -> None:
        """Record the signs of sums and products; moved elements keep their signs."""
        values = flat(result)
        if operation in ("add", "sub", "mul", "neg"):
            self._signs.learn_call(operation, spread(arrays, result.shape), values)
        elif operation in ("sum", "sum_kept"):
            for row, value in zip(rows_reduced(arrays[0], frame), values, strict=True):
                self._signs.learn_reduction("sum", row, value)
