"""Questions to a store: filters, or one SELECT of the user's that can neither write nor take long."""

import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path

from p2smt.errors import StudyError
from p2smt.sweep.store_file import open_to_read

TIMEOUT_S = 30.0
"""Seconds that a question may take."""

MOST_ROWS = 100_000
"""Rows of an answer."""

MAX_ANSWER_BYTES = 100_000_000
MAX_CELL_BYTES = 1_000_000
MAX_SQL_BYTES = 100_000
MAX_MEMORY = 1_000_000_000

Value = str | int | float | bytes | None

SHOWN = (
    "key", "system", "levels", "axes", "reduce", "goal", "bytes", "dtype", "algorithm", "grammar", "max_instructions",
    "status", "reason", "placements", "programs", "best_matrix", "best_seconds", "allreduce_seconds", "speedup",
    "speedup_over_allreduce", "placement_spread", "best_program",
)  # fmt: skip
"""The columns of `problems` that an answer has when none are named."""

ORDERS = ("key", "best_seconds", "speedup", "speedup_over_allreduce", "placement_spread", "programs", "devices")
"""What an answer can be sorted by; ratios and counts largest first."""

_ASCENDING = ("key", "best_seconds")

# What SQL may call: nothing that builds large values from small ones, touches files or tells of the machine.
_FUNCTIONS = frozenset(
    (
        "abs", "avg", "coalesce", "count", "first_value", "glob", "iif", "ifnull", "instr", "json_array_length",
        "json_extract", "lag", "last_value", "lead", "length", "like", "lower", "max", "min", "nullif", "rank", "round",
        "row_number", "substr", "sum", "total", "trim", "typeof", "upper", "->", "->>",
    )
)  # fmt: skip
_ACTIONS = frozenset((sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ))


@dataclass(frozen=True, slots=True)
class Answer:
    """Named columns and rows; `more` says that there are more rows than were asked for."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Rows of `problems`: those that have these values, and for which the SQL expression `where` holds.

    `system` is a system's name, its levels (node:4,gpu:16), its sizes (4x16), or a name with sizes (dgx-h100:4x8).
    """

    system: str | None = None
    axes: str | None = None
    reduce: str | None = None
    goal: str | None = None
    algorithm: str | None = None
    grammar: str | None = None
    status: str | None = None
    where: str | None = None
    order: str = "key"

    @property
    def given(self) -> tuple[str, ...]:
        """The names of the conditions that there are; the order is none."""
        names = (field.name for field in fields(self) if field.name != "order")
        return tuple(name for name in names if getattr(self, name) is not None)


def ask(path: Path, wanted: Filter, most: int) -> Answer:
    """The first `most` rows that pass; raises StudyError for a file that is no store or an expression that is wrong."""
    conditions, values = ["1"], []
    for column in ("axes", "reduce", "goal", "algorithm", "grammar", "status"):
        if (value := getattr(wanted, column)) is not None:
            conditions.append(f"{column} = ?")
            values.append(value)
    if wanted.system is not None:
        conditions.append("? IN (system, levels, sizes, system || ':' || sizes)")
        values.append(wanted.system)
    if wanted.where is not None:
        conditions.append(f"(\n{wanted.where}\n)")
    direction = "ASC" if wanted.order in _ASCENDING else "DESC"
    assert wanted.order in ORDERS
    sql = (
        f"SELECT {', '.join(SHOWN)} FROM problems WHERE {' AND '.join(conditions)} "
        f"ORDER BY {wanted.order} IS NULL, {wanted.order} {direction}, key"
    )
    return _answer(path, sql, values, most)


def ask_sql(path: Path, sql: str, most: int) -> Answer:
    """The first `most` rows of one SELECT; raises StudyError for anything else, and when it takes too long."""
    return _answer(path, sql, (), most)


def _answer(path: Path, sql: str, values: Sequence[str], most: int) -> Answer:
    connection = open_to_read(path)
    try:
        _restrict(connection, time.monotonic() + TIMEOUT_S)
        cursor = connection.execute(sql, values)
        if cursor.description is None:
            raise StudyError("the question is empty; ask with one SELECT")
        rows = _rows(cursor, min(most, MOST_ROWS) + 1)
        columns = tuple(name for name, *_ in cursor.description)
        return Answer(columns, tuple(rows[:most]), len(rows) > most)
    except (sqlite3.Error, sqlite3.Warning, ValueError, MemoryError) as cause:
        raise StudyError(_explained(cause)) from cause
    finally:
        connection.close()


def _rows(cursor: sqlite3.Cursor, most: int) -> list[tuple[Value, ...]]:
    rows, size = [], 0
    for row in islice(cursor, most):
        rows.append(row)
        size += sum(len(value) for value in row if isinstance(value, str | bytes))
        if size > MAX_ANSWER_BYTES:
            raise StudyError(f"the answer has more than {MAX_ANSWER_BYTES} characters; ask for less")
    return rows


def _restrict(connection: sqlite3.Connection, deadline: float) -> None:
    """From here on only SELECT on what the file holds, for a limited time, with values of limited size."""
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute(f"PRAGMA hard_heap_limit = {MAX_MEMORY}")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_CELL_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_SQL_LENGTH, MAX_SQL_BYTES)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    connection.setlimit(sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 200)
    connection.setlimit(sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100)
    connection.set_progress_handler(lambda: time.monotonic() > deadline, 10_000)
    connection.set_authorizer(_allowed)


def _allowed(action: int, _first: str | None, second: str | None, _database: str | None, _inner: str | None) -> int:
    if action == sqlite3.SQLITE_FUNCTION:
        return sqlite3.SQLITE_OK if second in _FUNCTIONS else sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK if action in _ACTIONS else sqlite3.SQLITE_DENY


def _explained(cause: Exception) -> str:
    reason = "not enough memory" if isinstance(cause, MemoryError) else str(cause)
    if reason == "interrupted":
        return f"the question takes longer than {TIMEOUT_S:g} s; ask for less"
    if "not authorized" in reason or "prohibited" in reason:
        return f"{reason}; a question is one SELECT that calls simple functions only"
    return f"the question cannot be answered: {reason}; `p2smt study query --schema` names tables and columns"
