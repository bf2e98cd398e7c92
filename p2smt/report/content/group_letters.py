"""Letters of the groups that are drawn: A, B, C, ... by their first member."""

from collections.abc import Sequence
from string import ascii_uppercase


def group_letter(number: int) -> str:
    """Return the name of group number 0, 1, ...

    >>> [group_letter(number) for number in (0, 25, 26, 701, 702)]
    ['A', 'Z', 'AA', 'ZZ', 'AAA']
    """
    name = ""
    while number >= 0:
        number, letter = divmod(number, len(ascii_uppercase))
        # Bijective numeration: there is no zero, hence one less for each further letter.
        name, number = ascii_uppercase[letter] + name, number - 1
    return name


def groups_drawn(roots: Sequence[int]) -> tuple[int, ...]:
    """Return, per drawn device, its group's index among the drawn groups, ordered by first member; -1 for none.

    >>> groups_drawn((4, 0, -1, 4))
    (1, 0, -1, 1)
    """
    numbers = {root: number for number, root in enumerate(sorted({*roots} - {-1}))}
    return tuple(numbers.get(root, -1) for root in roots)
