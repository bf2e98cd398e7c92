"""Printer of schedules, in a canonical form."""

from p2smt.schedule.step import (
    AllReduceSplit,
    Dead,
    Fuse,
    Line,
    LossyCast,
    Merge,
    Overlap,
    Reorder,
    Schedule,
    SliceStates,
    Step,
    Through,
    UseProgram,
)


def print_schedule(schedule: Schedule) -> str:
    """Return the text of a schedule; parsing it gives the same steps."""
    return "".join(f"{print_line(line)}\n" for line in schedule)


def print_line(line: Line) -> str:
    """Return the text of a step with its result names.

    >>> print_line(Line(Fuse(("a", "b")), ("f",)))
    'f = fuse a, b'
    """
    head = f"{_names(line.results)} = " if line.results else ""
    return head + print_step(line.step)


def print_step(step: Step) -> str:
    """Return the text of a step without result names."""
    match step:
        case AllReduceSplit(value, form, number):
            word = "root" if form.is_rooted else "dim"
            return f"split {value} {form}" + (f" {word} {number}" if number else "")
        case UseProgram(value, program, levels):
            return f'split {value} "{program}" levels ' + ", ".join(f"{name}={size}" for name, size in levels)
        case Merge(first, second):
            return f"merge {first}, {second}"
        case Reorder() | Through():
            word = "reorder" if isinstance(step, Reorder) else "through"
            return f"{word} {step.value} past {_names(step.past)}"
        case Fuse() | Overlap() | SliceStates() | Dead() | LossyCast():
            return _plain(step)


def _plain(step: Fuse | Overlap | SliceStates | Dead | LossyCast) -> str:
    match step:
        case Fuse(members):
            return f"fuse {_names(members)}"
        case Overlap(stages, chunks, dimension):
            return f"overlap {_names(stages)} chunks {chunks} dim {dimension}"
        case SliceStates(states):
            return f"slice {_names(states)}"
        case Dead(statements):
            return f"dead {_names(statements)}"
        case LossyCast(value, dtype):
            return f"lossy cast {value} {dtype}"


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(names)
