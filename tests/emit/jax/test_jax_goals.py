"""Emitted JAX files of every goal: texts, style, templates. What they compute: test_jax_execution.py."""

import ast
import json

import pytest
from command_line import golden
from emit.emitted import HOSTILE, check_style, hostile
from emit.jax.jax_plans import permuting
from emit.jax.jax_process import python
from paths import ROOT
from support import plans, problem
from tiers import is_full, sample

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


@pytest.mark.parametrize("goal", sample(Collective, 2))
def test_emitted_files_are_clean_and_say_what_they_do(goal, tmp_path):
    texts = [emit_jax(plan) for plan in programs(goal)[::3]]
    texts += [emit_jax(hostile(programs(goal)[0], name)) for name in sample(HOSTILE, 2)]
    check_style(tmp_path, texts)
    words = words_of(goal)
    for text in texts:
        docstring = ast.get_docstring(ast.parse(text), clean=False)
        assert docstring.startswith(f"One {title_of(goal)} over 8 devices, as JAX collectives under shard_map.\n")
        assert f"    {words.result} = reduction(part)\n{words.rule}\nCheck it against {words.reference} on" in docstring


SPOILED = {
    Collective.ALL_REDUCE: ("permuted(buffer, (2, 4), (1, 0))", "buffer"),
    Collective.REDUCE_SCATTER: ("return reduced(", "return -reduced("),
    Collective.ALL_GATHER: ("return reduced(jnp.ravel(part))", "return reduced(jnp.ravel(part))[::-1]"),
    Collective.REDUCE: ("return reduced(buffer)", "return 2 * reduced(buffer)"),
    Collective.BROADCAST: ("return reduced(buffer)", "return buffer"),
}


RUN = tuple(SPOILED) if is_full() else ()
"""Goals whose files are run, right ones and spoiled ones: what goals compute is in test_jax_execution.py as well."""


CHECK_ALL = """
import contextlib, io, json, runpy, sys
found = {}
for path in sys.argv[1:]:
    said, told = io.StringIO(), io.StringIO()
    if path.startswith("few-"):
        import jax
        known = jax.devices()[:4]
        jax.devices = lambda *kinds: known
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(told):
            runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        found[path] = end.code, said.getvalue(), told.getvalue()
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def checks(tmp_path_factory) -> dict[str, tuple[int, str, str]]:
    """Exit code and texts of each file, right or spoiled, run as a program, all in a process that imports JAX once.

    The last one finds fewer devices than it needs.
    """
    folder = tmp_path_factory.mktemp("checks")
    for goal in RUN:
        old, new = SPOILED[goal]
        text = emit_jax(permuting() if goal is Collective.ALL_REDUCE else programs(goal)[0])
        assert old in text
        (folder / f"right-{goal}.py").write_text(text, encoding="utf-8")
        (folder / f"wrong-{goal}.py").write_text(text.replace(old, new), encoding="utf-8")
    files = sorted(path.name for path in folder.glob("*-*.py"))
    assert len(files) == 2 * len(RUN)
    (folder / "few-devices.py").write_text(emit_jax(permuting()), encoding="utf-8")
    devices = 0 if files else 4  # none: as the first file wants them
    return json.loads(python(["-c", CHECK_ALL, *files, "few-devices.py"], devices, folder).stdout)


@pytest.mark.thorough  # the same files run in test_jax_execution.py
@pytest.mark.slow
@pytest.mark.parametrize("goal", SPOILED)
def test_files_check_themselves_and_notice_spoiled_code(checks, goal):
    code, right, told = checks[f"right-{goal}.py"]
    assert right.startswith(f"{title_of(goal)} on 8 devices (cpu, jax ")
    assert right.endswith(f"): equals {words_of(goal).reference}\n")
    assert (code, told) == (0, "")
    code, wrong, _ = checks[f"wrong-{goal}.py"]
    assert "): WRONG: " in wrong
    assert code == 1


@pytest.mark.slow
def test_a_file_says_how_many_devices_it_needs(checks):
    code, said, told = checks["few-devices.py"]
    asked = "8 devices are needed, there are 4; start it with XLA_FLAGS=--xla_force_host_platform_device_count=8"
    assert (code, said, told.splitlines()[-1]) == (2, "", asked)
