"""What single lines of hand-written plans mean or are refused for, and what a goal beside a file changes of its own."""

import pytest
from looped import looped

from p2smt.collective import Collective
from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AskedGoal
from p2smt.frontend.builder import PlanBuilder
from p2smt.frontend.plan_file import parse_hand_written
from p2smt.frontend.plan_text import verification_plan_text
from p2smt.verify.check import verify
from p2smt.verify.plan import BufferRange, Goal
from p2smt.verify.plan_verdict import PlanMistake, PlanProof, PlanRule
from p2smt.verify.verdict import Proved, Refuted

HEAD = "version = 1\ndevices = 4\nchunks = 4\n"
STEP = '[[step]]\noperation = "AllReduce"\n'


def plan(text):
    return parse_hand_written((HEAD + text).encode(), "text")


@looped(
    ("text", "message"),
    [
        ("buffers = { spare = 0 }\n" + STEP, "buffer 'spare' of 0 chunks; a name is letters, digits, _, a length >= 1"),
        ("buffers = { data = 0 }\n" + STEP, "buffer 'data' of 0 chunks"),
        ('zeros = ["data"]\n' + STEP, "zeros names 'data'; it lists buffers of"),
        ('zeros = ["spare"]\n' + STEP, "zeros names 'spare'; it lists buffers of"),
        ('buffers = { data = 4 }\nzeros = ["data"]\n' + STEP, "zeros names 'data'; it lists buffers of"),
        (STEP + "average = true\ngroups = [[0, 1, 2], [3]]", "step 1: an average over groups of 1 and of 3 devices;"),
        (STEP + "groups = [[0, 1, 2, 3], []]", "step 1: a group is empty; name its devices"),
        (STEP + "groups = { size = 3 }", "step 1: groups of size 3 and stride 1 do not divide 4 devices"),
        (STEP + "groups = { size = 4, stride = 2 }", "groups of size 4 and stride 2 do not divide 4 devices"),
        (STEP + 'groups = { along = ["node"] }\n[levels]\nnode = 2', "levels {'node': 2} do not multiply to 4 devices"),
        (STEP + "number = -1", "step 1: its number is -1; steps are counted from 1"),
        ('goal = { from = "data" }\n' + STEP, "goal: only one of from and to is given; write both"),
        ('goal = { to = "data" }\n' + STEP, "goal: only one of from and to is given; write both"),
        (STEP + "groups = [[0, 1]]\n[order]\n2 = [1]", "order of device 2 names step 1; it takes part in"),
        (STEP + "[order]\n0 = [1, 1]\n1 = [1]", "order of device 0 names step 1 2 times; a step is called once"),
        (STEP + "[order]\n0 = [1, 1]\n1 = [1, 1]", "order of device 0 names step 1 2 times; a step is called once"),
        (STEP + "[order]\n4 = []", "order names device 4; devices are 0 to 3"),
        (STEP + "divisor = 65537", "divisor 65537 is out of range; it must be from 1 to 65536"),
        (STEP + "divisor = 0", "divisor 0 is out of range; it must be from 1 to 65536"),
    ],
)
def test_what_is_refused(text, message):
    with pytest.raises(VerifyError) as refused:
        plan(text)
    assert message in str(refused.value)


def test_a_device_whose_order_is_empty_calls_nothing():
    assert verify(plan(STEP + "[order]\n1 = [1]")) == Proved(PlanProof(16))
    alone = plan(STEP + "[order]\n1 = []")
    assert isinstance(alone, PlanMistake)
    assert alone.rule is PlanRule.ORDER
    assert "rank 1, which ends without it" in alone.message


def test_an_average_divides_by_the_size_of_its_groups():
    averaging = plan("average = true\n" + STEP + "average = true")
    assert averaging.steps[0].divisor == 4
    assert verify(averaging) == Proved(PlanProof(16))
    assert isinstance(verify(plan(STEP + "average = true")), Refuted)


def test_levels_are_taken_in_their_own_order_and_once():
    levels = "\n[levels]\nnode = 2\nrack = 1\ngpu = 2"
    for along in ('["node", "gpu"]', '["gpu", "node"]', '["gpu", "node", "gpu"]'):
        assert plan(STEP + f"groups = {{ along = {along} }}" + levels).steps[0].groups == ((0, 1, 2, 3),)


def test_a_goal_beside_a_file_keeps_the_rest_of_the_files_own():
    rooted = plan('goal = { collective = "Broadcast", root = 2 }\n[[step]]\noperation = "Broadcast"\nroot = 2')
    assert [AskedGoal(root=root).over(rooted).goal.root for root in (None, 0, 1)] == [2, 0, 1]
    assert verify(AskedGoal(average=False).over(rooted)) == Proved(PlanProof(16))
    assert isinstance(verify(AskedGoal(root=0).over(rooted)), Refuted)
    average = plan("average = true\n" + STEP + "average = true")
    kept = {one: AskedGoal(collective=one).over(average).goal.average for one in Collective}
    assert kept == {one: one.adds for one in Collective}
    with pytest.raises(VerifyError):
        AskedGoal(groups=((0, 9),)).over(average)


def test_goals_and_steps_keep_in_text_what_is_not_usual():
    """The root of a goal, an all-reduce of a part, a step that is not in place although its source is its target."""
    for text in (
        'goal = { collective = "Reduce", root = 3 }\n[[step]]\noperation = "Reduce"\nroot = 3',
        'goal = { from = "data[0:2]", to = "data[0:2]" }\n' + STEP + 'from = "data[0:2]"\nto = "data[0:2]"',
        '[[step]]\noperation = "AllGather"\nfrom = "data"\nto = "data"',
    ):
        one = plan(text)
        assert parse_hand_written(verification_plan_text(one).encode(), "text") == one


def test_a_builders_divisions_have_bounds():
    builder = PlanBuilder(2)
    builder.buffer("data", 2)
    builder.divide([0], BufferRange("data", 0, 2), 2**16 + 1, 1)
    whole = BufferRange("data", 0, 2)
    with pytest.raises(VerifyError, match="divisor 65537"):
        builder.plan(Goal(collective=Collective.ALL_REDUCE, groups=((0, 1),), source=whole, target=whole))


def test_a_builders_buffer_is_as_long_as_it_was_asked_for_at_most():
    builder = PlanBuilder(2)
    for length in (2, 6, 4):
        builder.buffer("data", length)
    whole = BufferRange("data", 0, 6)
    builder.copy([0], BufferRange("data", 0, 2), BufferRange("data", 2, 2), 1)
    made = builder.plan(Goal(collective=Collective.ALL_REDUCE, groups=((0, 1),), source=whole, target=whole))
    assert dict(made.buffers) == {"data": 3}
