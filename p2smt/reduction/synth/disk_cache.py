"""A disk cache of programs: one file per language and limit, in the user's cache folder.

`P2SMT_CACHE` names another folder; if it is empty, nothing is cached. Files that cannot be read or fail the check are
recomputed and rewritten; write errors are ignored. Files are replaced atomically, so several processes may share a
folder.
"""

import os
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from p2smt.errors import TimeUpError
from p2smt.reduction.language.language import Language, Steps
from p2smt.reduction.semantics.state_graph import MAX_LEVELS
from p2smt.smt.deadlines import Until

MOST_FILES = 256
MOST_BYTES = 2**26


class DiskCache:
    """A cache of all programs of languages of up to five levels, in `folder`; None disables it."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def load(self, language: Language, limit: int, deadline: float | None = None) -> tuple[Steps, ...] | None:
        """Load and check all programs of a language up to a limit; None without a valid file, or after the deadline."""
        path = self._path(language, limit)
        if path is None or not os.path.isfile(path):
            return None
        from p2smt.reduction.synth.stored import read

        try:
            with path.open("rb") as file:
                # One byte more than may be there shows that the file is too long, without reading all of it.
                data = file.read(MOST_BYTES + 1)
            return read(data, language, limit, Until(deadline)) if len(data) <= MOST_BYTES else None
        except (OSError, TimeUpError):
            return None

    def keep(self, language: Language, limit: int, programs: tuple[Steps, ...]) -> None:
        """Store all programs of a language up to a limit."""
        path = self._path(language, limit)
        if path is None:
            return
        from p2smt.reduction.synth.stored import written

        data = written(language, limit, programs)
        if len(data) > MOST_BYTES:
            return
        with suppress(OSError):
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _drop_oldest(path.parent)
            _put(path, data)

    def _path(self, language: Language, limit: int) -> Path | None:
        if self._folder is None or not 0 < language.levels <= MAX_LEVELS:
            return None
        from p2smt.reduction.synth.stored import FORMAT

        groupings = [(one.outer, one.inner, one.masters) for one in language.groupings]
        # Everything that decides the answer is part of the name, the format too: a new format never
        # meets an old file. Groupings are written out, because the `repr` of a class would change
        # with its name.
        key = repr((FORMAT, language.levels, groupings, str(language.grammar), str(language.goal), limit))
        return self._folder / f"programs-{sha256(key.encode()).hexdigest()[:32]}.json"


def _put(path: Path, data: bytes) -> None:
    """Write a file atomically."""
    # In the same folder, because `os.replace` is atomic within one file system only.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix="new-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _drop_oldest(folder: Path) -> None:
    """Delete the oldest files until there is space for one more."""
    # By time of writing, so the oldest answers go first; reading does not renew them.
    files = sorted(folder.glob("programs-*.json"), key=lambda file: file.stat().st_mtime)
    for file in files[: max(0, len(files) + 1 - MOST_FILES)]:
        file.unlink(missing_ok=True)
