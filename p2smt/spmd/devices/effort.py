"""Cost weights of operations other than contractions: to be begun, and by their kind."""

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
    """All counted in operations on numbers of contractions: to begin an operation; one on numbers of each other kind.

    A weight is that of an operation's name, or else of its kind; where neither has one it is 1, or 0 of operations
    that move elements as they are, each of which counts. A contraction takes what its operations on numbers do or what
    its elements do, those read and those written, whichever is more (a roofline): one of many small matrices has many
    elements for each operation. Not where its name has a weight. A device does as many in a second as its speed says.
    """

    start: int = 0
    weights: tuple[tuple[str, Fraction], ...] = ()

    def weight(self, operation: str) -> Fraction:
        """The weight of an operation on numbers, or of an element that is moved."""
        weights, kind = dict(self.weights), OPERATIONS[operation].kind
        usual = Fraction(0 if kind.moves else 1)
        return weights.get(operation, weights.get(kind.value, usual))

    def unit(self, operation: str, signature: Signature) -> Fraction:
        """The same, or where it is more the elements of a contraction; they are divided as its operations are."""
        weights, weight = dict(self.weights), self.weight(operation)
        each, labels = counted(operation, signature)
        flops = each * prod(label.size for label in labels)
        # only: rooflines are of contractions; others count operations or elements
        if OPERATIONS[operation].kind is not Kind.CONTRACT or operation in weights or not flops:
            return weight
        elements = weights.get(ELEMENT, Fraction(0)) * signature.elements
        return max(weight, (elements / flops).limit_denominator(_DENOMINATOR))

    def work(self, operation: str, flops: int, signature: Signature) -> Fraction:
        """The work that is divided among devices if an operation with that many operations on numbers is cut."""
        return self.unit(operation, signature) * (prod(signature.shape) if moves(operation) else flops)

    @property
    def send(self) -> Fraction:
        """The weight of a byte that a device sends, and receives as well; 0 if others than the device carry it."""
        return dict(self.weights).get(SEND, Fraction(0))

    def begin(self, operation: str) -> int:
        """Work that every device has besides; a new version is not an operation, it replaces the old one."""
        return 0 if OPERATIONS[operation].kind is Kind.UPDATE else self.start  # only: an update computes nothing


PLAIN = Efforts()
"""The weights under which all operations on numbers count alike."""


def efforts_of(effort: Effort | None) -> Efforts:
    """The efforts of a system. ProblemError for names of no operation and no kind of them."""
    if effort is None:
        return PLAIN
    known = [*(kind.value for kind in Kind), *OPERATIONS, SEND, ELEMENT]
    for name, _ in effort.weights:
        if name not in known:
            meant = did_you_mean(name, known)
            raise ProblemError(
                f"effort: {name[:40]!r} is no operation and no kind of them, which are {', '.join(Kind)}{meant}"
            )
    weights = tuple((name, Fraction(weight).limit_denominator(_DENOMINATOR)) for name, weight in effort.weights)
    return Efforts(round(effort.start), weights)


def counted(operation: str, signature: Signature) -> tuple[int, tuple[Label, ...]]:
    """Operations on numbers, or elements moved, for each combination of indices of labels; and these labels."""
    if moves(operation):
        made = {dimension.label for dimension in signature.result}
        granules = prod(dimension.granule for dimension in signature.result)
        return granules, tuple([label for label in signature.labels if label.name in made])
    declared = OPERATIONS[operation]
    return declared.flops, tuple([label for label in signature.labels if label.name not in declared.uncounted])


def moves(operation: str) -> bool:
    """True if the elements that an operation moves are what counts: those of its result."""
    return OPERATIONS[operation].kind.moves
