"""Text and JSON output for the schedules that a search found."""

from collections.abc import Iterator

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.prose import labelled, statement
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.schedule.cost.memory import PeakMemory
from p2smt.schedule.explained_words import against, extent_text
from p2smt.schedule.text.printer import print_line, print_schedule
from p2smt.schedule.tuner.result import PricedSchedule, TuningResult


def tuned_text(tuned: TuningResult, top: int) -> str:
    """Return the search's extent, the original program's time, and the `top` fastest schedules with breakdowns."""
    return "\n".join(_lines(tuned, top)) + "\n"


def steps_text(best: PricedSchedule) -> str:
    """Return the steps of a schedule in the format that `p2smt schedule --steps` reads."""
    program, seconds = best.scheduled.program, best.estimate.seconds
    ranks = "x".join(str(axis.size) for axis in program.mesh)
    about = f"# Schedule of {program.name} on {ranks} ranks, {format_seconds(seconds)} by prediction.\n"
    return about + print_schedule(best.schedule)


def _lines(tuned: TuningResult, top: int) -> Iterator[str]:
    yield from labelled("", _searched(tuned))
    yield ""
    yield from _priced("as it is", tuned.untouched, tuned)
    for number, each in enumerate(tuned.found[:top], start=1):
        yield ""
        yield from _priced(f"[{number}]", each, tuned)
    if not tuned.found:
        yield ""
        yield from labelled("", _none_fits(tuned))
    elif tuned.fits(tuned.untouched) and tuned.found[0].estimate.seconds >= tuned.untouched.estimate.seconds:
        yield ""
        yield from labelled("", _leave(tuned))


def _searched(tuned: TuningResult) -> str:
    program = tuned.untouched.scheduled.program
    ranks = " x ".join(str(axis.size) for axis in program.mesh)
    refused = ", ".join(f"{name} {count}" for name, count in tuned.refused) or "none"
    return (
        f"{program.name} on {ranks} ranks: {len(tuned.found)} schedules, {extent_text(tuned)}; "
        f"{tuned.tried} steps tried, {tuned.equal} led to a known schedule, refused: {refused}, "
        f"not proved: {tuned.not_proved}; not tried: {tuned.commuting} that commute with a step before, "
        f"{tuned.bounded} behind which nothing is among the fastest"
        + (
            ""
            if tuned.memory is None
            else f"; {tuned.too_large} more hold more than {format_bytes(tuned.memory)} a rank"
        )
    )


def _none_fits(tuned: TuningResult) -> str:
    assert tuned.memory is not None
    assert tuned.smallest is not None
    return (
        f"no schedule that was found fits into {format_bytes(tuned.memory)} a rank: the smallest of {tuned.too_large} "
        f"holds {format_bytes(tuned.smallest.peak)}, at {tuned.smallest.unit or 'the start'}; search with a greater "
        f"--depth, on more ranks, or with more --memory"
    )


def _leave(tuned: TuningResult) -> str:
    """Explain that no schedule is faster than the original program, by the parts in which the runner-up is slower."""
    said = "leave it as it is: nothing that was found is faster"
    others = [each for each in tuned.found if each.schedule]
    if not others:
        return said
    steps = "; ".join(map(print_line, others[0].schedule))
    return f"{said}; the next best, {steps}: {against(tuned.untouched.estimate, others[0].estimate)}"


def _memory(held: PeakMemory) -> str:
    """Format peak memory per rank, and the part of it in buffers in flight."""
    flying = f", {format_bytes(held.in_flight)} of it in flight" if held.in_flight else ""
    return f"at most {format_bytes(held.peak)} a rank{flying}"


def _priced(label: str, priced: PricedSchedule, tuned: TuningResult) -> Iterator[str]:
    seconds, plain = priced.estimate.seconds, tuned.untouched.estimate.seconds
    gain = f", {plain / seconds:.2f}x" if seconds and priced is not tuned.untouched else ""
    fits = "" if tuned.fits(priced) else ", which does not fit"
    yield from labelled(label, f"{seconds * 1e6:.1f} us{gain}, {_memory(priced.estimate.held)}{fits}")
    for line in priced.schedule:
        yield from statement("      ", print_line(line))
    for unit in priced.estimate.units:
        if unit.seconds:
            hidden = f", {unit.hidden * 1e6:.1f} us hidden" if unit.hidden > 0 else ""
            yield from labelled("      -", f"{unit.name}: {unit.seconds * 1e6:.1f} us, {unit.way}{hidden}")


def searched_document(tuned: TuningResult) -> Document:
    """Return the numbers of generated, duplicate, refused and cut-off schedules, for all commands that search."""
    return {
        "depth": tuned.depth,
        "schedules": len(tuned.found),
        "tried": tuned.tried,
        "equal": tuned.equal,
        "refused": [{"rule": name, "steps": count} for name, count in tuned.refused],
        "not_proved": tuned.not_proved,
        "commuting": tuned.commuting,
        "bounded": tuned.bounded,
        "cut_off": tuned.cut_off or None,
        "stopped": tuned.stopped or None,
        "left": tuned.left,
        "unfollowed": tuned.unfollowed,
    }


def tuned_document(tuned: TuningResult, top: int) -> Document:
    """Return the JSON document: the original program, then the `top` fastest schedules."""
    return {
        "version": VERSION,
        "program": tuned.untouched.scheduled.program.name,
        **searched_document(tuned),
        "memory_limit": tuned.memory,
        "too_large": tuned.too_large,
        "smallest_memory": _smallest(tuned),
        "untouched": _document(tuned.untouched),
        "fastest": [_document(each) for each in tuned.found[:top]],
    }


def _smallest(tuned: TuningResult) -> int:
    """Return the least peak memory among the schedules found, in bytes."""
    if tuned.smallest is not None:
        return tuned.smallest.peak
    return min(each.estimate.held.peak for each in tuned.found)


def _document(priced: PricedSchedule) -> Document:
    return {
        "seconds": priced.estimate.seconds,
        "memory": priced.estimate.held.peak,
        "in_flight": priced.estimate.held.in_flight,
        "steps": [print_line(line) for line in priced.schedule],
        "units": [
            {"name": unit.name, "way": unit.way, "seconds": unit.seconds, "hidden": unit.hidden}
            for unit in priced.estimate.units
        ],
    }
