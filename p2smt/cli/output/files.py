"""Writing results: whole or not at all."""

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from p2smt.errors import OutputError


def is_stdout(path: Path | None) -> bool:
    """Whether a result goes to stdout: there is no path, or it is `-`."""
    return path is None or str(path) == "-"


def write_result(path: Path | None, content: str | bytes) -> None:
    """Write to a file, or text to stdout where `is_stdout`; raises OutputError as `whole_file`."""
    if path is None or is_stdout(path):
        assert isinstance(content, str), "bytes go to files"
        sys.stdout.write(content)
        return
    with whole_file(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def write_to_edit(path: Path | None, content: str, what: str, hint: str, *, force: bool) -> None:
    """Write a file that people edit, or to stdout where `is_stdout`, and say so on stderr in one line.

    `what` says what was written and `hint` what to do next, such as a command. Raises OutputError as `whole_file`, and,
    unless `force`, where a file stands there that is another one.
    """
    if path is None or is_stdout(path):
        write_result(path, content)
        return
    if not force and path.is_file() and path.read_bytes() != content.encode():
        raise OutputError(f"{path} is there already and is another file; give --force to overwrite it, or another name")
    write_result(path, content)
    print(f"p2smt: {path}: {what}; next: {hint}", file=sys.stderr)


def write_folder(folder: Path, texts: Mapping[str, str]) -> None:
    """Write files into a folder, which is made if need be; raises OutputError as `whole_file`."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError as cause:
        raise OutputError(f"cannot make the folder {folder}: {cause.strerror}; choose another one") from cause
    for name, text in texts.items():
        write_result(folder / name, text)


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A temporary file beside `path` that takes its place when the block ends without an error.

    Raises OutputError when the file cannot be written; what stood there before is then untouched.
    """
    temporary: Path | None = None
    try:
        if path.exists() and not path.is_file():  # a device or a pipe is written to, never replaced
            with path.open("wb") as file:
                yield file
            return
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            yield file
        temporary.chmod(0o666 & ~_umask())
        temporary.replace(path)
    except OSError as cause:
        raise OutputError(
            f"cannot write {path}: {cause.strerror}; choose a file in a folder you may write to"
        ) from cause
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
