"""List the tests that only the full tier runs, with the test that notices the same faults in the standard tier.

    scripts/list_thorough.py --out scripts/results/thorough.md
    scripts/list_thorough.py --check

Each entry is a `pytest.mark.thorough` of a file of tests and the comment on its line, or on the line above. A mark on
single cases counts as one entry of the test that has these cases.

Exit code 0: with --check, every mark has a comment, and every test or file of tests that a comment names has something
in the standard tier; 1: those that do not are named; 2: wrong input.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
MARK = re.compile(r"\bpytest\.mark\.thorough\b")
TEST = re.compile(r"def (test_\w+)\(")
REASON = re.compile(r"(?:^ *|  )# (?!fmt: |noqa|type: )(.*)$")
CUT = re.compile(r"\bsample\(|\bis_full\(\)|\bexamples\(")
NAMED = re.compile(r"(?:\w+/)*\btest_\w+")
UNSAID = "the mark has no comment"


@dataclass(frozen=True, slots=True)
class Entry:
    """A test or cases of a test that the standard tier leaves out."""

    file: str
    test: str
    is_whole: bool
    line: int
    reason: str

    @property
    def room(self) -> str:
        """The folder of tests that the file belongs to."""
        return _room(self.file)


def _room(file: str) -> str:
    return file.split("/")[1] if file.count("/") > 1 else "tests"


def entries(file: str, text: str) -> Iterator[Entry]:
    """Marks of a file, each with the test that follows it."""
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if not MARK.search(line):
            continue
        test = next((found[1] for after in lines[number:] if (found := TEST.match(after))), "all tests of a list")
        above = lines[number - 1].lstrip() if number else ""
        reason = REASON.search(line) or (REASON.match(above) if above.startswith("#") else None)
        is_whole = line.startswith("@pytest.mark.thorough")
        yield Entry(file, test, is_whole, number + 1, reason[1] if reason else UNSAID)


def _files(root: Path) -> Iterator[tuple[str, str]]:
    for path in sorted((root / "tests").rglob("test_*.py")):
        yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def faults(root: Path) -> Iterator[tuple[Entry, str]]:
    """Marks that say no reason, or name what the full tier alone runs, each with what to do."""
    texts = dict(_files(root))
    found = [each for file, text in texts.items() for each in entries(file, text)]
    whole = {(each.file, each.test) for each in found if each.is_whole}
    every = {(file, test) for file, text in texts.items() for test in TEST.findall(text)}
    for each in found:
        if each.reason == UNSAID:
            yield each, "say which test of the standard tier notices the same faults"
        for name in NAMED.findall(each.reason):
            meant = {one for one in every if name == one[1] or f"/{one[0]}".endswith(f"/{name}.py")}
            beside = {one for one in meant if Path(one[0]).parent == Path(each.file).parent}
            if (beside or meant) <= whole:
                yield each, f"{name} has nothing in the standard tier; name what has"


def report(root: Path) -> str:
    """The Markdown text: numbers by room, then every entry."""
    found: list[Entry] = []
    cut: Counter[str] = Counter()
    for file, text in _files(root):
        found += entries(file, text)
        cut[_room(file)] += len(CUT.findall(text))
    rooms = sorted({each.room for each in found})
    lines = [
        "# Tests of the full tier alone, and what stands for them",
        "",
        "Written by `scripts/list_thorough.py`. The standard tier leaves out these tests, or cases of tests; behind",
        "each is what it has instead, as the comment at the mark says. Cuts are the places where the full tier tries",
        "more cases or examples of a test that both run (`sample`, `examples` and `is_full` of tests/tiers.py).",
        "",
        "| room | tests | cases of tests | cuts |",
        "|------|------:|------:|------:|",
    ]
    for room in rooms:
        own = [each for each in found if each.room == room]
        whole = sum(each.is_whole for each in own)
        lines.append(f"| {room} | {whole} | {len(own) - whole} | {cut[room]} |")
    whole = sum(each.is_whole for each in found)
    lines.append(f"| all | {whole} | {len(found) - whole} | {sum(cut[room] for room in rooms)} |")
    for room in rooms:
        lines += ["", f"## {room}", ""]
        for each in found:
            if each.room == room:
                what = each.test if each.is_whole else f"{each.test}, some cases"
                lines.append(f"- {each.file}::{what}: {each.reason}")
    return "\n".join([*lines, ""])


def main() -> int:
    """Write the list."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="file of the list; without it the list is printed")
    parser.add_argument("--check", action="store_true", help="name the marks without a good comment instead")
    arguments = parser.parse_args()
    if arguments.check:
        found = [f"{each.file}:{each.line}: {each.test}: {what}\n" for each, what in faults(ROOT)]
        sys.stdout.write("".join(found))
        return int(bool(found))
    text = report(ROOT)
    if arguments.out is None:
        sys.stdout.write(text)
        return 0
    try:
        arguments.out.write_text(text, encoding="utf-8")
    except OSError as error:
        print(f"list_thorough: cannot write {arguments.out}: {error.strerror}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
