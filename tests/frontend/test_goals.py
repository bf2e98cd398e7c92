"""Goals from every kind of file, written there or asked for: right and wrong programs, and what does not fit."""

import pytest
from frontend.msccl.msccl_files import File, Tb
from frontend.torch_function.tracing import HEAD
from looped import looped

from p2smt.cli.main import run
from p2smt.collective import Collective, Exchange
from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AskedGoal
from p2smt.frontend.msccl.plan import parse_msccl
from p2smt.frontend.plan_file import parse_hand_written
from p2smt.frontend.plan_text import verification_plan_text
from p2smt.frontend.torch_function.events import FunctionRequest
from p2smt.frontend.torch_function.weaving import plan_of
from p2smt.frontend.xla.hlo import parse_hlo
from p2smt.frontend.xla.stablehlo import parse_stablehlo
from p2smt.verify.check import verify
from p2smt.verify.plan import BufferRange
from p2smt.verify.plan_verdict import PlanProof
from p2smt.verify.verdict import Proved, Refuted

BEGIN = "version = 1\ndevices = 4\nchunks = 4\nbuffers = {{ shard = 1 }}\ngoal = {}\n"
SHARDED = '[[step]]\noperation = "ReduceScatter"\nto = "shard"\n'
SCATTER = SHARDED + '[[step]]\noperation = "Copy"\nfrom = "shard"\nto = "data[0:1]"\n'
GATHERS = '[[step]]\noperation = "AllGather"\nfrom = "shard"\nto = "data"\n'
GATHER = '[[step]]\noperation = "Copy"\nfrom = "data[0:1]"\nto = "shard"\n' + GATHERS
SPREAD = '[[step]]\noperation = "Broadcast"\ngroups = { size = 2 }\n'
RS, AG = Collective.REDUCE_SCATTER, Collective.ALL_GATHER
ASKED = {one: AskedGoal(collective=one) for one in Collective}


def hand(goal, steps):
    return parse_hand_written((BEGIN.format(goal) + steps).encode(), "text")


@pytest.mark.parametrize("name", ["ReduceScatter", "reduce-scatter", "reduce_scatter"])
def test_a_goal_in_a_hand_written_plan(name):
    plan = hand(f'{{ collective = "{name}" }}', SCATTER)
    assert (plan.goal.collective, plan.goal.source, plan.goal.target) == (
        RS,
        BufferRange("data", 0, 4),
        BufferRange("data", 0, 1),
    )
    assert verify(plan) == Proved(PlanProof(4))
    assert parse_hand_written(verification_plan_text(plan).encode(), "again") == plan


@looped(
    ("goal", "steps", "right"),
    [
        ('{ collective = "AllGather" }', GATHER, True),
        ('{ collective = "AllGather" }', GATHER + "groups = [[1, 0, 2, 3]]\n", False),
        ('{ collective = "ReduceScatter", groups = [[3, 2, 1, 0]] }', SCATTER, False),
        ('{ collective = "ReduceScatter", to = "shard", from = "data" }', SHARDED, True),
        ('{ collective = "Reduce", root = 2 }', '[[step]]\noperation = "Reduce"\nroot = 2\n', True),
        ('{ collective = "Reduce" }', '[[step]]\noperation = "Reduce"\nroot = 2\n', False),
        ('{ collective = "Broadcast", size = 2 }', SPREAD, True),
        ('{ collective = "Broadcast", size = 2, root = 1 }', SPREAD, False),
        ("{ size = 2 }", '[[step]]\noperation = "AllReduce"\ngroups = { size = 2 }\n', True),
        ('{ collective = "AllToAll" }', '[[step]]\noperation = "AllToAll"\n', True),
        ('{ collective = "all-to-all", groups = [[3, 2, 1, 0]] }', '[[step]]\noperation = "AllToAll"\n', False),
        ('{ collective = "AllToAll", size = 2 }', '[[step]]\noperation = "AllToAll"\ngroups = { size = 2 }\n', True),
        ('{ collective = "AllToAll", size = 2 }', '[[step]]\noperation = "AllToAll"\n', False),
    ],
)
def test_goals_that_are_reached_or_not(goal, steps, right):
    plan = hand(goal, steps)
    assert isinstance(verify(plan), Proved if right else Refuted)
    assert parse_hand_written(verification_plan_text(plan).encode(), "again") == plan


