import pytest
from hypothesis import settings

settings.register_profile("p2smt", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("p2smt")

# Plans in Python are read by p2smt, not by pytest.
collect_ignore_glob = ["plans/*"]

# Folders whose tests look at the whole machine, or share something that takes long to make.
TOGETHER = ("lab",)


@pytest.hookimpl(tryfirst=True)  # before xdist reads the marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With several workers the tests of a file stay together, and those of some folders."""
    if config.pluginmanager.hasplugin("xdist"):
        for item in items:
            path = item.path.relative_to(config.rootpath)
            group = path.parent if path.parent.name in TOGETHER else path
            item.add_marker(pytest.mark.xdist_group(group.as_posix()))
