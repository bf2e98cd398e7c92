"""The sizes and shapes that the code keeps to."""

import ast
from pathlib import Path

from paths import ROOT, TESTS

MOST_LINES, MOST_LINES_OF_A_FUNCTION = 300, 60
LONG = {("p2smt/cli/commands/complete.py", "command")}  # to be taken apart
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
    assert {where: count for where, count in found.items() if count > MOST_LINES_OF_A_FUNCTION}.keys() <= LONG


def test_no_file_has_a_name_that_says_nothing():
    names = {path.stem for folder in ("p2smt", "scripts", "tests") for path in modules(folder)}
    assert names & VAGUE == set()


def test_the_tests_of_a_room_lie_in_a_folder_of_its_name():
    folders = {path.relative_to(TESTS).parts[0] for path in TESTS.rglob("test_*.py") if path.parent != TESTS}
    assert len(folders) > 10
    assert {name for name in folders if not (ROOT / "p2smt" / name).is_dir()} == {"public", "scripts"}
