"""Shardings that a program declares for its values, compared as text only."""

import re
from collections.abc import Iterable, Mapping, Sequence

from p2smt.errors import VerifyError
from p2smt.frontend.xla.words import number
from p2smt.verify.limits import MAX_DEVICES

_QUOTED = re.compile(r'"([^"]*)"')
_OPENING, _CLOSING = "[{(<", "]})>"


def shared_out(words: Sequence[str]) -> tuple[str, ...]:
    r"""Return the entries of a list of shardings, one per value; the list is given as tokens or a quoted string.

    >>> shared_out(["[", "<", "@mesh", ",", "[", "{", '"a"', "}", "]", ">", ",", "<", "@mesh", ",", "[", "]", ">", "]"])
    ('<@mesh,[{"a"}]>', '<@mesh,[]>')
    >>> shared_out(['"#sdy.sharding_per_value<[<@mesh, [{\\"a\\"}]>]>"'])
    ('<@mesh,[{"a"}]>',)
    """
    text = "".join(words).replace("\\", "").replace(" ", "")
    text = text[text.find("[") + 1 : text.rfind("]")]
    found: list[str] = []
    depth = first = 0
    for at, sign in enumerate(text):
        depth += (sign in _OPENING) - (sign in _CLOSING)
        if not depth and sign in _CLOSING:
            found.append(text[first : at + 1].lstrip(","))
            first = at + 1
    return tuple(found)


def annotation(words: Sequence[str]) -> str:
    """The value of `sdy.sharding` or `mhlo.sharding` among attributes; empty if neither is there."""
    if "mhlo.sharding" in words[:-2]:
        return words[list(words).index("mhlo.sharding") + 2].strip('"').replace("\\", "")
    return result_sharding(words)


def result_sharding(words: Sequence[str]) -> str:
    """The value of `sdy.sharding = #sdy.sharding<@mesh, [...]>` among attributes; empty if it is not there."""
    if "sdy.sharding" not in words:
        return ""
    text = "".join(words[words.index("sdy.sharding") + 2 :]).removeprefix("#sdy.sharding")
    depth = 0
    for at, sign in enumerate(text):
        depth += (sign in _OPENING) - (sign in _CLOSING)
        if not depth:
            return text[: at + 1]
    return text


def axes_in(words: Sequence[str]) -> dict[str, int]:
    """The axes of all meshes in a text, with their sizes."""
    found: dict[str, int] = {}
    for name, equals, size in zip(words, words[1:], words[2:], strict=False):
        if name.startswith('"') and equals == "=" and size.isdigit():
            found[name.strip('"')] = number(size, MAX_DEVICES) or 0
    return found


def check_manual(words: Iterable[str], axes: Mapping[str, int]) -> None:
    """Raise VerifyError unless the program is per-device (manual) along all axes of its mesh."""
    texts = [word[1:-1].replace("\\", "") if word[1:2] == "#" else word for word in words]
    named = {name for text in texts for name in _QUOTED.findall(text)}
    left = [name for name, size in axes.items() if size > 1 and name not in named]
    if left:
        raise VerifyError(
            f"axis {left[0][:60]!r} of the mesh is not manual, so the compiler adds communication along "
            "it; give the text of the compiled program"
        )
