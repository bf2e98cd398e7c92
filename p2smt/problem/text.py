"""Parse the short forms of the command line: `node:4,gpu:16` or `4x16`, `model` or `0,2`, `nic=8GB/s`."""

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TypeVar

from p2smt.errors import ProblemError

_Value = TypeVar("_Value")
_SIZE = re.compile(r"-?\d{1,40}")
_NAMED = re.compile("[:=]")


def parse_sizes(text: str, kind: str) -> list[tuple[str, int]]:
    """Parse named or bare sizes; a bare size is named by its kind and position.

    >>> parse_sizes("node:4,gpu:16", "level"), parse_sizes("data=4,model=16", "axis")
    ([('node', 4), ('gpu', 16)], [('data', 4), ('model', 16)])
    >>> parse_sizes("4x16", "level")
    [('level0', 4), ('level1', 16)]
    """
    parts = [part.strip() for part in re.split("," if _NAMED.search(text) else "[,x]", text)]
    pairs = []
    for place, part in enumerate(parts):
        colon = ":" if ":" in part else "="
        name, named, size = part.rpartition(colon)
        if not _SIZE.fullmatch(size):
            raise ProblemError(
                f"{kind} sizes {text[:80]!r} do not parse at {part[:40]!r}; "
                "write name:size pairs such as node:4,gpu:16 or bare sizes such as 4x16"
            )
        pairs.append((name if named else f"{kind}{place}", int(size)))
    return pairs


def parse_axis_names(text: str) -> list[str | int]:
    """Parse a list of axes, given by name or index.

    >>> parse_axis_names("0,model")
    [0, 'model']
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    return [int(part) if re.fullmatch(r"\d{1,4}", part) else part for part in parts]


def parse_per_name(
    text: str,
    names: Sequence[str],
    parse: Callable[[str], _Value],
    option: str,
    also: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, _Value]:
    """Parse `link=value` pairs; `also` maps further names of links to their own.

    >>> parse_per_name("gpu=3", ["node", "gpu"], int, "--bandwidth")
    {'gpu': 3}
    >>> parse_per_name("nic=3", ["node", "gpu"], int, "--bandwidth", {"nic": "node"})
    {'node': 3}
    """
    values: dict[str, _Value] = {}
    for part in text.split(","):
        given, equals, value = (piece.strip() for piece in part.partition("="))
        name = also.get(given, given)
        if not equals or name not in names or name in values:
            raise ProblemError(
                f"{option} {part.strip()[:80]!r} does not name one link; write LINK=VALUE pairs, each link "
                f"once; the links are {', '.join(names)}"
            )
        values[name] = parse(value)
    return values


def printable(text: str) -> str:
    r"""Return free text for one line of a terminal, with non-printable characters escaped.

    >>> printable("expert\nparallel")
    'expert\\nparallel'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
