"""The field over which ranks are compared with one device: it knows what exponentials, logarithms and roots are.

    exp(a - b) = exp(a) / exp(b)    log(s / exp(m)) = log(s) - m    sqrt(s) * sqrt(s) = s    rsqrt(s) = 1 / sqrt(s)
    relu(x) = x * [x > 0]           silu(x) = x * sigmoid(x)

Softmax, its logarithm, layer norm, the root mean square and their backwards are written out. So a softmax is the same
whatever is taken away from its row first, and one that is put together of blocks with maxima of their own is that of
the row (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018). Each is an identity of real numbers
where both sides are defined.

Example: sum of exp(x - m) over all ranks is N / exp(m) with N = sum of exp(x); its logarithm log(N) - m, and
x - m - (log(N) - m) is log_softmax(x).
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from p2smt.tensor.field.signs import POSITIVE
from p2smt.tensor.field.unknown import elements, flat, spread
from p2smt.tensor.frame import Frame
from p2smt.tensor.operation import Array, Operation
from p2smt.tensor.operations.checks import real_number, whole_number
from p2smt.tensor.ranks.choosing_field import ChoosingField

MOST_TERMS = 8
"""Terms of a sum that its exponential is the product of."""
_SIGNED = {"add": (1, 1), "sub": (1, -1), "neg": (-1,)}


class RankField(ChoosingField):
    """Elements as whole numbers in arrays of objects; the key is the seed."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._terms: dict[int, Mapping[int, int]] = {}
        self._logs: dict[int, int] = {}
        self._roots: dict[int, int] = {}
        self._scaled: dict[int, tuple[int, int]] = {}
        self._rows: Mapping[str, Callable[..., list[int]]] = {
            "softmax": self._softmax, "log_softmax": self._log_softmax, "softmax_backward": self._softmax_backward,
            "log_softmax_backward": self._log_softmax_backward, "layernorm": self._layernorm,
            "layernorm_backward": self._layernorm_backward, "rms_norm": self._rms_norm,
            "rms_norm_backward": self._rms_norm_backward,
        }  # fmt: skip
        self._known: Mapping[str, Callable[..., int]] = {
            "exp": self._exp, "log": self._log, "sqrt": self._root, "rsqrt": self._inverse_root, "relu": self._relu,
            "relu_backward": self._relu_backward, "silu": self._silu, "silu_backward": self._silu_backward,
        }  # fmt: skip

    def call(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        """Return what an operation makes of one rank's arrays; the gradient of cross entropy is that of its parts."""
        if operation != "cross_entropy_backward":
            return super().call(operation, arrays, frame)
        gradient, shares, index = arrays
        picked = Frame(frame.attributes, (frame.operands[0], frame.operands[2]), frame.result, frame.step)
        put = super().call("pick_backward", [gradient, index], picked)
        rows = Frame((shares.ndim - 1,), (frame.result, frame.result), frame.result, frame.step)
        return super().call("log_softmax_backward", [put, shares], rows)

    def _computed(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        if operation in self._rows:
            return self._by_rows(arrays, frame, self._rows[operation])
        if operation == "cross_entropy_backward":
            return self._cross_entropy_backward(arrays, whole_number(frame.attributes[0]))
        made = super()._computed(operation, arrays, frame)
        if operation in _SIGNED:
            self._learn_terms(operation, arrays, made)
        elif operation == "mul" and self._roots:
            self._square(arrays, made)
        return made

    def _by_rows(self, arrays: Sequence[Array], frame: Frame, of_row: Callable[..., list[int]]) -> Array:
        """A function of rows along a dimension."""
        dim = whole_number(frame.attributes[0])
        eps = [self._number(real_number(each)) for each in frame.attributes[1:]]
        moved = [np.moveaxis(np.asarray(array, dtype=object), dim, -1) for array in arrays]
        made = np.empty(moved[0].shape, dtype=object)
        for at in np.ndindex(*moved[0].shape[:-1]):
            made[at] = of_row(*([int(each) for each in array[at]] for array in moved), *eps)
        return np.asarray(np.moveaxis(made, -1, dim), dtype=object)

    def _learn_terms(self, operation: str, arrays: Sequence[Array], made: Array) -> None:
        """The terms of sums, with how often each is added; minus infinity and a number are minus infinity."""
        factors = _SIGNED[operation]
        values = flat(made)
        for position, row in enumerate(zip(*spread(arrays, made.shape), strict=True)):
            if self._has_infinite and self._infinite in row:
                if row[0] == self._infinite and operation != "neg" and row[1] != self._infinite:
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
        return value * self._truth("gt", value, 0)

    def _relu_backward(self, gradient: int, value: int) -> int:
        return gradient * self._truth("gt", value, 0)

    def _silu(self, value: int) -> int:
        return value * self._hash("sigmoid", [], (value,))

    def _silu_backward(self, gradient: int, value: int) -> int:
        share = self._hash("sigmoid", [], (value,))
        return gradient * share * (1 + value * (1 - share))

    def _inverse_root(self, value: int) -> int:
        return self._inverse(self._root(value))

    def _inverse(self, value: int) -> int:
        return pow(value, self.prime - 2, self.prime)

    def _root(self, value: int) -> int:
        number = self.constant(value)
        if number in (0, 1):
            return value
        root = self._hash("sqrt", value)
        self._roots[root] = value
        return root

    def _exp(self, value: int) -> int:
        """The product of the exponentials of its terms."""
        if self._has_infinite and value == self._infinite:
            return 0
        above = below = 1
        subtracted = []
        for term, count in self._terms_of(value).items():
            factor = self._logs.get(term) or self._hash("exp", term)
            self._signs.learn(factor, POSITIVE)
            if count > 0:
                above = above * pow(factor, count, self.prime) % self.prime
            else:
                below = below * pow(factor, -count, self.prime) % self.prime
                subtracted.append((term, count))
        made = above * self._inverse(below) % self.prime
        if len(subtracted) == 1 and subtracted[0][1] == -1:
            self._scaled.setdefault(made, (above, subtracted[0][0]))
        self._signs.learn(made, POSITIVE)
        return made

    def _log(self, value: int) -> int:
        """Of a quotient by an exponential the difference."""
        if value == 1:
            return 0
        above, taken = self._scaled.get(value, (value, 0))
        made = self._hash("log", above)
        self._logs[made] = above
        if not taken:
            return made
        difference = (made - taken) % self.prime
        self._terms[difference] = {made: 1, taken: -1}
        return difference

    def _learn_sum(self, row: Sequence[int], value: int) -> None:
        """A sum of quotients by one exponential is one, too."""
        super()._learn_sum(row, value)
        found = {self._scaled[each][1] if each in self._scaled else -1 for each in row if each}
        if len(found) == 1 and -1 not in found:
            above = sum(self._scaled[each][0] for each in row if each) % self.prime
            self._scaled.setdefault(value, (above, found.pop()))

    def _exponentials(self, row: Sequence[int]) -> tuple[list[int], int]:
        """Of a row, and their sum."""
        powers = [self._exp(each) for each in row]
        total = sum(powers) % self.prime
        self._signs.learn_reduction("sum", [each for each in powers if each], total)
        self._learn_sum(powers, total)
        if not total:
            self.guards.add(("softmax", self._hash(list(row))))
        return powers, total

    def _softmax(self, row: Sequence[int]) -> list[int]:
        powers, total = self._exponentials(row)
        made = [each * self._inverse(total) % self.prime for each in powers]
        for value in made:
            if value:
                self._signs.learn(value, POSITIVE)
        return made

    def _log_softmax(self, row: Sequence[int]) -> list[int]:
        _, total = self._exponentials(row)
        whole = self._log(total)
        found = []
        for value in row:
            if self._has_infinite and value == self._infinite:
                found.append(value)
                continue
            made = (value - whole) % self.prime
            terms = dict(self._terms_of(value))
            for term, count in self._terms_of(whole).items():
                terms[term] = terms.get(term, 0) - count
            self._terms.setdefault(made, {term: count for term, count in terms.items() if count})
            found.append(made)
        return found

    def _softmax_backward(self, gradient: Sequence[int], row: Sequence[int]) -> list[int]:
        total = sum(each * value for each, value in zip(gradient, row, strict=True))
        return [value * (each - total) % self.prime for each, value in zip(gradient, row, strict=True)]

    def _log_softmax_backward(self, gradient: Sequence[int], row: Sequence[int]) -> list[int]:
        total = sum(gradient)
        pairs = zip(gradient, row, strict=True)
        return [(each - self._exp(value) * total) % self.prime for each, value in pairs]

    def _cross_entropy_backward(self, arrays: Sequence[Array], classes: int) -> Array:
        """Gradient * (hit - share * any hit) of every class."""
        gradient, shares, index = arrays
        made = np.empty(shares.shape, dtype=object)
        for at in np.ndindex(*index.shape):
            hits = [self._hit(int(index[at]), of) for of in range(classes)]
            there = sum(hits)
            for of, hit in enumerate(hits):
                slope = hit - self._exp(int(shares[(*at, of)])) * there
                made[(*at, of)] = int(gradient[at]) * slope % self.prime
        return made

    def _layernorm(self, row: Sequence[int], eps: int) -> list[int]:
        centred, scale = self._centred(row, eps)
        return [value * scale % self.prime for value in centred]

    def _centred(self, row: Sequence[int], eps: int) -> tuple[list[int], int]:
        """A row without its mean, and 1 / root of its mean square and a little more."""
        mean = sum(row) * self._inverse(len(row))
        centred = [(value - mean) % self.prime for value in row]
        return centred, self._scale(centred, eps)

    def _scale(self, row: Sequence[int], eps: int) -> int:
        squares = sum(value * value for value in row) * self._inverse(len(row)) + eps
        return self._inverse(self._root(squares % self.prime))

    def _layernorm_backward(self, gradient: Sequence[int], row: Sequence[int], eps: int) -> list[int]:
        centred, scale = self._centred(row, eps)
        mean = sum(gradient) * self._inverse(len(row))
        return self._normed_back([each - mean for each in gradient], gradient, centred, scale)

    def _rms_norm(self, row: Sequence[int], eps: int) -> list[int]:
        scale = self._scale(row, eps)
        return [value * scale % self.prime for value in row]

    def _rms_norm_backward(self, gradient: Sequence[int], row: Sequence[int], eps: int) -> list[int]:
        return self._normed_back(gradient, gradient, row, self._scale(row, eps))

    def _normed_back(self, first: Sequence[int], gradient: Sequence[int], row: Sequence[int], scale: int) -> list[int]:
        """(first - y * mean of gradient * y) * scale, with y = row * scale."""
        y = [value * scale % self.prime for value in row]
        along = sum(each * value for each, value in zip(gradient, y, strict=True)) * self._inverse(len(row))
        return [(each - value * along) * scale % self.prime for each, value in zip(first, y, strict=True)]
