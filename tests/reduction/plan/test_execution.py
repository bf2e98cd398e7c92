"""Every program, lowered and run on numpy buffers, equals the plain sum: a program right only on paper is wrong."""

from dataclasses import replace
from functools import cache
from itertools import permutations

import numpy as np
import pytest
from looped import looped
from support import Steps, problem
from tiers import sample

from p2smt.collective import Collective
from p2smt.errors import PlanError, ProgramError
from p2smt.placement.digits import DeviceMap
from p2smt.placement.enumeration import all_placements
from p2smt.placement.matrix import ParallelismMatrix, parse_matrix
from p2smt.problem.model import Engine, HierarchyKind, Problem
from p2smt.reduction.language.hierarchy import read_program
from p2smt.reduction.language.language import Language
from p2smt.reduction.plan.execute import execute
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, PermuteStep, Plan, Portion
from p2smt.reduction.plan.schedule import BufferSchedule
from p2smt.reduction.synth.engines import find_programs


@cache
def walked(language: Language, limit: int) -> tuple[Steps, ...]:
    """All programs of a language, by the walk over devices."""
    return find_programs(Engine.EXPLICIT, language, (2,) * language.levels, limit).items


def plans(asked: Problem, matrix_text: str | None = None) -> list[Plan]:
    matrices = all_placements(asked).items if matrix_text is None else (parse_matrix(matrix_text),)
    found = []
    for matrix in matrices:
        lowering = Lowering(asked, matrix)
        programs = walked(lowering.language, asked.search.limit)
        found += [lowering.plan(lowering.language.program(steps)) for steps in programs]
    return found


@cache
def keys(reduce: tuple[int, ...], matrix: ParallelismMatrix, devices: int) -> list[tuple[int, ...]]:
    """Of every device the coordinates on all axes but those of the reduction."""
    every = map(DeviceMap(matrix).coordinates, range(devices))
    return [tuple(c for axis, c in enumerate(coordinates) if axis not in reduce) for coordinates in every]


def plain_sums(asked: Problem, plan: Plan, buffers: np.ndarray) -> np.ndarray:
    """By the definition: devices that share all coordinates but those of the reduction axes add up."""
    own = keys(asked.reduce, plan.matrix, len(buffers))
    sums: dict[tuple[int, ...], np.ndarray] = {}
    for key, buffer in zip(own, buffers, strict=True):
        sums[key] = sums.get(key, np.zeros_like(buffer)) + buffer
    return np.stack([sums[key] for key in own])


def check_all(asked: Problem, lengths: tuple[int, ...]) -> int:
    random = np.random.default_rng(7)
    """Whether all programs sum; where there are very many, in turn with buffers of each of these lengths."""
    found = plans(asked)
    for number, plan in enumerate(sample(found, 70)):
        for length in lengths if len(found) < 1000 else (lengths[number % len(lengths)],):
            buffers = random.integers(-1000, 1000, (plan.devices, length))
            before = buffers.copy()
            results = np.stack(execute(plan, list(buffers)))
            assert results.shape == buffers.shape
            assert (results == plain_sums(asked, plan, before)).all(), plan.program
            assert (buffers == before).all(), plan.program
    return len(found)


TWOS = pytest.param((2, 2, 2), 1635, marks=pytest.mark.thorough)  # the same programs as with sizes that differ


@pytest.mark.parametrize(("sizes", "count"), [((2, 4), 93), ((3, 2), 93), TWOS, ((2, 3, 2), 1635)], ids=str)
def test_every_program_of_the_full_grammar_equals_the_plain_sum(sizes, count):
    devices = int(np.prod(sizes))
    assert check_all(problem(sizes, [devices]), (devices * 2, devices + 1, 1)) == count


@looped("kind", list(HierarchyKind))
@looped("collapse", [True, False])
def test_every_hierarchy_lowers_to_the_same_reduction(kind, collapse):
    asked = problem([4, 4], [2, 4, 2], [0, 2], hierarchy=kind, collapse=collapse)
    assert check_all(asked, (11,)) > 0


def test_non_reduction_axes_stay_apart_and_strides_are_right():
    assert check_all(problem([2, 6], [3, 4], [1]), (13,)) > 0
    assert check_all(problem([2, 6], [4, 3], [0]), (13,)) > 0


@pytest.mark.thorough  # all programs of three levels are run above on fewer devices
def test_one_long_plan_on_512_devices():
    asked = problem([4, 8, 16], [512])
    lowering = Lowering(asked, all_placements(asked).items[0])
    text = (
        "(level1, InsideGroup, ReduceScatter); (level1, Parallel(level0), ReduceScatter); "
        "(level0, Parallel(root), AllReduce); (level0, InsideGroup, AllGather)"
    )
    plan = lowering.plan(read_program(lowering.hierarchy, text))
    random = np.random.default_rng(1)
    buffers = [random.integers(-9, 9, 1000) for _ in range(512)]
    for result in execute(plan, buffers):
        np.testing.assert_array_equal(result, np.sum(buffers, axis=0))


