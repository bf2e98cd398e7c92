"""Counter-based random bits: a function of seed, training step and global index, the same in every layout.

`dropout` decides from an element's bits whether it is kept; `uniform` derives a factor in [0, 1). Other distributions
are functions of `uniform` applied to ones.
An element has a word of 32 bits, the product modulo 2^32 of a row factor and a column factor:
    word(i, j) = (row(i) ^ a) * ((column(j) ^ c) * b),    row(i) = top(mix(... mix(mix(0) ^ i1) ... ^ in)) | 1,
    column(j) = top(mix(mix(1) ^ j)) | 1,    a, c even and b odd: the bits of mix(mix(seed) ^ step)
j is the index in the last dimension, i the indices in the others, `mix` is splitmix64 (a permutation of 64-bit words),
and `top` the upper half. An element thus costs one 32-bit multiplication; 64-bit arithmetic is needed only per row and
per column, and does not depend on the step. All factors are odd, so words along a row or a column are as uniform and
independent as their factors. The four corners of a rectangle are dependent, p11 * p22 = p12 * p21, but this does not
show in the upper bits, which dropout uses.
Reference: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011 (counters); Steele, Lea and Flood, "Fast
splittable pseudorandom number generators", 2014 (splitmix64).
"""

from collections.abc import Sequence
from math import ceil

import numpy as np
import numpy.typing as npt

from p2smt.problem.system.device_model import OperationKind
from p2smt.tensor.checks import real_number, whole_number
from p2smt.tensor.frame import Attributes, Frame, Interval, Intervals
from p2smt.tensor.operation import Array, Kind, Operation, Parameter, ParameterKind
from p2smt.tensor.operations.map import broadcast
from p2smt.tensor.signature import Shape, Signature, linear

Words = npt.NDArray[np.uint64]
_HALF = np.uint64(32)
_FIRST, _SECOND, _THIRD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def splitmix(words: Words) -> Words:
    """Apply the output function of splitmix64 (Steele, Lea, Flood, 2014), a permutation of 64-bit words."""
    # The three constants and shifts are those of the reference implementation of splitmix64.
    words = words + _FIRST
    words = (words ^ (words >> np.uint64(30))) * _SECOND
    words = (words ^ (words >> np.uint64(27))) * _THIRD
    return words ^ (words >> np.uint64(31))


def bits(seed: int, step: int, intervals: Intervals) -> Words:
    """Return 32 random bits for every index of these intervals.

    `bits(s, t, part)` equals the corresponding part of `bits(s, t, whole)`.
    """
    key = splitmix(splitmix(np.full(1, seed % 2**64, dtype=np.uint64)) ^ np.uint64(step % 2**64))
    even, odd = np.uint64(2**32 - 2), splitmix(key) >> _HALF | np.uint64(1)
    # An even number leaves the lowest bit alone, so rows stay odd and the product of two odd words
    # is a bijection in each factor: no word is favoured.
    rows, columns = _rows(intervals[:-1]) ^ (key & even), _columns(intervals[-1:]) ^ (key >> _HALF & even)
    words: Words = rows[..., None] * (columns * odd) & np.uint64(2**32 - 1)
    return words.reshape(tuple(interval.length for interval in intervals))


def _rows(intervals: Intervals) -> Words:
    words = splitmix(np.zeros((1,) * max(1, len(intervals)), dtype=np.uint64))
    for number, interval in enumerate(intervals):
        shape = tuple(interval.length if position == number else 1 for position in range(len(intervals)))
        words = splitmix(words ^ np.arange(interval.start, interval.stop, dtype=np.uint64).reshape(shape))
    # Of 64 mixed bits the upper half is kept: the lower bits of a product mix less.
    return words >> _HALF | np.uint64(1)


def _columns(intervals: Intervals) -> Words:
    (interval,) = intervals or (Interval(0, 1),)
    words = splitmix(np.ones(1, dtype=np.uint64)) ^ np.arange(interval.start, interval.stop, dtype=np.uint64)
    return splitmix(words) >> _HALF | np.uint64(1)


def least_kept(share: float) -> int:
    """Return the smallest word that dropout keeps.

    Words compare as signed 32-bit integers, of which -2^31 is the smallest.
    """
    return ceil(share * 2**32) - 2**31


def check_share(attributes: Attributes) -> None:
    """Raise ValueError unless the first attribute is a dropout probability: 0 <= share < 1."""
    if not 0 <= real_number(attributes[0]) < 1:
        raise ValueError(f"the dropout probability is {attributes[0]}; it must be at least 0 and less than 1")


def _signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    check_share(attributes)
    return broadcast(shapes, linear(0))


def _kept(attributes: Attributes, step: int, intervals: Intervals) -> npt.NDArray[np.bool_]:
    """Return the mask of the elements that dropout keeps."""
    words = bits(whole_number(attributes[1]), step, intervals)
    return words.astype(np.uint32).view(np.int32) >= least_kept(real_number(attributes[0]))


def dropped(array: Array, attributes: Attributes, step: int, intervals: Intervals) -> Array:
    """Apply dropout to the array at these intervals; the attributes begin with share and seed."""
    return array * _kept(attributes, step, intervals) / (1 - real_number(attributes[0]))


def _dropout(arrays: Sequence[Array], frame: Frame) -> Array:
    return dropped(arrays[0], frame.attributes, frame.step, frame.result)


def fractions(words: Words) -> Array:
    """Return the upper 24 bits of each word as a number in [0, 1), exact in float32.

    Words count as signed, as in `least_kept`: dropout keeps an element if its number is at least the share.
    """
    found: Array = ((words ^ np.uint64(2**31)) >> np.uint64(8)).astype(np.float64) * 2.0**-24
    return found


def _uniform_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    return broadcast(shapes, linear(0))


def _uniform(arrays: Sequence[Array], frame: Frame) -> Array:
    return arrays[0] * fractions(bits(whole_number(frame.attributes[0]), frame.step, frame.result))


_SEED = Parameter("seed", ParameterKind.WHOLE, 0)
DROPPED = (Parameter("share", ParameterKind.REAL), _SEED)
RANDOM = (
    Operation(
        name="dropout",
        kind=Kind.RANDOM,
        operands=1,
        signature=_signature,
        numpy=_dropout,
        torch="torch.nn.functional.dropout",
        emitted="dropped({0}, {share}, {seed}, step, {starts})",
        kernel=OperationKind.DROPOUT,
        parameters=DROPPED,
    ),
    Operation(
        name="uniform",
        kind=Kind.RANDOM,
        operands=1,
        signature=_uniform_signature,
        numpy=_uniform,
        torch="torch.rand_like",
        emitted="uniform({0}, step, {starts}, seed={seed})",
        kernel=OperationKind.DROPOUT,
        parameters=(_SEED,),
    ),
)
"""Each operation multiplies its operand by random factors.

Its gradient is the same operation with the same seed.
"""
