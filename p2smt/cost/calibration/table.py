"""Measured programs from a CSV file: one row per placement, program and algorithm, with its time."""

from collections.abc import Mapping
from functools import partial
from math import isfinite

from p2smt.collective import Collective
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.network.backend import backend_named
from p2smt.cost.network.cost import step_work
from p2smt.cost.network.pattern import pattern_of
from p2smt.errors import CalibrationError, P2Error
from p2smt.placement.matrix import parse_matrix
from p2smt.placement.matrix_check import check_matrix
from p2smt.problem.build import build_problem
from p2smt.problem.csv_table import CsvTable
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.quantity import parse_bytes
from p2smt.problem.system.file import resized
from p2smt.problem.system.network import System
from p2smt.problem.text import parse_axis_names, parse_sizes
from p2smt.reduction.language.hierarchy import read_program
from p2smt.reduction.plan.lower import Lowering

NEEDED = ("axes", "reduce", "matrix", "program", "algorithm", "bytes", "seconds")
OPTIONAL = ("sizes", "group", "goal")
MAX_ROWS = 100_000


def read_measurements(text: str, place: str, system: System) -> list[Measurement]:
    """Parse a CSV table with a heading.

    `axes` (4x16 or data:4,model:16), `reduce` (0 or 0,2), `matrix` (1x4/4x4), `program` (its text, or the goal),
    `algorithm` (ring, tree, gloo; auto cannot be fitted), `bytes` (a number, or 1GiB), `seconds`; optional `sizes`
    (units per level, if not the system's), `group` (rows left out together; by default one experiment) and `goal`
    (default AllReduce). The goal's name as a program means that collective over each reduction group. `place` is the
    file's name, for messages. Raises CalibrationError with the line of the mistake.
    """
    table = CsvTable(text, place, CalibrationError)
    missing = [name for name in NEEDED if name not in table.heading]
    if missing:
        raise CalibrationError(
            f"{place}: column {', '.join(missing)} is missing; the heading needs {', '.join(NEEDED)} "
            f"and may have {', '.join(OPTIONAL)}"
        )
    found: list[Measurement] = []
    for line, row in table.rows():
        if len(found) == MAX_ROWS:
            raise CalibrationError(f"{place} has more than {MAX_ROWS} rows, the limit; split the table")
        found.append(_measurement(row, f"{place} line {line}", system))
    return found


def _measurement(row: Mapping[str, str], place: str, system: System) -> Measurement:
    cells = {name: row.get(name, "").strip() for name in (*NEEDED, *OPTIONAL)}
    empty = [name for name in NEEDED if not cells[name]]
    if empty:
        raise CalibrationError(f"{place}: {', '.join(empty)} is empty; fill it in, or leave the row out")
    try:
        return _checked(cells, place, system)
    except P2Error as cause:
        raise CalibrationError(f"{place}: {cause}") from cause


def _checked(cells: dict[str, str], place: str, system: System) -> Measurement:
    if "[" in cells["sizes"]:
        raise CalibrationError(
            f"sizes {cells['sizes'][:80]} describe an irregular hierarchy; use rows of systems whose "
            "units have equal sizes"
        )
    sizes = [size for _, size in parse_sizes(cells["sizes"], "level")] if cells["sizes"] else []
    measured = resized(system, sizes) if sizes else system
    axes = [Axis(name, size) for name, size in parse_sizes(cells["axes"], "axis")]
    payload, goal = Payload(parse_bytes(cells["bytes"]), "uint8"), _goal(cells["goal"])
    reduce = parse_axis_names(cells["reduce"].replace("+", ","))
    problem = build_problem(measured, axes, reduce, payload, Search(), goal)
    matrix = parse_matrix(cells["matrix"])
    check_matrix(matrix, problem)
    lowering = Lowering(problem, matrix)
    plain = cells["program"] == goal.value
    plan = lowering.direct if plain else lowering.plan(read_program(lowering.hierarchy, cells["program"]))
    return Measurement(
        place=place,
        group=cells["group"] or f"{cells['sizes']} {cells['axes']} {cells['reduce']}",
        sizes=tuple(level.size for level in measured.levels),
        backend=backend_named(cells["algorithm"]),
        works=tuple(step_work(plan.payload, step, partial(pattern_of, plan)) for step in plan.steps),
        seconds=_seconds(cells["seconds"]),
    )


def _goal(text: str) -> Collective:
    try:
        return Collective(text) if text else Collective.ALL_REDUCE
    except ValueError:
        raise CalibrationError(f"goal {text[:40]!r} is unknown; choose one of {', '.join(Collective)}") from None


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not (seconds > 0 and isfinite(seconds)):
        raise CalibrationError(f"seconds {text[:40]!r} is not a positive time; write seconds as a number such as 0.18")
    return seconds
