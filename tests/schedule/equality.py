"""Both programs of a schedule on small tensors: with random numbers, and over a prime field."""

import re

from p2smt.schedule.check import check_schedule
from p2smt.schedule.replay import difference
from p2smt.tensor.prime_field import PrimeField, covers
from p2smt.tensor.reals import Reals
from p2smt.tensor.text.parser import parse_program


def resized(text, **sizes):
    """A program's text with other sizes."""
    for name, size in sizes.items():
        text = re.sub(rf"\b{name} ?= ?\d+", f"{name} = {size}", text)
    return text


def differs(program, after, seed=0):
    """The first difference in numpy, or over the field; None if there is none."""
    found = difference(program, after, Reals(seed), step=3)
    if found is None and covers(program) and covers(after):
        found = difference(program, after, PrimeField(seed), step=3)
    return found


def checked(text, schedule, ranks=None, **options):
    return check_schedule(parse_program(text), schedule, ranks, **options)
