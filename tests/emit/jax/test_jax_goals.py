"""Emitted JAX files of every goal: texts, style, templates. What they compute: test_jax_execution.py."""

import ast
import json

import pytest
from command_line import golden
from emit.emitted import HOSTILE, check_style, hostile
from emit.jax.jax_process import python
from paths import ROOT
from support import plans, problem
from tiers import sample

from p2smt.collective import Collective
from p2smt.emit.description import title_of
from p2smt.emit.jax.goals import words_of
from p2smt.emit.jax.source import emit_jax
from p2smt.reduction.plan.model import Plan

TEMPLATES = ROOT / "p2smt" / "emit" / "jax" / "templates"


def programs(goal: Collective) -> tuple[Plan, ...]:
    return plans(problem([2, 4], [8], goal=goal))


def test_every_goal_has_its_templates_and_there_are_no_others():
    plain = {path.name for path in (TEMPLATES / "plain").iterdir()}
    assert plain == {f"{goal.underscored}.py.in" for goal in Collective}
    shapes = {path.name for path in (TEMPLATES / "reduction").iterdir()}
    assert shapes == {f"{words_of(goal).shape}.py.in" for goal in Collective}
    defined = {
        node.name
        for node in ast.walk(ast.parse((TEMPLATES / "reduction.py.in").read_text(encoding="utf-8")))
        if isinstance(node, ast.FunctionDef)
    }
    assert defined >= {collective.underscored for collective in Collective}


def test_golden_text_of_a_reduce_scatter():
    golden("jax_reduce_scatter_2x4.py.txt", emit_jax(programs(Collective.REDUCE_SCATTER)[-1]))


@pytest.mark.parametrize("goal", Collective)
def test_emitted_files_are_clean_and_say_what_they_do(goal, tmp_path):
    texts = [emit_jax(plan) for plan in programs(goal)[::3]]
    texts += [emit_jax(hostile(programs(goal)[0], name)) for name in HOSTILE]
    check_style(tmp_path, texts)
    words = words_of(goal)
    for text in texts:
        docstring = ast.get_docstring(ast.parse(text), clean=False)
        assert docstring.startswith(f"One {title_of(goal)} over 8 devices, as JAX collectives under shard_map.\n")
        assert f"    {words.result} = reduction(part)\n{words.rule}\nCheck it against {words.reference} on" in docstring


SPOILED = {
    Collective.REDUCE_SCATTER: ("return reduced(", "return -reduced("),
    Collective.ALL_GATHER: ("return reduced(jnp.ravel(part))", "return reduced(jnp.ravel(part))[::-1]"),
    Collective.REDUCE: ("return reduced(buffer)", "return 2 * reduced(buffer)"),
    Collective.BROADCAST: ("return reduced(buffer)", "return buffer"),
}


SEEN = sample(SPOILED, 1)
"""Goals whose spoiled files are run: what compares a result with that of the plain collective is the same in all."""


CHECK_ALL = """
import contextlib, io, json, runpy, sys
found = {}
for path in sys.argv[1:]:
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said):
            runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        found[path] = end.code, said.getvalue()
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def checks(tmp_path_factory) -> dict[str, tuple[int, str]]:
    """Exit code and text of each file, right or spoiled, run as a program, all in a process that imports JAX once."""
    folder = tmp_path_factory.mktemp("checks")
    for goal, (old, new) in SPOILED.items():
        text = emit_jax(programs(goal)[0])
        assert old in text
        (folder / f"right-{goal}.py").write_text(text, encoding="utf-8")
        if goal in SEEN:
            (folder / f"wrong-{goal}.py").write_text(text.replace(old, new), encoding="utf-8")
    files = sorted(path.name for path in folder.glob("*-*.py"))
    assert len(files) == len(SPOILED) + len(SEEN)
    return json.loads(python(["-c", CHECK_ALL, *files], 0, folder).stdout)


@pytest.mark.slow
@pytest.mark.parametrize("goal", SPOILED)
def test_files_check_themselves_and_notice_spoiled_code(checks, goal):
    code, right = checks[f"right-{goal}.py"]
    assert right.startswith(f"{title_of(goal)} on 8 devices (cpu, jax ")
    assert right.endswith(f"): equals {words_of(goal).reference}\n")
    assert code == 0
    if goal in SEEN:
        code, wrong = checks[f"wrong-{goal}.py"]
        assert "): WRONG: " in wrong
        assert code == 1
