"""Random small jobs: with reductions at the same time, with conditions, and with conditions that clash."""

from cost.network.random_systems import systems
from hypothesis import strategies as st

from p2smt.collective import Collective
from p2smt.problem.build import build_workload
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.workload import Reduction

SHAPES = (
    ((2, 4), (2, 4)),
    ((2, 4), (2, 2, 2)),
    ((4, 4), (4, 4)),
    ((4, 4), (2, 2, 4)),
    ((2, 6), (6, 2)),
    ((6, 2), (2, 3, 2)),
    ((2, 2, 2), (4, 2)),
    ((2, 2, 2), (2, 2, 2)),
)
PHASES = (("",), ("", ""), ("one", "one"), ("", "one", "one"), ("one", "one", "one"), ("one", "", "one"))
"""Which reductions run at the same time: those with one name."""

MEMORY = (600, 1100, 1300, 1400, 2000)
TIGHT = (
    "at most 2 communicators",
    "at most 1400MB for communicators",
    "at most 1300MB for communicators",
    "at most 2 communicators",
    "at most 1400MB for communicators",
    "at most 1 communicators",
)


@st.composite
def jobs(draw, conditions=False, goals=(Collective.ALL_REDUCE,), limit=3, phases=None):
    """A job of two or three axes, at most 16 devices, and one to three reductions; `phases` as one of PHASES."""
    sizes, axes = draw(st.sampled_from(SHAPES))
    over = st.sets(st.integers(0, len(axes) - 1), min_size=1, max_size=2).map(sorted).map(tuple)
    goal = st.sampled_from(goals)
    reductions = [(draw(over), draw(goal), phase) for phase in phases or draw(st.sampled_from(PHASES))]
    named = [f"a{number}" for number in range(len(axes))], [f"l{level}" for level in range(len(sizes))]
    texts = draw(st.lists(_conditions(*named), max_size=4)) if conditions else []
    return draw(_job(sizes, axes, reductions, texts, limit))


@st.composite
def jobs_on_few_communicators(draw):
    """Jobs in which two axes are reduced alone and together.

    Two communicators do for all three only where each axis has levels of its own; on other placements none of the
    programs keeps the limit.
    """
    sizes, axes = draw(st.sampled_from([shape for shape in SHAPES if len(shape[1]) == 2]))
    reductions = [(over, Collective.ALL_REDUCE, "") for over in draw(st.permutations([(0,), (1,), (0, 1)]))]
    limit = draw(st.sampled_from(TIGHT))
    off = st.builds("a{} not on l{}".format, st.integers(0, 1), st.integers(0, len(sizes) - 1))
    placing = draw(st.lists(off, max_size=2))
    return draw(_job(sizes, axes, reductions, [limit, *placing], 2))


@st.composite
def clashing_jobs(draw):
    """Jobs in which no axis may have a part of one level, in whatever words, and conditions beside."""
    sizes, axes = draw(st.sampled_from([*SHAPES, *(shape for shape in SHAPES if len(shape[1]) > 2)]))
    levels = [f"l{level}" for level in range(len(sizes))]
    bare = draw(st.integers(0, len(sizes) - 1))
    texts = []
    for axis in range(len(axes)):
        words = [f"a{axis} not on l{bare}", *(f"a{axis} on {other}" for other in levels if other != levels[bare])]
        texts.append(draw(st.sampled_from([*words, f"a{axis} inside l0"] if bare == 0 else words)))
    texts += draw(st.lists(_placing([f"a{axis}" for axis in range(len(axes))], levels), max_size=2))
    reductions = [((0,), Collective.ALL_REDUCE, "")]
    return draw(_job(sizes, axes, reductions, draw(st.permutations(texts)), 2))


@st.composite
def _job(draw, sizes, axes, reductions, texts, limit):
    system = draw(systems(sizes, rates=st.floats(1e6, 1e7), latencies=st.floats(0, 1e-3), plain=draw(st.booleans())))
    made = [
        Reduction(
            name=f"r{number}",
            axes=over,
            payload=Payload(4 * draw(st.integers(1, 10**5)), "float32"),
            times=draw(st.sampled_from([0.5, 1.0, 7.0])),
            goal=goal,
            overlap=phase,
        )
        for number, (over, goal, phase) in enumerate(reductions)
    ]
    sized = [Axis(f"a{number}", size) for number, size in enumerate(axes)]
    return build_workload(system, sized, made, texts, Search(limit=limit))


def _conditions(axes, levels):
    return st.one_of(
        _placing(axes, levels),
        st.integers(1, 4).map("at most {} communicators".format),
        st.sampled_from(MEMORY).map("at most {}MB for communicators".format),
    )


def _placing(axes, levels):
    axis, level = st.sampled_from(axes), st.sampled_from(levels)
    return st.one_of(
        st.tuples(axis, st.sampled_from(["on", "inside", "not on"]), level).map(" ".join),
        axis.map("{} not split".format),
        st.tuples(axis, axis).map(lambda pair: f"{pair[0]} like {pair[1]}"),
    )
