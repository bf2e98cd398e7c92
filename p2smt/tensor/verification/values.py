"""Test values for programs: all signs, zeros, ties, boolean rows, and numbers that the programs mention.

Random values would never take the branch of x > 3, or hit the ignored target -100. Literals of a program, and
numbers next to them, are therefore among its test values. Elements without a value, such as the root of a negative
number, are not compared here, but by `Definedness`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isfinite

import numpy as np

from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Number
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.operation import Array
from p2smt.tensor.program import Program
from p2smt.tensor.reals import Reals
from p2smt.tensor.verification.effort import effort
from p2smt.tensor.verification.whole_numbers import WholeNumbers

TOLERANCE = 1e-6
_MOST_REAL = 20
"""The largest absolute test value; larger ones would lose the compared digits."""
_MOST_WHOLE = 10**6


def constants(*programs: Program) -> tuple[float, ...]:
    """Return the finite literals of programs, and the fill values of constants."""
    found = {float(part.value) for program in programs for part in program.expressions() if isinstance(part, Number)}
    found |= {float(source.value) for program in programs for source in program.sources}
    return tuple(sorted(value for value in found if isfinite(value)))


class WideReals(Reals):
    """Test values with both signs, zeros, ties and mentioned numbers, in proportions that depend on the seed."""

    def __init__(self, seed: int = 0, mentioned: tuple[float, ...] = ()) -> None:
        super().__init__(seed)
        self._kind = seed % 3
        self._wholes = [each for each in mentioned if each == int(each) and abs(each) <= _MOST_WHOLE]
        self._reals = [each for each in mentioned if abs(each) <= _MOST_REAL]

    def random(self, shape: tuple[int, ...], dtype: DType) -> Array:
        """Return random values; boolean rows may be constant, and integers may all be equal."""
        match dtype:
            case DType.I32 | DType.I64:
                return self._whole_numbers(shape)
            case DType.BOOL:
                return self._truths(shape)
            case DType.F16 | DType.BF16 | DType.F32 | DType.F64:
                return self._real_numbers(shape)

    def summands(self, reduction: ReductionOp, array: Array, count: int) -> list[Array]:
        """Return `count` random arrays whose reduction is this array."""
        match reduction:
            case ReductionOp.SUM:
                others = [self._random.integers(-4, 5, array.shape) / 2 for _ in range(count - 1)]
                return [*others, array - sum(others)]
            case ReductionOp.MAX:
                sign = -1
            case ReductionOp.MIN:
                sign = 1
        winner = self._random.integers(0, count, array.shape)
        # Gaps of 0 give ties, gaps of infinity stand for ranks without elements.
        away = [self._random.choice([0, 0.5, 1, 2.5, np.inf], array.shape) for _ in range(count)]
        return [np.where(winner == rank, array, array + (sign * each)) for rank, each in enumerate(away)]

    def equal(self, left: Array, right: Array) -> bool:
        """True within 1e-6, relative to the larger of 1 and the values, for elements that are finite in both."""
        if left.shape != right.shape:
            return False
        # Infinite and undefined elements count as equal here; `Definedness` compares those.
        known = np.isfinite(left) & np.isfinite(right)
        return bool(np.allclose(np.where(known, left, 0), np.where(known, right, 0), TOLERANCE, TOLERANCE))

    def _whole_numbers(self, shape: tuple[int, ...]) -> Array:
        # Of one kind they are indices of anything: where one is out of range, a sum over all of them is no number.
        are_indices = self._kind == 2
        drawn = self._random.integers(0, 2 if are_indices else 7, shape).astype(np.float64)
        if self._kind == 1:
            drawn[...] = self._random.integers(0, 3)
        if self._wholes:
            # A third of them at, or one beside, a number that the programs mention: both sides of a branch.
            wholes, beside = self._wholes, [0, 0, -1, 1]
            if are_indices:
                wholes, beside = [each for each in wholes if each not in (0, 1)] or wholes, [0]
            near = self._random.choice(wholes, shape) + self._random.choice(beside, shape)
            drawn = np.where(self._random.random(shape) < 0.3, near, drawn)
        return drawn

    def _truths(self, shape: tuple[int, ...]) -> Array:
        drawn = self._random.integers(0, 2, shape).astype(np.float64)
        for dimension in range(len(shape)):
            if self._kind > 0 and shape[dimension]:
                at = (slice(None),) * dimension + (self._random.integers(shape[dimension]),)
                drawn[at] = self._random.integers(0, 2)
        return drawn

    def _real_numbers(self, shape: tuple[int, ...]) -> Array:
        # Multiples of 1/2 make ties and zeros likely, which a continuous distribution never gives.
        grid = self._random.integers(-4, 5, shape) / 2
        spread = self._random.uniform(-3, 3, shape)
        drawn = np.where(self._random.random(shape) < (0.9, 0.3, 0.5)[self._kind], grid, spread)
        if self._reals:
            near = self._random.choice(self._reals, shape) + self._random.choice([0, 0, -0.5, 0.5], shape)
            drawn = np.where(self._random.random(shape) < 0.2, near, drawn)
        return np.asarray(drawn, dtype=np.float64)


class Definedness(WideReals):
    """Compares only whether each element is finite, infinite or NaN."""

    def equal(self, left: Array, right: Array) -> bool:
        """True if each element is finite in both arrays, the same infinity, or NaN in both."""
        if left.shape != right.shape:
            return False
        known = np.isfinite(left) & np.isfinite(right)
        return bool(np.all(known | (np.isnan(left) & np.isnan(right)) | (left == right)))


@dataclass(frozen=True, slots=True)
class Trial:
    """One set of test values; random operations depend on `step`, the training step."""

    kind: type[Reals]
    seed: int
    mentioned: tuple[float, ...]

    @property
    def meaning(self) -> Reals:
        """Return the arithmetic that draws this trial's values."""
        return self.kind(self.seed, self.mentioned) if issubclass(self.kind, WideReals) else self.kind(self.seed)

    @property
    def step(self) -> int:
        """The training step; each seed has its own."""
        return self.seed + 1


_FEW: tuple[tuple[type[Reals], int], ...] = ((WholeNumbers, 0), (Reals, 0), (WideReals, 0), (WideReals, 1))
_MORE: tuple[tuple[type[Reals], int], ...] = (
    (WholeNumbers, 1),
    (Reals, 1),
    *((WideReals, each) for each in range(2, 6)),
)
MANY_FLOPS = 50_000_000
"""Above this number of operations, only the first few sets of values are tried."""


def trials(*programs: Program) -> Iterator[Trial]:
    """Yield trials: easy-to-follow values first, then values with defined roots and logarithms, then any."""
    mentioned = constants(*programs)
    few = sum(effort(program).flops for program in programs) > MANY_FLOPS
    kinds = _FEW if few else (*_FEW, *_MORE)
    yield from (Trial(kind, seed, mentioned) for kind, seed in kinds)


def of_definedness(*programs: Program) -> Iterator[Trial]:
    """Yield the trials of arbitrary values, which check whether results are defined."""
    for trial in trials(*programs):
        if trial.kind is WideReals:
            yield replace(trial, kind=Definedness)
