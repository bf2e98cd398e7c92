"""The emitted torch file: golden text, hostile names, style, size. What it computes is tested in tests/run."""

import ast
import sys
from dataclasses import replace
from functools import cache
from math import prod

import pytest
from command_line import golden
from emit.emitted import HOSTILE, PROGRAM, check_style, hostile, no_steps, plan_4x4
from emit.jax.jax_plans import permuting, permuting_some
from support import problem
from tiers import sample

from p2smt.collective import Collective
from p2smt.emit.torch.chunks import constants
from p2smt.emit.torch.source import emit_torch
from p2smt.emit.torch.steps import Body, TorchStatement, _broadcast, writes_into_input
from p2smt.placement.enumeration import all_placements
from p2smt.problem.model import Engine
from p2smt.reduction.language.hierarchy import read_program
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, Plan, Portion
from p2smt.reduction.synth.engines import find_programs


def all_plans(sizes: list[int]) -> list[Plan]:
    return _all_plans(tuple(sizes))


@cache
def _all_plans(sizes: tuple[int, ...]) -> list[Plan]:
    devices = prod(sizes)
    asked = problem([*sizes], [devices])
    lowering = Lowering(asked, all_placements(asked).items[0])
    levels = [level.size for level in lowering.hierarchy.reduction_levels]
    found = find_programs(Engine.EXPLICIT, lowering.language, levels, 5).items
    return [lowering.plan(lowering.language.program(steps)) for steps in found]


def test_golden_text():
    golden("torch_4x4.py.txt", emit_torch(plan_4x4()))


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_no_name_breaks_out_of_the_docstring(name):
    text = emit_torch(hostile(plan_4x4(), name))
    tame = ast.parse(emit_torch(hostile(plan_4x4(), "tame")))
    wild = ast.parse(text.encode())
    assert [ast.dump(node) for node in wild.body[1:]] == [ast.dump(node) for node in tame.body[1:]]
    assert max(map(len, text.splitlines())) <= 120


def test_emitted_files_are_clean_in_the_projects_style_and_in_ruffs_own(tmp_path):
    plans = [*sample(all_plans([2, 2, 2])[::120], 1), *sample(all_plans([2, 4])[::3], 1), plan_4x4(), no_steps()]
    plans += [hostile(plan_4x4(), name) for name in sample(HOSTILE, 2)]
    permuting = next(plan for plan in all_plans([2, 2, 2]) if "CLASSES_" in emit_torch(plan))
    check_style(tmp_path, map(emit_torch, [*plans, permuting]))


def test_only_what_is_used_is_emitted():
    text = emit_torch(plan_4x4())
    assert "def _all_reduce" in text
    assert "def _broadcast" not in text
    assert "device_class" not in text
    assert "def _" not in emit_torch(no_steps()).replace("def __", "").replace("def _run", "")


def test_a_group_that_two_steps_use_has_one_rule():
    text = emit_torch(plan_4x4())
    assert text.count("(G0, G1)") == 1
    assert "self._reduce_scatter_in_place(buffer, G0)  # step 1\n" in text
    assert "return self._all_gather(buffer, G0, whole_1)  # step 3\n" in text


def test_only_where_some_do_not_permute_devices_are_asked_for_their_class():
    """Who permutes is who scattered before, device by device; where all do, nobody is asked."""
    some, members = permuting_some()
    space: dict = {"__name__": "emitted"}
    exec(compile(emit_torch(some), "emitted", "exec"), space)
    for classes in (space["CLASSES_3"], space["CLASSES_4"]):
        asked = {rank for rank in range(some.devices) if space["device_class"](rank, space["LEVELS"]) in classes}
        assert asked == members
    assert len(members) < some.devices
    for everyone in (permuting(), replace(some, steps=(*some.steps[:1], *permuting().steps))):
        text = emit_torch(everyone)
        assert ".permute(" in text
        assert "CLASSES_" not in text
        assert "device_class" not in text


