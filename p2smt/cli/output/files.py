"""Writing result files atomically."""

import filecmp
import os
import secrets
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from p2smt.cli.output.aside import say_aside
from p2smt.cli.output.document import VERSION, Document, print_json
from p2smt.cli.output.screen import with_signs_of
from p2smt.cli.output.written import wants_document
from p2smt.errors import OutputError
from p2smt.problem.text import printable
from p2smt.problem.typed import names_file


def is_stdout(path: Path | None) -> bool:
    """True if a result goes to stdout: the path is None or `-`."""
    return path is None or str(path) == "-"


def write_result(path: Path | None, content: str | bytes) -> None:
    """Write to a file, or write text to stdout if `is_stdout`; raises OutputError like `whole_file`."""
    if path is None or is_stdout(path):
        assert isinstance(content, str), "bytes go to files"
        sys.stdout.write(content)
        return
    with whole_file(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def write_and_say(
    path: Path | None, content: str | bytes, what: str, hint: str, *, force: bool, facts: Document | None = None
) -> None:
    """Write a file, or stdout if `is_stdout`, and report the file on stderr. Raises OutputError like `whole_file`.

    With `WRITTEN_JSON` a document on stdout takes the place of text and report; `facts` are its further keys.
    """
    if path is None or is_stdout(path):
        if not wants_document():
            write_result(path, content)
    else:
        with whole_file(path, force=force) as file:
            file.write(content.encode() if isinstance(content, str) else content)
        if not wants_document():
            say_written(path, what, hint)
    if wants_document():
        print_json(written_document(path, content, what, hint, facts or {}))


def written_document(path: Path | None, content: str | bytes, what: str, hint: str, facts: Document) -> Document:
    """Return the document on a written file; `file` is None for stdout, `text` for what is in a file."""
    shown = path is None or is_stdout(path)
    return {
        "version": VERSION,
        "what": what,
        "file": None if shown else str(path),
        "bytes": len(content.encode() if isinstance(content, str) else content),
        "next": hint,
        **facts,
        "text": content if shown and isinstance(content, str) else None,
    }


def say_written(path: Path, what: str, hint: str) -> None:
    """Report a written file on stderr: `what` describes its contents, `hint` the next step, such as a command."""
    line = f"p2smt: {printable(str(path))}: {what}; next: {printable(hint)}"
    say_aside(with_signs_of(sys.stderr, line))


def write_folder(folder: Path, texts: Mapping[str, str], *, force: bool) -> None:
    """Write files into a folder, creating it if needed; raises OutputError like `whole_file`."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError as cause:
        raise OutputError(f"cannot make the folder {folder}: {cause.strerror}; choose another one") from cause
    for name, text in texts.items():
        with whole_file(folder / name, force=force) as file:
            file.write(text.encode())


def refuse_missing(*folders: Path | None) -> None:
    """Raise OutputError, before a command's work, if a folder cannot be created because its parent does not exist."""
    for folder in folders:
        if folder is not None and not os.path.isdir(folder) and not os.path.isdir(folder.parent):
            raise OutputError(
                f"cannot make the folder {folder} in the missing folder {folder.parent}; make that one first"
            )


def refuse_overwriting(*paths: Path | None, force: bool) -> None:
    """Raise OutputError, before a command's work, if an output file already exists; `whole_file` checks again later.

    Ignores devices, pipes and paths for which `is_stdout` holds. Contents are not compared,
    since the new content is not known yet.
    """
    for path in paths:
        if not force and path is not None and not is_stdout(path) and names_file(path):
            raise OutputError(f"{path} already exists; give --force to overwrite it, or another name")


_unfinished: set[Path] = set()


@contextmanager
def whole_file(path: Path, *, force: bool = True) -> Iterator[IO[bytes]]:
    """Open a temporary file beside `path`, which replaces it if the block ends without an error.

    Raises OutputError if the file cannot be written or, unless `force`, if it already exists with other content; the
    existing file is then unchanged.
    """
    temporary = path.parent / f".{path.name[:100]}.{secrets.token_hex(8)}"
    try:
        if path.exists() and not path.is_file():  # a device or a pipe is written to, never replaced
            with path.open("wb") as file:
                yield file
            return
        _unfinished.add(temporary)
        with open(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            yield file
        if not force and path.exists() and not filecmp.cmp(temporary, path, shallow=False):
            raise OutputError(
                f"{path} already exists with other contents; give --force to overwrite it, or another name"
            )
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as cause:
        raise OutputError(
            f"cannot write {path}: {cause.strerror}; choose a file in a folder you may write to"
        ) from cause
    finally:
        if temporary in _unfinished:
            with suppress(OSError):  # of a folder that is not one, or may not be looked into
                temporary.unlink(missing_ok=True)
            _unfinished.discard(temporary)


def remove_unfinished() -> None:
    """Remove the temporary files of all open blocks; called when the process is ended in the middle of one."""
    for temporary in tuple(_unfinished):
        temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
