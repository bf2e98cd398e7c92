"""Find the step that causes a wrong result, the rule that it violates, and numbers that show it."""

from dataclasses import dataclass
from fractions import Fraction

from p2smt.verify.execution import Cell, Outcome, Sum, Write
from p2smt.verify.goal import WantedResult
from p2smt.verify.plan import BufferRange, VerificationPlan
from p2smt.verify.plan_verdict import MistakeExample, Place, PlanMistake, PlanRule
from p2smt.verify.truncation import Truncation
from p2smt.wording import listed, number_text


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongChunk:
    """A wrong result: chunk `at` of the target on `device` does not hold the wanted sum.

    `weight` is the required weight of every contribution, in units.
    """

    plan: VerificationPlan
    outcome: Outcome
    wanted: WantedResult
    device: int
    at: int
    weight: int

    @property
    def cell(self) -> Cell:
        """The chunk's final content."""
        return self.outcome.cells[self.device][self._target.buffer][self._target.start + self.at]

    @property
    def here(self) -> str:
        """The chunk's name in messages."""
        return f"{self._target.buffer}[{self._target.start + self.at}] of device {self.device}"

    @property
    def write(self) -> Write:
        """The last write to the chunk."""
        return self.outcome.writes[self.device][self._target.buffer][self._target.start + self.at]

    @property
    def _target(self) -> BufferRange:
        return self.plan.goal.target


def blame(wrong: WrongChunk) -> PlanMistake:
    """Return the violated rule, the step that violated it, and an example."""
    if wrong.cell is None:
        return _undefined(wrong)
    wanted, chunks = wrong.wanted, [chunk for chunk, _ in wrong.cell.counts]
    if any(chunk != wanted.chunk for chunk in chunks):
        return _other_chunks(wrong, wrong.cell, chunks)
    fields = dict(wrong.cell.counts).get(wanted.chunk, 0)
    counts = {one: wrong.outcome.count(fields, one) for one in range(wrong.plan.devices)}
    if strangers := [one for one, count in counts.items() if count and one not in wanted.contributors]:
        return _stranger(wrong, strangers[0], counts[strangers[0]])
    if uneven := [one for one in wanted.contributors if counts[one] not in (0, wrong.weight)]:
        return _weight(wrong, uneven[0], counts[uneven[0]])
    if missing := [one for one in wanted.contributors if not counts[one]]:
        return _missing(wrong, missing)
    assert wrong.cell.truncated, wrong
    return _truncated(wrong, wrong.cell.truncated)


def _stranger(wrong: WrongChunk, stranger: int, count: int) -> PlanMistake:
    what = f"{wrong.here} holds the contribution of device {stranger}, "
    if len(wrong.wanted.contributors) > 1:
        what += f"which is not in its group {listed(wrong.wanted.contributors)}"
    else:
        what += f"where only that of device {wrong.wanted.contributors[0]} belongs"
    return _invalid(wrong, PlanRule.FOREIGN, wrong.write, what, stranger, count, 0)


def _undefined(wrong: WrongChunk) -> PlanMistake:
    step, writers = _together(wrong.plan, *wrong.write)
    if not step:
        what = f"{wrong.here} is undefined at the end: no step writes it"
    else:
        named = _step(wrong.plan, step)
        what = f"{wrong.here} is undefined at the end: {named} writes it from a buffer that holds nothing to rely on"
    return PlanMistake(PlanRule.UNDEFINED, Place(step, writers, wrong.device, wrong.at), what)


def _missing(wrong: WrongChunk, missing: list[int]) -> PlanMistake:
    """Return the mistake for missing contributions.

    The last writer is blamed, unless different chunks were added earlier. As that is never useful, it is the
    likelier cause.
    """
    what, wanted = f"{wrong.here} lacks the contribution of device {missing[0]}", len(wrong.wanted.contributors)
    what += f" ({len(missing)} of {wanted} are missing)" if wanted > 1 else ""
    mixed = next((one for one in wrong.outcome.suspects if len(one.chunks) > 1), None)
    if mixed is None:
        return _invalid(wrong, PlanRule.MISSING, wrong.write, what, missing[0], 0, wrong.weight)
    what = f"chunks {', '.join(map(str, mixed.chunks))} are added together, and {what}"
    return _invalid(wrong, PlanRule.MISSING, (mixed.step, mixed.group), what, missing[0], 0, wrong.weight)