@looped(
    ("goal", "message"),
    [
        ('{ collective = "Send" }', "goal: collective 'Send' is unknown; it is one of AllReduce, Red"),
        ("{ size = 2, groups = [[0, 1]] }", "goal: both groups and a rule for groups are given"),
        ('{ from = "data" }', "goal: only one of from and to is given; write both, or neither"),
        (
            '{ collective = "ReduceScatter", groups = [[0, 1, 2]] }',
            "data[0:4] does not divide into equal shards for groups of 3",
        ),
        (
            '{ collective = "Reduce", root = 4 }',
            "goal: root 4 is not an index in group [0, 1, 2, 3]; indices are 0 to 3",
        ),
        ('{ collectiv = "Reduce" }', "unknown key 'goal.collectiv'; did you mean collective?"),
        ('{ from = "data", to = "shard" }', "ends in shard[0:1]"),
    ],
)
def test_goals_that_are_none(goal, message):
    with pytest.raises(VerifyError) as caught:
        hand(goal, "")
    assert message in str(caught.value)


def test_the_command_line_asks_for_goals(tmp_path, capsys):
    path = tmp_path / "plan.toml"
    path.write_text(BEGIN.format("[[0, 1, 2, 3]]") + SCATTER, encoding="utf-8")
    assert run(["verify", str(path)]) == 1
    assert run(["verify", str(path), "--goal", "reduce-scatter"]) == 0
    assert run(["verify", str(path), "--goal", "reduce-scatter", "--groups", "0,1;2,3"]) == 1
    assert run(["verify", str(path), "--goal", "all-gather", "--average"]) == 2
    assert "AllGather does not reduce, so it has no average" in capsys.readouterr().err
    path.write_text(BEGIN.format("[[0, 1, 2, 3]]") + '[[step]]\noperation = "Reduce"\nroot = 3\n', encoding="utf-8")
    assert run(["verify", str(path), "--goal", "reduce", "--root", "3"]) == 0
    assert run(["verify", str(path), "--goal", "reduce", "--root", "3", "--average"]) == 1
    assert run(["verify", str(path), "--goal", "reduce", "--json"]) == 1
    assert run(["verify", str(path), "--root", "3"]) == 2


def test_a_wrong_goal_of_an_own_plan_is_found(tmp_path, capsys):
    path = tmp_path / "plan.json"
    asked = ["--system", "2x4", "--axes", "8", "--reduce", "0", "--goal", "all-gather"]
    assert run(["plan", *asked, "--out", str(path)]) == 0
    assert run(["verify", str(path)]) == 0
    assert run(["verify", str(path), "--goal", "broadcast"]) == 1


def traced(tmp_path, body, asked, devices=4, elements=8):
    from p2smt.frontend.torch_function.trace import trace

    path = tmp_path / "f.py"
    path.write_text(HEAD + "".join(f"    {line}\n" for line in body.splitlines()), encoding="utf-8")
    found = trace(FunctionRequest(str(path), None, devices, elements, "float32"))
    assert not found.mistake, found.mistake
    return plan_of(found, asked)


SHARD = "shard = torch.empty(2)\ndist.reduce_scatter_single(shard, tensor)\nreturn shard"
WHOLE = "whole = torch.empty(32)\ndist.all_gather_single(whole, tensor)\nreturn whole"


