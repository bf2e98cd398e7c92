"""Which parts a step may read and write: beside the chunks themselves, one by one."""

from itertools import product

from p2smt.collective import Collective
from p2smt.verify.operation import Local
from p2smt.verify.plan import Goal, Part, Step, VerificationPlan
from p2smt.verify.shape import shape_mistake
from p2smt.verify.verdict import Rule

LENGTHS = {"data": 5, "other": 4}


def chunks(part):
    return {(part.buffer, part.start + number) for number in range(part.length)}


def parts():
    return [Part(name, start, size) for name, start, size in product(LENGTHS, range(4), range(1, 4))]


def expected(source, target):
    """The first rule that a copy breaks."""
    if any(part.start + part.length > LENGTHS[part.buffer] for part in (source, target)):
        return Rule.OUTSIDE
    if source.length != target.length:
        return Rule.LENGTHS
    return Rule.OVERLAP if chunks(source) & chunks(target) and source != target else None


def test_a_copy_is_refused_where_parts_lie_outside_or_share_some_chunks():
    """All pairs of parts: the target begins before the source, in it, behind it, or is the same."""
    data = Part("data", 0, 5)
    goal = Goal(collective=Collective.ALL_REDUCE, groups=((0, 1),), source=data, target=data)
    found = {}
    for source, target in product(parts(), repeat=2):
        step = Step(Local.COPY, ((0,), (1,)), source, target)
        plan = VerificationPlan(devices=2, buffers=tuple(LENGTHS.items()), goal=goal, steps=(step,))
        mistake = shape_mistake(plan)
        rule = None if mistake is None else mistake.rule
        assert rule is expected(source, target), (source, target)
        found[rule] = found.get(rule, 0) + 1
    assert min(found[rule] for rule in (None, Rule.OVERLAP, Rule.LENGTHS, Rule.OUTSIDE)) > 10
