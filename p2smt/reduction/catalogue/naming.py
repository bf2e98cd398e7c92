"""File names of scripts."""

import re

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")


def slug(text: str) -> str:
    """Return the words of a name in lower case, joined by hyphens.

    >>> slug("ReduceScatter"), slug("SHARED_ROW"), slug("10 ii")
    ('reduce-scatter', 'shared-row', '10-ii')
    """
    return "-".join(_WORD.findall(text)).lower()
