"""File names of scripts."""

import re

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")


def slug(text: str) -> str:
    """The words of a name, in small letters with dashes between.

    >>> slug("ReduceScatter"), slug("SHARED_ROW"), slug("10 ii")
    ('reduce-scatter', 'shared-row', '10-ii')
    """
    return "-".join(_WORD.findall(text)).lower()