@looped(
    ("body", "asked", "right"),
    [
        (SHARD, ASKED[RS], True),
        ("tensor = tensor.clone()\n" + SHARD, ASKED[RS], True),
        ("dist.all_reduce(tensor)\nreturn tensor[2 * dist.get_rank():][:2]", ASKED[RS], True),
        ("dist.all_reduce(tensor)\nreturn tensor[:2]", ASKED[RS], False),
        (SHARD.replace("return shard", "shard /= 4\nreturn shard"), AskedGoal(collective=RS, average=True), True),
        (WHOLE, ASKED[AG], True),
        (WHOLE.replace("return whole", "return torch.cat([whole[8:], whole[:8]])"), ASKED[AG], False),
        ("dist.broadcast(tensor, src=2)", AskedGoal(collective=Collective.BROADCAST, root=2), True),
        ("dist.broadcast(tensor, src=2)", ASKED[Collective.BROADCAST], False),
        ("dist.reduce(tensor, dst=1)", AskedGoal(collective=Collective.REDUCE, root=1), True),
        (
            "pair = [dist.new_group([0, 1]), dist.new_group([2, 3])][dist.get_rank() // 2]\n"
            "shard = torch.empty(4)\ndist.reduce_scatter_single(shard, tensor, group=pair)\nreturn shard",
            AskedGoal(collective=RS, groups=((0, 1), (2, 3))),
            True,
        ),
    ],
)
def test_torch_functions(tmp_path, body, asked, right):
    assert isinstance(verify(traced(tmp_path, body, asked)), Proved if right else Refuted)


@pytest.mark.parametrize(
    ("body", "asked", "message"),
    [
        (
            SHARD,
            ASKED[Collective.ALL_REDUCE],
            "rank 0, the function returns a tensor of 2; it has to return the result, a tensor of 8",
        ),
        (WHOLE, ASKED[RS], "returns a tensor of 32; it has to return the result, a tensor of 2"),
        ("pass", ASKED[RS], "returns a tensor of 8; it has to return the result, a tensor of 2"),
        (
            "pass",
            AskedGoal(groups=((0, 9),)),
            "goal: device 9 is repeated or out of range; name devices 0 to 3",
        ),
    ],
)
def test_torch_functions_that_do_not_fit(tmp_path, body, asked, message):
    with pytest.raises(VerifyError) as caught:
        traced(tmp_path, body, asked)
    assert message in str(caught.value)


HLO = """HloModule m, replica_count=4
%add {{
  %a = f32[] parameter(0)
  %b = f32[] parameter(1)
  ROOT %s = f32[] add(%a, %b)
}}
ENTRY %main {{
  %p = f32[{}] parameter(0)
  ROOT %r = f32[{}] {}
}}
"""
SCATTERED = HLO.format(8, 2, "reduce-scatter(%p), dimensions={0}, to_apply=%add")
GATHERED = HLO.format(2, 8, "all-gather(%p), dimensions={0}")


@looped(
    ("text", "collective", "right"),
    [
        (SCATTERED, RS, True),
        (SCATTERED.replace("reduce-scatter(%p), d", "reduce-scatter(%p), replica_groups={{3,2,1,0}}, d"), RS, False),
        (GATHERED, AG, True),
        (GATHERED.replace("all-gather(%p), d", "all-gather(%p), replica_groups={{1,0,2,3}}, d"), AG, False),
        (HLO.format(8, 8, "collective-broadcast(%p), replica_groups={{0,1,2,3}}"), Collective.BROADCAST, True),
        (HLO.format(8, 8, "collective-broadcast(%p), replica_groups={{1,0,2,3}}"), Collective.BROADCAST, False),
        (HLO.format(8, 8, "all-reduce(%p), to_apply=%add"), Collective.REDUCE, True),
    ],
)
def test_hlo(text, collective, right):
    assert isinstance(verify(parse_hlo(text.encode(), "f", ASKED[collective])), Proved if right else Refuted)


