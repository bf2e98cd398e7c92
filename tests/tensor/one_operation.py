"""Programs of one operation under given layouts, and whether ranks compute what one device does."""

import math
import random
import re
from itertools import product

import numpy as np

from p2smt.tensor.comparison import compare
from p2smt.tensor.expression import AxisLayout, Output, ProgramAxis
from p2smt.tensor.layout import Partial, ReductionOp, Replicated, Sliced
from p2smt.tensor.printer import placed_text
from p2smt.tensor.program import Program
from p2smt.tensor.reals import Reals
from p2smt.tensor.text.parser import parse_program


def single(call, types):
    lines = [
        f"{'state' if 'update' in call and number == 0 else 'input'} x{number} : {each}"
        for number, each in enumerate(types)
    ]
    return parse_program("\n".join(["program one", *lines, f"y = {call}", "output y"]))


def lengths(each):
    return [int(length) for length in re.search(r"\[(.*)\]", each)[1].split(",") if length]


def blocks(length, ranks, rng):
    """Blocks of any sizes, now and then empty or all on one rank."""
    cuts = sorted(rng.choice([rng.randint(0, length), 0, length // 2]) for _ in range(ranks - 1))
    return tuple(stop - start for start, stop in zip([0, *cuts], [*cuts, length], strict=True))


def choices(each, ranks, rng):
    """Layouts of an operand: all kinds, every dimension cut in two ways."""
    found = [Replicated()]
    for dimension, length in enumerate(lengths(each)):
        found += [Sliced(dimension), Sliced(dimension, blocks(length, ranks, rng))]
    if each.startswith("f"):
        found += [Partial(reduction) for reduction in ReductionOp]
    return found


def distributed(call, types, layouts, ranks, declared=()):
    one = single(call, types)
    sources = tuple(
        type(source)(
            kind=source.kind,
            name=source.name,
            dtype=source.dtype,
            shape=source.shape,
            names=source.names,
            layouts=() if isinstance(layout, Replicated) else (AxisLayout(layout),),
        )
        for source, layout in zip(one.sources, layouts, strict=True)
    )
    outputs = (Output("y", tuple(declared)),)
    return Program(
        name="many", mesh=(ProgramAxis("r", ranks),), sources=sources, statements=one.statements, outputs=outputs
    )


def all_layouts(types, ranks, rng, most):
    """At most so many of the ways to lay out all operands; of some operations there are a hundred thousand."""
    each = [choices(one, ranks, rng) for one in types]
    count = math.prod(map(len, each))
    if count <= most:
        return list(product(*each))
    return [_layouts_at(index, each) for index in rng.sample(range(count), most)]


def _layouts_at(index, each):
    """Those at this place of the product, whose last part changes first."""
    found = []
    for some in reversed(each):
        index, place = divmod(index, len(some))
        found.append(some[place])
    return tuple(reversed(found))


CLAIMS = ((), *((AxisLayout(Partial(reduction)),) for reduction in ReductionOp))
"""What a result can be: parts of the whole, or summands of it."""


class Grid(Reals):
    """Numbers of both signs, few enough to be equal now and then, so that sums are exact."""

    def random(self, shape, dtype):
        if not dtype.startswith(("f", "bf")):
            return super().random(shape, dtype)
        return self._random.integers(-4, 5, shape) / 2

    def summands(self, reduction, array, count):
        others = [self._random.integers(-4, 5, array.shape) / 2 for _ in range(count - 1)]
        if reduction is ReductionOp.SUM:
            return [*others, array - sum(others)]
        winner = self._random.integers(0, count, array.shape)
        least = {ReductionOp.MAX: np.minimum, ReductionOp.MIN: np.maximum}[reduction]
        others.append(self._random.integers(-4, 5, array.shape) / 2)
        return [np.where(winner == rank, array, least(array, each)) for rank, each in enumerate(others)]


def right_for(call, types, layouts, ranks, trials=3):
    """The claims under which the ranks' results are the single device's, on all of some random values."""
    one = single(call, types)
    found = []
    for claim in CLAIMS:
        program = distributed(call, types, layouts, ranks, claim)
        if all(compare(program, one, kind(seed)) is None for seed in range(trials) for kind in (Reals, Grid)):
            found.append(claim)
    return found


def text_of(layouts):
    return " ".join(placed_text(AxisLayout(layout)) for layout in layouts)


def rng_of(*parts):
    return random.Random(repr(parts))
