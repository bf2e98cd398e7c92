"""The emitted JAX file: golden text, hostile names, style, size, groups. What it computes: test_jax_execution.py."""

import ast
import sys
from dataclasses import replace
from math import prod
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from command_line import below_origin, golden
from emit.emitted import HOSTILE, PROGRAM, check_style, hostile, no_steps, plan_4x4
from emit.jax.jax_plans import permuting, permuting_some, rare, refused, statements_of
from hypothesis import given
from hypothesis import strategies as st
from support import plans, problem
from tiers import sample

from p2smt.collective import Collective
from p2smt.emit.jax.source import emit_jax
from p2smt.placement.enumeration import all_placements
from p2smt.placement.matrix import parse_matrix
from p2smt.reduction.language.hierarchy import read_program
from p2smt.reduction.plan.file import plan_text
from p2smt.reduction.plan.holdings import device_classes
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, PermuteStep, Plan, Portion


def test_golden_text():
    golden("jax_4x4.py.txt", emit_jax(plan_4x4()))


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_no_name_breaks_out_of_the_docstring(name):
    text = emit_jax(hostile(plan_4x4(), name))
    tame, wild = ast.parse(emit_jax(hostile(plan_4x4(), "tame"))), ast.parse(text.encode())
    assert [ast.dump(node) for node in wild.body[1:]] == [ast.dump(node) for node in tame.body[1:]]
    assert max(map(len, text.splitlines())) <= 120


def chunked(goal: Collective) -> Plan:
    """A plan of 2x4 for a goal, by the plain collective, in chunks."""
    asked = problem([2, 4], [8], goal=goal)
    return replace(Lowering(asked, all_placements(asked).items[0]).direct, chunks=2)


def eight_dimensions() -> Plan:
    """The longest lines that a plan of p2smt can have: an order of 8 dimensions, for some devices that hold less."""
    asked = problem([2] * 9, [512])
    plan = Lowering(asked, all_placements(asked).items[0]).direct
    (whole,) = plan.steps
    assert isinstance(whole, CollectiveStep)
    masters = GroupRule((0,), tuple(range(1, 9)))
    scatter, gather = (
        CollectiveStep(kind, masters, (Portion(1),)) for kind in (Collective.REDUCE_SCATTER, Collective.ALL_GATHER)
    )
    order = PermuteStep((2,) * 8, tuple(reversed(range(8))), Portion(2, (0, 1)))
    return replace(plan, multiple=512, steps=(*[whole] * 9, scatter, order, gather))


def test_emitted_files_are_clean_in_the_projects_style_and_in_ruffs_own(tmp_path):
    found = [*rare(), *sample(plans(problem([2, 4], [8])), 20), plan_4x4(), no_steps(), eight_dimensions()]
    found += [hostile(plan_4x4(), name) for name in HOSTILE]
    check_style(tmp_path, map(emit_jax, found))


