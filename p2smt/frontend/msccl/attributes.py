"""Typed access to attributes of MSCCL's XML elements."""

import re
from collections.abc import Mapping

from p2smt.errors import VerifyError

Attributes = Mapping[str, str]

_NUMBER = re.compile(r"-?[0-9]{1,9}")


def text_of(attributes: Attributes, name: str, place: str) -> str:
    """Return an attribute; raises VerifyError if it is missing."""
    if name not in attributes:
        raise VerifyError(f"{place}: {name} is missing")
    return attributes[name]


def number_of(
    attributes: Attributes, name: str, place: str, least: int, most: int = 10**9 - 1, default: int | None = None
) -> int:
    """Return a numeric attribute; raises VerifyError if it is not a number in range, or missing without a default."""
    if default is not None and name not in attributes:
        return default
    text = text_of(attributes, name, place)
    if not _NUMBER.fullmatch(text) or not least <= int(text) <= most:
        raise VerifyError(f"{place}: {name}={text[:40]!r}; it is a number from {least} to {most}")
    return int(text)


def flag_of(attributes: Attributes, name: str, place: str, default: int | None = None) -> int:
    """An attribute that is 0 or 1."""
    return number_of(attributes, name, place, 0, 1, default)
