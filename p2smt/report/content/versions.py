"""Versions of the software that produced a report."""

import platform
from importlib.metadata import PackageNotFoundError, version


def versions() -> tuple[tuple[str, str], ...]:
    """Return pairs of a program's or package's name and its version."""
    packages = (("p2smt", "p2smt"), ("Z3", "z3-solver"))
    return (*((name, _version(package)) for name, package in packages), ("Python", platform.python_version()))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed as a package"
