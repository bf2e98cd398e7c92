"""The folder in which results that take long are kept from one run to the next: programs, measurements of ranks."""

import os
from pathlib import Path

VARIABLE = "P2SMT_CACHE"


def user_folder() -> Path | None:
    """Return `P2SMT_CACHE`, or `p2smt` in `XDG_CACHE_HOME` or `~/.cache`.

    None if caching is off or there is no folder.
    """
    given = os.environ.get(VARIABLE)
    if given is not None:
        return Path(given) if given else None
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "p2smt"
    except RuntimeError:  # there is no home
        return None
