"""Templates of emitted files, stored as valid Python with placeholders, so that linters can check them.

A template is a file `NAME.py.in`. `$name` inside a string is a placeholder for words. A comment `# $name` on a line of
its own, or after a `pass` where Python requires a statement, is a placeholder for lines, which get the same
indentation. A template contains all functions and methods that any plan needs; those that are unused in the end are
removed:
    needed = the least set with the lines outside of functions, and f in needed whenever a needed piece names f,
a search in the graph of calls from its roots (tree shaking; Aho, Lam, Sethi and Ullman, "Compilers", 2006, section
12.1).
Complexity: O(pieces + references).

Example: `step` calls `sent`, and nobody calls `gathered`, which calls `joined`: the last two are removed.
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
    """Return a template, named by its path in this package, with all placeholders filled; texts include line ends.

    Texts are inserted literally: a `$` in them has no meaning.
    """
    pieces = _pieces(template)
    places = {piece.name for piece in pieces if isinstance(piece, _Place)}
    # A misspelt or missing place would otherwise stay in the emitted file unnoticed.
    assert places == texts.keys(), f"{template} has the places {sorted(places)}, given are {sorted(texts)}"
    return "".join(piece if isinstance(piece, str) else piece.filled(texts[piece.name]) for piece in pieces)


class _Place(NamedTuple):
    """A placeholder: its name, and the indentation of its lines."""

    name: str
    indentation: str

    def filled(self, text: str) -> str:
        return indent(text, self.indentation) if self.indentation else text


@cache
def _pieces(template: str) -> tuple[str | _Place, ...]:
    """Return a template split at its placeholders."""
    text = files("p2smt.emit").joinpath(template).read_text(encoding="utf-8")
    pieces: list[str | _Place] = []
    end = 0
    for match in _PLACE.finditer(text):
        pieces += [text[end : match.start()], _Place(match[2] or match[3], match[1] or "")]
        end = match.end()
    return (*pieces, text[end:])


def only_used(module: str) -> str:
    """Return a module without the functions, and private methods of its classes, that it does not use."""
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
    """Return the name by which code calls the function or private method in a piece; "" for other pieces."""
    match = _OPTIONAL.match(piece)
    if match is None:
        return ""
    return f"self.{match[2]}" if match[1] else match[2]


@lru_cache(maxsize=512)
def _references(piece: str) -> frozenset[str]:
    """Return the names, and attributes of self, that a piece of a module uses."""
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
