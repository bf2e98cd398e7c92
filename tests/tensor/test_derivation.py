"""The checker of derivations by itself: it takes no layout but the one that follows, and none that cannot be."""

import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from looped import looped

from p2smt.tensor import derivation
from p2smt.tensor.comparison import compare
from p2smt.tensor.conversion import AllToAll, Keep, Rebalance, Reduce, ReduceScatter, Send, Slice
from p2smt.tensor.derivation import Fault, check
from p2smt.tensor.derived_conversions import conversion_fault
from p2smt.tensor.expression import AxisLayout, Convert, Number, Read
from p2smt.tensor.holdings import holding
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.layout import Local, OnRank, Partial, ReductionOp, Replicated, Sliced, dimension_cut
from p2smt.tensor.reals import Reals
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.verification.erasure import erased


@looped(
    ("conversion", "before", "after"),
    [(Reduce(2), Partial(), OnRank(2)), (Keep(2), Replicated(), Partial()), (Send(), OnRank(1), OnRank(2))],
)
@looped(("ranks", "right"), [(2, False), (3, True)])
def test_a_rank_behind_the_last_is_not_there(conversion, before, after, ranks, right):
    held = [holding((layout,), (ranks,), (4,)) for layout in (before, after)]
    assert (conversion_fault(conversion, *held, 0, (ranks,)) is None) is right


@looped(
    ("sizes", "right"),
    [((4, 0), True), ((5, -1), False), ((3, 2), False), ((2, 1), False), ((4,), False), (None, False)],
)
def test_blocks_tile_what_they_cut(sizes, right):
    assert (holding((Sliced(0, sizes),), (2,), (4,)) is not None) is right


@looped(
    ("outer", "inner", "right"),
    [
        (Sliced(0, (2, 2)), Sliced(0, (1, 1, 1, 1), (0,)), True),
        (Sliced(0, (2, 2), (1,)), Sliced(0, (2, 2)), False),
        (Sliced(0, (2, 2)), Sliced(0, (2, 2)), False),
        (Sliced(0, (1, 1, 1, 1), (1,)), Sliced(0, (2, 2)), True),
        (Sliced(0, (1, 1, 1, 1), (1,)), Sliced(0, (2, 2), (0,)), False),
        (Sliced(0, (3, 1)), Sliced(0, (1, 1, 1, 1), (0,)), False),
        (Sliced(0, (2, 2), (1,)), Sliced(0, (1, 1, 1, 1), (0,)), False),
        (Sliced(0, (2, 2), (0,)), Sliced(1, (2, 2)), False),
    ],
)
def test_which_axis_cuts_first_is_said_of_both(outer, inner, right):
    assert (holding((outer, inner), (2, 2), (4, 4)) is not None) is right


WRITTEN = {
    Slice(0, (3, 1)): Replicated(),
    ReduceScatter(0, (3, 1)): Partial(),
    Rebalance(0, (3, 1)): Sliced(0, (2, 2)),
    AllToAll(1, 0, (3, 1)): Sliced(1, (2, 2)),
}
"""Conversions with blocks, and what is before them."""


@pytest.mark.parametrize("conversion", WRITTEN)
def test_blocks_are_those_that_are_written_and_no_other_axis_is_touched(conversion):
    """Of two axes of two ranks on a tensor of 4 x 4 x 4; the other axis may have any layout, and has the same after."""
    others = [Replicated(), Partial(), Partial(ReductionOp.MAX), *(Sliced(2, each) for each in ((2, 2), (1, 3)))]
    others += [OnRank(0), OnRank(1)]
    taken = 0
    for axis, sizes, old, new in product(range(2), ((3, 1), (2, 2), (1, 3)), others, others):
        sides = []
        for layout, other in ((WRITTEN[conversion], old), (Sliced(0, sizes), new)):
            both = (layout, other) if axis == 0 else (other, layout)
            sides.append(holding(both, (2, 2), (4, 4, 4)))
        right = sizes == conversion.sizes and old == new
        assert (conversion_fault(conversion, *sides, axis, (2, 2)) is None) is right, (axis, sizes, old, new)
        taken += right
    assert taken == 2 * len(others)