def test_the_file_needs_torch_and_the_standard_library_alone():
    tree = ast.parse(emit_torch(plan_4x4()))
    imported = {
        (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name).split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert imported - {"torch"} <= sys.stdlib_module_names


def test_the_file_is_small_for_65536_devices():
    asked = problem([64, 1024], [65536])
    lowering = Lowering(asked, all_placements(asked).items[0])
    text = emit_torch(lowering.plan(read_program(lowering.hierarchy, PROGRAM)))
    assert "64 groups of 1024, the first is 0, 1, 2, 3, ...\n" in text
    assert "SIZES = (64, 1024)\nWORLD = prod(SIZES)\n" in text
    assert len(text) < 12_000


@pytest.mark.parametrize("goal", Collective)
def test_chunks_are_no_longer_than_so_many_need_to_be(goal):
    """As few units each as so many chunks have to have, the last one what is left: all of one length where it fits."""
    asked = problem([2, 4], [8], goal=goal)
    plan = replace(Lowering(asked, all_placements(asked).items[0]).direct, chunks=3)
    space: dict = {"__name__": "emitted"}
    exec(compile(emit_torch(plan), "emitted", "exec"), space)
    torch, shards, lengths = space["torch"], space["SHARDS"], list[int]()

    def steps(part, padded):
        lengths.append(padded // shards)
        while True:
            yield torch.zeros(padded // shards * space.get("ROWS_AFTER", 1))

    reduction = space["Reduction"].__new__(space["Reduction"])
    reduction._steps = steps
    for units in range(1, 14):
        count = units * space["UNIT"]
        lengths.clear()
        reduction._in_chunks(torch.zeros(count * space["ROWS_BEFORE"]), count * shards)
        each = next(size for size in range(1, units + 1) if 3 * size >= units)
        full, rest = divmod(units, each)
        assert lengths == [size * space["UNIT"] for size in [each] * full + [rest] * (rest > 0)]


def test_groups_of_the_emitted_file_are_those_of_the_plan():
    for plan in (plan_4x4(), *all_plans([2, 2, 2])[::100]):
        space: dict = {"__name__": "emitted"}
        exec(compile(emit_torch(plan), "emitted", "exec"), space)
        rules = list(dict.fromkeys(step.groups for step in plan.steps if isinstance(step, CollectiveStep)))
        assert len(space["RULES"]) == len(rules)
        for emitted, rule in zip(space["RULES"], rules, strict=True):
            assert list(space["groups_of"](emitted)) == list(plan.groups(rule))
        assert list(space["groups_of"](space["REDUCTION"])) == list(plan.groups(plan.reduction))


def writes_where_it_began(plan: Plan) -> bool:
    """Device by device: whether someone adds into the buffer it began with, or nothing is done at all."""
    untouched = set(range(plan.devices))
    for step in plan.steps:
        match step:
            case CollectiveStep(collective, rule):
                members = {device for group in plan.groups(rule) for device in group}
                if collective.adds and not collective.scatters and untouched & members:
                    return True
                if collective.scatters or collective.gathers:
                    untouched -= members
    return not plan.steps


@pytest.mark.parametrize("sizes", [[2, 2], [2, 2, 2]])
def test_whether_a_plan_writes_into_its_input_is_what_every_device_shows(sizes):
    plans = [no_steps(), *all_plans(sizes)]
    answers = [writes_into_input(plan) for plan in plans]
    assert answers == [writes_where_it_began(plan) for plan in plans]
    assert {True, False} == set(answers)


def test_who_is_in_no_group_of_a_scatter_adds_into_its_input_afterwards():
    """A plan of somebody else's: the first devices scatter, and all add up along the other digit."""
    plan = all_plans([2, 2])[0]
    portion = (Portion(1),)
    scatter = CollectiveStep(Collective.REDUCE_SCATTER, GroupRule((0,), (1,)), portion)
    everywhere = CollectiveStep(Collective.REDUCE_SCATTER, GroupRule((0,), ()), portion)
    add = CollectiveStep(Collective.ALL_REDUCE, GroupRule((1,), ()), portion)
    for steps, writes in (((scatter, add), True), ((everywhere, add), False)):
        other = replace(plan, steps=steps)
        assert writes_into_input(other) == writes_where_it_began(other) == writes


def test_a_broadcast_is_told_the_amount_that_its_root_holds():
    """Of a payload padded to a multiple; whether or not the amount divides that."""
    for multiple in (1, 4, 6, 12):
        padded = 5 * multiple
        for amount in range(1, multiple + 1):
            (value,) = ast.parse(
                _broadcast(multiple, "RULE", {0: amount, 3: amount}, 2, "held").value, mode="eval"
            ).body.args[2:]
            length = eval(ast.unparse(value), {"padded": padded, "MULTIPLE": multiple})
            assert length == padded * amount // multiple
    told = _broadcast(6, "RULE", {0: 3, 1: 2}, 2, "held")
    assert "self.held(RULE, AMOUNTS_2)" in told.value
    assert "0: 3" in told.constant
    assert "1: 2" in told.constant


@pytest.mark.parametrize(
    "conditions", [("", ""), ("", "rank in (1, 2)"), ("rank == 0", ""), ("rank == 1", "rank == 0")]
)
def test_statements_of_some_ranks_are_done_by_these_alone_and_all_return_their_buffer(conditions):
    values = ("buffer + 1", "buffer * 10")
    body = Body(
        tuple(TorchStatement(n, value, each) for n, (value, each) in enumerate(zip(values, conditions, strict=True))),
        (),
    )
    text = "".join(f"    {line}" for lines in body.lines for line in lines.splitlines(keepends=True))
    names = {}
    exec(f"def run(rank, buffer):\n{text}", names)
    for rank in range(3):
        wanted = 7
        for value, condition in zip(values, conditions, strict=True):
            if not condition or eval(condition, {"rank": rank}):
                wanted = eval(value, {"buffer": wanted})
        assert names["run"](rank, 7) == wanted


@pytest.mark.parametrize(
    ("goal", "shards", "before", "after"),
    [
        (Collective.ALL_REDUCE, 1, 1, None),
        (Collective.REDUCE_SCATTER, 8, 8, 1),
        (Collective.ALL_GATHER, 8, 1, 8),
        (Collective.REDUCE, 1, 1, 1),
        (Collective.BROADCAST, 1, 1, 1),
    ],
)
def test_of_chunks_is_said_how_a_payload_lies_before_and_after_a_goal(goal, shards, before, after):
    """In rows, of which a chunk has a piece each; whole numbers of `UNIT` elements where nothing is cut into shards."""
    asked = problem([2, 4], [8], goal=goal)
    lowering = Lowering(asked, all_placements(asked).items[0])
    found = find_programs(Engine.EXPLICIT, lowering.language, (2, 4), 4).items
    for steps in found[:: 1 + len(found) // 4]:
        plan = lowering.plan(lowering.language.program(steps))
        assert list(constants(plan)) == []
        names = {}
        lines = [line for line in constants(replace(plan, chunks=3)) if not line.startswith("Chunk")]
        exec("".join(lines), names)
        assert (names["CHUNKS"], names["SHARDS"], names["ROWS_BEFORE"]) == (3, shards, before)
        assert names["STEPS"] == len(steps)
        assert names["UNIT"] == (1 if shards > 1 else plan.multiple)
        assert names.get("ROWS_AFTER") == after
