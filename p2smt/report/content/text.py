"""Users' text in documents: what every reader of HTML and XML accepts and shows as it is."""

import re

_UNPRINTABLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]"
)


def printable(text: str) -> str:
    r"""The text with � for what XML forbids and for marks that turn the direction of writing around them.

    >>> printable("a\x00b\u202e"), printable("é <b>\n")
    ('a�b�', 'é <b>\n')
    """
    return _UNPRINTABLE.sub("�", text)
