"""Templates of emitted files: shipped, read by ruff, filled whole, and nothing in the result that is not used."""

import ast
import subprocess
import sys
import tomllib
from importlib.resources import files

import pytest
from paths import ROOT

from p2smt.emit.template import filled, only_used

EMIT = ROOT / "p2smt" / "emit"
TEMPLATES = sorted(path.relative_to(EMIT).as_posix() for path in EMIT.rglob("*.in"))


def test_the_package_has_every_template():
    assert len(TEMPLATES) >= 8
    with (ROOT / "pyproject.toml").open("rb") as file:
        patterns = tomllib.load(file)["tool"]["setuptools"]["package-data"]["p2smt"]
    shipped = {path for pattern in patterns for path in (ROOT / "p2smt").glob(pattern)}
    assert {EMIT / name for name in TEMPLATES} <= shipped
    for name in TEMPLATES:
        assert files("p2smt.emit").joinpath(name).read_bytes() == (EMIT / name).read_bytes()


def test_ruff_checks_and_formats_every_template():
    listing = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--show-files", "p2smt"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert {str(EMIT / name) for name in TEMPLATES} <= set(listing.stdout.splitlines())
    for command in (["check"], ["format", "--check"]):
        arguments = [sys.executable, "-m", "ruff", *command, "--no-cache", *(str(EMIT / name) for name in TEMPLATES)]
        done = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


def test_every_template_is_python_as_it_stands():
    for name in TEMPLATES:
        ast.parse((EMIT / name).read_text(encoding="utf-8"), name)


@pytest.mark.parametrize("text", ["$verb", "\\\\1", "{subject}", "%s", "# $results\n"])
def test_texts_go_in_as_they_are(text):
    plain = dict.fromkeys(("subject", "reference", "verb", "results"), "SOMETHING")
    whole = filled("torch/templates/main.py.in", **plain)
    assert whole.count("SOMETHING") == 5
    assert filled("torch/templates/main.py.in", **dict.fromkeys(plain, text)) == whole.replace("SOMETHING", text)


def test_all_places_are_filled_and_no_others():
    with pytest.raises(AssertionError, match=r"has the places \['reference', .*\], given are \['subject'\]"):
        filled("torch/templates/main.py.in", subject="x")
    with pytest.raises(AssertionError, match=r"has the places \[\], given are \['extra'\]"):
        filled("mesh/templates/members.py.in", extra="x")


MODULE = '''"""A module that speaks of unused()."""

import functools

SIZE = size_of("x")


def size_of(text):
    """What helper() is for."""
    return helper(text)


def helper(text):
    return map(once_removed, text)


def once_removed(letter):
    return letter


def unused(text):
    return only_by_unused(text)


@functools.cache
def only_by_unused(text):
    return unused(text)


class Thing:
    """A thing."""

    def __init__(self):
        self.go = self._used

    @property
    def public(self):
        return 1

    @functools.cache
    def _unused(self):
        return self._used()

    def _used(self):
        return size.of(self._kept_by_used())

    def _kept_by_used(self):
        return 2


def of(other):
    return other


if __name__ == "__main__":
    Thing()
'''
UNUSED = {"unused", "only_by_unused", "_unused", "of"}


def functions(module):
    return [node.name for node in ast.walk(ast.parse(module)) if isinstance(node, ast.FunctionDef)]


def test_functions_and_private_methods_that_nothing_refers_to_are_left_out(tmp_path):
    kept = only_used(MODULE)
    assert functions(kept) == [name for name in functions(MODULE) if name not in UNUSED]
    assert only_used(kept) == kept
    assert "\n\n\n\n" not in kept
    assert kept.startswith(MODULE[: MODULE.index("\n\n\ndef unused")])
    assert "def public(self):\n        return 1\n\n    def _used(self):" in kept
    assert kept.endswith('        return 2\n\n\nif __name__ == "__main__":\n    Thing()\n')
