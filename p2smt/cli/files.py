"""Writing results: whole or not at all."""

import os
import sys
import tempfile
from pathlib import Path

from p2smt.errors import OutputError


def write_result(path: Path | None, content: str | bytes) -> None:
    """Write to a file by way of a temporary one beside it, or text to stdout when there is no path or it is `-`.

    Raises OutputError when the file cannot be written; what stood there before is then untouched.
    """
    if path is None or str(path) == "-":
        assert isinstance(content, str), "bytes go to files"
        sys.stdout.write(content)
        return
    data = content.encode() if isinstance(content, str) else content
    temporary = None
    try:
        if path.exists() and not path.is_file():  # a device or a pipe is written to, never replaced
            path.write_bytes(data)
            return
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:100]}.")
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except OSError as cause:
        raise OutputError(
            f"cannot write {path}: {cause.strerror}; choose a file in a folder you may write to"
        ) from cause
    finally:
        if temporary is not None and os.path.exists(temporary):
            os.unlink(temporary)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
