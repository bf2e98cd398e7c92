"""Find the smallest part of an invalid plan that shows the same mistake: fewest devices, then fewest chunks.

Method: best-first search over consistent projections (`projection.py`), ordered by (devices, chunks). The roots
are the closures around single wrong results. Every projection that shows a wrong result contains a root, and

    larger(S) = { closure(S with device d) : d not in S }

reaches all others, so that the first projection in the queue that shows the mistake is the smallest: `proved`.
For an upper bound, which prunes the queue, a root is first grown by doubling its number of neighbours, and then
reduced by delta debugging (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002).

Complexity: exponential in the devices at worst; `MOST_TRIED`, `MOST_JUDGED` and `MOST_WORK` stop the search
unproved.

Example: two devices and one chunk (`LEAST`) end the search at once, because no smaller plan has a wrong result.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce as fold
from heapq import heappop, heappush
from operator import or_

from p2smt.verify.judge import judge
from p2smt.verify.plan import VerificationPlan, VerificationStep
from p2smt.verify.plan_verdict import NoPlan, Place, PlanMistake, PlanRule, PlanVerdict, mistake_of
from p2smt.verify.projection import Projection, Projections, bits
from p2smt.verify.wrong_results import WrongResults

MOST_TRIED = 4096
MOST_JUDGED = 1024
MOST_WORK = 2_000_000
MOST_THINNED = 128
LEAST = (2, 1)

OF_SHAPE = (
    PlanRule.TWICE,
    PlanRule.NO_DEVICE,
    PlanRule.OUTSIDE,
    PlanRule.UNEVEN,
    PlanRule.LENGTHS,
    PlanRule.ROOT,
    PlanRule.OVERLAP,
)
OF_RESULT = (
    PlanRule.UNDEFINED,
    PlanRule.MISSING,
    PlanRule.COUNTED_TWICE,
    PlanRule.WEIGHT,
    PlanRule.TRUNCATED,
    PlanRule.FOREIGN,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterExample:
    """A plan with `mistake`: it violates the same rule as the whole plan, in the step of the same number.

    Its device `i` is `devices[i]` of the whole plan; chunk `i` of its goal's source and target are `source[i]`
    and `target[i]`. Its statement about a contribution also holds in the whole plan: the contribution is
    missing, foreign or counted wrongly in the same chunk. `proved`: no consistent projection (see
    `Projections`) with fewer devices, or with equally many devices and fewer chunks, shows the mistake.
    """

    plan: VerificationPlan
    mistake: PlanMistake
    devices: tuple[int, ...]
    source: tuple[int, ...]
    target: tuple[int, ...]
    proved: bool = False

    @property
    def chunks(self) -> tuple[int, ...]:
        """The chunks of the whole plan's payload."""
        return max(self.source, self.target, key=len)


def counter_example(plan: VerificationPlan | NoPlan, verdict: PlanVerdict) -> CounterExample | None:
    """Return the smallest plan that shows the mistake in `verdict`, which `verify` or `judge` returned for this plan.

    Return None if there is no mistake, or no plan that can be executed.
    """
    mistake = mistake_of(verdict)
    return smallest(plan, mistake) if isinstance(plan, VerificationPlan) and mistake is not None else None


def smallest(plan: VerificationPlan, mistake: PlanMistake) -> CounterExample:
    """Return the smallest plan that shows a mistake of a plan.

    A single step violates a rule of shape; the result is then that step with as few groups as needed.
    """
    if mistake.rule in OF_SHAPE:
        return _step_alone(plan, mistake)
    if mistake.rule not in OF_RESULT:
        return _whole(plan, mistake)
    return _Search(plan, mistake).smallest()


def _whole(plan: VerificationPlan, mistake: PlanMistake, *, proved: bool = False) -> CounterExample:
    """Return the whole plan as a counter-example."""
    return CounterExample(
        plan=plan,
        mistake=mistake,
        devices=tuple(range(plan.devices)),
        source=tuple(range(plan.goal.source.length)),
        target=tuple(range(plan.goal.target.length)),
        proved=proved,
    )


