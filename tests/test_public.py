"""The public face: every name typed, loaded when it is first used, in a user's script that passes `mypy --strict`."""

import ast
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from documents import Document
from paths import ROOT, TESTS

import p2smt

EVERY_NAME = TESTS / "public" / "every_name.py"
PAGES = [folder / "README.md" for folder in (ROOT, ROOT / "p2smt" / "job", ROOT / "p2smt" / "run")]
"""The pages whose Python users copy; `test_documents` runs it."""
HOMES: dict[str, str] = {name: f"p2smt.{home}" for name, home in vars(p2smt)["_HOMES"].items()}


def typed_names() -> dict[str, str]:
    """What `p2smt/__init__.py` imports where types are checked: the names with their modules."""
    tree = ast.parse((ROOT / "p2smt" / "__init__.py").read_text(encoding="utf-8"))
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module is not None]
    return {
        alias.asname: node.module
        for node in imports
        for alias in node.names
        if node.module is not None and alias.name == alias.asname
    }


def test_what_is_typed_is_what_is_there():
    assert typed_names() == HOMES
    assert p2smt.__all__ == sorted(HOMES)
    assert {name for name in dir(p2smt) if not name.startswith("__")} == set(HOMES)


def test_a_name_has_one_home():
    for name, home in HOMES.items():
        value = getattr(p2smt, name)
        assert value is getattr(import_module(home), name), name
        assert value.__module__ == home, name
        assert value.__doc__, name


def test_there_is_nothing_else():
    with pytest.raises(AttributeError, match="module 'p2smt' has no attribute 'Synthesiser'"):
        p2smt.Synthesiser  # noqa: B018


def test_the_package_alone_loads_nothing_heavy():
    code = "import sys, p2smt; p2smt.Axis, p2smt.Collective, p2smt.MeshTarget; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"z3", "torch", "numpy", "rich", "msgspec", "networkx", "click"} & set(done.stdout.split())


SHOWN = "shown_"


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The lines of `mypy --strict` by file, all in one process with the project's cache, or p2smt were checked anew."""
    folder = tmp_path_factory.mktemp("typed")
    (folder / "wrong.py").write_text("\n".join(["import p2smt", *(line for line, _ in WRONG), ""]), encoding="utf-8")
    revealed = "\n".join(["import p2smt", *(f"reveal_type(p2smt.{name})" for name in HOMES), ""])
    (folder / "revealed.py").write_text(revealed, encoding="utf-8")
    shown = [block for page in PAGES for block in Document(page).blocks("python")]
    assert len(shown) >= len(PAGES)
    for number, block in enumerate(shown):
        (folder / f"{SHOWN}{number}.py").write_text(block, encoding="utf-8")
    files = [EVERY_NAME, *sorted(folder.iterdir())]
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", *map(str, files)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    lines: dict[str, list[str]] = {path.name: [] for path in files}
    for line in done.stdout.splitlines():
        lines[Path(line.partition(":")[0]).name].append(line)
    return lines


@pytest.mark.slow
@pytest.mark.thorough  # mypy checks the package itself in every run
def test_a_users_script_with_every_name_is_typed(said):
    tree = ast.parse(EVERY_NAME.read_text(encoding="utf-8"))
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "p2smt"
    }
    assert used == set(HOMES)
    assert said[EVERY_NAME.name] == []


@pytest.mark.slow
@pytest.mark.thorough  # mypy checks the package itself in every run
def test_what_pages_show_is_typed(said):
    assert {name: lines for name, lines in said.items() if name.startswith(SHOWN) and lines} == {}


WRONG = [
    ('p2smt.Level("node", "2")', 'Argument 2 to "Level" has incompatible type "str"; expected "int"'),
    ("p2smt.Synthesiser()", 'Module has no attribute "Synthesiser"'),
    ('p2smt.find_system("2x4").leaves', '"System" has no attribute "leaves"'),
    ("p2smt.synthesize(1)", 'Argument 1 to "synthesize" has incompatible type "int"; expected "Problem"'),
    ("p2smt.emit_jax('plan.json')", 'Argument 1 to "emit_jax" has incompatible type "str"; expected "Plan"'),
]


@pytest.mark.slow
@pytest.mark.thorough  # mypy checks the package itself in every run
def test_mistakes_of_a_users_script_are_named(said):
    lines = said["wrong.py"]
    assert len(lines) == len(WRONG)
    for number, (line, (_, message)) in enumerate(zip(lines, WRONG, strict=True), start=2):
        assert f"wrong.py:{number}: error: {message}" in line


@pytest.mark.slow
@pytest.mark.thorough  # mypy checks the package itself in every run
def test_no_name_is_any(said):
    lines = said["revealed.py"]
    assert len(lines) == len(HOMES)
    for line in lines:
        assert 'Revealed type is "' in line
        assert '"Any"' not in line
        assert '"builtins.object"' not in line


FILES = {"plan.json", "torch_reduction.py", "ddp_reduction.py", "jax_reduction.py", "job.html"}


@pytest.mark.slow
def test_a_users_script_with_every_name_that_needs_no_other_process_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    vars(import_module("public.every_name"))["in_this_process"]()
    assert {path.name for path in tmp_path.iterdir()} >= FILES


@pytest.mark.slow
@pytest.mark.thorough  # all it does in one process runs above; tests of run, sweep and frontend do the rest
def test_a_users_script_with_every_name_runs(tmp_path):
    """What it does in several processes, tests of `run`, `sweep` and `frontend` do too, by the same functions."""
    pytest.importorskip("torch")
    command, environment = [sys.executable, str(EVERY_NAME)], {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert (done.returncode, done.stdout) == (0, "every name was used\n"), done.stderr
    assert {path.name for path in tmp_path.iterdir()} >= FILES


def test_prices_need_no_solver():
    code = "import sys, p2smt; p2smt.rank, p2smt.cost_of, p2smt.synthesize; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "p2smt.cost.ranking" in loaded
    assert not {"z3", "msgspec", "numpy.ma"} & set(loaded)
