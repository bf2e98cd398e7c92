"""Everything that goes wrong in a plan, seen one contribution at a time."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice

from p2smt.verify.execution import execute
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.verdict import Rule


@dataclass(frozen=True, slots=True)
class WrongResult:
    """`device` ends with a wrong share of what `contributor` contributes to `chunk` in chunk `at` of the result.

    There is no contributor where what is wrong is no share: `at` is undefined, or truncated too early.
    """

    device: int
    at: int
    contributor: int | None
    chunk: int


class WrongResults:
    """The results of a plan that break a rule of the goal; its steps keep the rules of shape."""

    def __init__(self, plan: VerificationPlan, rule: Rule) -> None:
        self._plan, self._rule, self._outcome = plan, rule, execute(plan)
        self._groups = {device: frozenset(group) for group in plan.goal for device in group}

    def all(self) -> Iterator[WrongResult]:
        """In the order in which verdicts look for them, and in between one of every device, a second, and so on."""
        seen: set[WrongResult] = set()
        for pair in zip(self._in_order(), self._in_turn(), strict=True):
            yield from (wrong for wrong in dict.fromkeys(pair) if wrong not in seen)
            seen.update(pair)

    def _in_order(self) -> Iterator[WrongResult]:
        return chain.from_iterable(map(self._at, self._groups))

    def _in_turn(self) -> Iterator[WrongResult]:
        ways = list(map(self._at, self._groups))
        while ways:
            found = [(way, wrong) for way in ways for wrong in islice(way, 1)]
            yield from (wrong for _, wrong in found)
            ways = [way for way, _ in found]

    def _at(self, device: int) -> Iterator[WrongResult]:
        return chain.from_iterable(self.of(device, at) for at in range(self._plan.chunks))

    def of(self, device: int, at: int) -> Iterator[WrongResult]:
        """Those of one chunk of one device."""
        cell = self._outcome.cells[device][self._plan.result][at]
        if cell is None or self._rule in (Rule.UNDEFINED, Rule.TRUNCATED):
            broken = Rule.UNDEFINED if cell is None else Rule.TRUNCATED if cell.truncated else None
            if broken is self._rule:
                yield WrongResult(device, at, None, at)
            return
        group = self._groups[device]
        if self._rule is Rule.FOREIGN:
            for chunk, fields in cell.counts:
                for one in range(self._plan.devices):
                    if (chunk != at or one not in group) and self._outcome.count(fields, one):
                        yield WrongResult(device, at, one, chunk)
            return
        weight = self._outcome.unit // len(group) if self._plan.average else self._outcome.unit
        fields = dict(cell.counts).get(at, 0)
        for one in sorted(group):
            count = self._outcome.count(fields, one)
            if count != weight and (count == 0) == (self._rule is Rule.MISSING):
                yield WrongResult(device, at, one, at)
