"""Plan files: read back to the same value, small for large clusters, refused with one clear line."""

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from cost.network.random_systems import placed
from hypothesis import given
from hypothesis import strategies as st
from looped import looped
from support import problem, refused
from tiers import sample

from p2smt.collective import Collective
from p2smt.errors import PlanError
from p2smt.placement.enumeration import all_placements
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Engine, Payload, Search
from p2smt.problem.typed import json_schema
from p2smt.reduction.plan.file import PlanRecord, parse_plan, plan_text, read_plan
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.synth.engines import find_programs


def document() -> dict[str, Any]:
    asked = problem([2, 4], [8])
    lowering = Lowering(asked, all_placements(asked).items[0])
    steps = find_programs(Engine.EXPLICIT, lowering.language, (2, 4), 3).items
    return json.loads(plan_text(lowering.plan(lowering.language.program(steps[-1]))))


def message(data: bytes) -> str:
    return refused(lambda: parse_plan(data, "plan.json"), PlanError)


def test_every_third_plan_reads_back_and_fits_the_schema():
    asked = problem([2, 2, 2], [8])
    lowering = Lowering(asked, all_placements(asked).items[0])
    third = find_programs(Engine.EXPLICIT, lowering.language, (2, 2, 2), 5).items[::3]
    for number, steps in enumerate(sample(third, 30)):
        plan = lowering.plan(lowering.language.program(steps))
        text = plan_text(plan)
        assert parse_plan(text.encode(), "x") == plan
        assert plan_text(parse_plan(text.encode(), "x")) == text
        if number % 15 == 0:
            jsonschema.validate(json.loads(text), json_schema(PlanRecord, "plan"))


@given(placed(latencies=st.one_of(st.just(0.0), st.floats(1e-12, 10))))
def test_the_system_and_all_its_figures_are_kept(case):
    _, system = case
    asked = build_problem(system, [Axis("all", system.devices)], ["all"], Payload(64, "int8"), Search())
    plan = Lowering(asked, all_placements(asked).items[0]).direct
    read = parse_plan(plan_text(plan).encode(), "x")
    assert read == plan
    assert read.system == system


def test_a_file_of_version_1_does_not_say_its_links():
    old = document()
    del old["network"]
    plan = parse_plan(json.dumps(old | {"version": 1}).encode(), "x")
    assert plan.system is None
    again = json.loads(plan_text(plan))
    assert (again["version"], again["network"]) == (2, None)
    assert parse_plan(plan_text(plan).encode(), "x") == plan


def test_the_file_of_a_large_cluster_is_no_larger_than_that_of_a_small_one():
    def size(sizes: list[int]) -> int:
        asked = problem(sizes, [sizes[0] * sizes[1]])
        lowering = Lowering(asked, all_placements(asked).items[0])
        steps = find_programs(Engine.LEVELS, lowering.language, sizes, 3).items[-1]
        return len(plan_text(lowering.plan(lowering.language.program(steps))))

    assert size([64, 1024]) < size([2, 2]) + 60


def test_a_file_cut_in_half_or_not_a_plan_is_refused(tmp_path):
    text = json.dumps(document())
    assert message(text[: len(text) // 2].encode()).startswith("plan.json is not a complete JSON document (")
    assert "not a complete JSON document" in message(b"[" * 100_000)
    assert message(b"[]") == "plan.json: top level: expected object, got array; write it as a table, {...}"
    missing = tmp_path / "no.json"
    with pytest.raises(PlanError, match=r"cannot read .*no\.json: No such file"):
        read_plan(missing)
    large = tmp_path / "large.json"
    large.write_bytes(b" " * 4_000_001)
    with pytest.raises(PlanError, match="larger than 4000000 bytes"):
        read_plan(large)


def edit(change: Callable[[dict[str, Any]], object]) -> bytes:
    plan = document()
    change(plan)
    return json.dumps(plan).encode()


@looped(
    ("change", "wanted"),
    [
        (lambda p: p.update(version=9), "is unknown; this p2smt reads 1, 2, 3 and 4, so make the plan again or"),
        (lambda p: p.update(format="x"), "format: invalid enum value"),
        (lambda p: p["steps"][0].update(colective="x"), "unknown key 'steps[0].colective'; did you mean collective?"),
        (lambda p: p["steps"][0].update(collective="AllToAll"), "steps[0].collective: invalid enum value"),
        (
            lambda p: p["steps"][0]["groups"].update(varying=[7]),
            "steps[0]: digits [7] must be different indices in 0..1",
        ),
        (lambda p: p["steps"][0]["groups"].update(varying=[]), "steps[0]: groups of one device do nothing"),
        (lambda p: p["steps"][0]["portions"][0].update(parts=3), "parts 3 does not divide the padding multiple"),
        (lambda p: p["steps"][0]["portions"][0].update(classes=[9]), "classes [9] must lie in 0..3"),
        (lambda p: p["steps"][0].update(portions=[]), "steps[0]: 0 portions"),
        (
            lambda p: p.update(multiple=5),
            ("multiple 5 does not divide the 8 devices of a reduction group; use a multiple of that number"),
        ),
        (lambda p: p.update(levels=[]), "levels have the digits []"),
        (
            lambda p: p["system"][0].update(size="2"),
            "system[0].size: expected int, got str; write it as",
        ),
        (lambda p: p["system"][0].update(size=3), "the two products must be equal"),
        (lambda p: p.update(matrix=[[4, 2]]), "column of level level0 multiplies to 4, not 2"),
        (lambda p: p["payload"].update(dtype="int4"), "dtype 'int4' is unknown"),
        (
            lambda p: p["network"]["level"][0].update(size=4),
            "network has the levels level0:4,level1:4, but the plan is for level0:2,level1:4",
        ),
        (
            lambda p: p["network"]["level"][1].update(size=[4, 2]),
            "network has 2x[4,2], but the plan is for units that are all alike; the two must be the same",
        ),
        (lambda p: p["network"]["link"][0].update(bandwidth=5), "link level0: bandwidth 5 has no unit"),
        (lambda p: p["network"]["link"][0].update(speed=5), "unknown key 'network.link[0].speed'"),
        (lambda p: p.update(steps=p["steps"] * 400), "1200 steps are too many; a plan has at most 1000"),
    ],
)
def test_a_plan_that_does_not_fit_together_is_refused_with_the_place(change, wanted):
    assert wanted in message(edit(change))


@pytest.mark.parametrize("goal", [Collective.REDUCE_SCATTER, Collective.ALL_GATHER])
def test_shards_are_as_many_as_the_devices_that_reduce_together(goal):
    asked = problem([2, 4], [8], goal=goal)
    plan = json.loads(plan_text(Lowering(asked, all_placements(asked).items[0]).direct))
    assert plan["multiple"] == 8
    for multiple in (1, 2, 4):
        steps = [step | {"portions": [{"parts": 1}]} for step in plan["steps"]]
        text = json.dumps(plan | {"multiple": multiple, "steps": steps}).encode()
        assert message(text).endswith(
            f"multiple {multiple} is not 8; {goal} cuts the payload into one shard per device of a "
            "reduction group, so set it to 8"
        )
