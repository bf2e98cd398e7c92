"""A field with identities for exponentials, logarithms, roots and functions composed of them.

    exp(a - b) = exp(a) / exp(b)    log(s / exp(m)) = log(s) - m    sqrt(s) * sqrt(s) = s    rsqrt(s) = 1 / sqrt(s)
    relu(x) = x * [x > 0]           [relu(x) > 0] = [x > 0]         silu(x) = x * sigmoid(x)
    sigmoid(x) = exp(x) / (1 + exp(x))                              log(1 + exp(-|x|)) = log(1 + exp(-x)) + min(x, 0)

Each is an identity of real numbers where both sides are defined; the last one is the overflow-safe logarithm of a
sigmoid. The two ways of computing a softmax block by block are thus equal: with block maxima (Milakov and
Gimelshein, "Online normalizer calculation for softmax", 2018), and with logarithms of block sums, as in ring
attention (Liu, Zaharia and Abbeel, "Ring Attention with Blockwise Transformers", 2023).

Example: the sum of exp(x - m) over all ranks is N / exp(m) with N = sum of exp(x); its logarithm is log(N) - m. For
two blocks with sums M and N, log(M) - log_sigmoid(log(M) - log(N)) is log(M + N).
"""

from collections.abc import Callable, Mapping, Sequence
from math import isfinite

from p2smt.tensor.field.radicals import fraction_of, is_smooth, nearest, root_of
from p2smt.tensor.field.signs import POSITIVE, sign_of
from p2smt.tensor.field.unknown import elements, flat, spread
from p2smt.tensor.frame import Frame
from p2smt.tensor.operation import Array, Operation
from p2smt.tensor.ranks.indexed_field import IndexedField

MOST_TERMS = 8
"""The largest number of terms of a sum whose exponential is expanded to a product."""
_SIGNED = {"add": (1, 1), "sub": (1, -1), "neg": (-1,)}


