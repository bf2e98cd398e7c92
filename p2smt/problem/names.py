"""Rules for the names of levels, axes and links."""

import re
from collections.abc import Sequence

from p2smt.errors import ProblemError

MAX_NAMES = 16
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


def check_names(kind: str, names: Sequence[str], most: int = MAX_NAMES) -> None:
    """Raise ProblemError unless there are 1 to `most` names, all valid and different."""
    if not 1 <= len(names) <= most:
        raise ProblemError(f"{len(names)} {kind} entries; a problem has 1 to {most} of them")
    for name in names:
        if not _NAME.fullmatch(name) or name == "root":
            raise ProblemError(
                f"{kind} name {name[:80]!r} is not allowed; write a letter and up to 63 letters, digits, _ "
                "or -, and not 'root'"
            )
        if names.count(name) > 1:
            raise ProblemError(f"{kind} {name} is given twice; names must differ")
