"""Versions of the libraries that solve problems in this process."""

import platform
from dataclasses import astuple, dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import version


@dataclass(frozen=True, slots=True)
class Environment:
    """The versions in one worker process."""

    p2smt: str
    z3: str
    numpy: str
    python: str

    @property
    def id(self) -> str:
        """A short identifier: the beginning of a hash over all versions."""
        return sha256("\n".join(astuple(self)).encode()).hexdigest()[:12]


@cache
def environment() -> Environment:
    """Return the versions in this process."""
    return Environment(version("p2smt"), version("z3-solver"), version("numpy"), platform.python_version())