def test_only_what_is_used_is_emitted():
    text = emit_jax(plan_4x4())
    functions = {node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
    always = {"make_mesh", "over", "mapped", "reduction", "reduced", "groups_of", "check", "main"}
    assert functions == always | {"partition", "reduce_scatter", "all_reduce", "all_gather"}
    body = text.partition("def reduced")[2].partition("\n\n")[0]
    assert [line.partition("  # ")[0].strip() for line in body.splitlines()[2:]] == [
        "buffer = reduce_scatter(buffer, G0)",
        "buffer = all_reduce(buffer, G1)",
        "return all_gather(buffer, G0)",
    ]
    nothing = {node.name for node in ast.parse(emit_jax(no_steps())).body if isinstance(node, ast.FunctionDef)}
    assert nothing == always


def test_only_where_some_do_not_permute_a_buffer_is_chosen():
    """Who permutes is who scattered before, device by device; where all that hold something do, nothing is chosen."""
    some, members = permuting_some()
    chosen = [each for each in statements_of(some) if each.value == "moved"]
    assert [each.step for each in chosen] == [3, 4]
    sets, digits = device_classes(some).sets, np.array(np.unravel_index(np.arange(some.devices), some.sizes))
    class_of = sum(digits[list(places)].any(axis=0) << bit for bit, places in enumerate(sets))
    for each in chosen:
        assert {device for device in range(some.devices) if class_of[device] in each.classes} == members
    everyone = permuting()
    done = [each for each in statements_of(everyone) if "permuted(" in each.value]
    assert [(each.target, each.classes) for each in done] == [("buffer", ())]
    assert "moved" not in emit_jax(everyone)


def test_the_file_needs_jax_numpy_and_the_standard_library_alone():
    imported = {
        (node.module or "" if isinstance(node, ast.ImportFrom) else node.names[0].name).split(".")[0]
        for node in ast.walk(ast.parse(emit_jax(plan_4x4())))
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    assert imported - {"jax", "numpy"} <= sys.stdlib_module_names


def test_the_file_is_small_for_65536_devices():
    asked = problem([64, 1024], [65536])
    lowering = Lowering(asked, all_placements(asked).items[0])
    text = emit_jax(lowering.plan(read_program(lowering.hierarchy, PROGRAM)))
    assert "SIZES = (64, 1024)\nWORLD = prod(SIZES)\n" in text
    assert "device_count=65536" in text
    assert len(text) < 8_000


def group_functions(plan: Plan, *names: str) -> dict:
    """The functions of an emitted file that make groups, and others by their names, without jax."""
    kept = [
        node
        for node in ast.parse(emit_jax(plan)).body
        if (isinstance(node, ast.FunctionDef) and node.name in ("groups_of", "partition", *names))
        or isinstance(node, ast.ClassDef | ast.Assign)
    ]
    space: dict = {"np": np, "prod": prod, "NamedTuple": NamedTuple}
    space |= {"jnp": np, "jax": SimpleNamespace(Array=np.ndarray)}
    exec(compile(ast.Module(kept, []), "emitted", "exec"), space)
    return space


@given(st.data())
def test_every_rule_gives_the_plans_groups_completed_to_groups_of_one_size(data):
    sizes = data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=4).filter(lambda found: prod(found) > 1))
    asked = problem(sizes, [prod(sizes)])
    plan = Lowering(asked, all_placements(asked).items[0]).direct
    places = data.draw(st.permutations(range(len(plan.digits))))
    cut = data.draw(st.integers(1, len(places)))
    end = data.draw(st.integers(cut, len(places)))
    rule = GroupRule(tuple(places[:cut]), tuple(places[cut:end]))
    whole = CollectiveStep(Collective.ALL_REDUCE, rule, (Portion(1),))
    space = group_functions(replace(plan, steps=(whole,)))
    groups, partition = space["groups_of"](space["G0"]), space["partition"](space["G0"])
    assert [tuple(group) for group in groups] == list(plan.groups(rule))
    assert partition[: len(groups)] == groups
    assert sorted(device for group in partition for device in group) == list(range(plan.devices))
    assert {len(group) for group in partition} == {plan.groups(rule).size}