@pytest.mark.parametrize(
    ("text", "collective", "why"),
    [
        (SCATTERED, RS, "the shapes of parameters and results"),
        (GATHERED, AG, "the shapes of parameters and results"),
        (
            HLO.format(8, 8, "collective-broadcast(%p), replica_groups={{2,0,1,3}}"),
            Collective.BROADCAST,
            "its only kind of communication, from index 2 of each",
        ),
        (HLO.format(8, 8, "all-to-all(%p), dimensions={0}"), Exchange.ALL_TO_ALL, "its only kind of communication"),
    ],
)
def test_goals_of_hlo_are_inferred_and_said(text, collective, why):
    plan = parse_hlo(text.encode(), "f")
    assert plan.goal.collective is collective
    assert plan.notes == (f"goal: {collective} among all 4 devices, inferred from {why}; --goal names another",)
    assert isinstance(verify(plan), Proved)
    asked = AskedGoal(collective=collective, root=plan.goal.root)
    assert parse_hlo(text.encode(), "f", asked).notes == ()


def test_groups_are_inferred_where_the_text_has_no_others():
    pairs = GATHERED.replace("all-gather(%p), d", "all-gather(%p), replica_groups={{0,2},{1,3}}, d").replace(
        "[8]", "[4]"
    )
    plan = parse_hlo(pairs.encode(), "f")
    assert (plan.goal.collective, plan.goal.groups) == (AG, ((0, 2), (1, 3)))
    assert "among the 2 groups of 2, inferred from" in plan.notes[0]
    assert isinstance(verify(plan), Proved)


def test_several_shards_and_shards_along_any_dimension():
    two = """  %q = f32[3,8] parameter(1)
  %s = f32[3,2] reduce-scatter(%q), dimensions={1}, to_apply=%add
  %r = f32[2] reduce-scatter(%p), dimensions={0}, to_apply=%add
  ROOT %t = (f32[3,2], f32[2]) tuple(SECOND, FIRST)
"""
    text = SCATTERED[: SCATTERED.index("  ROOT %r")] + two + "}\n"
    right = parse_hlo(text.replace("SECOND, FIRST", "%r, %s").replace("(f32[3,2], f32[2])", "").encode(), "f")
    assert verify(right) == Proved(PlanProof(16))
    with pytest.raises(VerifyError, match=r"f32\[8\] and f32\[3,2\] may be sharded along no dimension"):
        parse_hlo(text.replace("SECOND, FIRST", "%s, %r").encode(), "f", ASKED[RS])


def test_hlo_that_does_not_fit():
    with pytest.raises(VerifyError, match=r"f: the results have \[2\] elements, the used parameters \[8\]"):
        parse_hlo(SCATTERED.encode(), "f", ASKED[Collective.ALL_REDUCE])
    with pytest.raises(VerifyError, match=r"f32\[2\] and f32\[8\] may be sharded along no dimension"):
        parse_hlo(SCATTERED.encode(), "f", ASKED[AG])
    two = SCATTERED.replace("  ROOT %r", "  %q = f32[8] parameter(1)\n  %t = f32[8] add(%p, %q)\n  ROOT %r").replace(
        "reduce-scatter(%p)", "reduce-scatter(%t)"
    )
    with pytest.raises(VerifyError, match=r"2 used parameters and 1 results .* give as many results as parameters"):
        parse_hlo(two.encode(), "f", ASKED[RS])
    square = HLO.format("4,4", "4", "reduce-scatter(%p), dimensions={0}, to_apply=%add")
    square = square.replace("ROOT %r = f32[4]", "%s = f32[1,4]").replace(
        "to_apply=%add\n", "to_apply=%add\n  ROOT %r = f32[4] reshape(%s)\n"
    )
    with pytest.raises(VerifyError, match=r"f32\[4,4\] and f32\[4\] may be sharded along several dimensions"):
        parse_hlo(square.encode(), "f")


TWO = """HloModule m, replica_count=4
ENTRY %main {{
  %p = f32[{}] parameter(0)
  %q = f32[{}] parameter(1)
  %s = f32[{}] all-gather(%q), dimensions={{0}}, replica_groups={}
  %r = f32[{}] all-gather(%p), dimensions={{0}}, replica_groups={}
  ROOT %t = tuple(%r, %s)
}}
"""
ALL, PAIRS, ACROSS = "{{0,1,2,3}}", "{{0,1},{2,3}}", "{{0,2},{1,3}}"