def _other_chunks(wrong: WrongChunk, cell: Sum, chunks: list[int]) -> PlanMistake:
    # A sum of chunks that are all in the result: that step mixed them.
    mixed = [one for one in wrong.outcome.suspects if len(one.chunks) > 1 and set(one.chunks) <= set(chunks)]
    write = (mixed[0].step, mixed[0].group) if mixed else wrong.write
    if len(chunks) == 1:
        what = f"{wrong.here} holds chunk {chunks[0]} instead of chunk {wrong.wanted.chunk}"
    else:
        what = f"chunks {', '.join(map(str, chunks))} are added together, and {wrong.here} gets the sum"
    stranger = next(chunk for chunk in chunks if chunk != wrong.wanted.chunk)
    fields = dict(cell.counts)[stranger]
    contributor = next(wrong.outcome.counted(fields))
    count = wrong.outcome.count(fields, contributor)
    return _invalid(wrong, PlanRule.FOREIGN, write, what, contributor, count, 0, chunk=stranger)


def _weight(wrong: WrongChunk, contributor: int, count: int) -> PlanMistake:
    if wrong.outcome.unit > 1 or count < 0:
        has, wanted = Fraction(count, wrong.outcome.unit), Fraction(wrong.weight, wrong.outcome.unit)
        times = f"{number_text(has)} instead of {number_text(wanted)}"
        what = f"{wrong.here} counts the contribution of device {contributor} with {times}"
        return _invalid(wrong, PlanRule.WEIGHT, wrong.write, what, contributor, count, wrong.weight)
    blamed = [
        (suspect.step, suspect.group)
        for suspect in wrong.outcome.suspects
        if wrong.wanted.chunk in suspect.chunks and wrong.outcome.count(suspect.fields, contributor)
    ]
    what = f"{wrong.here} counts the contribution of device {contributor} {number_text(count)} times"
    return _invalid(wrong, PlanRule.COUNTED_TWICE, blamed[0], what, contributor, count, wrong.weight)


def _truncated(wrong: WrongChunk, truncated: Truncation) -> PlanMistake:
    """Return the mistake for a truncated sum, on which some numbers yield 0 instead of 1.

    The weights are right, but something was added after an integer division had dropped a fraction.
    """
    chunk = wrong.wanted.chunk
    first = next(one for one in wrong.outcome.suspects if one.truncated == truncated and chunk in one.chunks)
    step, group = _together(wrong.plan, first.step, first.group)
    what = f"{wrong.here} adds truncated quotients of integers; add first, divide at last"
    (contributor, given), *others = truncated.numbers
    also = tuple((device, chunk, number) for device, number in others)
    example = MistakeExample(contributor, chunk, wrong.device, wrong.at, got=0, wanted=1, given=given, also=also)
    place = Place(step, group, wrong.device, wrong.at)
    return PlanMistake(PlanRule.TRUNCATED, place, _at(wrong.plan, step, group, what), example)


def _invalid(
    wrong: WrongChunk,
    rule: PlanRule,
    write: Write,
    what: str,
    contributor: int,
    got: int,
    wanted: int,
    chunk: int | None = None,
) -> PlanMistake:
    step, group = _together(wrong.plan, *write)
    given = wrong.wanted.chunk if chunk is None else chunk
    parts = wrong.outcome.unit
    example = MistakeExample(contributor, given, wrong.device, wrong.at, got=got, wanted=wanted, given=parts)
    place = Place(step, group, wrong.device, wrong.at, contributor)
    return PlanMistake(rule, place, _at(wrong.plan, step, group, what), example)


def _together(plan: VerificationPlan, number: int, group: tuple[int, ...]) -> Write:
    """Return the step and group to blame; a device that acted alone is replaced by its group in that step, if any."""
    for of_step, step in plan.numbered:
        if of_step == number and len(group) == 1:
            group = next((other for other in step.groups if len(other) > 1 and group[0] in other), group)
    return number, group


def _at(plan: VerificationPlan, step: int, group: tuple[int, ...], what: str) -> str:
    if not step:
        return f"no step writes it: {what}"
    return f"{_step(plan, step)}, group {listed(group)}: {what}"


def _step(plan: VerificationPlan, number: int) -> str:
    label = dict(plan.labels).get(number)
    return f"step {number} ({label})" if label else f"step {number}"
