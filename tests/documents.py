"""The project's documents taken apart: the paths they name, their links, the commands in them."""

import re
import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from paths import ROOT

SUFFIXES = (".py", ".md", ".toml", ".smt2", ".csv", ".svg", ".in", ".css", ".js", ".hlo", ".mlir", ".xml", ".png")
_FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"^`([\w.-]+)`[^`]*:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)\)")
_TICKED = re.compile(r"`([^`\n]+)`")
_PATH = re.compile(r"[\w.*-]+(/[\w.*-]+)*/?")


@dataclass(frozen=True, slots=True)
class Document:
    """A Markdown file."""

    path: Path

    @property
    def text(self) -> str:
        """All of it."""
        return self.path.read_text(encoding="utf-8")

    def blocks(self, language: str) -> list[str]:
        """The fenced blocks in a language; those without one have ``""``."""
        return [body for kind, body in _FENCE.findall(self.text) if kind == language]

    @property
    def files(self) -> dict[str, str]:
        """Files shown whole: the block after a paragraph that begins with the file's name and ends in a colon."""
        return dict(_FILE.findall(self.text))

    @property
    def example(self) -> list[list[str]]:
        """The commands in the blocks of shell under the heading `Example`."""
        _, _, rest = self.text.partition("\n## Example\n")
        section = re.split(r"^## ", rest, maxsplit=1, flags=re.MULTILINE)[0]
        return [command for kind, body in _FENCE.findall(section) if kind == "sh" for command in commands(body)]

    @property
    def prose(self) -> str:
        """What stands outside fenced blocks."""
        return _FENCE.sub("", self.text)

    @property
    def links(self) -> set[str]:
        """The targets of its links inside the project."""
        return {target for target in _LINK.findall(self.prose) if not re.match(r"[a-z]+:", target)}

    @property
    def paths(self) -> set[str]:
        """What its prose names between ticks and what looks like a file or folder."""
        found = set()
        for ticked in _TICKED.findall(self.prose):
            words = ticked.split()  # of several, a command, those without a slash are the user's own files
            found |= {word for word in words if len(words) == 1 or "/" in word}
        return {word for word in found if _PATH.fullmatch(word) and word.endswith((*SUFFIXES, "/"))}

    @property
    def commands(self) -> list[list[str]]:
        """The words of every command in its blocks of shell."""
        return [command for block in self.blocks("sh") for command in commands(block)]


def commands(block: str) -> Iterator[list[str]]:
    """The commands of a block of shell, a pipe's one by one, without redirections and settings of variables."""
    for line in block.replace("\\\n", " ").splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
        lexer.whitespace_split = True
        words: list[str] = []
        for word in [*lexer, ";"]:
            if word in ("|", "&&", "||", ";"):
                if words:
                    yield _plain(words)
                words = []
            else:
                words.append(word)


def shown(block: str) -> Iterator[tuple[list[str], str]]:
    """The commands of a block that shows what they print, each line of them after `$ `, and what is printed."""
    for piece in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, printed = piece.partition("\n")
        (command,) = commands(line)
        yield command, printed


def _plain(words: list[str]) -> list[str]:
    while words and re.fullmatch(r"\w+=.*", words[0]):
        words = words[1:]
    ends = [place for place, word in enumerate(words) if word in ("<", ">", ">>")]
    skipped = {place + more for place in ends for more in (0, 1)}
    return [word for place, word in enumerate(words) if place not in skipped]


@cache
def tracked() -> frozenset[str]:
    """The project's own files and folders, folders with a slash at the end."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    files = [name for name in listed if (ROOT / name).exists()]
    folders = {f"{parent.as_posix()}/" for name in files for parent in Path(name).parents[:-1]}
    return frozenset(files) | folders


def exists(name: str, document: Path) -> bool:
    """Whether a path is there: from the root, from p2smt/ or from the document's folder; a bare name anywhere."""
    if "/" not in name:
        return any(found.rpartition("/")[2] == name for found in tracked())
    bases = (ROOT, ROOT / "p2smt", document.parent)
    return any(next(base.glob(name), None) is not None for base in bases)
