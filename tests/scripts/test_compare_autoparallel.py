"""p2smt beside AutoParallel: bytes by rings, layouts as conditions, the table, and what is missing."""

from fractions import Fraction

import pytest
from scripts.loading import ran, script_module

from p2smt.problem.system.text import find_system
from p2smt.spmd.request import ShardingRequest, shard_program
from p2smt.tensor.text.parser import parse_program

compare = script_module("compare_autoparallel")
process = script_module("autoparallel_process")
ring_bytes = script_module("ring_bytes")

STEP = """program step
input x : f32[64, 32]
parameter w : f32[128, 32]
parameter v : f32[32, 128]
hidden = linear(x, w)
out = linear(relu(hidden), v)
loss = sum(out)
later = linear(out, w)
output loss
output later
"""


def passed_along(ranks):
    """Blocks that a rank passes to its neighbour in a ring, one a step, until all have all."""
    held = [{rank} for rank in range(ranks)]
    last, steps = list(range(ranks)), 0
    while any(len(each) < ranks for each in held):
        last = [last[rank - 1] for rank in range(ranks)]
        for rank, block in enumerate(last):
            held[rank].add(block)
        steps += 1
    return steps


@pytest.mark.parametrize("ranks", [2, 3, 8])
def test_bytes_are_those_that_a_ring_passes(ranks):
    blocks, each = passed_along(ranks), 840
    sent = {
        kind: ring_bytes.bytes_sent(ring_bytes.Collective(kind, "", size), ranks)
        for kind, size in (
            ("AllGather", each),
            ("ReduceScatter", ranks * each),
            ("AllReduce", ranks * each),
            ("AllToAll", ranks * each),
        )
    }
    assert sent == {
        "AllGather": blocks * each,
        "ReduceScatter": blocks * each,
        "AllReduce": 2 * blocks * each,
        "AllToAll": Fraction((ranks - 1) * each),
    }


def test_what_is_sent_along_an_axis_is_among_its_ranks():
    axes = {"axis0": 2, "axis1": 4}
    each = [ring_bytes.Collective("AllReduce", axis, 80) for axis in ("axis0", "axis1", ring_bytes.ALL)]
    assert ring_bytes.total_sent(each, axes) == 80 + 120 + 140


def test_layouts_become_conditions_that_the_answer_keeps():
    step = parse_program(STEP)
    lie = [["sliced(0)", "replicated"], ["replicated", "sliced(1)"]]
    conditions = compare.conditions_of(["w", "v"], lie, ["axis0", "axis1"])
    request = ShardingRequest(mesh="axis0=2,axis1=2", conditions=conditions, shares="even", buckets=0, baselines=False)
    found = shard_program(step, find_system("node:1,gpu:4"), request)
    stored = {name: [str(each) for each in layouts] for name, layouts in found.stored}
    kinds = {name: [each.split("(")[0] for each in texts] for name, texts in stored.items()}
    assert kinds == {**kinds, "w": ["Sliced", "Replicated"], "v": ["Replicated", "Sliced"]}
    counted = ring_bytes.collectives_of(found.program)
    assert len(counted) == sum(each.way is not None for each in found.account.instructions)


def test_only_layers_that_the_loss_depends_on_are_of_the_forward_pass():
    assert compare.linear_layers(parse_program(STEP)) == [("hidden", [64, 128]), ("out", [64, 32])]


def test_lines_of_the_table_fit_80_columns():
    full = compare.Row(
        case="gpt2-1 2x4, sliced",
        answer="AP's parameters, by p2smt",
        cpu_s=120.0,
        step=1234.5,
        collectives=123.4,
        calls=123,
        sent=9999.9,
        products=99999.0,
    )
    lines = compare.table([full, compare.Row(case="llama 2x4", answer="AutoParallel: none in 300 s")]).splitlines()
    assert max(map(len, lines)) <= 80
    assert {line.count("|") for line in lines if line.startswith("|")} == {8}
    assert [line for line in lines if line.startswith("#")] == ["### gpt2-1 2x4, sliced", "### llama 2x4"]


@pytest.mark.parametrize("has_code", [True, False])
def test_a_missing_library_is_one_message(has_code, tmp_path, monkeypatch):
    monkeypatch.setattr(process, "find_spec", lambda name: None if name == "pulp" else name)
    if has_code:
        (tmp_path / "autoparallel").mkdir()
        (tmp_path / "autoparallel" / "api.py").touch()
    result = ran("compare_autoparallel", "--autoparallel", tmp_path)
    assert (result.returncode, result.stdout) == (2, "")
    assert "PuLP" in result.stderr
    assert len(result.stderr.splitlines()) == 1
    assert ("autoparallel/api.py" in result.stderr) is not has_code