def test_shards_that_are_gathered_in_another_order_than_they_are_given_are_each_the_own():
    plan = parse_hlo(TWO.format(2, 3, 12, ALL, 8, ALL).encode(), "f")
    assert plan.goal.collective is AG
    assert verify(plan) == Proved(PlanProof(4 * 20))


@pytest.mark.parametrize("lengths", [(2, 8, 16, PAIRS, 8, ALL), (2, 3, 6, PAIRS, 4, ACROSS)])
def test_no_goal_is_inferred_where_parameters_grow_otherwise_or_in_other_groups(lengths):
    with pytest.raises(VerifyError, match=r"f: the results have \["):
        parse_hlo(TWO.format(*lengths).encode(), "f")


def test_what_adds_is_for_no_exchange_and_of_two_groups_none_says_the_root():
    adds = HLO.format(8, 8, "add(%e, %p)").replace("  ROOT", "  %e = f32[8] all-to-all(%p), dimensions={0}\n  ROOT")
    plan = parse_hlo(adds.encode(), "f")
    assert (plan.goal.collective, plan.notes) == (Collective.ALL_REDUCE, ())
    first = "  %e = f32[8] collective-broadcast(%p), replica_groups={{2,0,1,3}}\n  ROOT"
    twice = HLO.format(8, 8, "collective-broadcast(%e), replica_groups={{2,0},{1,3}}").replace("  ROOT", first)
    assert parse_hlo(twice.encode(), "f").goal.root == 0


def test_stablehlo():
    text = """module @m attributes {mhlo.num_replicas = 4 : i32} {
  func.func @main(%x: tensor<2xi64>) -> tensor<8xi64> {
    %0 = "stablehlo.all_gather"(%x) <{
      all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>
    }> : (tensor<2xi64>) -> tensor<8xi64>
    return %0 : tensor<8xi64>
  }
}
"""
    assert verify(parse_stablehlo(text.encode(), "f", ASKED[AG])) == Proved(PlanProof(16))
    wrong = text.replace("[[0, 1, 2, 3]]", "[[0, 1, 3, 2]]").encode()
    assert isinstance(verify(parse_stablehlo(wrong, "f", ASKED[AG])), Refuted)


def gathering(swapped=False):
    """Two GPUs exchange their one chunk of input; the output has two."""
    gpus = []
    for gpu in range(2):
        block = Tb(1 - gpu, 1 - gpu)
        own, other = (1 - gpu, gpu) if swapped else (gpu, 1 - gpu)
        block.do("cpy", "i0", f"o{own}")
        block.do("s", "i0", "o0")
        block.do("r", "i0", f"o{other}")
        gpus.append([block])
    text = File(gpus, 2, in_place=0, coll="allgather").text()
    return text.replace('i_chunks="2"', 'i_chunks="1"').encode()


def test_msccl():
    assert verify(parse_msccl(gathering(), "f", ASKED[AG])) == Proved(PlanProof(4))
    assert isinstance(verify(parse_msccl(gathering(swapped=True), "f", ASKED[AG])), Refuted)
    assert verify(parse_msccl(gathering(), "f")) == Proved(PlanProof(4))
    assert verify(parse_msccl(gathering().replace(b'inplace="0"', b'inplace="1"'), "f")) == Proved(PlanProof(4))
    with pytest.raises(VerifyError, match="its reduce-scatter has 2 chunks of i and 1 of o"):
        parse_msccl(gathering(), "f", ASKED[RS])


def test_an_exchange_of_squares_is_along_the_dimension_of_the_text():
    for dimension in (0, 1):
        text = HLO.format("4,4", "4,4", f"all-to-all(%p), dimensions={{{dimension}}}")
        assert isinstance(verify(parse_hlo(text.encode(), "f")), Proved)
    both = HLO.format("4,4", "4,4", "all-to-all(%u), dimensions={1}")
    both = both.replace("  ROOT", "  %u = f32[4,4] all-to-all(%p), dimensions={0}\n  ROOT")
    with pytest.raises(VerifyError, match="may be sharded along several dimensions; shards are supported only where"):
        parse_hlo(both.encode(), "f")
