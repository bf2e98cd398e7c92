"""Cost weights of operations that are not contractions: a start-up cost, and a weight for each kind of operation."""

from dataclasses import dataclass
from fractions import Fraction
from math import prod

from p2smt.errors import ProblemError
from p2smt.problem.system.devices import ELEMENT, SEND, Effort
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.signature import Label, Signature
from p2smt.wording import did_you_mean

_DENOMINATOR = 1000


@dataclass(frozen=True, slots=True)
class Efforts:
    """Cost weights in units of one floating-point operation of a contraction.

    `start` is the cost of starting an operation. A weight applies to each arithmetic operation, or to each element
    for operations that only move data; it is looked up by the operation's name, then by its kind, and defaults to 1,
    or to 0 for data movement. A contraction without a weight of its own costs the larger of its arithmetic and its
    elements read and written (a roofline), since a batch of many small matrices has many elements per operation. A
    device's speed says how many such units it does in a second.
    """

    start: int = 0
    weights: tuple[tuple[str, Fraction], ...] = ()

    def weight(self, operation: str) -> Fraction:
        """Return the weight of one arithmetic operation, or of one element that is moved."""
        weights, kind = dict(self.weights), OPERATIONS[operation].kind
        usual = Fraction(0 if kind.moves else 1)
        return weights.get(operation, weights.get(kind.value, usual))

    def unit(self, operation: str, signature: Signature) -> Fraction:
        """Return the cost of one counted operation: its weight, or for contractions the cost of elements if higher."""
        weights, weight = dict(self.weights), self.weight(operation)
        each, labels = counted(operation, signature)
        flops = each * prod(label.size for label in labels)
        # only: rooflines are of contractions; others count operations or elements
        if OPERATIONS[operation].kind is not Kind.CONTRACT or operation in weights or not flops:
            return weight
        elements = weights.get(ELEMENT, Fraction(0)) * signature.elements
        return max(weight, (elements / flops).limit_denominator(_DENOMINATOR))

    def work(self, operation: str, flops: int, signature: Signature) -> Fraction:
        """Return the work that is divided among devices if an operation with this many flops is sharded."""
        return self.unit(operation, signature) * (prod(signature.shape) if moves(operation) else flops)

    @property
    def send(self) -> Fraction:
        """Return the weight of a byte that a device sends or receives; 0 if devices do not carry bytes themselves."""
        return dict(self.weights).get(SEND, Fraction(0))

    def begin(self, operation: str) -> int:
        """Return the start-up work on every device; 0 for an update, which only renames its operand."""
        return 0 if OPERATIONS[operation].kind is Kind.UPDATE else self.start  # only: an update computes nothing


PLAIN = Efforts()
"""Weights under which every arithmetic operation costs 1."""


def efforts_of(effort: Effort | None) -> Efforts:
    """Return the cost weights of a system. Raises ProblemError for a name that is neither an operation nor a kind."""
    if effort is None:
        return PLAIN
    known = [*(kind.value for kind in Kind), *OPERATIONS, SEND, ELEMENT]
    for name, _ in effort.weights:
        if name not in known:
            meant = did_you_mean(name, known)
            raise ProblemError(
                f"effort: {name[:40]!r} is neither an operation nor a kind of operation; the kinds are "
                f"{', '.join(Kind)}{meant}"
            )
    weights = tuple((name, Fraction(weight).limit_denominator(_DENOMINATOR)) for name, weight in effort.weights)
    return Efforts(round(effort.start), weights)


def counted(operation: str, signature: Signature) -> tuple[int, tuple[Label, ...]]:
    """Return the operations, or elements moved, per combination of indices of some labels, and these labels."""
    if moves(operation):
        made = {dimension.label for dimension in signature.result}
        granules = prod(dimension.granule for dimension in signature.result)
        return granules, tuple([label for label in signature.labels if label.name in made])
    declared = OPERATIONS[operation]
    return declared.flops, tuple([label for label in signature.labels if label.name not in declared.uncounted])


def moves(operation: str) -> bool:
    """True if an operation only moves data, so that it is counted by the elements of its result."""
    return OPERATIONS[operation].kind.moves
