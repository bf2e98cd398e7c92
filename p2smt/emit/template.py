"""Emitted files are kept as real Python files with places to fill in, so that tools read them as what they are.

A template is a file `templates/NAME.py.in`. `$name` inside a string stands for words; a comment `# $name` that has a
line to itself, or that is behind a `pass` where Python wants a statement, stands for whole lines. All functions and
methods that some plan needs stand in a template; those that nothing refers to in the end are left out.
"""

import ast
import re
from functools import cache, lru_cache
from importlib.resources import files
from textwrap import dedent

_PLACE = re.compile(r"^ *(?:pass  )?# \$(\w+)\n|\$(\w+)", re.MULTILINE)
# Two empty lines are before every definition of a module, one is before every method.
_BETWEEN = re.compile(r"^(?=\n\n\S)|^(?=\n    (?:@|def ))", re.MULTILINE)
_OPTIONAL = re.compile(r"\n+(?:( +)(?:@.*\n +)*def (?=_[^_])|(?:@.*\n)*def )(\w+)")


def filled(template: str, **texts: str) -> str:
    """A template, named by its path in this room, with every place filled; lines are given with their line ends.

    Texts go in as they are: a `$` in them stands for nothing.
    """
    pieces = _pieces(template)
    places = {*pieces[1::2]}
    assert places == texts.keys(), f"{template} has the places {sorted(places)}, given are {sorted(texts)}"
    return "".join(texts[piece] if number % 2 else piece for number, piece in enumerate(pieces))


@cache
def _pieces(template: str) -> tuple[str, ...]:
    """A template cut at its places: text, name of a place, text, ..., text."""
    text = files("p2smt.emit").joinpath(template).read_text(encoding="utf-8")
    cuts = [(found.start(), found[1] or found[2], found.end()) for found in _PLACE.finditer(text)]
    ends = [0, *(end for _, _, end in cuts)]
    before = [(text[end:start], name) for end, (start, name, _) in zip(ends, cuts, strict=False)]
    return (*(piece for pair in before for piece in pair), text[ends[-1] :])


def only_used(module: str) -> str:
    """A module without the functions, and private methods of its classes, that nothing in it refers to."""
    pieces = _BETWEEN.split(module)
    optional = {name: piece for piece in pieces if (name := _optional_name(piece))}
    waiting = [piece for piece in pieces if not _optional_name(piece)]
    needed = set(waiting)
    while waiting:
        for name in _references(waiting.pop()):
            if name in optional and optional[name] not in needed:
                needed.add(optional[name])
                waiting.append(optional[name])
    return "".join(piece for piece in pieces if piece in needed)


def _optional_name(piece: str) -> str:
    """How others refer to the function or private method that a piece of a module is; empty for anything else."""
    found = _OPTIONAL.match(piece)
    if found is None:
        return ""
    return f"self.{found[2]}" if found[1] else found[2]


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
