"""The sizes and shapes that the code keeps to."""

import ast
from pathlib import Path

import durations
from paths import ROOT, TESTS

MOST_LINES, MOST_LINES_OF_A_FUNCTION = 300, 60
UNTYPED = {
    # what comes from torch, dask, matplotlib and pyarrow
    "frontend/torch_function/operations.py", "frontend/torch_function/handles.py",
    "frontend/torch_function/process_group.py", "report/figures/png.py",
    "run/local/calls.py", "run/measure/torchrun.py", "run/rank/checking.py", "run/rank/joining.py",
    "run/rank/message.py", "run/rank/plain.py", "run/rank/rank.py", "run/lab/laboratory.py", "sweep/dask_pool.py",
    "sweep/export.py",
    # what stands in files of users before it is checked
    "cost/calibration/nccl_json.py", "placement/mesh_file.py", "problem/file.py", "problem/system/file.py",
    "problem/typed.py", "reduction/plan/file.py", "sweep/sweep_file.py",
    # any value at all: a pattern's, a page's
    "frontend/matching.py", "report/page/page_data.py",
}  # fmt: skip
"""The modules that may say `Any`; the list only gets shorter."""
VAGUE = {"utils", "util", "common", "core", "misc", "helpers"}


def modules(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def length(node: ast.stmt) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def test_no_module_is_longer_than_300_lines():
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in modules("p2smt")}
    assert len(lengths) > 250
    assert {path.name: count for path, count in lengths.items() if count > MOST_LINES} == {}


def test_no_function_is_longer_than_60_lines():
    found = {
        (path.relative_to(ROOT).as_posix(), function.name): length(function)
        for path in modules("p2smt")
        for function in functions(path)
    }
    assert len(found) > 1000
    assert {where: count for where, count in found.items() if count > MOST_LINES_OF_A_FUNCTION} == {}


def test_no_file_has_a_name_that_says_nothing():
    names = {path.stem for folder in ("p2smt", "scripts", "tests") for path in modules(folder)}
    assert names & VAGUE == set()


def test_the_tests_of_a_room_lie_in_a_folder_of_its_name():
    folders = {path.relative_to(TESTS).parts[0] for path in TESTS.rglob("test_*.py") if path.parent != TESTS}
    assert len(folders) > 10
    assert {name for name in folders if not (ROOT / "p2smt" / name).is_dir()} == {"scripts"}


def test_a_type_is_left_open_only_where_it_comes_from_outside():
    found = set()
    for path in modules("p2smt"):
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        names = [node.names for node in nodes if isinstance(node, ast.ImportFrom) and node.module == "typing"]
        if any(alias.name == "Any" for some in names for alias in some):
            found.add(path.relative_to(ROOT / "p2smt").as_posix())
    assert found - UNTYPED == set()
    assert UNTYPED - found == set(), "listed for nothing"


def test_every_room_has_a_page():
    rooms = [path.parent for path in ROOT.glob("p2smt/*/__init__.py")]
    assert len(rooms) > 10
    assert [room.name for room in rooms if not (room / "README.md").is_file()] == []


def test_durations_are_those_of_tests_that_are_there():
    """A name that no test has would leave a long test in the quick run."""
    missing = []
    for name in durations.listed():
        path, *_, function = name.split("::")
        if not (ROOT / path).is_file() or f"def {function}(" not in (ROOT / path).read_text(encoding="utf-8"):
            missing.append(name)
    assert missing == []
