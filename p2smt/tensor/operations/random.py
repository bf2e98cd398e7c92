"""Random bits by counter: a function of seed, step and global index, whatever the layout."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from p2smt.tensor.frame import Attributes, Frame, Intervals
from p2smt.tensor.operation import Array, Kind, Operation, Parameter, ParameterKind
from p2smt.tensor.operations.checks import real_number, whole_number
from p2smt.tensor.operations.map import broadcast
from p2smt.tensor.signature import Shape, Signature, linear

Words = npt.NDArray[np.uint64]
_FIRST, _SECOND, _THIRD = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)


def splitmix(words: Words) -> Words:
    """The output function of splitmix64 (Steele, Lea, Flood, 2014) on each word: a permutation of 64-bit words."""
    words = words + _FIRST
    words = (words ^ (words >> np.uint64(30))) * _SECOND
    words = (words ^ (words >> np.uint64(27))) * _THIRD
    return words ^ (words >> np.uint64(31))


def bits(seed: int, step: int, intervals: Intervals) -> Words:
    """64 random bits for every index of these intervals; each dimension's global index is mixed in by itself.

    Holds: `bits(s, t, part)` is the part of `bits(s, t, whole)` that lies there.
    """
    words = splitmix(np.full((1,) * max(1, len(intervals)), seed % 2**64, dtype=np.uint64))
    words = splitmix(words ^ np.uint64(step % 2**64))
    for number, interval in enumerate(intervals):
        shape = tuple(interval.length if position == number else 1 for position in range(len(intervals)))
        words = splitmix(words ^ np.arange(interval.start, interval.stop, dtype=np.uint64).reshape(shape))
    return np.broadcast_to(words if intervals else words[0], tuple(interval.length for interval in intervals))


def _signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    if not 0 <= real_number(attributes[0]) < 1:
        raise ValueError(f"a share of {attributes[0]} is dropped; it has to be at least 0 and less than 1")
    return broadcast(shapes, linear(0))


def kept(frame: Frame) -> npt.NDArray[np.bool_]:
    """Which elements dropout keeps."""
    share = real_number(frame.attributes[0])
    words = bits(whole_number(frame.attributes[1]), frame.step, frame.result)
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53 >= share


def _dropout(arrays: Sequence[Array], frame: Frame) -> Array:
    return arrays[0] * kept(frame) / (1 - real_number(frame.attributes[0]))


RANDOM = (
    Operation(name="dropout", kind=Kind.RANDOM, operands=1, signature=_signature, numpy=_dropout,
              torch="torch.nn.functional.dropout", emitted="dropped({0}, {share}, {seed}, step, {starts})",
              parameters=(Parameter("share", ParameterKind.REAL), Parameter("seed", ParameterKind.WHOLE, 0))),
)  # fmt: skip
"""The gradient of a dropout is the dropout of the gradient, with the same seed."""