@pytest.mark.parametrize("goal", Collective)
def test_chunks_are_no_longer_than_so_many_need_to_be(goal):
    """As few units each as that many chunks have to have, the last one what is left: all of one length where that fits.

    No element is left out, and none comes twice.
    """
    plan = replace(chunked(goal), chunks=3)
    space = group_functions(plan, "in_chunks")
    shards, lengths = (8 if goal in (Collective.REDUCE_SCATTER, Collective.ALL_GATHER) else 1), list[int]()
    rows = space["ROWS_BEFORE"]

    def reduced(buffer: np.ndarray) -> np.ndarray:
        lengths.append(buffer.size // rows)
        return np.tile(buffer, space["ROWS_AFTER"]) if rows == 1 else buffer.reshape(rows, -1)[0]

    space["reduced"] = reduced
    for units in range(1, 14):
        count = units * space["UNIT"]
        buffer = np.arange(rows * count)
        lengths.clear()
        result = space["in_chunks"](buffer)
        each = next(size for size in range(1, units + 1) if 3 * size >= units)
        full, rest = divmod(units, each)
        assert lengths == [size * space["UNIT"] for size in [each] * full + [rest] * (rest > 0)]
        assert result.reshape(-1, count).tolist() == [list(range(count))] * space["ROWS_AFTER"]
    assert space["UNIT"] == (1 if shards > 1 else plan.multiple)


def test_devices_outside_of_masters_groups_stay_with_their_neighbours():
    asked = problem([4, 16], [64])
    lowering = Lowering(asked, all_placements(asked).items[0])
    text = "(level0, InsideGroup, Reduce); (level0, Master(root), AllReduce); (level0, InsideGroup, Broadcast)"
    space = group_functions(lowering.plan(read_program(lowering.hierarchy, text)))
    masters, *others = space["partition"](space["G1"])
    assert masters == [0, 16, 32, 48]
    crossing = [group for group in others if group[0] // 16 != group[-1] // 16]
    assert len(others) == 15
    assert len(crossing) == 3


def test_plans_that_cannot_be_run_are_refused():
    plan = permuting()
    scatter, gather = plan.steps[0], CollectiveStep(Collective.ALL_GATHER, GroupRule((0, 1)), (Portion(1),))
    everyone = GroupRule((0, 1))
    whole = (Portion(1),)
    for steps, message in (
        ((scatter,), "after the plan, some device does not hold the result of AllReduce; check it with p2smt verify"),
        (
            (gather,),
            "step 1: the buffers of 8 members are together larger than the payload; check the plan with p2smt verify",
        ),
        (
            (scatter, scatter),
            "step 2: the buffers of members do not divide into 4 equal blocks; check the plan with p2smt verify",
        ),
        (
            (scatter, PermuteStep((8,), (0,), Portion(4))),
            "step 2: the buffer of a device cannot be reshaped to [8]; check the plan with p2smt verify",
        ),
        (
            (
                CollectiveStep(Collective.REDUCE, everyone, whole),
                CollectiveStep(Collective.ALL_REDUCE, everyone, whole),
            ),
            "step 2: members of a group hold buffers of different lengths, or none; check the plan with p2smt verify",
        ),
    ):
        assert refused(replace(plan, steps=steps)) == message


def test_a_plan_that_tells_too_many_digits_apart_is_refused():
    asked = problem([2] * 11, [2048])
    plan = Lowering(asked, parse_matrix("2x" * 10 + "2")).direct
    steps = tuple(CollectiveStep(Collective.ALL_REDUCE, GroupRule((place,)), (Portion(1),)) for place in range(11))
    assert (
        refused(replace(plan, steps=steps))
        == "the steps distinguish 11 sets of digits, more than the limit of 10; use a program with fewer steps"
    )


def test_the_command_writes_it(tmp_path, capsys):
    from p2smt.cli.main import run

    plan, source = tmp_path / "plan.json", tmp_path / "reduction.py"
    plan.write_text(plan_text(plan_4x4()), encoding="utf-8")
    assert run(["emit", str(plan), "--target", "jax", "--out", str(source)]) == 0
    golden("jax_4x4.py.txt", below_origin(source.read_text(encoding="utf-8")))
    assert capsys.readouterr().err.startswith(f"p2smt: {source}: the reduction for jax.shard_map on 16 devices; next: ")
    plan.write_text(plan_text(replace(permuting(), steps=permuting().steps[:1])), encoding="utf-8")
    assert run(["emit", str(plan), "--target", "jax", "--unchecked"]) == 2
    error = "p2smt: after the plan, some device does not hold the result of AllReduce; check it with p2smt verify\n"
    assert capsys.readouterr().err == error
