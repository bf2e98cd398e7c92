"""Enumerate the wrong results of a plan, one contribution at a time.

Each cell holds packed fields: one big integer with a field of `width` bits for each contributor, which counts how often
it was added. With w the weight that a result should have, a wrong share is found without unpacking:
    off = cell - (sum over contributors i of  w * 2^(i * width)),
    share i is wrong exactly if field i of off, read as signed, is not 0.
Two orders are interleaved, so that mistakes of the last device are seen as soon as those of the first.
Complexity: one big-integer subtraction for each chunk of each device, and one field for each wrong share.
Reference: Lamport, "Multiple byte processing with full-word instructions", 1975 (several fields in one word).

Example: width 4, weight 1, contributors 0, 1, 2, and the cell 0x0121: off = 0x121 - 0x111 = 0x010, so contributor 1 was
added twice and all others once.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice

from p2smt.verify.execution import Sum, counts, execute
from p2smt.verify.goal import WantedResult, wanted
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.plan_verdict import PlanRule


@dataclass(frozen=True, slots=True)
class WrongResult:
    """A wrong result: `device` ends with a wrong share of a contribution in chunk `at` of the target.

    The contribution is that of `contributor` to `chunk`. `contributor` is None if `at` is undefined or
    truncated; `chunk` is then the required chunk.
    """

    device: int
    at: int
    contributor: int | None
    chunk: int


class WrongResults:
    """The results of a plan that violate a rule of the goal; its steps satisfy the rules of shape."""

    def __init__(self, plan: VerificationPlan, rule: PlanRule) -> None:
        self._plan, self._rule, self._outcome = plan, rule, execute(plan)
        goal, unit = plan.goal, self._outcome.unit
        self._wanted = {d: wanted(goal, group, member) for group in goal.groups for member, d in enumerate(group)}
        self._weights = {d: unit // len(group) if goal.average else unit for group in goal.groups for d in group}
        self._known: dict[tuple[tuple[int, ...], int], int] = {}

    def all(self) -> Iterator[WrongResult]:
        """Yield all wrong results in verdict order, interleaved with a round-robin over devices, without duplicates."""
        seen: set[WrongResult] = set()
        for pair in zip(self._in_order(), self._in_turn(), strict=True):
            yield from (wrong for wrong in dict.fromkeys(pair) if wrong not in seen)
            seen.update(pair)

    def _in_order(self) -> Iterator[WrongResult]:
        return chain.from_iterable(map(self._on, self._wanted))

    def _in_turn(self) -> Iterator[WrongResult]:
        ways = list(map(self._on, self._wanted))
        while ways:
            found = [(way, wrong) for way in ways for wrong in islice(way, 1)]
            yield from (wrong for _, wrong in found)
            ways = [way for way, _ in found]

    def _on(self, device: int) -> Iterator[WrongResult]:
        return chain.from_iterable(self.of(device, at) for at in range(len(self._wanted[device])))

    def of(self, device: int, at: int) -> Iterator[WrongResult]:
        """Yield the wrong results in one chunk of one device."""
        target, here = self._plan.goal.target, self._wanted[device][at]
        cell = self._outcome.cells[device][target.buffer][target.start + at]
        if cell is None:
            if self._rule is PlanRule.UNDEFINED:
                yield WrongResult(device, at, None, here.chunk)
        elif self._rule is PlanRule.TRUNCATED:
            if cell.truncated and not any(self._shares(device, cell, here)):
                yield WrongResult(device, at, None, here.chunk)
        elif self._rule is PlanRule.FOREIGN:
            yield from (WrongResult(device, at, one, chunk) for one, chunk in self._foreign(cell, here))
        else:
            missing = self._rule is PlanRule.MISSING
            wrong = (one for one, count in self._shares(device, cell, here) if (count == 0) == missing)
            yield from (WrongResult(device, at, one, here.chunk) for one in wrong)

    def _foreign(self, cell: Sum, here: WantedResult) -> Iterator[tuple[int, int]]:
        """Yield contributors that do not belong into the chunk, with their chunks."""
        for chunk, fields in cell.counts:
            own = here.contributors if chunk == here.chunk else ()
            yield from ((one, chunk) for one in self._outcome.counted(fields) if one not in own)

    def _shares(self, device: int, cell: Sum, here: WantedResult) -> Iterator[tuple[int, int]]:
        """Yield contributors with a wrong share, and how often they are counted."""
        fields, weight = dict(cell.counts).get(here.chunk, 0), self._weights[device]
        off = fields - self._fields(here.contributors, weight)
        for one, more in counts(off, self._outcome.width):
            if one in here.contributors:
                yield one, weight + more

    def _fields(self, contributors: tuple[int, ...], count: int) -> int:
        """Return the packed sum in which each contributor is counted `count` times."""
        key = contributors, count
        if key not in self._known:
            self._known[key] = sum(count << one * self._outcome.width for one in contributors)
        return self._known[key]
