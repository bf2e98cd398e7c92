"""A field that looks up table rows and classes at indices with a known domain, and computes gradients of lookups.

With [t = c] for the cases of an index t (`choosing_field.py`):
    the row of a table x at t              sum over c of [t = c] * x_c
    the gradient of row v of the table     sum over indices t of [t = v] * (the gradient at t where t = v)
A gradient that itself depends on t, such as a masked one, is taken per case. `ranges` records indices not known to be
below a length, with that length: torch rejects them if they are not.
Complexity: one evaluation for each case of an index.
Reference: Bryant, "Graph-based algorithms for Boolean function manipulation", 1986 (Shannon expansion).
"""

from collections.abc import Sequence

import numpy as np

from p2smt.tensor.field.unknown import flat
from p2smt.tensor.frame import Frame
from p2smt.tensor.operation import Array
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.ranks.choosing_field import ChoosingField


class IndexedField(ChoosingField):
    """A prime field with lookups at indices that have cases. Elements are integers in object arrays."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.ranges: set[tuple[int, int]] = set()

    def call(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        """Return the result of an operation on one rank's arrays."""
        if OPERATIONS[operation].kind.looks_up:
            self._need_ranges(operation, arrays, frame)
        match operation:
            case "pick" | "pick_backward" | "embedding":
                return self._looked_up(operation, arrays, frame)
            case "embedding_backward":
                return self._rows_added(arrays, frame)
            case _:
                return super().call(operation, arrays, frame)

    def _need_ranges(self, operation: str, arrays: Sequence[Array], frame: Frame) -> None:
        """Record the indices that are not known to be in range."""
        place = {
            "embedding": frame.operands[0],
            "pick": frame.operands[0][-1:],
            "one_hot": frame.result[-1:],
            "pick_backward": frame.result[-1:],
            "embedding_backward": frame.result,
            "cross_entropy_backward": frame.result[-1:],
        }[operation][0]
        for value in {*flat(arrays[-1])}:
            cases = self._cases.get(value)
            numbers = [self.constant(each) for each in ((value,) if cases is None else cases.values)]
            if any(each is None or not 0 <= each < place.stop for each in numbers):
                self.ranges.add((value, place.stop))

    def _looked_up(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        """Compute a lookup; for an index with cases, the element is computed per case."""
        index = arrays[-1]
        if not any(each in self._cases for each in flat(index)):
            return self._computed(operation, arrays, frame)
        made = np.array(self._computed(operation, arrays, frame), dtype=object)
        for at in np.ndindex(*index.shape):
            cases = self._cases.get(int(index[at]))
            if cases is None:
                continue
            width = range(made.shape[-1]) if operation != "pick" else (None,)
            for column in width:
                where = at if column is None else (*at, column)
                values = [
                    self._of_one(operation, arrays, at, column, self.constant(value), (cases.index, case))
                    for case, value in enumerate(cases.values)
                ]
                # One case of unknown value makes the element unknown as a whole.
                if all(each is not None for each in values):
                    made[where] = self._together(cases.index, [each for each in values if each is not None])
        return made

    def _of_one(
        self,
        operation: str,
        arrays: Sequence[Array],
        at: tuple[int, ...],
        column: int | None,
        position: int | None,
        case: tuple[int, int],
    ) -> int | None:
        """Return the element looked up at a known position in one case; None if the position is unknown."""
        if position is None:
            return None
        if operation == "pick_backward":
            return self._in_case(int(arrays[0][at]), *case) if position == column else 0
        table = arrays[0] if operation == "embedding" else arrays[0][at]
        if not 0 <= position < len(table):
            return 0
        return self._in_case(int(table[position] if column is None else table[position, column]), *case)

    def _rows_added(self, arrays: Sequence[Array], frame: Frame) -> Array:
        """Return the table gradient: the sum of gradients by row, where each case of an index selects one row."""
        gradient, index = arrays
        made = np.zeros(frame.shape, dtype=object)
        for at in np.ndindex(*index.shape):
            for row, column in np.ndindex(*frame.shape):
                of = row + frame.result[0].start
                made[row, column] += self._of_row(int(gradient[(*at, column)]), int(index[at]), of)
        return np.asarray(made % self.prime, dtype=object)

    def _of_row(self, value: int, index: int, row: int) -> int:
        """Return the value if the index selects this row, else 0, in each case of the index."""
        cases = self._cases.get(index)
        numbers = [self.constant(each) for each in cases.values] if cases is not None else [None]
        if cases is None or None in numbers:
            return self._hit(index, row) * value
        return self._together(
            cases.index,
            [self._in_case(value, cases.index, case) if number == row else 0 for case, number in enumerate(numbers)],
        )
