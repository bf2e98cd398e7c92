"""Query a store by filters, or by a user's SELECT that cannot write and is limited in time."""

import sqlite3
import time
from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import islice
from pathlib import Path

from p2smt.errors import StudyError
from p2smt.sweep.query_columns import ASCENDING, CONDITIONS, ORDERS, SHOWN, QuerySubject
from p2smt.sweep.query_functions import FUNCTIONS
from p2smt.sweep.store_file import open_to_read
from p2smt.wording import did_you_mean

TIMEOUT_S = 30.0
"""Time limit of a query in seconds."""

MOST_ROWS = 100_000
"""Maximum number of rows of an answer."""

MAX_ANSWER_BYTES = 100_000_000
MAX_CELL_BYTES = 1_000_000
MAX_SQL_BYTES = 100_000
MAX_MEMORY = 1_000_000_000

Value = str | int | float | bytes | None


_ACTIONS = frozenset((sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ))


@dataclass(frozen=True, slots=True)
class QueryResult:
    """Named columns and rows; `more` is true if there are more rows than requested."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    more: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Conditions on rows of a table: equality with these values, and the SQL expression `where`.

    `system` is a system's name, levels (node:4,gpu:16), sizes (4x16), or a name with sizes (dgx-h100:4x8).
    `columns` are the columns of the answer; None for the most useful ones. `order` defaults to the first of
    `ORDERS`.
    """

    system: str | None = None
    axes: str | None = None
    reduce: str | None = None
    goal: str | None = None
    model: str | None = None
    split: str | None = None
    algorithm: str | None = None
    grammar: str | None = None
    status: str | None = None
    where: str | None = None
    order: str | None = None
    columns: tuple[str, ...] | None = None

    @property
    def given(self) -> tuple[str, ...]:
        """The names of the conditions that are set, without order and columns."""
        names = (field.name for field in fields(self) if field.name not in ("order", "columns"))
        return tuple(name for name in names if getattr(self, name) is not None)


def asked_of(path: Path) -> QuerySubject:
    """Return the default subject of a query: jobs if the store contains jobs but no problems."""
    connection = open_to_read(path)
    try:
        jobs, problems = (connection.execute(f"SELECT 1 FROM {t} LIMIT 1").fetchone() for t in ("jobs", "problems"))
        return QuerySubject.JOBS if jobs and not problems else QuerySubject.PROBLEMS
    except sqlite3.Error as cause:
        raise StudyError(_explained(cause)) from cause
    finally:
        connection.close()


def ask(path: Path, wanted: Filter, most: int, table: QuerySubject = QuerySubject.PROBLEMS) -> QueryResult:
    """Return the first `most` matching rows. Raises StudyError for an invalid store or conditions that do not apply."""
    _check_conditions(wanted, table)
    columns = SHOWN[table] if wanted.columns is None else named_columns(path, table, wanted.columns)
    order = ORDERS[table][0] if wanted.order is None else wanted.order
    conditions, values = ["1"], []
    for column in CONDITIONS[table]:
        if (value := getattr(wanted, column)) is not None:
            conditions.append(f"{column} = ?")
            values.append(value)
    if wanted.system is not None:
        conditions.append("? IN (system, levels, sizes, system || ':' || sizes)")
        values.append(wanted.system)
    if wanted.where is not None:
        conditions.append(f"(\n{wanted.where}\n)")
    direction = "ASC" if order in ASCENDING else "DESC"
    sql = (
        f"SELECT {', '.join(columns)} FROM {table} WHERE {' AND '.join(conditions)} "
        f"ORDER BY {order} IS NULL, {order} {direction}, key"
    )
    return _answer(path, sql, values, most)


def _check_conditions(wanted: Filter, table: QuerySubject) -> None:
    """Raise StudyError for a condition or an order that the table does not have."""
    others = {name for some in CONDITIONS.values() for name in some} - {*CONDITIONS[table]}
    if strange := [f"--{name}" for name in wanted.given if name in others]:
        raise StudyError(f"{', '.join(strange)} are not options of {table}; leave them out")
    if wanted.order is not None and wanted.order not in ORDERS[table]:
        raise StudyError(f"{table} are not sorted by {wanted.order}; choose one of {', '.join(ORDERS[table])}")


def named_columns(path: Path, table: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the names if they are distinct columns of a store's table. Raises StudyError otherwise."""
    connection = open_to_read(path)
    try:
        there = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
    finally:
        connection.close()
    if not names or len(set(names)) < len(names):
        raise StudyError(f"columns are missing or named twice; choose among the columns of {table}: {', '.join(there)}")
    for name in names:
        if name not in there:
            raise StudyError(
                f"{table} have no column {name[:80]!r}{did_you_mean(name, there)}; the columns are {', '.join(there)}"
            )
    return tuple(names)


def ask_sql(path: Path, sql: str, most: int) -> QueryResult:
    """Return the first `most` rows of one SELECT. Raises StudyError for other statements and on timeout."""
    return _answer(path, sql, (), most)


def _answer(path: Path, sql: str, values: Sequence[str], most: int) -> QueryResult:
    connection = open_to_read(path)
    try:
        _restrict(connection, time.monotonic() + TIMEOUT_S)
        cursor = connection.execute(sql, values)
        if cursor.description is None:
            raise StudyError("the query is empty; write one SELECT")
        most = min(most, MOST_ROWS)
        rows = _rows(cursor, most + 1)
        columns = tuple(name for name, *_ in cursor.description)
        return QueryResult(columns, tuple(rows[:most]), len(rows) > most)
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
            raise StudyError(f"the answer has more than {MAX_ANSWER_BYTES} characters; select less")
    return rows


def _restrict(connection: sqlite3.Connection, deadline: float) -> None:
    """Restrict a connection to SELECT on the file's contents, with limits on time and on the size of values."""
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
        return sqlite3.SQLITE_OK if second in FUNCTIONS else sqlite3.SQLITE_DENY
    return sqlite3.SQLITE_OK if action in _ACTIONS else sqlite3.SQLITE_DENY


def _explained(cause: Exception) -> str:
    reason = "not enough memory" if isinstance(cause, MemoryError) else str(cause)
    if reason == "interrupted":
        return f"the question takes longer than {TIMEOUT_S:g} s; ask for less"
    if "not authorized" in reason or "prohibited" in reason:
        return f"{reason}; a question is one SELECT that calls simple functions only"
    return f"the question cannot be answered: {reason}; `p2smt study query --schema` names tables and columns"