class ExponentialField(IndexedField):
    """A prime field with identities of exponentials, logarithms and roots.

    Elements are integers in object arrays.
    """

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._terms: dict[int, Mapping[int, int]] = {}
        self._logs: dict[int, int] = {}
        self._roots: dict[int, int] = {}
        self._cut_at_zero: dict[int, int] = {}
        self._scaled: dict[int, tuple[int, int]] = {}
        self._radicals: set[int] = set()
        self.nearest: set[float] = set()
        """Float literals that were replaced by the nearest fraction or root."""
        self._absolutes: dict[int, int] = {}
        self._decays: dict[int, int] = {}
        self._softened: dict[int, int] = {}
        self._known: Mapping[str, Callable[..., int]] = {
            "exp": self._exp,
            "log": self._log,
            "sqrt": self._root,
            "rsqrt": self._inverse_root,
            "relu": self._relu,
            "relu_backward": self._relu_backward,
            "silu": self._silu,
            "silu_backward": self._silu_backward,
            "sigmoid": self._sigmoid,
            "abs": self._absolute,
        }

    def _computed(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        made = super()._computed(operation, arrays, frame)
        if operation in _SIGNED:
            self._learn_terms(operation, arrays, made)
        elif operation == "mul" and self._roots:
            self._square(arrays, made)
        if operation == "add":
            self._learn_quotients(arrays, made)
        return made

    def _learn_terms(self, operation: str, arrays: Sequence[Array], made: Array) -> None:
        """Record the terms of sums with their multiplicities; minus infinity absorbs numbers."""
        factors = _SIGNED[operation]
        values = flat(made)
        for position, row in enumerate(zip(*spread(arrays, made.shape), strict=True)):
            if self._has_infinite and self._infinite in row:
                if operation == "add" or (operation == "sub" and row[1] != self._infinite):
                    values[position] = self._infinite
                else:
                    self.guards.add((operation, self._infinite))
                continue
            if values[position] in self._terms:
                continue
            terms: dict[int, int] = {}
            for value, factor in zip(row, factors, strict=True):
                for term, count in self._terms_of(value).items():
                    terms[term] = terms.get(term, 0) + factor * count
            terms = {term: count for term, count in terms.items() if count}
            if len(terms) <= MOST_TERMS:
                self._terms[values[position]] = terms
        if self._has_infinite:
            made[...] = elements(made.shape, values)

    def _terms_of(self, value: int) -> Mapping[int, int]:
        return self._terms.get(value) or ({value: 1} if value else {})

    def _square(self, arrays: Sequence[Array], made: Array) -> None:
        values = flat(made)
        for position, (left, right) in enumerate(zip(*spread(arrays, made.shape), strict=True)):
            if left == right and left in self._roots:
                values[position] = self._roots[left]
        made[...] = elements(made.shape, values)

    def _power(self, base: int, exponent: int) -> int:
        root = self._roots.get(base)
        return super()._power(base, exponent) if root is None or exponent != 2 else root

    def _unknown_map(self, declared: Operation, columns: list[list[int]], frame: Frame) -> list[int]:
        known = self._known.get(declared.name)
        if known is None:
            return super()._unknown_map(declared, columns, frame)
        return [known(*row) % self.prime for row in zip(*columns, strict=True)]

    def _relu(self, value: int) -> int:
        made = value * self._truth("gt", value, 0) % self.prime
        self._cut_at_zero[made] = value
        return made

    def _relu_backward(self, gradient: int, value: int) -> int:
        return gradient * self._truth("gt", self._cut_at_zero.get(value, value), 0)

    def _silu(self, value: int) -> int:
        return value * self._sigmoid(value)

    def _silu_backward(self, gradient: int, value: int) -> int:
        share = self._sigmoid(value)
        return gradient * share * (1 + value * (1 - share))

    def _sigmoid(self, value: int) -> int:
        power = self._exp(value)
        made = power * self._inverse(1 + power) % self.prime
        self._signs.learn(made, POSITIVE)
        return made

    def _absolute(self, value: int) -> int:
        number = self.constant(value)
        if number is not None:
            return abs(number)
        made = self._hash("abs", min(value, self.prime - value))
        self._absolutes[made] = value
        return made

    def _inverse_root(self, value: int) -> int:
        return self._inverse(self._root(value))

    def _inverse(self, value: int) -> int:
        return pow(value, -1, self.prime) if value % self.prime else 0

    def _number(self, value: float) -> int:
        """Return a literal; a float with many digits is replaced by the nearest small fraction or root."""
        found = nearest(abs(value)) if isfinite(value) else None
        if found is None:
            return super()._number(value)
        fraction, roots = found
        made: int | None = fraction.numerator * self._inverse(fraction.denominator) % self.prime
        for _ in range(roots):
            made = None if made is None else self._root_of_number(made, is_known=True)
        if made is None:
            return super()._number(value)
        self.nearest.add(abs(value))
        made = made if value > 0 else -made % self.prime
        self._signs.learn(made, sign_of(value))
        return made

    def _root_of_number(self, value: int, *, is_known: bool = False) -> int | None:
        """Return the root of a number composed of small primes and their roots; None for other numbers."""
        if not is_known and value not in self._radicals:
            fraction = fraction_of(value, self.prime)
            if fraction is None or fraction <= 0 or not is_smooth(fraction.numerator * fraction.denominator):
                return None
        root = root_of(value, self.prime)
        if root is not None:
            self._radicals.add(root)
            self._signs.learn(root, POSITIVE)
        return root

    def _root(self, value: int) -> int:
        number = self.constant(value)
        if number in (0, 1):
            return value
        if (known := self._root_of_number(value)) is not None:
            return known
        root = self._hash("sqrt", value)
        self._roots[root] = value
        return root

    def _exp(self, value: int) -> int:
        """Return the product of the exponentials of a sum's terms."""
        if self._has_infinite and value == self._infinite:
            return 0
        above = below = 1
        subtracted = []
        for term, count in self._terms_of(value).items():
            factor = self._factor(term)
            if count > 0:
                above = above * pow(factor, count, self.prime) % self.prime
            else:
                below = below * pow(factor, -count, self.prime) % self.prime
                subtracted.append((term, count))
        made = above * self._inverse(below) % self.prime
        # exp(-|x|): remembered, because log(1 + exp(-|x|)) is how stable implementations write
        # softplus.
        if (of := self._absolutes.get(-value % self.prime)) is not None:
            self._decays[made] = of
        # exp(a - b) with one b of multiplicity 1: remembered as a quotient, so that log can take b
        # out again.
        if len(subtracted) == 1 and subtracted[0][1] == -1:
            self._scaled.setdefault(made, (above, subtracted[0][0]))
        self._signs.learn(made, POSITIVE)
        return made

    def _log(self, value: int) -> int:
        # log(1) is the one logarithm that is an element of the field.
        """Return the logarithm of a value; for a quotient by an exponential, a difference."""
        if value == 1:
            return 0
        if (of := self._softened.get(value)) is not None:
            less = -of % self.prime
            self._terms.setdefault(less, {term: -count for term, count in self._terms_of(of).items()})
            power = self._exp(less)
            whole = 1 + power
            self._learn_quotients([elements((1,), [1]), elements((1,), [power])], elements((1,), [whole % self.prime]))
            inside, least = self._log(whole % self.prime), self._largest("minimum", [of, 0])
            made = (inside + least) % self.prime
            self._terms.setdefault(made, {**self._terms_of(inside), least: 1})
            return made
        # log(s / exp(m)) = log(s) - m, if the value was built as such a quotient.
        above, taken = self._scaled.get(value, (value, 0))
        made = self._hash("log", above)
        self._logs[made] = above
        if not taken:
            return made
        difference = (made - taken) % self.prime
        self._terms[difference] = {made: 1, taken: -1}
        return difference

    def _learn_quotients(self, arrays: Sequence[Array], made: Array) -> None:
        """Record sums that are quotients by an exponential: of two quotients by it, or of one and a number."""
        if not self._scaled:
            return
        for left, right, value in zip(*spread(arrays, made.shape), flat(made), strict=True):
            if left == 1 and right in self._decays:
                self._softened[value] = self._decays[right]
            elif right == 1 and left in self._decays:
                self._softened[value] = self._decays[left]
            terms = {self._scaled[each][1] for each in (left, right) if each in self._scaled}
            if len(terms) != 1 or value in self._scaled:
                continue
            (term,) = terms
            parts = [
                self._scaled[each][0] if each in self._scaled else each * self._factor(term)
                for each in (left, right)
                if each in self._scaled or self.constant(each) is not None
            ]
            if len(parts) == len((left, right)):
                self._scaled[value] = (sum(parts) % self.prime, term)

    def _factor(self, term: int) -> int:
        """Return the exponential of an element that is not a known sum."""
        factor = self._logs.get(term) or self._hash("exp", term)
        self._signs.learn(factor, POSITIVE)
        return factor

    def _learn_sum(self, row: Sequence[int], value: int) -> None:
        """Record that a sum of quotients by one exponential is again a quotient by it."""
        super()._learn_sum(row, value)
        # Zeros add nothing, whatever they are quotients by.
        found = {self._scaled[each][1] if each in self._scaled else -1 for each in row if each}
        if len(found) == 1 and -1 not in found:
            above = sum(self._scaled[each][0] for each in row if each) % self.prime
            self._scaled.setdefault(value, (above, found.pop()))
