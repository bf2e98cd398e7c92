"""Unique names for sources and statements."""


def fresh_name(stem: str, taken: set[str]) -> str:
    """The stem, with a dot and a number appended if it is taken. The result is added to `taken`.

    >>> taken = {"w", "w.1"}
    >>> fresh_name("w", taken), fresh_name("x", taken), sorted(taken)
    ('w.2', 'x', ['w', 'w.1', 'w.2', 'x'])
    """
    name, number = stem, 0
    while name in taken:
        number += 1
        name = f"{stem}.{number}"
    taken.add(name)
    return name