TEXTS = (
    """program two_axes
mesh a = 2, b = 3
input x : f32[4, 6] sliced(0, a)
parameter w : f32[6, 6] sliced(1, b)
state m : f32[4, 6] sliced(0, a) sliced(1, b)
input g : f32[4, 6] partial(+, a)
constant c : f32[4, 6] = 2
y = matmul(x, w)
z = relu(y) * ranks(b) + 3
d = c + c
n = update(m, z)
s = softmax(x, 1)
h = reshape(x, 24)
t = sum(x, 0)
u = g + g
v = AllReduce(u, axis=a)
r = Reduce(u, 1, axis=a)
k = max(x, 0)
q = maximum(k, k)
output z
output n
output s
output v
output t partial(+, a)
output k partial(max, a)
output r on_rank(1, a)
""",
    """program one_axis
mesh a = 2
input x : f32[5] sliced(0, a)
input l : f32[5] local(a)
q = x + x
g = AllGather(q, 0)
m = l + l
o = Keep(g, 1)
z = o * 2
output q sliced(0, a)
output g
output m local(a)
output z partial(+, a)
""",
)

FAULTS = {
    "its layout differs from the declared one",
    "the derivation is of another statement",
    "an operand is not judged",
    "a number is the same everywhere",
    "blocks do not tile what is cut",
    "the sum over a cut label is a summand",
    "what is the same everywhere stays so",
    "a value of a rank's own, or of one rank, does not stay so",
    "the reduction does not pass through the operation",
}
"""What the checker says of most of them; of others, that indices meet, or are looked across and cut."""


def derived(text):
    program = parse_program(text)
    inferred = infer(program)
    assert isinstance(inferred, Inferred)
    assert check(program, inferred) is None
    return program, inferred


