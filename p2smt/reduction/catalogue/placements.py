"""Parallelism matrices as bit-vectors (paper, section 3.1, equations 1 and 2): whole matrices in one query.

Every instance is encoded twice, and both encodings must have the same number of models. With *exponents*, a factor is a
row of prime exponents, and every product of factors becomes one sum per prime. With *products*, factors are multiplied.
Bit-vectors are wide enough for their largest value, so that nothing wraps: with 8 bits, `16 * 16 = 0`, and 0 would be
accepted as a product of 256.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import reduce
from math import prod
from operator import add, mul
from typing import TypeVar

from p2smt.smt.bitvectors import BitVec, at_most, bitvector
from p2smt.smt.smtlib import Group, Script, Status
from p2smt.smt.terms import disj

_SOURCE = "P2 (MLSys 2022), section 3.1, equations 1 and 2"
_COUNTED = (
    ((4, 16), (8, 2, 4)),
    ((6, 10), (4, 15)),
    ((36, 8), (6, 6, 8)),
    ((16, 8, 8), (8, 2, 32, 2)),
    ((8, 16, 8), (8, 4, 2, 4, 4)),
)
_LARGE = ((64, 32, 8), (8, 8, 4, 16, 4))
_UNEQUAL = ((4, 16), (8, 2, 8))
_WHOLE = ((8, 16, 8), (8, 4, 2, 4, 4))
_NEVER_WHOLE = ((8, 8, 8), (4, 4, 4, 8))

Entry = TypeVar("Entry")
Sizes = tuple[int, ...]
Entries = list[list[BitVec]]
Groups = list[Group]


def placements() -> Iterator[Script]:
    """Yield the scripts of the folder `placements`."""
    for way in _WAYS:
        for levels, axes in _COUNTED:
            yield _script(levels, axes, way, Status.SAT, counts=True)
        yield _script(*_LARGE, way, Status.SAT)
        yield _script(*_UNEQUAL, way, Status.UNSAT, " The two products differ, so there is none.")
    yield _whole(*_WHOLE, Status.SAT)
    yield _whole(*_NEVER_WHOLE, Status.UNSAT)


def _script(levels: Sizes, axes: Sizes, way: str, status: Status, more: str = "", counts: bool = False) -> Script:
    entries, groups = _WAYS[way](levels, axes)
    constants = tuple(_flat(entries))
    about = f"All parallelism matrices of axes {_listed(axes)} on levels of {_listed(levels)}.{more} {_CONSTANTS[way]}"
    counted = constants if counts else ()
    return Script(_name(levels, axes, way), about, _SOURCE, status, constants, tuple(groups), counted)


def _whole(levels: Sizes, axes: Sizes, status: Status) -> Script:
    """Build the script that places every axis on a single level: packing axes into levels."""
    entries, groups = _by_products(levels, axes)
    alone = tuple(disj(entry == axis for entry in line) for line, axis in zip(entries, axes, strict=True))
    constants = tuple(_flat(entries))
    return Script(
        _name(levels, axes, "products-no-axis-split"),
        f"All parallelism matrices of axes {_listed(axes)} on levels of {_listed(levels)} in which every axis lies on "
        f"one level. {_CONSTANTS['products']}",
        _SOURCE,
        status,
        constants,
        (*groups, ("Every axis has all of its factor on some level.", alone)),
        constants if status is Status.SAT else (),
    )


def _name(levels: Sizes, axes: Sizes, way: str) -> str:
    return f"{'x'.join(map(str, levels))}-axes-{'-'.join(map(str, axes))}-{way}"


def _listed(sizes: Sizes) -> str:
    return " x ".join(map(str, sizes))


def _by_exponents(levels: Sizes, axes: Sizes) -> tuple[Entries, Groups]:
    """Encode each factor by one constant `e{prime}_{axis}_{level}` per prime."""
    lines: Entries = []
    groups: Groups = []
    for prime in sorted({prime for size in (*levels, *axes) for prime in _primes(size)}):
        rows = [_exponent(size, prime) for size in axes]
        columns = [_exponent(size, prime) for size in levels]
        most = [[min(row, column) for column in columns] for row in rows]
        width = max(*map(sum, most), *map(sum, zip(*most, strict=True)), *rows, *columns).bit_length()
        table = _table(f"e{prime}", most, width)
        bounds = tuple(at_most(entry, bound) for entry, bound in zip(_flat(table), _flat(most), strict=True))
        sentence = f"Exponents of {prime}: none above that of its axis or level, so that {width} bits hold every sum."
        groups += [(sentence, bounds), *_lines(table, add, rows, columns, f"exponents of {prime}", "add up")]
        lines += table
    return lines, groups


def _by_products(levels: Sizes, axes: Sizes) -> tuple[Entries, Groups]:
    """Encode each factor as `x_{axis}_{level}`, wide enough for the largest product of factors within their bounds."""
    most = [[min(axis, level) for level in levels] for axis in axes]
    width = max(*map(prod, most), *map(prod, zip(*most, strict=True)), *axes, *levels).bit_length()
    table = _table("x", most, width)
    bounds = tuple(at_most(entry, bound) for entry, bound in zip(_flat(table), _flat(most), strict=True))
    sentence = f"No factor is above its axis or level, so that {width} bits hold every product."
    return table, [
        (sentence, bounds),
        *_lines(table, mul, axes, levels, "factors", "multiply"),
    ]


_WAYS: dict[str, Callable[[Sizes, Sizes], tuple[Entries, Groups]]] = {
    "exponents": _by_exponents,
    "products": _by_products,
}
_CONSTANTS = {
    "exponents": "e2_1_0 is the exponent of 2 in the factor of axis 1 on level 0.",
    "products": "x_1_0 is the factor of axis 1 on level 0.",
}


def _lines(
    table: Entries,
    joined: Callable[[BitVec, BitVec], BitVec],
    rows: Sequence[int],
    columns: Sequence[int],
    what: str,
    verb: str,
) -> Groups:
    by_row = tuple(reduce(joined, line) == total for line, total in zip(table, rows, strict=True))
    by_column = tuple(
        reduce(joined, line) == total for line, total in zip(zip(*table, strict=True), columns, strict=True)
    )
    return [
        (f"Row by row the {what} {verb} to those of the axes, {', '.join(map(str, rows))}.", by_row),
        (f"Column by column the {what} {verb} to those of the levels, {', '.join(map(str, columns))}.", by_column),
    ]


def _table(name: str, most: Sequence[Sequence[int]], width: int) -> Entries:
    return [
        [bitvector(f"{name}_{axis}_{level}", width) for level in range(len(line))] for axis, line in enumerate(most)
    ]


def _flat(table: Sequence[Sequence[Entry]]) -> list[Entry]:
    return [entry for line in table for entry in line]


def _primes(number: int) -> list[int]:
    return [p for p in range(2, number + 1) if number % p == 0 and all(p % d for d in range(2, p))]


def _exponent(number: int, prime: int) -> int:
    return next(power for power in range(number) if number % prime ** (power + 1))
