"""Which parts a step may read and write: beside the chunks themselves, one by one."""

from collections import Counter
from itertools import product
from random import Random

from p2smt.collective import Collective
from p2smt.verify.operation import LocalOperation
from p2smt.verify.plan import BufferRange, Goal, VerificationPlan, VerificationStep
from p2smt.verify.plan_verdict import PlanRule
from p2smt.verify.shape import shape_mistake

LENGTHS = {"data": 5, "other": 4}


def chunks(part):
    return {(part.buffer, part.start + number) for number in range(part.length)}


def parts():
    return [BufferRange(name, start, size) for name, start, size in product(LENGTHS, range(-1, 4), range(1, 4))]


def expected(source, target):
    """The first rule that a copy breaks."""
    if any(part.start < 0 or part.start + part.length > LENGTHS[part.buffer] for part in (source, target)):
        return PlanRule.OUTSIDE
    if source.length != target.length:
        return PlanRule.LENGTHS
    return PlanRule.OVERLAP if chunks(source) & chunks(target) and source != target else None


def test_a_copy_is_refused_where_parts_lie_outside_or_share_some_chunks():
    """All pairs of parts: the target begins before the source, in it, behind it, is the same, or before its buffer."""
    data = BufferRange("data", 0, 5)
    goal = Goal(collective=Collective.ALL_REDUCE, groups=((0, 1),), source=data, target=data)
    found = {}
    for source, target in product(parts(), repeat=2):
        step = VerificationStep(LocalOperation.COPY, ((0,), (1,)), source, target)
        plan = VerificationPlan(devices=2, buffers=tuple(LENGTHS.items()), goal=goal, steps=(step,))
        mistake = shape_mistake(plan)
        rule = None if mistake is None else mistake.rule
        assert rule is expected(source, target), (source, target)
        found[rule] = found.get(rule, 0) + 1
    assert min(found[rule] for rule in (None, PlanRule.OVERLAP, PlanRule.LENGTHS, PlanRule.OUTSIDE)) > 10


def test_a_device_takes_part_once_however_many_groups_there_are():
    """Groups of one and of two among few devices: some device stands in two of them, or there is nothing to refuse."""
    random, data, found = Random(2), BufferRange("data", 0, 1), Counter()
    for _ in range(200):
        groups = tuple(tuple(random.sample(range(9), random.randint(1, 2))) for _ in range(random.randint(2, 6)))
        goal = Goal(collective=Collective.ALL_REDUCE, groups=((0, 1),), source=data, target=data)
        step = VerificationStep(LocalOperation.COPY, groups, data, data)
        mistake = shape_mistake(VerificationPlan(devices=9, buffers=(("data", 1),), goal=goal, steps=(step,)))
        named = [device for group in groups for device in group]
        rule = None if mistake is None else mistake.rule
        assert rule is (None if len(named) == len(set(named)) else PlanRule.TWICE)
        found[rule] += 1
    assert min(found.values()) > 20


def test_a_scatter_is_refused_where_it_writes_into_a_part_of_what_it_reads():
    """Two devices, four chunks of five: the shard begins where the source does, in it, or behind its last chunk."""
    data, group, found = BufferRange("data", 0, 6), ((0, 1),), Counter()
    goal = Goal(collective=Collective.ALL_REDUCE, groups=group, source=data, target=data)
    for first, start in product(range(3), range(5)):
        source, target = BufferRange("data", first, 4), BufferRange("data", start, 2)
        step = VerificationStep(Collective.REDUCE_SCATTER, group, source, target)
        plan = VerificationPlan(devices=2, buffers=(("data", 6),), goal=goal, steps=(step,))
        mistake = shape_mistake(plan)
        rule = None if mistake is None else mistake.rule
        assert rule is (PlanRule.OVERLAP if chunks(source) & chunks(target) else None), (source, target)
        found[rule] += 1
    assert min(found[PlanRule.OVERLAP], found[None]) > 1
