"""Which versions solved a problem."""

import platform
from dataclasses import fields, replace
from importlib.metadata import version

from p2smt.sweep.environment import Environment, environment


def test_every_version_is_that_of_its_package_and_tells_environments_apart():
    here = environment()
    assert here == Environment(
        p2smt=version("p2smt"), z3=version("z3-solver"), numpy=version("numpy"), python=platform.python_version()
    )
    others = [replace(here, **{field.name: "0"}) for field in fields(here)]
    assert len({one.id for one in (here, *others)}) == 1 + len(others)
