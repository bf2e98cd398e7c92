"""Open store files; new ones get their tables, and files with other contents are rejected."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path

from p2smt.errors import StudyError
from p2smt.problem.typed import names_file
from p2smt.sweep.schema import APPLICATION, FORMAT, TABLES

BUSY_S = 60.0
"""Seconds to wait for other writing processes."""


def open_store(path: Path) -> sqlite3.Connection:
    """Return a writable connection in autocommit mode; a missing or empty file becomes a new store.

    Raises StudyError for a file that is not a store, or one of another format or p2smt version.
    """
    with _explained(path):
        # isolation_level None: Python's module would begin transactions by itself, and not where this code needs
        # them.
        connection = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None)
        try:
            _check_sqlite()
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA foreign_keys = ON")
            with transaction(connection):
                if not _objects(connection):
                    _create(connection)
                _check(connection, path)
                _check_version(connection, path)
            _keep_a_log(connection)
            # With a write-ahead log NORMAL keeps the file consistent; a power cut may lose the last rows, which are
            # solved again.
            connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            connection.close()
            raise
        return connection


def open_to_read(path: Path) -> sqlite3.Connection:
    """Return a read-only connection. Raises StudyError for a file that is not a store."""
    if not names_file(path):
        raise StudyError(f"there is no store {path}; `p2smt study sweep.toml --store {path}` makes one")
    with _explained(path):
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_S, isolation_level=None
        )
        try:
            _check_sqlite()
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA query_only = ON")
            _check(connection, path)
        except BaseException:
            connection.close()
            raise
        return connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Execute the context as one transaction; other writers wait."""
    # IMMEDIATE takes the write lock at once. A transaction that reads first and writes later may fail half way
    # (SQLITE_BUSY).
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OverflowError) as cause:
        raise StudyError(f"cannot open {path} as a store of results: {cause}; name another --store") from cause


def _check_sqlite() -> None:
    if sqlite3.sqlite_version_info < (3, 37):
        raise StudyError(f"SQLite {sqlite3.sqlite_version} is too old for a store; use a Python with 3.37 or newer")


def _objects(connection: sqlite3.Connection) -> list[tuple[str, str]]:
    """Return names and SQL of all tables, views and triggers; indexes created by SQLite itself have no SQL."""
    return connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name").fetchall()


def _create(connection: sqlite3.Connection) -> None:
    for sql in TABLES.values():
        connection.execute(sql)
    connection.execute(f"PRAGMA application_id = {APPLICATION}")
    connection.execute(f"PRAGMA user_version = {FORMAT}")


def _check(connection: sqlite3.Connection, path: Path) -> None:
    """Raise StudyError unless the file has exactly our tables; foreign views or triggers would run with our queries."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (found,) = connection.execute("PRAGMA user_version").fetchone()
    if application != APPLICATION:
        raise StudyError(f"{path} is not a store of p2smt study; name another --store")
    if found != FORMAT:
        raise StudyError(
            f"{path} is a store of format {found}, but this p2smt reads format {FORMAT}; name another --store"
        )
    if _objects(connection) != sorted(TABLES.items()):
        raise StudyError(f"{path} holds other tables than a store of format {FORMAT}; name another --store")


def _check_version(connection: sqlite3.Connection, path: Path) -> None:
    """Raise StudyError if the store has results of another p2smt version, whose predictions may differ."""
    versions = {made for (made,) in connection.execute("SELECT DISTINCT p2smt FROM runs")}
    if others := sorted(versions - {version("p2smt")}):
        raise StudyError(
            f"{path} has results of p2smt {', '.join(others)}, but this is {version('p2smt')}, whose "
            "predictions may differ; name another --store (query and export still read this one)"
        )


def drop_log(connection: sqlite3.Connection) -> None:
    """Merge the write-ahead log, so that the store is a single file, unless another process has it open."""
    connection.execute("PRAGMA busy_timeout = 0")
    with suppress(sqlite3.OperationalError):
        connection.execute("PRAGMA journal_mode = DELETE")


def _keep_a_log(connection: sqlite3.Connection) -> None:
    """Enable the write-ahead log, so that readers and writers do not block each other.

    SQLite does not apply its timeout to this change, so it is retried here.
    """
    deadline = time.monotonic() + BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)
