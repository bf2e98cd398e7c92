"""Tables of what was measured: CSV files with a row for each line, a dataclass of texts, counts and numbers."""

import csv
from collections.abc import Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Line = TypeVar("Line", bound="DataclassInstance")

_MAKERS = {str: str, int: int, float: float}


def read(path: Path, kind: type[Line]) -> list[Line]:
    """The rows of a table; none where there is no table. Cells that are empty or missing are "" or 0."""
    if not path.exists():
        return []
    makers = {field.name: _MAKERS[field.type] for field in fields(kind)}
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [kind(**{name: make(row.get(name) or make()) for name, make in makers.items()}) for row in rows]


def write(path: Path, rows: Sequence[Line], kind: type[Line]) -> None:
    """Write a table whole."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, [field.name for field in fields(kind)], lineterminator="\n")
        table.writeheader()
        table.writerows(map(asdict, rows))
