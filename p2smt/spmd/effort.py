"""What operations take beside operations on numbers in contractions: to be begun, and by their kind."""

from dataclasses import dataclass
from fractions import Fraction
from math import prod

from p2smt.errors import ProblemError
from p2smt.problem.system.devices import SEND, Effort
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.signature import Signature
from p2smt.wording import did_you_mean

_DENOMINATOR = 1000


@dataclass(frozen=True, slots=True)
class Efforts:
    """All counted in operations on numbers of contractions: to begin an operation; one on numbers of each other kind.

    A weight is that of an operation's name, or else of its kind; where neither has one it is 1, or 0 of operations
    that move elements as they are, each of which counts. A device does as many in a second as its speed says.
    """

    start: int = 0
    weights: tuple[tuple[str, Fraction], ...] = ()

    def weight(self, operation: str) -> Fraction:
        """What an operation on numbers, or an element that is moved, counts as."""
        weights, kind = dict(self.weights), OPERATIONS[operation].kind
        usual = Fraction(0 if kind.moves else 1)
        return weights.get(operation, weights.get(kind.value, usual))

    def work(self, operation: str, flops: int, signature: Signature) -> Fraction:
        """What is divided among devices where an operation is cut that has so many operations on numbers."""
        weight = self.weight(operation)
        return weight * (prod(label.size for label in signature.labels) if _moves(operation) and weight else flops)

    @property
    def send(self) -> Fraction:
        """What a byte counts as that a device sends, and gets as well; 0 where others than the device carry it."""
        return dict(self.weights).get(SEND, Fraction(0))

    def begin(self, operation: str) -> int:
        """What every device has to do besides; a new version is no operation, it takes the place of the old one."""
        return 0 if OPERATIONS[operation].kind is Kind.UPDATE else self.start


PLAIN = Efforts()
"""All operations on numbers are alike."""


def efforts_of(effort: Effort | None) -> Efforts:
    """The efforts of a system. ProblemError for names of no operation and no kind of them."""
    if effort is None:
        return PLAIN
    known = [*(kind.value for kind in Kind), *OPERATIONS, SEND]
    for name, _ in effort.weights:
        if name not in known:
            meant = did_you_mean(name, known)
            raise ProblemError(
                f"effort: {name[:40]!r} is no operation and no kind of them, which are {', '.join(Kind)}{meant}"
            )
    weights = tuple((name, Fraction(weight).limit_denominator(_DENOMINATOR)) for name, weight in effort.weights)
    return Efforts(round(effort.start), weights)


def counted(operation: str) -> int:
    """Operations on numbers, or elements moved, for each combination of indices of an operation's labels."""
    return 1 if _moves(operation) else OPERATIONS[operation].flops


def _moves(operation: str) -> bool:
    return OPERATIONS[operation].kind.moves