def _step_alone(plan: VerificationPlan, mistake: PlanMistake) -> CounterExample:
    for step in _cuttings(plan, mistake):
        alone = replace(plan, steps=(step,))
        found = mistake_of(judge(alone))
        if found is not None and (found.rule, found.place.step) == (mistake.rule, mistake.place.step):
            return _whole(alone, found, proved=True)
    return _whole(plan, mistake)


def _cuttings(plan: VerificationPlan, mistake: PlanMistake) -> Iterator[VerificationStep]:
    """Yield the mistaken step with one group, with two groups that share a device, and with all groups."""
    for number, step in plan.numbered:
        if number == mistake.place.step:
            blamed = step.groups[:1] if mistake.place.group is None else (mistake.place.group,)
            if blamed[0:1] and set(blamed) <= set(step.groups):
                yield replace(step, groups=blamed, number=number)
                for other in step.groups:
                    if other != blamed[0] and set(other) & set(blamed[0]):
                        yield replace(step, groups=(other, *blamed), number=number)
            yield replace(step, number=number)


_Queue = list[tuple[tuple[int, int], int, int]]
"""A priority queue of projections by size, with devices and chunks as bit masks."""


class _Search:
    """Best-first search over projections around single wrong results, which grow by one device at a time."""

    def __init__(self, plan: VerificationPlan, mistake: PlanMistake) -> None:
        self._plan, self._mistake = plan, mistake
        self._inside = Projections(plan)
        self._wrong = WrongResults(plan, mistake.rule)
        self._whole = _whole(plan, mistake)
        self._tried: set[Projection] = set()
        self._judged: dict[VerificationPlan, PlanMistake | None] = {}
        self._complete = True

    def smallest(self) -> CounterExample:
        """Return the first projection, ordered by (devices, chunks), that shows the mistake."""
        queue: _Queue = []
        best: CounterExample | None = None
        for root in self._roots():
            best = best or self._refined(self._shown(root) or self._grown(root))
            if _size(best) == LEAST:
                return replace(best, proved=True)
            self._push(queue, root, best)
        best = best or self._whole
        while queue and len(self._judged) < MOST_JUDGED:
            size, devices, chunks = heappop(queue)
            # The queue is ordered by size, so nothing smaller is left.
            if size >= _size(best):
                queue.clear()
            elif found := self._shown(Projection(devices, chunks)):
                best = found
            else:
                self._push_larger(queue, Projection(devices, chunks), best)
        if self._complete and not queue:
            return replace(best, proved=True)
        best = self._refined(best)
        return replace(best, proved=_size(best) == LEAST)

    def _refined(self, best: CounterExample) -> CounterExample:
        """Return the smallest counter-example within this one, where fewer devices allow a more thorough search."""
        if len(best.devices) == self._plan.devices:
            return best
        within = smallest(best.plan, best.mistake)
        # Bit masks: device i is bit i; chunks of all buffers are numbered one after the other.
        devices = sum(1 << best.devices[device] for device in within.devices)
        chunks = [self._inside.source(best.source[chunk]) for chunk in within.source]
        chunks += [self._inside.target(best.target[chunk]) for chunk in within.target]
        found = self._shown(self._inside.around(Projection(devices, fold(or_, chunks))))
        return found if found and _size(found) < _size(best) else best

    def _roots(self) -> Iterator[Projection]:
        """Yield the closures around single wrong results; every projection that shows one contains such a closure."""
        for count, wrong in enumerate(self._wrong.all()):
            # Half of the budget, so that the search itself has the other half; the result is then
            # not proved smallest.
            if count == MOST_TRIED // 2 or (count and self._inside.work > MOST_WORK // 2):
                self._complete = False
                return
            devices = 1 << wrong.device | (0 if wrong.contributor is None else 1 << wrong.contributor)
            chunks = self._inside.target(wrong.at) | self._inside.source(wrong.chunk)
            yield self._inside.around(Projection(devices, chunks))

    def _push(self, queue: _Queue, kept: Projection, best: CounterExample) -> None:
        size = self._inside.size(kept)
        if size < _size(best) and kept not in self._tried:
            self._tried.add(kept)
            heappush(queue, (size, kept.devices, kept.chunks))

    def _push_larger(self, queue: _Queue, kept: Projection, best: CounterExample) -> None:
        if kept.devices.bit_count() + 1 > len(best.devices):
            return
        for device in bits(self._inside.all.devices & ~kept.devices):
            if len(self._tried) >= MOST_TRIED or self._inside.work > MOST_WORK:
                self._complete = False
                return
            self._push(queue, self._with(kept, (device,)), best)

    def _with(self, kept: Projection, devices: tuple[int, ...]) -> Projection:
        return self._inside.around(Projection(kept.devices | sum(1 << device for device in devices), kept.chunks))

    def _grown(self, root: Projection) -> CounterExample:
        """Return the root, extended by its nearest neighbours until the mistake shows, and then reduced."""
        order = self._neighbours(root)
        taken = 1
        found = self._shown(self._with(root, order[:taken]))
        # Doubling: at most twice as many neighbours as are needed, after a logarithmic number of tries.
        while not found and taken < len(order):
            taken *= 2
            found = self._shown(self._with(root, order[:taken]))
        return self._thinned(root, order[:taken], found) if found else self._whole

    def _thinned(self, root: Projection, extra: tuple[int, ...], found: CounterExample) -> CounterExample:
        """Drop parts of `extra` while the mistake still shows, beginning with halves (delta debugging)."""
        size, left = len(extra), MOST_THINNED
        while size := size // 2:
            start = 0
            while start < len(extra) and left:
                fewer = extra[:start] + extra[start + size :]
                smaller = self._shown(self._with(root, fewer))
                left -= 1
                if smaller and _size(smaller) <= _size(found):
                    extra, found = fewer, smaller
                else:
                    start += size
        return found

    def _neighbours(self, root: Projection) -> tuple[int, ...]:
        """Return all other devices in breadth-first order of their connection to the root through groups."""
        groups: dict[int, list[tuple[int, ...]]] = {}
        # From the last step backwards: what wrote last is most likely to matter.
        for step in reversed(self._plan.steps):
            for group in step.groups:
                for device in group:
                    groups.setdefault(device, []).append(group)
        order = list(bits(root.devices))
        known = set(order)
        seen: set[tuple[int, ...]] = set()
        for device in order:
            for group in groups.get(device, []):
                if group not in seen:
                    seen.add(group)
                    order += [other for other in group if other not in known]
                    known.update(group)
        rest = (device for device in range(self._plan.devices) if device not in known)
        return (*order[root.devices.bit_count() :], *rest)

    def _shown(self, kept: Projection) -> CounterExample | None:
        """Return the projected plan if it shows the mistake, in a result that is wrong in the whole plan, too."""
        plan = self._inside.projected(kept)
        if plan not in self._judged:
            found = mistake_of(judge(plan))
            blamed = (self._mistake.rule, self._mistake.place.step)
            same = found is not None and (found.rule, found.place.step) == blamed
            self._judged[plan] = found if same else None
        mistake = self._judged[plan]
        if mistake is None:
            return None
        small = CounterExample(
            plan=plan,
            mistake=mistake,
            devices=self._inside.devices(kept),
            source=self._inside.chunks(kept, self._plan.goal.source),
            target=self._inside.chunks(kept, self._plan.goal.target),
        )
        return small if self._is_wrong(small, mistake.place) else None

    def _is_wrong(self, small: CounterExample, place: Place) -> bool:
        assert place.device is not None
        assert place.chunk is not None
        contributor = None if place.contributor is None else small.devices[place.contributor]
        example = small.mistake.example
        chunk = None if example is None else small.source[example.chunk]
        wrong = self._wrong.of(small.devices[place.device], small.target[place.chunk])
        return any(one.contributor == contributor and chunk in (None, one.chunk) for one in wrong)


def _size(small: CounterExample) -> tuple[int, int]:
    return len(small.devices), len(small.chunks)