def test_gathering_in_the_reverse_order_of_scattering_needs_no_copy_and_the_rest_few():
    asked = problem([2, 4], [8])
    lowering = Lowering(asked, all_placements(asked).items[0])

    def permuting(text: str) -> int:
        return sum(isinstance(s, PermuteStep) for s in lowering.plan(read_program(lowering.hierarchy, text)).steps)

    inner, outer = "(level0, InsideGroup, {})", "(level0, Parallel(root), {})"
    scatter = f"{inner}; {outer}".format("ReduceScatter", "ReduceScatter")
    assert permuting(f"{scatter}; {outer}; {inner}".format("AllGather", "AllGather")) == 0
    assert permuting(f"{scatter}; (root, InsideGroup, AllGather)") == 1
    both = [inner.format("ReduceScatter"), inner.format("AllGather")]
    both += [outer.format("ReduceScatter"), outer.format("AllGather")]
    assert permuting("; ".join(both)) == 0


def test_a_program_that_does_not_reduce_is_refused():
    asked = problem([2, 4], [8])
    lowering = Lowering(asked, all_placements(asked).items[0])
    with pytest.raises(ProgramError, match="does not implement all-reduce over axis0; after the last step the goal"):
        lowering.plan(read_program(lowering.hierarchy, "(level0, InsideGroup, AllReduce)"))
    with pytest.raises(ProgramError, match="groups one device, or devices of different reduction groups; choose"):
        read_program(lowering.hierarchy, "(level1, InsideGroup, AllReduce)")


def with_steps(*steps: CollectiveStep) -> Plan:
    asked = problem([2, 2], [4])
    return replace(Lowering(asked, all_placements(asked).items[0]).direct, steps=steps, multiple=4)


def test_execution_refuses_buffers_that_were_given_away_or_differ():
    ones = [np.ones(4, int)] * 4
    inner, whole = GroupRule((1,)), GroupRule((0, 1))
    reduce = CollectiveStep(Collective.REDUCE, inner, (Portion(1),))
    gather = CollectiveStep(Collective.ALL_REDUCE, whole, (Portion(1),))
    with pytest.raises(
        PlanError,
        match=(
            "step 2: it uses a device without a buffer, because an earlier Reduce sent it to its root; "
            "check the plan with p2smt verify"
        ),
    ):
        execute(with_steps(reduce, gather), ones)
    scatter = CollectiveStep(Collective.REDUCE_SCATTER, inner, (Portion(1),))
    with pytest.raises(PlanError, match="some device does not hold the 4 elements of the result of AllReduce"):
        execute(with_steps(scatter), ones)
    with pytest.raises(PlanError, match="3 buffers are given; the plan needs"):
        execute(with_steps(scatter), ones[:3])


@pytest.mark.parametrize("goal", Collective)
def test_sums_keep_the_type_of_their_buffers_and_wrap_as_it_does(goal):
    asked = problem([2, 3], [6], goal=goal)
    (matrix,) = all_placements(asked).items
    plan = Lowering(asked, matrix).direct
    for kind in (np.int8, np.uint8, np.int16, np.float16, np.float32):
        for chunks in (1, 2):
            buffers = [np.full(12, 50 + device, kind) for device in range(6)]
            results = execute(replace(plan, chunks=chunks), buffers)
            assert {result.dtype for result in results} == {np.dtype(kind)}
            if goal.adds:
                assert results[0].size
                assert set(results[0].tolist()) == {np.array(315).astype(kind).item()}


@pytest.mark.parametrize("chunks", [1, 2, 3, 5])
def test_shards_of_short_payloads_are_those_of_the_padded_sum(chunks):
    """Six shards of a payload of up to 13 elements; what is behind its end is zero."""
    asked = problem([2, 3], [6], goal=Collective.REDUCE_SCATTER)
    for plan in plans(asked):
        for length in range(14):
            buffers = [np.arange(length) * 10 + device + 1 for device in range(6)]
            total = np.concatenate([np.sum(buffers, axis=0), np.zeros(-length % 6, int)])
            results = execute(replace(plan, chunks=chunks), buffers)
            assert [result.tolist() for result in results] == total.reshape(6, -1).tolist()


def test_of_schedules_the_one_that_permutes_the_fewest_elements_is_taken_then_the_fewest_times():
    """Buffers that lack the level of 16 devices are smaller than those that lack the one of two."""
    asked = problem([2, 16], [32])
    lowering = Lowering(asked, all_placements(asked).items[0])
    whole, outer, inner, both = (BufferSchedule((), (), (lacking,)) for lacking in (0, 0b01, 0b10, 0b11))
    for every in permutations((whole, outer, inner, both)):
        assert lowering.cheapest(every) is both
        assert lowering.cheapest(every[:1]) is every[0]
    halves = BufferSchedule((), (), (0b01, 0b01))
    assert lowering.cheapest((halves, whole)) is whole
    assert lowering.cheapest((whole, halves)) is whole
    assert lowering.cheapest((whole, outer, BufferSchedule((), (), (0b10,) * 7))).permuted == (0b10,) * 7
    assert lowering.cheapest((BufferSchedule((), (), (0b10,) * 9), outer)) is outer
