"""Output of `p2smt optimize` for a tensor program: its schedule, its placement, and programs for its collectives."""

from collections.abc import Iterator, Sequence

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.optimum import optimum_document, print_in_full_of, print_placement
from p2smt.cli.output.place import words_of
from p2smt.cli.output.prose import labelled, statement
from p2smt.cli.output.screen import show
from p2smt.cli.output.table import print_table
from p2smt.cli.output.tuned import searched_document
from p2smt.cost.network.backend import Backend
from p2smt.job.joint import Joint, PlacedSchedule
from p2smt.job.without_collectives import WithoutCollectives
from p2smt.problem.quantity import format_seconds
from p2smt.schedule.cost.estimate import StatementTime
from p2smt.schedule.explained_words import extent_text
from p2smt.schedule.text.printer import print_line
from p2smt.schedule.tuner.result import TuningResult
from p2smt.wording import counted

_MOST_UNITS = 8
_COLUMNS = ("", "schedule", "matrix", "step", "of the best", "communication", "in words")


def print_joint(joint: Joint, backend: Backend, top: int) -> None:
    """Print the best schedule and its gain, the extent of the search, its placement and programs, and runners-up."""
    best = joint.best
    show(_lines(joint, backend))
    print_placement(best.optimum, best.placement)
    rows = _rows(joint, top)
    title = f"the first {len(rows)} of {counted(len(joint.placed), 'schedule')} on a placement"
    print_table(title, _COLUMNS, rows, right=(0, 3, 4, 5))
    show(_others(joint, top))
    print_in_full_of(best.optimum, best.placement)


def print_without_collectives(found: WithoutCollectives) -> None:
    """Print the time of a step without collectives; placement does not affect it."""
    step = format_seconds(found.estimate.seconds)
    said = f"{found.program.name}: a step takes {step}; it has no collectives, so every placement is equally fast"
    show(labelled("", said))
    if found.schedule:
        show(labelled("", "that is with this schedule:"))
        show(line for step in found.schedule for line in statement("      ", print_line(step)))
    if found.tuned is not None:
        show(labelled("", _searched(found.tuned)))


def without_collectives_document(found: WithoutCollectives, backend: Backend) -> Document:
    """Return the document of a step without communication."""
    return {
        "version": VERSION,
        "algorithm": str(backend),
        "placements": [],
        "schedule": {
            "steps": [print_line(line) for line in found.schedule],
            "seconds": found.estimate.seconds,
            "memory": found.estimate.held.peak,
            "complete": found.complete,
            "searched": None if found.tuned is None else searched_document(found.tuned),
        },
    }


def _lines(joint: Joint, backend: Backend) -> Iterator[str]:
    best, plain = joint.best, joint.untouched
    program = plain.priced.scheduled.program.name
    now, before = format_seconds(best.estimate.seconds), format_seconds(plain.estimate.seconds)
    if best.priced.schedule:
        gain = plain.estimate.seconds / best.estimate.seconds
        yield from labelled("", f"{program}: a step takes {now} with this schedule, as it is {before}: {gain:.2f}x")
        for line in best.priced.schedule:
            yield from statement("      ", print_line(line))
    else:
        said = f"no schedules were searched: {joint.why_not}" if joint.why_not else "nothing that was found is faster"
        yield from labelled("", f"{program}: a step takes {before}; leave it as it is: {said}")
    yield from _units(best.estimate.units)
    yield ""
    yield from labelled("", f"{over_text(joint)}, algorithm {backend}")
    for priced, reason in joint.unplaced:
        steps = "; ".join(map(print_line, priced.schedule))
        yield from labelled("", f"not placed, {reason}: {steps}")
    yield ""


def _units(units: Sequence[StatementTime]) -> Iterator[str]:
    """Yield the longest units in execution order, and the total time of the others."""
    longest = sorted(range(len(units)), key=lambda number: -units[number].seconds)[:_MOST_UNITS]
    for number in sorted(longest):
        unit = units[number]
        if unit.seconds:
            hidden = f", {format_seconds(unit.hidden)} hidden" if unit.hidden > 0 else ""
            yield from labelled("      -", f"{unit.name}: {format_seconds(unit.seconds)}, {unit.way}{hidden}")
    rest = [unit.seconds for number, unit in enumerate(units) if number not in longest and unit.seconds]
    if rest:
        yield from labelled("      -", f"{counted(len(rest), 'other')}: {format_seconds(sum(rest))}")


