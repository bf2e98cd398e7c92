"""The sizes and shapes that the code keeps to."""

import ast
import re
import subprocess
from pathlib import Path

import durations
import pytest
from paths import ROOT, TESTS
from source import texts, tree, trees

MOST_LINES, MOST_LINES_OF_A_FUNCTION = 300, 60
MOST_UNTYPED = 21
"""Modules that import `Any`, each with a comment that says for what; the number only gets smaller."""
FIRST_COMMIT, MOST_OF_A_TITLE = "4502889f", 72
"""Titles of commits from this one on, which began version 0.2.0, are at most so long."""
HEAD = re.compile(r"( *)(?:async )?(def|class) ")
VAGUE = {"utils", "util", "common", "core", "misc", "helpers"}


def modules(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def length(node: ast.stmt) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


def test_no_module_is_longer_than_300_lines():
    lengths = {file: len(text.splitlines()) for file, text in texts().items()}
    assert len(lengths) > 250
    assert {file: count for file, count in lengths.items() if count > MOST_LINES} == {}


def most_lines(text: str) -> list[int]:
    """For every function of a text the lines up to what is next defined beside it or outside: at least its own."""
    lines = text.splitlines()
    heads = [(number, found[1], found[2]) for number, line in enumerate(lines) if (found := HEAD.match(line))]
    return [
        next((after for after, beside, _ in heads if after > first and len(beside) <= len(indent)), len(lines)) - first
        for first, indent, kind in heads
        if kind != "class"
    ]


def test_no_function_is_longer_than_60_lines():
    """To parse all modules takes seconds: these are the ones that may have such a function."""
    most = {file: most_lines(text) for file, text in texts().items()}
    assert sum(map(len, most.values())) > 1000
    found = {
        (file, node.name): length(node)
        for file in texts()
        if max(most[file], default=0) > MOST_LINES_OF_A_FUNCTION
        for node in ast.walk(tree(file))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert {where: count for where, count in found.items() if count > MOST_LINES_OF_A_FUNCTION} == {}


def test_no_file_has_a_name_that_says_nothing():
    names = {path.stem for folder in ("p2smt", "scripts", "tests") for path in modules(folder)}
    assert names & VAGUE == set()


def test_the_tests_of_a_room_lie_in_a_folder_of_its_name():
    folders = {path.relative_to(TESTS).parts[0] for path in TESTS.rglob("test_*.py") if path.parent != TESTS}
    assert len(folders) > 10
    assert {name for name in folders if not (ROOT / "p2smt" / name).is_dir()} == {"scripts"}


def test_a_type_is_left_open_only_where_the_import_says_for_what():
    untyped, silent = 0, []
    for file, module in trees("Any").items():
        imports = [node for node in ast.walk(module) if isinstance(node, ast.ImportFrom) and node.module == "typing"]
        for node in imports:
            if "Any" in {one.name for one in node.names}:
                untyped += 1
                lines = texts()[file].splitlines()[node.lineno - 1 : node.end_lineno]
                if not any(re.search(r"# Any: \w", line) for line in lines):
                    silent.append(f"p2smt/{file}:{node.lineno} give a type, or say `# Any: <what comes from outside>`")
    assert silent == []
    assert untyped <= MOST_UNTYPED
    assert sum("# Any: " in text for text in texts().values()) == untyped, "a comment says `# Any:` for nothing"


def test_every_room_has_a_page():
    rooms = [path.parent for path in ROOT.glob("p2smt/*/__init__.py")]
    assert len(rooms) > 10
    assert [room.name for room in rooms if not (room / "README.md").is_file()] == []


def test_the_formatter_lays_out_every_file():
    """Tables that read badly one value a line are data files."""
    files = [*modules("p2smt"), *modules("scripts"), *modules("tests")]
    assert len(files) > 1000
    mark = "# fmt" + ":"
    assert [str(file.relative_to(ROOT)) for file in files if mark in file.read_text(encoding="utf-8")] == []


WORDS = r"[Ww]hat|[Ww]hether|[Hh]ow|[Ww]hich|[Ww]here|[Ww]ho|[Ww]hen|As|Those|Of|That|From"
QUESTION = re.compile(rf'^ *"""((?:Return )?(?:{WORDS})\b.*)', re.MULTILINE)
"""The first line of a string under a module, a class, a function or a constant, where it asks."""


def test_docstrings_say_what_a_thing_is_and_ask_nothing():
    """Those that begin with a question word are understood only by readers of the code."""
    assert QUESTION.search('def f():\n    """What comes of it."""')
    assert QUESTION.search('MOST = 3\n"""How many there are."""')
    assert not QUESTION.search('def f():\n    """The result. What else?"""')
    assert {file: found[1] for file, text in texts().items() if (found := QUESTION.search(text))} == {}


def test_durations_are_those_of_tests_that_are_there():
    """A name that no test has would leave a long test in the quick run."""
    missing = []
    for name in durations.listed():
        path, *_, function = name.split("::")
        if not (ROOT / path).is_file() or f"def {function}(" not in (ROOT / path).read_text(encoding="utf-8"):
            missing.append(name)
    assert missing == []


def test_titles_of_commits_are_short_and_no_sentences():
    command = ["git", "log", "--format=%h %s", f"{FIRST_COMMIT}^..HEAD"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"there is no git history from {FIRST_COMMIT} on: {error}")
    titles = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert titles
    assert {commit: title for commit, title in titles.items() if len(title) > MOST_OF_A_TITLE} == {}
    assert {commit: title for commit, title in titles.items() if title.endswith(".")} == {}
