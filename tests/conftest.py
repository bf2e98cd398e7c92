import pytest
from hypothesis import settings

settings.register_profile("p2smt", derandomize=True, deadline=None, max_examples=50)
settings.load_profile("p2smt")

# Plans in Python are read by p2smt, not by pytest.
collect_ignore_glob = ["plans/*"]

# Folders whose tests look at the whole machine, or share something that takes long to make.
TOGETHER = ("lab",)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With several workers the tests of a file stay together, and those of some folders."""
    if config.pluginmanager.hasplugin("xdist"):
        for item in items:
            folder = item.path.parent.name
            item.add_marker(pytest.mark.xdist_group(folder if folder in TOGETHER else str(item.path)))
