"""The rows of the P2 paper's appendix: placements with their measured times, read from a CSV file."""

import csv
from dataclasses import dataclass, field
from math import inf
from pathlib import Path

from p2smt.errors import CalibrationError
from p2smt.placement.matrix import ParallelismMatrix, parse_matrix
from p2smt.problem.system.algorithm import Algorithm

PRESETS = {"A100": "p2-a100", "V100": "p2-v100"}
COLUMNS = ("system", "nodes", "gpus_per_node", "axes", "reduce", "matrix")
KINDS = ("allreduce", "best")


@dataclass(frozen=True)
class Case:
    """One row: a placement with its measured seconds by (algorithm, `allreduce` or `best`)."""

    place: str
    system: str
    sizes: tuple[int, int]
    axes: tuple[int, ...]
    reduce: tuple[int, ...]
    matrix: ParallelismMatrix
    measured: dict[tuple[Algorithm, str], float]
    predicted: dict[tuple[Algorithm, str], float] = field(default_factory=dict)

    @property
    def experiment(self) -> str:
        """What the paper synthesised for at once; rows of one experiment are left out together."""
        return f"{self.system} {self.sizes} {self.axes} {self.reduce}"

    @property
    def name(self) -> str:
        """The row, for people."""
        axes, reduce = "x".join(map(str, self.axes)), "+".join(map(str, self.reduce))
        return f"{self.system} {self.sizes[0]}x{self.sizes[1]}  {axes} reduce {reduce}  {self.matrix}"


def read_cases(path: Path) -> list[Case]:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.DictReader(file, strict=True)
            missing = [
                name
                for name in (*COLUMNS, *map(_column, *zip(*_KEYS, strict=True)))
                if name not in (reader.fieldnames or ())
            ]
            if missing:
                raise CalibrationError(f"{path}: column {', '.join(missing)} is missing")
            found = [_case(row, f"{path} line {reader.line_num}") for row in reader]
    except (OSError, UnicodeDecodeError, csv.Error) as cause:
        raise CalibrationError(f"cannot read {path}: {cause}") from cause
    if not found:
        raise CalibrationError(f"{path} has no row")
    return found


ALGORITHMS = (Algorithm.RING, Algorithm.TREE)
"""Those that the paper measured."""

_KEYS = [(algorithm, kind) for algorithm in ALGORITHMS for kind in KINDS]


def _column(algorithm: Algorithm, kind: str) -> str:
    return f"{kind}_{algorithm}_s"


def _case(row: dict[str, str], place: str) -> Case:
    if row["system"] not in PRESETS:
        raise CalibrationError(f"{place}: system {row['system']!r} is unknown; the systems are {', '.join(PRESETS)}")
    try:
        sizes = (int(row["nodes"]), int(row["gpus_per_node"]))
        axes = tuple(map(int, row["axes"].split("x")))
        reduce = tuple(map(int, row["reduce"].split("+")))
        times = {key: float(text) for key in _KEYS if (text := (row[_column(*key)] or "").strip())}
    except ValueError as cause:
        raise CalibrationError(f"{place}: {cause}") from cause
    for key, seconds in times.items():
        if not 0 < seconds < inf:
            raise CalibrationError(f"{place}: {_column(*key)} {seconds} is not a positive time")
    return Case(place, row["system"], sizes, axes, reduce, parse_matrix(row["matrix"]), times)
