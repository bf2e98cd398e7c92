"""A field with rules for selection by value: literals, indices with a known domain, and maxima.

- Comparisons of numbers are decided. Others are truth values of the difference, so `t - 3 == j` is `t == j + 3`, and
  `a >= b` is 1 - (b > a).
- An index t with a known domain is the sum of c * [t = c], where the [t = c] are random elements that sum to 1. A
  pointwise function of t is computed per case: f(t) = sum of f(c) * [t = c].
- A maximum of maxima is the maximum of all their elements; minus infinity is the least number.
Each rule is an identity of real numbers, so programs that agree in the field compute the same function.

    t = sum over c of c [t = c],    f(t) = sum over c of f(c) [t = c],    sum over c of [t = c] = 1.

Complexity: one evaluation for each case of an index.
Reference: Bryant, "Graph-based algorithms for Boolean function manipulation", 1986 (Shannon expansion).

Example: t has the domain 0, 1, 2, on the rank that holds classes 0 and 1 of the logits x. With e_c = [t = c], the
mask `t >= 2` is e_2, the index `where(mask, 0, t)` is e_1, and the picked logit, where the mask is 0, is e_0 x_0 +
e_1 x_1.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np

from p2smt.tensor.dtype import LARGEST_F16, DType
from p2smt.tensor.field.choices import LARGEST, rows_reduced
from p2smt.tensor.field.signs import NOT_NEGATIVE
from p2smt.tensor.field.unknown import elements, flat, spread
from p2smt.tensor.frame import Frame, whole
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.operation import Array, Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.prime_field import PrimeField

LARGEST_NUMBER = 2**20
"""Elements below this absolute value are read as integers; a random element is that small once in 2^40."""
_OF_TRUTHS = ("mul", "maximum", "minimum", "sub")
_KEEPING_INFINITY = ("add", "sub", "where", "maximum", "minimum", "exp", "cast", "gt", "ge", "lt", "eq")


@dataclass(frozen=True, slots=True)
class _Cases:
    """The value of an element in each case of an index."""

    index: int
    values: tuple[int, ...]


class ChoosingField(PrimeField):
    """A prime field with elements that depend on the case of an index.

    Elements are integers in object arrays.
    """

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._cases: dict[int, _Cases] = {}
        self._weights: list[tuple[int, ...]] = []
        self._sets: dict[tuple[str, int], frozenset[int]] = {}
        self._infinite = self._hash("minus infinity")
        self._has_infinite = False

    def indices(self, shape: tuple[int, ...], domain: Sequence[int]) -> Array:
        """Return random indices with this domain."""
        return elements(
            shape, [self._index([each % self.prime for each in domain]) for _ in range(int(np.prod(shape)))]
        )

    def _index(self, domain: Sequence[int]) -> int:
        weights = [self._random.randrange(self.prime) for _ in domain[1:]]
        self._weights.append((*weights, (1 - sum(weights)) % self.prime))
        return self._together(len(self._weights) - 1, domain)

    def _together(self, index: int, values: Sequence[int]) -> int:
        """Return the element with these values in the cases of an index: the sum of value(c) * [t = c]."""
        if len(set(values)) == 1:
            return values[0]
        pairs = zip(values, self._weights[index], strict=True)
        made = sum(value * weight for value, weight in pairs) % self.prime
        self._cases.setdefault(made, _Cases(index, tuple(values)))
        if self._truths.issuperset(values):
            self._truths.add(made)
        elif all(each in self._wholes or self.constant(each) is not None for each in values):
            self._wholes.add(made)
        self._signs.learn(made, reduce(lambda found, each: found | self._signs.of(each), values, 0))
        return made

    def _in_case(self, value: int, index: int, case: int) -> int:
        found = self._cases.get(value)
        return value if found is None or found.index != index else found.values[case]

    def constant(self, value: int) -> int | None:
        """Return the small integer that an element represents; None for other elements."""
        if value < LARGEST_NUMBER:
            return value
        return value - self.prime if self.prime - value < LARGEST_NUMBER else None

    def call(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        """Return the result of an operation on one rank's arrays."""
        if OPERATIONS[operation].kind is Kind.MAP:  # only: others are not pointwise
            return self._by_cases(operation, arrays, frame)
        made = self._computed(operation, arrays, frame)
        if operation in ("sum", "sum_kept"):
            for row, value in zip(rows_reduced(arrays[0], frame), flat(made), strict=True):
                self._learn_sum(row, value)
        return made

    def _computed(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        """Compute an operation without splitting elements into cases."""
        made = super().call(operation, arrays, frame)
        if operation in _OF_TRUTHS:
            self._learn_truths(operation, arrays, made)
        return made

    def _learn_truths(self, operation: str, arrays: Sequence[Array], made: Array) -> None:
        """Record results that are truth values: products, maxima and minima of truth values, and 1 minus one."""
        for left, right, value in zip(*spread([*arrays, made], made.shape), strict=True):
            if left in self._truths and right in self._truths and (operation != "sub" or left == 1):
                self._known_truth(value)

    def _by_cases(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        """Compute a pointwise operation; elements with cases are computed per case."""
        if self._is_infinity(operation, arrays):
            return elements((), [self._infinite])
        columns = spread(arrays, frame.shape)
        rows = list(zip(*columns, strict=True))
        if self._has_infinite and operation not in _KEEPING_INFINITY:
            self.guards |= {(operation, self._infinite) for row in rows if self._infinite in row}
        found: dict[int, list[int]] = {}
        if self._cases:
            for position, row in enumerate(rows):
                numbers = [self._cases[each].index for each in row if each in self._cases]
                if numbers:
                    found.setdefault(min(numbers), []).append(position)
        if not found:
            return self._computed(operation, arrays, frame)
        result = [0] * len(rows)
        tabled = {position for positions in found.values() for position in positions}
        rest = [position for position in range(len(rows)) if position not in tabled]
        for position, value in zip(rest, self._pointwise(operation, [rows[each] for each in rest], frame), strict=True):
            result[position] = value
        for index, positions in found.items():
            cases = range(len(self._weights[index]))
            wide = [
                tuple(self._in_case(each, index, case) for each in rows[position])
                for position in positions
                for case in cases
            ]
            values = self._pointwise(operation, wide, frame)
            for number, position in enumerate(positions):
                result[position] = self._together(index, values[number * len(cases) : (number + 1) * len(cases)])
        return elements(frame.shape, result)

    def _pointwise(self, operation: str, rows: Sequence[tuple[int, ...]], frame: Frame) -> list[int]:
        if not rows:
            return []
        columns = [elements((len(rows),), column) for column in zip(*rows, strict=True)]
        interval = whole((len(rows),))
        flat_frame = Frame(frame.attributes, (interval,) * len(columns), interval, frame.step, frame.types)
        return flat(self.call(operation, columns, flat_frame))

    def _is_infinity(self, operation: str, arrays: Sequence[Array]) -> bool:
        """True for -1 / 0, the notation for minus infinity."""
        if operation != "div" or any(array.shape for array in arrays):
            return False
        found = [self.constant(int(array[()])) for array in arrays] == [-1, 0]
        self._has_infinite = self._has_infinite or found
        return found

    def _learn_sum(self, row: Sequence[int], value: int) -> None:
        """Record the cases of a sum whose elements depend on at most one index."""
        found = {self._cases[each].index for each in row if each in self._cases}
        if len(found) == 1:
            (index,) = found
            sums = [
                sum(self._in_case(each, index, case) for each in row) % self.prime
                for case in range(len(self._weights[index]))
            ]
            if self._together(index, sums) == value:
                self._signs.learn_reduction("sum", row, value)

    def reduced(self, reduction: ReductionOp, arrays: Sequence[Array]) -> Array:
        """Return the elementwise reduction of arrays of equal shape."""
        columns = spread(arrays, arrays[0].shape)
        match reduction:
            case ReductionOp.SUM:
                made = super().reduced(reduction, arrays)
                for row, value in zip(zip(*columns, strict=True), flat(made), strict=True):
                    self._signs.learn_reduction("sum", row, value)
                    self._learn_sum(row, value)
                return made
            case ReductionOp.MAX:
                name = "maximum"
            case ReductionOp.MIN:
                name = "minimum"
        return elements(arrays[0].shape, [self._largest(name, row) for row in zip(*columns, strict=True)])

    def _largest(self, operation: str, row: Sequence[int]) -> int:
        """Return the maximum or minimum of a set.

        Nested maxima are flattened to their elements, and only the extreme one of several known numbers is
        kept.
        """
        kind = LARGEST[operation]
        # Nested maxima flatten to one set, so the order of taking them does not matter.
        members = {one for each in row for one in self._sets.get((kind, each), (each,))}
        numbers = {each: number for each in members if (number := self.constant(each)) is not None}
        # Of several known numbers only the largest (or smallest) can be the result.
        if len(numbers) > 1:
            best = max(numbers.values()) if kind == "max" else min(numbers.values())
            members = {each for each in members if numbers.get(each, best) == best}
        if kind == "max" and len(members) > 1:
            # Minus infinity is neutral for maxima: any other member is at least as large.
            members.discard(self._infinite)
        values = sorted(members)
        # Sorted, so equal sets have equal hashes.
        result = values[0] if len(values) == 1 else self._hash(kind, values)
        if len(values) > 1:
            self._sets[kind, result] = frozenset(values)
        self._signs.learn_reduction(kind, values, result)
        return result

    def _hit(self, index: int, of: int) -> int:
        """Return the truth value of index == class, in each case of the index."""
        cases = self._cases.get(index)
        if cases is None:
            return super()._hit(index, of)
        return self._together(cases.index, [self._hit(each, of) for each in cases.values])

    def _truth(self, *relation: object) -> int:
        """Return the truth value of a relation: decided for numbers, else an unknown of the difference."""
        match relation:
            case ("not zero", int(value)) if (number := self.constant(value)) is not None:
                return int(number != 0)
            case ("hit", int(index), int(of)) if (number := self.constant(index)) is not None:
                return int(number == of)
            case ("ge", int(left), int(right)):
                return self._known_truth(1 - self._truth("gt", right, left))
            case (str(name), int(left), int(right)) if name in _DECIDED:
                return self._decided(name, left, right)
            case _:
                return super()._truth(*relation)

    def _decided(self, name: str, left: int, right: int) -> int:
        if self._has_infinite and self._infinite in (left, right):
            return int(left == right) if name == "eq" else int(left != self._infinite)
        difference = (left - right) % self.prime
        if (number := self.constant(difference)) is not None:
            return int(_DECIDED[name](number))
        if name == "eq":
            difference = min(difference, self.prime - difference)
        return super()._truth(name, difference, 0)

    def _known_truth(self, value: int) -> int:
        found = value % self.prime
        self._truths.add(found)
        self._signs.learn(found, NOT_NEGATIVE)
        return found

    def _cast_value(self, value: int, target: DType, known: DType | None) -> int:
        number = self.constant(value)
        small = number is not None and abs(number) <= LARGEST_F16
        return value if small else super()._cast_value(value, target, known)


_DECIDED: dict[str, Callable[[int], bool]] = {"gt": lambda number: number > 0, "eq": lambda number: number == 0}