def over_text(joint: Joint) -> str:
    """Describe the candidates among which the answer is best, and what was not searched."""
    best = joint.best
    schedules = len({each.priced.schedule for each in joint.placed})
    search = best.optimum.workload.search
    said = (
        f"best of {counted(schedules, 'schedule')} on all their placements, {len(joint.placed)} pairs, each collective "
        f"by the fastest alone of all programs of at most {search.limit} instructions of grammar {search.grammar}"
    )
    if joint.tuned is not None:
        said += f"; {_searched(joint.tuned)} on {joint.searched_on}, where the program as it is communicates fastest"
    return said if joint.complete else f"{said}; a search ended early, so that a better one may be missed"


def _searched(tuned: TuningResult) -> str:
    refused = sum(count for _, count in tuned.refused)
    return (
        f"these are the fastest of {counted(len(tuned.found), 'schedule')} that were searched ({extent_text(tuned)}; "
        f"{tuned.tried} steps tried, {tuned.equal} led to a known schedule, {refused} refused, "
        f"{tuned.not_proved} not proved, {tuned.bounded + tuned.commuting} not tried as nothing better follows)"
    )


def _rows(joint: Joint, top: int) -> list[list[str]]:
    best = joint.best.estimate.seconds
    names = _names(joint)
    return [
        [
            str(number),
            names[each.priced.schedule],
            str(each.matrix),
            format_seconds(each.estimate.seconds),
            f"{each.estimate.seconds / best:.2f}x" if best else "",
            format_seconds(each.placement.seconds),
            words_of(each.matrix, each.optimum.workload),
        ]
        for number, each in enumerate(joint.placed[:top], start=1)
    ]


def _others(joint: Joint, top: int) -> Iterator[str]:
    """Yield the steps of the other schedules in the table."""
    names = _names(joint)
    shown = dict.fromkeys(each.priced.schedule for each in joint.placed[:top])
    for schedule in shown:
        if schedule and schedule != joint.best.priced.schedule:
            yield from labelled(f"{names[schedule][0]}:", "; ".join(map(print_line, schedule)))
    if len(shown) > 1:
        yield ""


def _names(joint: Joint) -> dict[object, str]:
    """Name the schedules A, B, ... in order of appearance, with their numbers of steps."""
    names: dict[object, str] = {(): "as it is"}
    for each in joint.placed:
        schedule = each.priced.schedule
        names.setdefault(schedule, f"{'ABCDEFGHIJ'[len(names) - 1]}: {counted(len(schedule), 'step')}")
    return names


def joint_document(joint: Joint, backend: Backend, top: int) -> Document:
    """Return the document of the placement of the best schedule's collectives, with the schedule added."""
    best, tuned = joint.best, joint.tuned
    return {
        **optimum_document(best.optimum, backend, top),
        "schedule": {
            "steps": [print_line(line) for line in best.priced.schedule],
            "seconds": best.estimate.seconds,
            "untouched_s": joint.untouched.estimate.seconds,
            "memory": best.estimate.held.peak,
            "matrix": best.matrix.rows,
            "complete": joint.complete,
            "over": over_text(joint),
            "not_searched": joint.why_not,
            "searched": None if tuned is None else searched_document(tuned),
            "placed": [_placed_document(each) for each in joint.placed[:top]],
            "unplaced": [
                {"steps": [print_line(line) for line in priced.schedule], "reason": reason}
                for priced, reason in joint.unplaced
            ],
        },
    }


def _placed_document(placed: PlacedSchedule) -> Document:
    return {
        "steps": [print_line(line) for line in placed.priced.schedule],
        "matrix": placed.matrix.rows,
        "seconds": placed.estimate.seconds,
        "communication_s": placed.placement.seconds,
    }
