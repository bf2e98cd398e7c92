"""What placements have in common is worked out once, and comes out as if each were priced alone."""

import pytest
from cost.network.random_systems import systems
from hypothesis import given, settings
from hypothesis import strategies as st
from job.by_force import SYNTHESIZER, every_matrix
from tiers import examples, sample

from p2smt.collective import Collective, Exchange, NeighbourSend
from p2smt.cost.network.nccl import NetworkCost
from p2smt.job.job_pricer import JobPricer
from p2smt.job.optimize import optimize
from p2smt.job.plans import best_plans
from p2smt.placement.matrix import parse_matrix
from p2smt.problem.build import build_workload
from p2smt.problem.condition import FewCommunicators
from p2smt.problem.model import Axis, Engine, Payload, Search
from p2smt.problem.system.text import find_system
from p2smt.problem.workload import GOALS, Reduction


@st.composite
def larger_jobs(draw):
    """Jobs with dozens of placements, on systems where it matters which devices of a unit form a group."""
    sizes, shards = draw(st.sampled_from([((8, 8), (8, 8)), ((2, 4, 4), (4, 2, 4)), ((8, 4), (2, 2, 2, 4))]))
    system = draw(systems(sizes, rates=st.floats(1e6, 1e7), latencies=st.floats(0, 1e-3)))
    axes = [Axis(f"a{number}", size) for number, size in enumerate(shards)]
    over = st.sets(st.integers(0, len(axes) - 1), min_size=1, max_size=2).map(sorted).map(tuple)
    payload = Payload(2**16, "float32")
    reductions = [Reduction(name=str(goal), axes=draw(over), payload=payload, goal=goal) for goal in GOALS]
    return build_workload(system, axes, reductions, search=Search(limit=2))


@pytest.mark.slow
@settings(max_examples=examples(2))
@given(larger_jobs())
def test_placements_priced_together_take_what_each_takes_alone(job):
    cost = NetworkCost(job.system)
    together = JobPricer(job, cost, synthesizer=SYNTHESIZER)
    for matrix in every_matrix(job):
        alone = JobPricer(job, cost, synthesizer=SYNTHESIZER)
        assert together.placement(matrix) == alone.placement(matrix)


def test_limits_are_kept_whatever_was_asked_before():
    """The fastest programs take two communicators; where one is allowed another program is chosen."""
    system = find_system("4x8")
    reductions = [Reduction(name="r", axes=(0,), payload=Payload(1 << 26, "float32"))]
    job = build_workload(system, [Axis("a", 32)], reductions)
    cost, matrix, limits = NetworkCost(system), parse_matrix("4x8"), [FewCommunicators(1)]
    asked = JobPricer(job, cost)
    free = asked.placement(matrix)
    assert (free.communicators, asked.placement(matrix, limits).communicators) == (2, 1)
    assert asked.placement(matrix, limits) == JobPricer(job, cost).placement(matrix, limits)
    assert asked.placement(matrix) == free
    for both in ([FewCommunicators(9), *limits], [*limits, FewCommunicators(9)]):
        assert asked.placement(matrix, both) == asked.placement(matrix, limits)


@pytest.mark.parametrize("goal", [*Collective, *NeighbourSend, Exchange.ALL_TO_ALL], ids=str)
def test_along_an_axis_of_one_rank_nothing_is_done_and_a_device_is_in_no_communicator(goal):
    reduction = Reduction(name="r", axes=(0,), payload=Payload(1 << 20, "float32"), goal=goal)
    job = build_workload(find_system("2x2"), [Axis("a", 1), Axis("b", 4)], [reduction])
    found = JobPricer(job, NetworkCost(job.system), synthesizer=SYNTHESIZER).placement(parse_matrix("1x1/2x2"))
    assert (found.seconds, found.communicators) == (0.0, 0)


def test_plans_are_in_the_order_of_the_job_whatever_runs_at_the_same_time():
    """The first and the third overlap, and are one phase."""
    reductions = [
        Reduction(name=name, axes=(0,), payload=Payload(size, "float32"), overlap=overlap)
        for name, size, overlap in (("first", 4096, "both"), ("second", 8192, ""), ("third", 12288, "both"))
    ]
    job = build_workload(find_system("2x2"), [Axis("a", 4)], reductions, search=Search(limit=1))
    optimum = optimize(job, NetworkCost(job.system))
    assert [len(phase.reductions) for phase in optimum.best.phases] == [2, 1]
    assert [plan.payload.bytes for plan in best_plans(optimum, NetworkCost(job.system))] == [4096, 8192, 12288]


@pytest.mark.parametrize(
    ("text", "sizes", "smallest"),
    [
        ("2x2", [4], ["0 1", "01"]),
        ("2x2x1/1x1x2", [4, 2], ["0 2", "02"]),
        ("2x2x2", [8], ["0 1 2", "0 12", "01 2", "012"]),
    ],
)
def test_communicators_are_those_of_programs_of_any_length(text, sizes, smallest):
    """One for each range of levels, however they are cut into ranges, though programs are to be shorter than that."""
    for goal in Collective:
        assert_communicators(goal, text, sizes, smallest)


def assert_communicators(goal, text, sizes, smallest):
    system = find_system("2x2" if text == "2x2" else "2x2x2")
    reductions = [Reduction(name="r", axes=(0,), payload=Payload(1 << 20, "float32"), goal=goal)]
    axes = [Axis(f"a{number}", size) for number, size in enumerate(sizes)]
    wanted = {frozenset(tuple(map(int, word)) for word in line.split()) for line in smallest}
    if goal is Collective.BROADCAST and text == "2x2x2":  # the first of a group has it from another group
        wanted.add(frozenset({(0, 1), (1, 2)}))
    for limit in sample((1, 2, 3), 1):
        job = build_workload(system, axes, reductions, search=Search(limit=limit, engine=Engine.EXPLICIT))
        found = JobPricer(job, NetworkCost(system), synthesizer=SYNTHESIZER).smallest_communicators(parse_matrix(text))
        assert set(found) == wanted, (goal, limit)
        assert len(found) == len(wanted)
