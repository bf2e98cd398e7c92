"""Checks of the types of arguments, where p2smt is called from Python."""

from os import PathLike
from pathlib import Path

from p2smt.errors import ArgumentTypeError

_SHOWN = 40


def require(value: object, kind: type | tuple[type, ...], name: str, way_out: str = "") -> None:
    """Raise ArgumentTypeError unless a value is of a type, with the value, the type and the way out.

    >>> require("plan.json", dict, "plan", "read_plan reads a file")
    Traceback (most recent call last):
    p2smt.errors.ArgumentTypeError: plan is 'plan.json', a str; give a dict; read_plan reads a file
    """
    if isinstance(value, kind):
        return
    kinds = kind if isinstance(kind, tuple) else (kind,)
    wanted = " or ".join(f"{_article(each.__name__)} {each.__name__}" for each in kinds)
    given, shown = type(value).__name__, repr(value)
    said = f"{shown}, {_article(given)} {given}" if len(shown) <= _SHOWN else f"{_article(given)} {given}"
    raise ArgumentTypeError(f"{name} is {said}; give {wanted}{'; ' if way_out else ''}{way_out}")


def path_of(path: object, example: str) -> Path:
    """Return the path of a file; raises ArgumentTypeError for what is none, with the name of one as an example.

    >>> path_of(4, "plan.json")
    Traceback (most recent call last):
    p2smt.errors.ArgumentTypeError: path is 4, an int; give a str or a PathLike; write a name such as 'plan.json'
    """
    require(path, (str, PathLike), "path", f"write a name such as {example!r}")
    assert isinstance(path, str | PathLike)
    return Path(path)


def _article(word: str) -> str:
    return "an" if word[0].lower() in "aeio" else "a"
