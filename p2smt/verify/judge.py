"""The verdict on a plan by direct execution: which step is to blame, and for what."""

from p2smt.program.free_plan import FreePlan
from p2smt.semantics.free_execution import Cell, Outcome, Sum, Write, execute
from p2smt.verify.shape import shape_mistake
from p2smt.verify.verdict import Example, Invalid, Place, Rule, Vacuous, Valid, Verdict


def judge(plan: FreePlan) -> Verdict:
    """Whether every device of every goal group ends with every contribution exactly once."""
    if mistake := shape_mistake(plan):
        return mistake
    if all(len(group) < 2 for group in plan.goal):
        return Vacuous("no two devices reduce together, so there is nothing to do")
    outcome = execute(plan)
    checked = 0
    for group in plan.goal:
        wanted = sum(1 << device * outcome.width for device in group)
        for device in group:
            for chunk, cell in enumerate(outcome.cells[device][plan.result]):
                if cell != ((chunk, wanted),):
                    return _blame(plan, outcome, group, device, chunk, cell)
                checked += 1
    return Valid(checked)


def _blame(plan: FreePlan, outcome: Outcome, group: tuple[int, ...], device: int, chunk: int, cell: Cell) -> Invalid:
    step, writers = _together(plan, *outcome.writes[device][plan.result][chunk])
    here = f"{plan.result}[{chunk}] of device {device}"
    if cell is None:
        what = f"{here} is undefined at the end: step {step} writes it from a buffer that holds nothing to rely on"
        return Invalid(Rule.UNDEFINED, Place(step, writers, device, chunk), what)
    held = dict(cell)
    foreign = [other for other in held if other != chunk]
    if foreign:
        return _foreign(plan, outcome, device, chunk, cell)
    counts = {one: outcome.count(held.get(chunk, 0), one) for one in range(plan.devices)}
    strangers = [one for one, count in counts.items() if count and one not in group]
    if strangers:
        what = f"{here} holds the contribution of device {strangers[0]}, which is not in its group {list(group)}"
        example = Example(strangers[0], chunk, device, chunk, counts[strangers[0]], 0)
        return Invalid(
            Rule.FOREIGN, Place(step, writers, device, chunk, strangers[0]), _at(step, writers, what), example
        )
    twice = [one for one in group if counts[one] > 1]
    if twice:
        return _twice(plan, outcome, (device, chunk, twice[0]), counts[twice[0]], here)
    missing = [one for one in group if not counts[one]]
    what = f"{here} lacks the contribution of device {missing[0]} ({len(missing)} of {len(group)} are missing)"
    example = Example(missing[0], chunk, device, chunk, 0, 1)
    return Invalid(Rule.MISSING, Place(step, writers, device, chunk, missing[0]), _at(step, writers, what), example)


def _foreign(plan: FreePlan, outcome: Outcome, device: int, chunk: int, cell: Sum) -> Invalid:
    here = f"{plan.result}[{chunk}] of device {device}"
    chunks = tuple(number for number, _ in cell)
    mixed = [one for one in outcome.suspects if len(one.chunks) > 1 and set(one.chunks) <= set(chunks)]
    write = (mixed[0].step, mixed[0].group) if mixed else outcome.writes[device][plan.result][chunk]
    step, writers = _together(plan, *write)
    if len(chunks) == 1:
        what = f"{here} holds chunk {chunks[0]} instead of chunk {chunk}"
    else:
        what = f"chunks {', '.join(map(str, chunks))} are added together, and {here} gets the sum"
    stranger, fields = next((number, fields) for number, fields in cell if number != chunk)
    contributor = next(one for one in range(fields.bit_length()) if outcome.count(fields, one))
    example = Example(contributor, stranger, device, chunk, outcome.count(fields, contributor), 0)
    return Invalid(Rule.FOREIGN, Place(step, writers, device, chunk, contributor), _at(step, writers, what), example)


def _twice(plan: FreePlan, outcome: Outcome, cell: tuple[int, int, int], count: int, here: str) -> Invalid:
    device, chunk, contributor = cell
    blamed = [
        (suspect.step, suspect.group)
        for suspect in outcome.suspects
        if chunk in suspect.chunks and outcome.count(suspect.fields, contributor)
    ]
    step, writers = _together(plan, *blamed[0])
    what = f"{here} counts the contribution of device {contributor} {count} times"
    example = Example(contributor, chunk, device, chunk, count, 1)
    place = Place(step, writers, device, chunk, contributor)
    return Invalid(Rule.COUNTED_TWICE, place, _at(step, writers, what), example)


def _together(plan: FreePlan, number: int, group: tuple[int, ...]) -> Write:
    """The step and group; for a device that worked alone the group in which it took part in that step, if any."""
    for of_step, step in plan.numbered:
        if of_step == number and len(group) == 1:
            group = next((other for other in step.groups if len(other) > 1 and group[0] in other), group)
    return number, group


def _at(step: int, group: tuple[int, ...], what: str) -> str:
    if not step:
        return f"no step writes it: {what}"
    return f"step {step}, group {list(group)}: {what}"
