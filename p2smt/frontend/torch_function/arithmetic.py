"""Copies, additions, divisions and negations of buffer parts, to which all traced operations are lowered.

A tensor is a list of spans (buffer, start, length). Two lists of the same total length are cut at the ends of both, so
that an operation on tensors is one on pairs of equal spans (a merge). A product by a fraction n / d is binary
multiplication (Knuth, "The Art of Computer Programming 2", section 4.6.3), then one division:
    t = x;  for each bit of n behind the first:  t = t + t, and t = t + x if it is 1;  then t / d, and -t if negative.
Complexity: O(spans) for each operation, log2(n) doublings for a product.

Example: spans of 3 and 1 against 2 and 2 are the pairs of 2, 1 and 1; times 5 is t = x + x, t + t, + x.
"""

from collections.abc import Mapping
from fractions import Fraction
from math import isfinite

import torch

from p2smt.frontend.torch_function.events import AddEvent, CopyEvent, DivideEvent, NegateEvent, Span, ZeroEvent
from p2smt.frontend.torch_function.recorder import Recorder, Spans, TraceError

MOST_TIMES, MOST_PARTS = 2**32, 2**16
"""The largest numerator and denominator of a factor by which the payload is multiplied."""


def tensors_in(value: object) -> list[torch.Tensor]:
    """The tensors in arbitrarily nested lists and dictionaries."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, Mapping):
        value = list(value.values())
    elif not isinstance(value, list | tuple):
        return []
    return [tensor for inner in value for tensor in tensors_in(inner)]


def pieces(one: Spans, other: Spans) -> list[tuple[Span, Span]]:
    """Cut two lists of spans of the same total length into pairs of spans of equal length."""
    # Reversed, as stacks: the remainder of a longer span goes back on top.
    found, (left, right) = [], (list(one)[::-1], list(other)[::-1])
    while left and right:
        (a, i, n), (b, j, m) = left.pop(), right.pop()
        length = min(n, m)
        found.append(((a, i, length), (b, j, length)))
        if n > length:
            left.append((a, i + length, n - length))
        if m > length:
            right.append((b, j + length, m - length))
    return found


def copy(recorder: Recorder, source: torch.Tensor, target: torch.Tensor) -> None:
    """Copy a tensor to another, which may be larger if the source can be broadcast."""
    if not recorder.known(source):
        if recorder.known(target):
            raise TraceError(
                "values that do not come from the payload are written to it; only its parts, their sums and "
                "multiples are supported"
            )
        return
    if source.dtype != target.dtype and not (source.is_floating_point() and target.is_floating_point()):
        raise TraceError(
            f"the payload is converted to {target.dtype}; only conversions between floating-point types are supported"
        )
    source = source.expand(target.shape) if source.shape != target.shape else source
    for one, other in pieces(recorder.spans(source), recorder.spans(target)):
        recorder.add(CopyEvent(one, other))


def add(recorder: Recorder, source: torch.Tensor, target: torch.Tensor) -> None:
    """Add a tensor to another."""
    if source.numel() != target.numel() or not recorder.known(source):
        raise TraceError("a tensor is added to the payload that is not a part of it, or has another length")
    for one, other in pieces(recorder.spans(source), recorder.spans(target)):
        recorder.add(AddEvent(one, other))


def zero(recorder: Recorder, target: torch.Tensor) -> None:
    """Fill a tensor with zeros."""
    for span in recorder.spans(target):
        recorder.add(ZeroEvent(span))


def scale(recorder: Recorder, target: torch.Tensor, by: float) -> None:
    """Multiply a tensor by a fraction: binary multiplication by doubling and adding, then division, then negation."""
    size = abs(by)
    fraction = Fraction(size).limit_denominator(MOST_PARTS) if isfinite(by) else Fraction(0)
    if not fraction or abs(fraction - Fraction(size)) > 1e-6 * size or fraction.numerator > MOST_TIMES:
        raise TraceError(f"the payload is multiplied by {by}; only fractions of whole numbers are supported")
    if fraction.numerator > 1:
        once = torch.empty_like(target)
        copy(recorder, target, once)
        for digit in f"{fraction.numerator:b}"[1:]:
            add(recorder, target, target)
            if digit == "1":
                add(recorder, once, target)
    if fraction.denominator > 1 or fraction == 1:
        for span in recorder.spans(target):
            recorder.add(DivideEvent(span, fraction.denominator))
    if by < 0:
        negate(recorder, target)


def negate(recorder: Recorder, target: torch.Tensor) -> None:
    """Change the sign of a tensor."""
    for span in recorder.spans(target):
        recorder.add(NegateEvent(span))


def scaled(recorder: Recorder, tensor: torch.Tensor, by: float) -> torch.Tensor:
    """Return the tensor multiplied by a number, as a copy unless the number is 1."""
    if by == 1:
        return tensor
    other = torch.empty_like(tensor)
    copy(recorder, tensor, other)
    scale(recorder, other, by)
    return other
