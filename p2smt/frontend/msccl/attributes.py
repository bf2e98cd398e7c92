"""Typed access to attributes of MSCCL's XML elements."""

import re
from collections.abc import Collection, Mapping

from p2smt.errors import VerifyError

Attributes = Mapping[str, str]

_NUMBER = re.compile(r"-?[0-9]{1,9}")


def text_of(attributes: Attributes, name: str, place: str, allowed: str) -> str:
    """Return an attribute; raises VerifyError if it is missing, and says which values are `allowed`."""
    if name not in attributes:
        raise VerifyError(f"{place}: {name} is missing; add {name}=, which is {allowed}")
    return attributes[name]


def word_of(attributes: Attributes, name: str, place: str, words: Collection[str]) -> str:
    """Return an attribute that is one of some words."""
    allowed = f"one of {', '.join(words)}"
    text = text_of(attributes, name, place, allowed)
    if text not in words:
        raise VerifyError(f"{place}: {name}={text[:40]!r} is unknown; it is {allowed}")
    return text


def number_of(
    attributes: Attributes, name: str, place: str, least: int, most: int = 10**9 - 1, default: int | None = None
) -> int:
    """Return a numeric attribute; raises VerifyError if it is not a number in range, or missing without a default."""
    if default is not None and name not in attributes:
        return default
    allowed = f"a number from {least} to {most}"
    text = text_of(attributes, name, place, allowed)
    if not _NUMBER.fullmatch(text) or not least <= int(text) <= most:
        raise VerifyError(f"{place}: {name}={text[:40]!r}; it is {allowed}")
    return int(text)


def flag_of(attributes: Attributes, name: str, place: str, default: int | None = None) -> int:
    """An attribute that is 0 or 1."""
    return number_of(attributes, name, place, 0, 1, default)
