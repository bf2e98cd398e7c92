"""Sign analysis: the signs that a value can have wherever it is defined, needed for divisors, roots and logarithms.

Abstract interpretation over the sign domain (Cousot and Cousot, "Abstract interpretation", POPL 1977): each value has a
set of possible signs, encoded in three bits, and operations map sets to sets through 8 x 8 tables:
    signs(A op B) = union over a in A, b in B of the signs of a op b.
`Signs` stores them per field element: equal elements are the same rational function, except with negligible
probability, so facts about one expression hold for the other. Moving or repeating elements needs no rule.

Complexity: one lookup per element and operation.

Example: exp(x) is POSITIVE, x * x is NOT_NEGATIVE, so x * x + exp(x) is POSITIVE and may be a divisor.

    >>> ADDED[NOT_NEGATIVE][POSITIVE] == POSITIVE
    True
"""

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

NEGATIVE, ZERO, POSITIVE = 1, 2, 4
NOT_NEGATIVE, NOT_POSITIVE, ANY = ZERO | POSITIVE, ZERO | NEGATIVE, NEGATIVE | ZERO | POSITIVE
_VALUES = ((NEGATIVE, -1), (ZERO, 0), (POSITIVE, 1))


def sign_of(value: float) -> int:
    """Return the sign of a number; any sign for NaN."""
    return POSITIVE if value > 0 else NEGATIVE if value < 0 else ZERO if value == 0 else ANY


def _table(combined: Callable[[int, int], int]) -> tuple[tuple[int, ...], ...]:
    """Return a table of result signs for every pair of sign sets, given the operation on representative values."""
    return tuple(
        tuple(
            reduce(
                lambda found, each: found | each,
                (combined(a, b) for one, a in _VALUES if left & one for other, b in _VALUES if right & other),
                0,
            )
            for right in range(ANY + 1)
        )
        for left in range(ANY + 1)
    )


def _added(left: int, right: int) -> int:
    return ANY if left * right < 0 else sign_of(left + right)


ADDED = _table(_added)
MULTIPLIED = _table(lambda left, right: sign_of(left * right))
LARGER = _table(lambda left, right: sign_of(max(left, right)))
SMALLER = _table(lambda left, right: sign_of(min(left, right)))
NEGATED = tuple(MULTIPLIED[signs][NEGATIVE] for signs in range(ANY + 1))
SQUARED = tuple(POSITIVE * bool(signs & ~ZERO) | signs & ZERO for signs in range(ANY + 1))
"""The signs of x * x and of |x|."""

ALWAYS: Mapping[str, int] = {
    "exp": POSITIVE,
    "sigmoid": POSITIVE,
    "softmax": POSITIVE,
    "rsqrt": POSITIVE,
    "gt": NOT_NEGATIVE,
    "ge": NOT_NEGATIVE,
    "lt": NOT_NEGATIVE,
    "eq": NOT_NEGATIVE,
    "topk_indices": NOT_NEGATIVE,
}
"""Operations whose results always have these signs."""
_SAME = ("tanh", "erf", "atan", "sign", "silu", "gelu")


def _of_one(name: str, signs: int) -> int:
    """Return the signs of a unary operation's result."""
    match name:
        case "neg":
            return NEGATED[signs]
        case "abs":
            return SQUARED[signs]
        case "relu":
            return signs & POSITIVE | (ZERO if signs & NOT_POSITIVE else 0)
        case "sqrt":
            return signs & NOT_NEGATIVE or ANY
        case _:
            return signs if name in _SAME else ANY


_OF_TWO: Mapping[str, Callable[[int, int], int]] = {
    "add": lambda left, right: ADDED[left][right],
    "sub": lambda left, right: ADDED[left][NEGATED[right]],
    "mul": lambda left, right: MULTIPLIED[left][right],
    # Where the quotient is defined the divisor is not 0, and a quotient has the sign of the product.
    "div": lambda left, right: MULTIPLIED[left][right & ~ZERO],
    "maximum": lambda left, right: LARGER[left][right],
    "minimum": lambda left, right: SMALLER[left][right],
    "pow": lambda left, _: POSITIVE if left == POSITIVE else ANY,
}
_OF_ONE = ("neg", "abs", "sqrt", "relu", *_SAME)


MOST_POWER = 64


def is_power(element: int) -> bool:
    """True if an element is a small nonnegative integer, so that raising to it is repeated multiplication."""
    return element <= MOST_POWER


class Signs:
    """Known signs of the elements of one field."""

    def __init__(self) -> None:
        self._known: dict[int, int] = {0: ZERO}

    def of(self, value: int) -> int:
        """Return the signs that an element can have."""
        return self._known.get(value, ANY)

    def learn(self, value: int, signs: int) -> None:
        """Record that an element has one of these signs, intersected with what is already known."""
        if signs != ANY:
            # Two derivations of one value both hold; if they contradict each other, the value is never defined.
            self._known[value] = self._known.get(value, ANY) & signs or signs

    def learn_call(self, name: str, operands: Sequence[Sequence[int]], results: Sequence[int]) -> None:
        """Record the result signs of a pointwise operation, element by element."""
        if name in ALWAYS:
            for value in results:
                self.learn(value, ALWAYS[name])
        elif name in _OF_ONE:
            of = self._known.get
            for value, operand in zip(results, operands[0], strict=True):
                self.learn(value, _of_one(name, of(operand, ANY)))
        elif name in _OF_TWO:
            for value, left, right in zip(results, *operands, strict=True):
                self.learn(value, self._of_pair(name, left, right))
        elif name == "where":
            for value, _, then, otherwise in zip(results, *operands, strict=True):
                self.learn(value, self.of(then) | self.of(otherwise))

    def _of_pair(self, name: str, left: int, right: int) -> int:
        if (name == "mul" and left == right) or (name == "pow" and is_power(right) and right % 2 == 0):
            return SQUARED[self.of(left)]
        return _OF_TWO[name](self.of(left), self.of(right))

    def learn_reduction(self, name: str, elements: Sequence[int], result: int) -> None:
        """Record the sign of a sum, a maximum or a minimum of elements."""
        table = {"sum": ADDED, "max": LARGER, "min": SMALLER}[name]
        if elements:
            self.learn(result, reduce(lambda left, right: table[left][right], map(self.of, elements)))
