"""The packaged schedules on programs that are small, and whose lengths do not divide."""

import re
from functools import cache
from importlib.resources import files

from p2smt.schedule.check import check_schedule
from p2smt.schedule.text.parser import parse_schedule
from p2smt.tensor.text.parser import parse_program

EXAMPLES = files("p2smt.schedule") / "examples"
TENSOR = files("p2smt.tensor") / "examples"


def names():
    """All packaged schedules."""
    return sorted(each.name.removesuffix(".steps") for each in EXAMPLES.iterdir() if each.name.endswith(".steps"))


def sizes(program, ranks, ragged):
    """Lengths that leave no chunk of eight empty; ragged ones do not divide by ranks nor by chunks."""
    less = 1 if ragged else 0
    flat = {"N": 16 * ranks - less}
    tail = {"B": 2, "S": 32 - less, "H": 2 * ranks + 3 * less, "F": 2 * ranks + less}
    return {
        "pipeline": {"B": 2, "S": 32 - less, "H": 2 * ranks + 3 * less},
        "attention_tail": tail,
        "mlp_tail": tail,
        "sequence_parallel": tail | {"S": 16 * ranks - less},
        "vocabulary_loss": {"T": 5, "H": 3, "V": 3 * ranks + 2 * less},
        "zero2": {"B": ranks + less, "H": 16 * ranks - less, "F": 24 * ranks - less},
    }.get(program, flat)


def stem_of(name):
    """The program that a packaged schedule is for."""
    steps = (EXAMPLES / f"{name}.steps").read_text(encoding="utf-8")
    return re.search(r"Program: (?:\S*/)?(\w+)\.tp", steps)[1]


@cache
def checked(name, ranks, *, ragged=True, bitwise=False, length=None):
    """A packaged schedule, proved on so many ranks; the pipeline's mesh has two groups of half as many.

    `length` is that of an optimizer's tensors.
    """
    steps, stem = (EXAMPLES / f"{name}.steps").read_text(encoding="utf-8"), stem_of(name)
    path = next(each for each in (EXAMPLES / f"{stem}.tp", TENSOR / f"{stem}.tp") if each.is_file())
    text = path.read_text(encoding="utf-8").replace("model=16", f"model={ranks // 2}")
    lengths = sizes(stem, ranks, ragged) if length is None else {"N": length}
    for size, each in lengths.items():
        text = re.sub(rf"\b{size} = \d+", f"{size} = {each}", text, count=1)
    return check_schedule(
        parse_program(text), parse_schedule(steps), None if stem == "pipeline" else ranks, bitwise=bitwise
    )
