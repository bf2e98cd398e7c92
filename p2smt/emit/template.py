"""Emitted files are kept as real Python files with places to fill in, so that tools can check them.

A template is a file `NAME.py.in`. `$name` inside a string stands for words; a comment `# $name` that has a line to
itself, or that is behind a `pass` where Python wants a statement, stands for whole lines, indented as it is. All
functions and methods that some plan needs stand in a template; those that nothing refers to in the end are left out.
"""

import ast
import re
from functools import cache, lru_cache
from importlib.resources import files
from textwrap import dedent, indent
from typing import NamedTuple

_PLACE = re.compile(r"^( *)(?:pass  )?# \$(\w+)\n|\$(\w+)", re.MULTILINE)
# Two empty lines are before every definition of a module, one is before every method.
_BETWEEN = re.compile(r"^(?=\n\n\S)|^(?=\n    (?:@|def ))", re.MULTILINE)
_OPTIONAL = re.compile(r"\n+(?:( +)(?:@.*\n +)*def (?=_[^_])|(?:@.*\n)*def )(\w+)")


def filled(template: str, **texts: str) -> str:
    """A template, named by its path in this package, with every place filled; texts include their line ends.

    Texts are inserted literally: a `$` in them has no meaning.
    """
    pieces = _pieces(template)
    places = {piece.name for piece in pieces if isinstance(piece, _Place)}
    # A misspelt or missing place would otherwise stay in the emitted file unnoticed.
    assert places == texts.keys(), f"{template} has the places {sorted(places)}, given are {sorted(texts)}"
    return "".join(piece if isinstance(piece, str) else piece.filled(texts[piece.name]) for piece in pieces)


class _Place(NamedTuple):
    """A place by its name, and how far its lines are indented."""

    name: str
    indentation: str

    def filled(self, text: str) -> str:
        return indent(text, self.indentation) if self.indentation else text


@cache
def _pieces(template: str) -> tuple[str | _Place, ...]:
    """A template cut at its places."""
    text = files("p2smt.emit").joinpath(template).read_text(encoding="utf-8")
    pieces: list[str | _Place] = []
    end = 0
    for match in _PLACE.finditer(text):
        pieces += [text[end : match.start()], _Place(match[2] or match[3], match[1] or "")]
        end = match.end()
    return (*pieces, text[end:])


def only_used(module: str) -> str:
    """A module without the functions, and private methods of its classes, that nothing in it refers to."""
    pieces = _BETWEEN.split(module)
    # Methods of two classes may have one name.
    optional: dict[str, list[str]] = {}
    for piece in pieces:
        if name := _optional_name(piece):
            optional.setdefault(name, []).append(piece)
    # Reachability from what always stays (imports, classes, constants): a function that only unused ones call goes
    # too.
    waiting = [piece for piece in pieces if not _optional_name(piece)]
    needed = set(waiting)
    while waiting:
        for name in _references(waiting.pop()):
            for piece in optional.get(name, ()):
                if piece not in needed:
                    needed.add(piece)
                    waiting.append(piece)
    return "".join(piece for piece in pieces if piece in needed)


def _optional_name(piece: str) -> str:
    """The name by which others call the function or private method in a piece of a module; empty for anything else."""
    match = _OPTIONAL.match(piece)
    if match is None:
        return ""
    return f"self.{match[2]}" if match[1] else match[2]


@lru_cache(maxsize=512)
def _references(piece: str) -> frozenset[str]:
    """The names, and attributes of self, that a piece of a module uses."""
    names = set()
    for node in ast.walk(ast.parse(dedent(piece))):
        match node:
            case ast.Name(name):
                names.add(name)
            case ast.Attribute(ast.Name("self"), name):
                names.add(f"self.{name}")
            case _:
                pass
    return frozenset(names)
