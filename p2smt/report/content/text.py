"""Sanitise users' text for HTML and XML."""

import re

_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


def printable(text: str) -> str:
    r"""Return the text with � in place of characters that XML forbids and of bidirectional control characters.

    >>> printable("a\x00b\u202e"), printable("é <b>\n")
    ('a�b�', 'é <b>\n')
    """
    return _UNPRINTABLE.sub("�", text)
