"""Names that no source or statement of a program has."""


def fresh_name(stem: str, taken: set[str]) -> str:
    """The stem, with a number behind a dot if it is taken; it is taken from now on.

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
