"""The field used to compare ranks with a single device: row operations are expanded to exponentials and roots.

Softmax, log-softmax, attention, layer norm, group norm, RMS norm and their gradients follow their formulas. A
softmax is thus independent of the constant subtracted from its row, and can be assembled from blocks
(`exponential_field.py`).

    softmax(x) = exp(x) / sum(exp(x)),    exp(x - m) = exp(x) exp(-m),    log(a b) = log(a) + log(b).

Complexity: that of the formulas, in place of one unknown for each row.
Reference: Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018 (softmax from blocks).

Example: x - m - log(sum of exp(x - m) over all ranks) is log_softmax(x), for any m.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from p2smt.tensor.checks import real_number, whole_number
from p2smt.tensor.field.signs import POSITIVE
from p2smt.tensor.field.unknown import elements, flat
from p2smt.tensor.frame import Frame, whole
from p2smt.tensor.operation import Array
from p2smt.tensor.operations.group_norm import in_rows, of_rows, wide
from p2smt.tensor.ranks.exponential_field import ExponentialField

_ATTENTION = ("attention", *(f"attention_{each}_backward" for each in ("query", "key", "value", "bias")))
_WEIGHTED = (
    "weighted_layernorm",
    "weighted_layernorm_backward",
    "layernorm_weight_backward",
    "weighted_rms_norm",
    "weighted_rms_norm_backward",
    "rms_norm_weight_backward",
)
_OF_GROUPS = ("group_norm", "group_norm_backward", "group_norm_weight_backward")


class RankField(ExponentialField):
    """A prime field in which row operations are expanded. Elements are integers in object arrays."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._rows: Mapping[str, Callable[..., list[int]]] = {
            "softmax": self._softmax,
            "log_softmax": self._log_softmax,
            "softmax_backward": self._softmax_backward,
            "log_softmax_backward": self._log_softmax_backward,
            "layernorm": self._layernorm,
            "layernorm_backward": self._layernorm_backward,
            "rms_norm": self._rms_norm,
            "rms_norm_backward": self._rms_norm_backward,
        }

    def call(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        """Return the result of an operation on one rank's arrays.

        The gradient of cross entropy is composed of its steps.
        """
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
        if operation in _ATTENTION:
            return self._attention(operation, arrays, frame)
        if operation in _OF_GROUPS:
            return self._of_groups(operation, arrays, frame)
        if operation in _WEIGHTED:
            return self._weighted(operation, arrays, frame)
        return super()._computed(operation, arrays, frame)

    def _weighted(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        """Compute a norm with weight and bias, or its gradients, by the unweighted norm."""
        norm = "rms_norm" if "rms_norm" in operation else "layernorm"
        first, second, *more = arrays
        rows = replace(frame, attributes=(arrays[0].ndim - 1, *frame.attributes))
        if operation == f"weighted_{norm}":
            made = self._pointwise_of("mul", self._by_rows([first], rows, self._rows[norm]), second)
            return self._pointwise_of("add", made, *more) if more else made
        if operation == f"weighted_{norm}_backward":
            scaled = self._pointwise_of("mul", first, more[0])
            return self._by_rows([scaled, second], rows, self._rows[f"{norm}_backward"])
        product = self._pointwise_of("mul", first, self._by_rows([second], rows, self._rows[norm]))
        return self._modulo(product.sum(axis=tuple(range(first.ndim - 1))))

    def _of_groups(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        """Compute group norm, or its gradients, by layer norm with each group as a row."""
        first, second, *more = arrays
        rows = of_rows(frame)
        if operation == "group_norm":
            made = self._by_rows([in_rows(first)], rows, self._layernorm).reshape(first.shape)
            made = self._pointwise_of("mul", made, wide(second, first))
            return self._pointwise_of("add", made, wide(more[0], first)) if more else made
        if operation == "group_norm_backward":
            scaled = self._pointwise_of("mul", first, wide(more[0], first))
            pair = [in_rows(scaled), in_rows(second)]
            return self._by_rows(pair, rows, self._layernorm_backward).reshape(first.shape)
        normal = self._by_rows([in_rows(second)], rows, self._layernorm).reshape(first.shape)
        product = self._pointwise_of("mul", first, normal)
        return self._modulo(product.sum(axis=(0, *range(3, first.ndim))))

    def _attention(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        """Compute attention, or one of its gradients, by its formula."""
        gradients = arrays[:1] if operation != "attention" else ()
        query, key, value, *more = arrays[len(gradients) :]
        scale = self._inverse(self._root(query.shape[-1]))
        # Grouped-query attention: each key head serves several query heads.
        keys, values = (np.repeat(each, query.shape[1] // each.shape[1], axis=1) for each in (key, value))
        scores = self._modulo(query @ np.swapaxes(keys, 2, 3) * scale)
        for bias in more[len(gradients) :]:
            scores = self._pointwise_of("add", scores, bias)
        if whole_number(frame.attributes[0]):
            self._has_infinite = True
            first = frame.operands[len(gradients)][2].start
            later = np.arange(keys.shape[2])[None, :] > np.arange(first, first + query.shape[2])[:, None]
            scores = np.where(later, self._infinite, scores)
        weights = np.empty(scores.shape, dtype=object)
        for at in np.ndindex(*scores.shape[:-1]):
            # Row by row, because softmax of a row is written out in exponentials of its elements.
            weights[at] = self._softmax([int(each) for each in scores[at]])
        if not gradients:
            return self._modulo(weights @ values)
        (gradient,), out = gradients, more[0]
        if operation == "attention_value_backward":
            return self._per_key(np.swapaxes(weights, 2, 3) @ gradient, value)
        mean = (gradient * out).sum(axis=3, keepdims=True)
        slope = self._modulo(weights * (gradient @ np.swapaxes(values, 2, 3) - mean))
        if operation == "attention_bias_backward":
            axes = tuple(axis for axis, length in enumerate(frame.shape) if length == 1)
            return self._modulo(slope.sum(axis=axes, keepdims=True))
        slope = self._modulo(slope * scale)
        if operation == "attention_query_backward":
            return self._modulo(slope @ keys)
        return self._per_key(np.swapaxes(slope, 2, 3) @ query, key)

    def _pointwise_of(self, operation: str, left: Array, right: Array) -> Array:
        """Compute a pointwise operation with the right operand broadcast to the left."""
        interval = whole(left.shape)
        return self.call(operation, [left, np.broadcast_to(right, left.shape)], Frame((), (interval,) * 2, interval, 0))

    def _per_key(self, array: Array, like: Array) -> Array:
        """Sum over the query heads that share a key head."""
        return self._modulo(array.reshape(array.shape[0], like.shape[1], -1, *array.shape[2:]).sum(axis=2))

    def _by_rows(self, arrays: Sequence[Array], frame: Frame, of_row: Callable[..., list[int]]) -> Array:
        """Apply a function of rows along a dimension."""
        dim = whole_number(frame.attributes[0])
        eps = [self._number(real_number(each)) for each in frame.attributes[1:]]
        moved = [np.moveaxis(np.asarray(array, dtype=object), dim, -1) for array in arrays]
        made = np.empty(moved[0].shape, dtype=object)
        for at in np.ndindex(*moved[0].shape[:-1]):
            made[at] = of_row(*([int(each) for each in array[at]] for array in moved), *eps)
        return np.asarray(np.moveaxis(made, -1, dim), dtype=object)

    def _exponentials(self, row: Sequence[int]) -> tuple[list[int], int]:
        """Return the exponentials of a row, and their sum."""
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
            # The terms of value - log(total) are kept with their multiplicities, so that exp of it
            # is a quotient again.
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

    def _layernorm(self, row: Sequence[int], eps: int) -> list[int]:
        centred, scale = self._centred(row, eps)
        return [self._mapped_one("mul", value, scale) for value in centred]

    def _centred(self, row: Sequence[int], eps: int) -> tuple[list[int], int]:
        """Return a row minus its mean, and 1 / root of the mean square plus eps."""
        mean = self._mean(row)
        centred = [self._mapped_one("sub", value, mean) for value in row]
        return centred, self._scale(centred, eps)

    def _mean(self, row: Sequence[int]) -> int:
        total = sum(row) % self.prime
        self._signs.learn_reduction("sum", row, total)
        self._learn_sum(row, total)
        return self._mapped_one("div", total, self._number(len(row)))

    def _scale(self, row: Sequence[int], eps: int) -> int:
        mean = self._mean([self._mapped_one("mul", value, value) for value in row])
        return self._mapped_one("rsqrt", self._mapped_one("add", mean, eps))

    def _layernorm_backward(self, gradient: Sequence[int], row: Sequence[int], eps: int) -> list[int]:
        centred, scale = self._centred(row, eps)
        mean = self._mean(gradient)
        return self._normed_back([self._mapped_one("sub", each, mean) for each in gradient], gradient, centred, scale)

    def _rms_norm(self, row: Sequence[int], eps: int) -> list[int]:
        scale = self._scale(row, eps)
        return [self._mapped_one("mul", value, scale) for value in row]

    def _mapped_one(self, operation: str, *values: int) -> int:
        """Compute a pointwise operation on single elements, which may have cases."""
        interval = whole(())
        arrays = [elements((), [each % self.prime]) for each in values]
        return flat(self.call(operation, arrays, Frame((), (interval,) * len(values), interval, 0)))[0]

    def _rms_norm_backward(self, gradient: Sequence[int], row: Sequence[int], eps: int) -> list[int]:
        return self._normed_back(gradient, gradient, row, self._scale(row, eps))

    def _normed_back(self, first: Sequence[int], gradient: Sequence[int], row: Sequence[int], scale: int) -> list[int]:
        """Return (first - y * mean of gradient * y) * scale, with y = row * scale."""
        y = [self._mapped_one("mul", value, scale) for value in row]
        along = self._mean([self._mapped_one("mul", *pair) for pair in zip(gradient, y, strict=True)])
        back = [
            self._mapped_one("sub", each, self._mapped_one("mul", value, along))
            for each, value in zip(first, y, strict=True)
        ]
        return [self._mapped_one("mul", each, scale) for each in back]
