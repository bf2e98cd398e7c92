"""Random bits by counter: a function of seed, step and global index, whatever the layout.

`dropout` takes from the bits of an element whether it is kept, `uniform` a factor from 0 to below 1; numbers of other
distributions are functions of `uniform` of ones.

An element's word has 32 bits: the product, modulo 2^32, of one for its row and one for its column,

    word(i, j) = (row(i) ^ a) * ((column(j) ^ c) * b),    row(i) = top(mix(... mix(mix(0) ^ i1) ... ^ in)) | 1,
    column(j) = top(mix(mix(1) ^ j)) | 1,    a, c even and b odd: the bits of mix(mix(seed) ^ step)

where j is the index in the last dimension, i those in the others, `mix` splitmix64 (a permutation of 64-bit words),
`top` the upper half. So an element costs one multiplication of 32 bits; 64-bit arithmetic is for its edges alone;
no step changes them. All factors are odd: along a row, and along a column, words are as uniform and independent as
their factors are. Four corners of a rectangle are not independent, p11 * p22 = p12 * p21; the upper bits, by which
dropout decides, do not show it.
"""

from collections.abc import Sequence
from math import ceil

import numpy as np
import numpy.typing as npt

from p2smt.problem.system.device_model import OperationKind
from p2smt.tensor.frame import Attributes, Frame, Interval, Intervals
from p2smt.tensor.operation import Array, Kind, Operation, Parameter, ParameterKind
from p2smt.tensor.operations.checks import real_number, whole_number
from p2smt.tensor.operations.map import broadcast
from p2smt.tensor.signature import Shape, Signature, linear

Words = npt.NDArray[np.uint64]
_HALF = np.uint64(32)
_FIRST, _SECOND, _THIRD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def splitmix(words: Words) -> Words:
    """The output function of splitmix64 (Steele, Lea, Flood, 2014) on each word: a permutation of 64-bit words."""
    # The three constants and shifts are those of the reference implementation of splitmix64.
    words = words + _FIRST
    words = (words ^ (words >> np.uint64(30))) * _SECOND
    words = (words ^ (words >> np.uint64(27))) * _THIRD
    return words ^ (words >> np.uint64(31))


def bits(seed: int, step: int, intervals: Intervals) -> Words:
    """32 random bits for every index of these intervals.

    Holds: `bits(s, t, part)` is the part of `bits(s, t, whole)` that lies there.
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
    """The least word that dropout keeps, in the order of signed numbers of 32 bits, that -2^31 is the first of."""
    return ceil(share * 2**32) - 2**31


def check_share(attributes: Attributes) -> None:
    """ValueError if the first attribute cannot be the share that is dropped."""
    if not 0 <= real_number(attributes[0]) < 1:
        raise ValueError(f"a share of {attributes[0]} is dropped; it has to be at least 0 and less than 1")


def _signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    check_share(attributes)
    return broadcast(shapes, linear(0))


def _kept(attributes: Attributes, step: int, intervals: Intervals) -> npt.NDArray[np.bool_]:
    """A mask of the elements that dropout keeps."""
    words = bits(whole_number(attributes[1]), step, intervals)
    return words.astype(np.uint32).view(np.int32) >= least_kept(real_number(attributes[0]))


def dropped(array: Array, attributes: Attributes, step: int, intervals: Intervals) -> Array:
    """Dropout of an array that lies there; the attributes begin with share and seed."""
    return array * _kept(attributes, step, intervals) / (1 - real_number(attributes[0]))


def _dropout(arrays: Sequence[Array], frame: Frame) -> Array:
    return dropped(arrays[0], frame.attributes, frame.step, frame.result)


def fractions(words: Words) -> Array:
    """The upper 24 bits of each word as a number from 0 to below 1, exact in 32-bit floating point.

    In the order of signed words, as `least_kept` has them: dropout keeps what is not below its share.
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
"""Each is its operand times random factors. So its gradient is the operation on the gradient, with the same seed."""
