"""Imports inside functions: below the command line, each keeps a library away that takes long to load.

Circles, also those that such imports hide, are refused by a contract of import-linter.
"""

import re
from collections import defaultdict
from functools import cache

from source import texts

SLOW = frozenset(
    ["dask", "distributed", "jax", "matplotlib", "msgspec", "networkx", "numpy", "pyarrow", "scipy", "torch", "z3"]
)
"""Libraries that a function may wait for: each takes more than some hundredth of a second to load."""
FROM = re.compile(r"from (p2smt[\w.]*) import (\([^)]*\)|[^\n(]*)")
TYPES = re.compile(r"^if TYPE_CHECKING:\n(?:    .*\n|\n)*", re.MULTILINE)


def module_of(file: str) -> str:
    return "p2smt." + file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def imports() -> tuple[dict[str, set[str]], dict[str, set[str]], list[tuple[str, str]]]:
    """By module what it imports as it loads, of the package and of slow libraries; and the pairs inside functions."""
    known = {
        module_of(file): TYPES.sub("", text) if "TYPE_CHECKING" in text else text for file, text in texts().items()
    }
    loads, slow, inside = defaultdict(set), {}, []
    for module, text in known.items():
        slow[module] = {each for each in SLOW if f"\nimport {each}" in text or f"\nfrom {each}" in text}
        for found in FROM.finditer(text):
            indent = text[text.rfind("\n", 0, found.start()) + 1 : found.start()]
            for name in re.findall(r"\w+", found[2]):
                of = f"{found[1]}.{name}" if f"{found[1]}.{name}" in known else found[1]
                if not indent:
                    loads[module].add(of)
                elif indent.isspace():  # not text such as a doctest's
                    inside.append((module, of))
    return loads, slow, inside


@cache
def loaded(module: str) -> frozenset[str]:
    """The slow libraries that a module loads, itself or by what it imports."""
    loads, slow, _ = imports()
    seen, left = set(), [module]
    while left:
        one = left.pop()
        if one not in seen:
            seen.add(one)
            left += loads[one]
    return frozenset().union(*(slow.get(one, frozenset()) for one in seen))


def test_an_import_inside_a_function_keeps_a_slow_library_away():
    _, _, inside = imports()
    below = [(module, of) for module, of in inside if not module.startswith("p2smt.cli.")]
    assert len(below) > 10
    assert [f"{module} -> {of}" for module, of in below if not loaded(of) - loaded(module)] == []