def other_layouts(program, layouts):
    """The same with another layout along one axis: every kind, blocks that tile and blocks that do not."""
    for axis, ranks in enumerate(each.size for each in program.mesh):
        blocks = [(2,) * ranks, (3, 2)]
        cut = [Sliced(0, each) for each in blocks] + [Sliced(1, (6 // ranks,) * ranks)]
        kinds = [Replicated(), Partial(), Partial(ReductionOp.MAX), Local(), OnRank(0), OnRank(1)]
        for other in (*kinds, *cut):
            if other != layouts[axis]:
                yield (*layouts[:axis], other, *layouts[axis + 1 :])


def changed(inferred, name, layouts):
    """Derivations in which a value has other layouts: where it is made alone, and where it is read, too."""
    last = {step.statement: number for number, step in enumerate(inferred.steps)}
    reads = {number for number, step in enumerate(inferred.steps) if step.expression == Read(name)}
    for places in ({last.get(name)}, {last.get(name), *reads}):
        steps = [
            step._replace(layouts=layouts) if number in places else step for number, step in enumerate(inferred.steps)
        ]
        yield Inferred({**inferred.layouts, name: layouts}, tuple(steps))


def test_no_other_layout_of_any_value_is_derived():
    """A value's layouts follow from those of the sources, so that each other one is a fault, wherever it is said."""
    said = set()
    for program, inferred in map(derived, TEXTS):
        for name, layouts in inferred.layouts.items():
            for other in other_layouts(program, layouts):
                for claimed in changed(inferred, name, other):
                    fault = check(program, claimed)
                    assert fault is not None, (name, layouts, other)
                    said.add(fault.detail)
        for number, step in enumerate(inferred.steps):
            for other in other_layouts(program, step.layouts) if not isinstance(step.expression, Read) else ():
                steps = (*inferred.steps[:number], step._replace(layouts=other), *inferred.steps[number + 1 :])
                fault = check(program, Inferred(inferred.layouts, steps))
                assert fault is not None, (step, other)
                said.add(fault.detail)
            left_out = (*inferred.steps[:number], *inferred.steps[number + 1 :])
            fault = check(program, Inferred(inferred.layouts, left_out))
            assert fault is not None
            said.add(fault.detail)
            twice = (*inferred.steps[: number + 1], *inferred.steps[number:])
            assert check(program, Inferred(inferred.layouts, twice)) is not None
    assert said >= FAULTS, FAULTS - said


def given_as(text, layout):
    """What is wrong with x in this layout, and with what is computed of it element by element in the same."""
    program, inferred = derived(text)
    steps = tuple(step._replace(layouts=(layout,)) for step in inferred.steps)
    return check(program, Inferred(dict.fromkeys(inferred.layouts, (layout,)), steps))


def test_blocks_of_a_source_are_those_that_its_line_says():
    """Where it says none any that tile."""
    text = "program p\nmesh a = 2\ninput x : f32[4] sliced(0{said})\ny = relu(x)\noutput y\n"
    for sizes in ((3, 1), (2, 2), (1, 3), (4, 0), (2, 1)):
        said = given_as(text.format(said=", sizes=3/1"), Sliced(0, sizes))
        assert (said is None) is (sizes == (3, 1)), sizes
        free = given_as(text.format(said=""), Sliced(0, sizes))
        assert (free is None) is (sum(sizes) == 4), sizes


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_the_one_rank_that_has_a_source_is_there(ranks):
    text = f"program p\nmesh a = {ranks}\ninput x : f32[4] on_rank(0)\ny = relu(x)\noutput y\n"
    program, inferred = derived(text)
    for rank in range(ranks + 2):
        layout = OnRank(rank)
        source = replace(program.sources[0], layouts=(AxisLayout(layout),))
        steps = tuple(step._replace(layouts=(layout,)) for step in inferred.steps)
        claimed = Inferred({"x": (layout,), "y": (layout,)}, steps)
        fault = check(replace(program, sources=(source,)), claimed)
        assert (fault is None) is (rank < ranks), (rank, fault)


def test_what_is_judged_are_the_operands():
    """Not another value of the same shape that is where the operand should be."""
    judged = 0
    for program, inferred in map(derived, TEXTS):
        known = {source.name: source.shape for source in program.sources}
        for number, step in enumerate(inferred.steps):
            if not isinstance(step.expression, Read) or step.expression.name not in known:
                continue
            for other, shape in known.items():
                if other != step.expression.name and shape == known[step.expression.name]:
                    instead = step._replace(expression=Read(other), layouts=inferred.layouts[other])
                    steps = (*inferred.steps[:number], instead, *inferred.steps[number + 1 :])
                    assert check(program, Inferred(inferred.layouts, steps)) is not None, (step, other)
                    judged += 1
    assert judged > 20


def test_what_is_observed_has_to_be_declared():
    """Of programs whose outputs are then declared otherwise, and of a source without layouts."""
    for program, inferred in map(derived, TEXTS):
        for number, output in enumerate(program.outputs):
            layouts = inferred.layouts[output.name]
            for axis, layout in enumerate(layouts):
                name = program.mesh[axis].name
                rest = tuple(each for each in output.layouts if program.axis(each.axis) != axis)
                cuts = [each for each in (Sliced(0), Sliced(1)) if each.dimension != dimension_cut(layout)]
                wrong = [*cuts, *map(Partial, ReductionOp), OnRank(0), OnRank(1), Local()]
                listed = [(*rest, AxisLayout(each, name)) for each in wrong if each != layout]
                listed += [rest] if isinstance(layout, Partial | Local) else []
                for declared in listed:
                    outputs = (
                        *program.outputs[:number],
                        replace(output, layouts=declared),
                        *program.outputs[number + 1 :],
                    )
                    assert check(replace(program, outputs=outputs), inferred) is not None, (output, declared)
        for source in program.sources:
            left = {name: layouts for name, layouts in inferred.layouts.items() if name != source.name}
            assert check(program, Inferred(left, inferred.steps)) == Fault(
                source.name, "its layout differs from the declared one"
            )


def test_a_constant_is_no_summand():
    program = parse_program("program p\nmesh a = 2\nconstant c : f32[4] = 2\ny = c * 2\noutput y partial(+, a)")
    whole = replace(program, outputs=(replace(program.outputs[0], layouts=()),))
    inferred = infer(whole)
    assert isinstance(inferred, Inferred)
    summand = {name: (Partial(),) for name in inferred.layouts}
    steps = [
        each._replace(layouts=each.layouts if each.expression == Number(2) else (Partial(),)) for each in inferred.steps
    ]
    placed = replace(program.sources[0], layouts=(AxisLayout(Partial(), "a"),))
    for source in (program.sources[0], placed):
        fault = check(replace(program, sources=(source,)), Inferred(summand, tuple(steps)))
        assert fault == Fault("c", "its layout differs from the declared one")


def test_one_axis_cuts_one_label():
    """Of two sums that one axis cuts each rank multiplies its own terms: terms of two ranks never meet."""
    text = """program p
mesh a = 2
input x : f32[2, 4] sliced(1)
input w : f32[3, 4]
y = einsum("m i, n j -> m n", x, w)
output y partial(+)
"""
    program, inferred = derived(text)
    cut = Sliced(1, (2, 2))
    both = replace(program, sources=(program.sources[0], replace(program.sources[1], layouts=(AxisLayout(cut),))))
    steps = tuple(each._replace(layouts=(cut,)) if each.expression == Read("w") else each for each in inferred.steps)
    fault = check(both, Inferred({**inferred.layouts, "w": (cut,)}, steps))
    assert fault == Fault("y", "one axis cuts two labels")
    assert compare(both, erased(program), Reals(1)) is not None


@pytest.mark.parametrize("sizes", [(2, 2), (3, 1), (1, 3), (4, 0)])
def test_operands_that_are_cut_unevenly_have_the_same_indices(sizes):
    """Rows of two operands that overlap on every rank are not the same ones."""
    sources = "".join(f"input {name} : f32[4] sliced(0)\n" for name in "xw")
    text = f"program p\nmesh a = 2\n{sources}y = x + w\noutput y sliced(0)\n"
    program, inferred = derived(text)
    cut = Sliced(0, sizes)
    source = replace(program.sources[1], layouts=(AxisLayout(cut),))
    steps = tuple(each._replace(layouts=(cut,)) if each.expression == Read("w") else each for each in inferred.steps)
    claimed = Inferred({**inferred.layouts, "w": (cut,)}, steps)
    fault = check(replace(program, sources=(program.sources[0], source)), claimed)
    assert (fault is None) is (sizes == (2, 2)), fault
    assert fault is None or "meet" in fault.detail


def test_what_is_a_sum_over_one_axis_is_no_maximum_over_another():
    """In which order the two are reduced would matter: of a source, and of what an operation makes of it."""
    text = """program p
mesh a = 2, b = 2
input x : f32[2, 4] partial(+, a)
y = transpose(x, 1, 0)
z = AllReduce(y, axis=a)
output z
"""
    program, inferred = derived(text)
    mixed, left = (Partial(), Partial(ReductionOp.MAX)), (Replicated(), Partial(ReductionOp.MAX))
    declared = (AxisLayout(Partial(), "a"), AxisLayout(Partial(ReductionOp.MAX), "b"))
    source = replace(program.sources[0], layouts=declared)
    output = replace(program.outputs[0], layouts=declared[1:])
    layouts = {"x": mixed, "y": mixed, "z": left}
    steps = tuple(
        each._replace(layouts=left if isinstance(each.expression, Convert) else mixed) for each in inferred.steps
    )
    wrong = replace(program, sources=(source,), outputs=(output,))
    assert check(wrong, Inferred(layouts, steps)) == Fault("x", "its layout differs from the declared one")
    assert conflicting(wrong, layouts, steps) == Fault("y", "summands of two reductions")


def conflicting(program, layouts, steps):
    """What the checker says of the statements, of sources that are not asked for."""
    checker = derivation._Checker(program, Inferred(layouts, steps))
    checker._is_declared = lambda _: True
    return checker.run()


SUMMED = {
    "x + b": np.add,
    "x - b": np.subtract,
    "x * b": np.multiply,
    "maximum(x, b)": np.maximum,
    "minimum(x, b)": np.minimum,
    "matmul(x, b)": np.matmul,
    "-x": lambda x, b: -x,
    "transpose(x, 1, 0)": lambda x, b: x.T,
    "sum(x, 0)": lambda x, b: x.sum(0),
    "max(x, 0)": lambda x, b: x.max(0),
    "relu(x)": lambda x, b: np.maximum(x, 0),
}
REDUCED = {ReductionOp.SUM: np.sum, ReductionOp.MAX: np.max, ReductionOp.MIN: np.min}


def operands_of(layout, rng):
    """What each of three ranks holds, ten times over, and the value that this is."""
    parts = rng.integers(-4, 5, (3, 10, 2, 2))
    if isinstance(layout, Partial):
        return parts, REDUCED[layout.reduction](parts, axis=0)
    return parts[:1].repeat(3, axis=0), parts[0]


def is_so(operation, before, claimed):
    """Whether ranks that operate on what they hold, drawn at random, have parts of the value, or the value."""
    rng = np.random.default_rng(7)
    (x, whole_x), (b, whole_b) = (operands_of(layout, rng) for layout in before)
    for draw in range(10):
        each = np.stack([operation(x[rank, draw], b[rank, draw]) for rank in range(3)])
        wanted = operation(whole_x[draw], whole_b[draw])
        made = [REDUCED[claimed.reduction](each, axis=0)] if isinstance(claimed, Partial) else each
        if any(not np.array_equal(wanted, one) for one in made):
            return False
    return True


def claimed_of(program, inferred, before, claimed):
    """The same program and derivation, of sources with these layouts, of which the result has the claimed one."""
    known = {source.name: layout for source, layout in zip(program.sources, before, strict=True)} | {"y": claimed}
    placed = {
        name: () if isinstance(layout, Replicated) else (AxisLayout(layout, "a"),) for name, layout in known.items()
    }
    other = replace(
        program,
        sources=tuple(replace(source, layouts=placed[source.name]) for source in program.sources),
        outputs=tuple(replace(output, layouts=placed["y"]) for output in program.outputs),
    )
    steps = tuple(
        step._replace(layouts=(known[step.expression.name if isinstance(step.expression, Read) else "y"],))
        for step in inferred.steps
    )
    return other, Inferred({name: (layout,) for name, layout in known.items()}, steps)


def test_what_summands_become_is_what_numbers_say():
    """Whatever operands are wholes and whatever summands: what the checker takes holds of random numbers."""
    layouts = [Replicated(), *(Partial(reduction) for reduction in ReductionOp)]
    taken, wrong = 0, 0
    for text, operation in SUMMED.items():
        sources = "".join(f"input {name} : f32[2, 2]\n" for name in "xb" if re.search(rf"\b{name}\b", text))
        program = parse_program(f"program p\nmesh a = 3\n{sources}y = {text}\noutput y\n")
        inferred = infer(program)
        assert isinstance(inferred, Inferred)
        for *before, claimed in product(layouts, repeat=len(program.sources) + 1):
            if check(*claimed_of(program, inferred, before, claimed)) is None:
                assert is_so(operation, (*before, Replicated())[:2], claimed), (text, before, claimed)
                taken += any(isinstance(each, Partial) for each in before)
            else:
                wrong += not is_so(operation, (*before, Replicated())[:2], claimed)
    assert taken > 15
    assert wrong > 200
