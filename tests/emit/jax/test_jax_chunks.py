"""Emitted JAX files of plans in chunks: what their text says, what waits for what, what `p2smt verify` says of them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import output
from emit.emitted import check_style
from emit.jax.jax_process import python
from support import plans, problem

from p2smt.cli.main import run
from p2smt.collective import Collective
from p2smt.emit.jax.source import emit_jax
from p2smt.reduction.plan.model import CollectiveStep, Plan

GOALS = [*Collective]
CHUNKS = 4


def chunked(goal: Collective) -> Plan:
    return replace(plans(problem([2, 4], [8], goal=goal))[-1], chunks=CHUNKS)


def test_files_are_clean_and_say_what_holds(tmp_path):
    texts = [emit_jax(chunked(goal)) for goal in GOALS]
    check_style(tmp_path, texts)
    for goal, text in zip(GOALS, texts, strict=True):
        assert "    chunks   4, none of which waits for another\n" in text
        assert "Whether they run at once is up to XLA" in text
        assert text.count("in_chunks(") == 2
        assert "for length in (CHUNKS * MULTIPLE, " in text
        whole = emit_jax(replace(chunked(goal), chunks=1))
        assert not any(word in whole for word in ("in_chunks", "CHUNKS", "ROWS_AFTER"))


@pytest.fixture(scope="module")
def traced(tmp_path_factory) -> tuple[Path, list[list[int]]]:
    """The folder with a file for every goal and its StableHLO, and which collectives wait for each other."""
    folder = tmp_path_factory.mktemp("traced")
    for goal in GOALS:
        (folder / f"{goal.underscored}.py").write_text(emit_jax(chunked(goal)), encoding="utf-8")
    for name in ("jax_chunks.py", "jax_devices.py"):
        (folder / name).write_text(Path(__file__).with_name(name).read_text(encoding="utf-8"), encoding="utf-8")
    files = [f"{goal.underscored}.py" for goal in GOALS]
    return folder, json.loads(python(["jax_chunks.py", *files], 8, folder).stdout)


@pytest.mark.thorough  # chunks run in tests/run/local/test_chunks.py
@pytest.mark.slow
@pytest.mark.parametrize("goal", GOALS)
def test_no_collective_of_a_chunk_waits_for_one_of_another(traced, goal):
    steps = sum(isinstance(step, CollectiveStep) for step in chunked(goal).steps)
    assert steps > 1
    assert traced[1][GOALS.index(goal)] == [steps] * CHUNKS


@pytest.mark.thorough  # the files are run, with chunks, in test_jax_execution
@pytest.mark.slow
@pytest.mark.parametrize("goal", GOALS)
def test_what_jax_makes_of_it_is_judged_valid(traced, goal, capsys):
    path = traced[0] / f"{goal.underscored}.mlir"
    root = ["--root", "0"] if goal.to_root or goal.from_root else []
    assert output(["verify", str(path), "--goal", goal.hyphenated, *root], capsys).startswith("valid: all ")
    wrong = path.with_name(f"wrong_{path.name}")
    text = path.read_text(encoding="utf-8")
    spoiled = text.replace("[[0, 1, 2, 3], [4, 5, 6, 7]]", "[[0, 1, 2, 4], [3, 5, 6, 7]]")
    assert spoiled != text
    wrong.write_text(spoiled, encoding="utf-8")
    assert run(["verify", str(wrong), "--goal", goal.hyphenated, *root]) == 1
