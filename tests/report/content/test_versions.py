"""What computed a report is said, also where a package is not installed as one."""

import platform
from importlib.metadata import PackageNotFoundError, version

from p2smt.report.content import versions as versions_module
from p2smt.report.content.versions import versions


def test_versions_are_those_of_the_packages_and_what_is_none_is_said(monkeypatch):
    python = ("Python", platform.python_version())
    assert versions() == (("p2smt", version("p2smt")), ("Z3", version("z3-solver")), python)

    def missing(package):
        if package == "p2smt":
            raise PackageNotFoundError(package)
        return "4.0"

    monkeypatch.setattr(versions_module, "version", missing)
    assert versions() == (("p2smt", "not installed as a package"), ("Z3", "4.0"), python)
