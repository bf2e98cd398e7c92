"""Parse systems named on the command line (bare levels, a preset, or a file), and print their levels."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from p2smt.argument_types import require
from p2smt.errors import ProblemError
from p2smt.problem.system.build import build_system, default_system
from p2smt.problem.system.file import preset, preset_name, preset_names, read_system, resized
from p2smt.problem.system.network import Level, System
from p2smt.problem.system.quotas import with_quotas
from p2smt.problem.system.tree import Tree, check_tree, counts_text, tree_of
from p2smt.problem.text import parse_sizes
from p2smt.problem.typed import STDIN

_BRACKETS = re.compile(r"\[[^\[\]]*\]")
_COUNTS = re.compile(r"\[(\d{1,40}(?:,\d{1,40})*)\]$")
_LISTED = re.compile(r"\[\d{1,40}(?:,\d{1,40})*\](?=[,x]|$)")
_SIZE = r"(?:\d+|\[[\d, ]*\])"
_PRESET = re.compile(rf"([A-Za-z][A-Za-z0-9_-]*)(?::({_SIZE}(?:x{_SIZE})*))?")
_NAMED_PARTS = re.compile(r",(?![^\[]*\])")
_BARE_PARTS = re.compile(r"[,x](?![^\[]*\])")
_INSIDE = "gpu"
"""Name of the innermost level if a text names only irregular units."""

SYSTEM_FORMS = (
    "Levels, outermost first (node:4,gpu:16 or 4x16; units of unlike size: node:[8,8,5]), "
    "a preset (dgx-h100 or dgx-h100:16x8), or FILE.toml"
)


def find_system(text: str) -> System:
    """Return the system described by a text.

    A size in brackets gives one number for each unit of the level above: `node:3,gpu:[8,8,5]` or in short
    `node:[8,8,5]`; `rack:2,node:[2,1],gpu:4`; `dgx-h100:[8,8,5]`. After an @ follow the fractions of a core
    that devices get in the laboratory, machine by machine: `lab:2x2@0.5/0.25`. Raises ProblemError if the text
    is not a list of sizes, a preset or a readable file, and for inconsistent sizes.

    >>> [level.name for level in find_system("DGX-H100:2x8").levels]
    ['node', 'gpu']
    >>> find_system("node:[8,8,5]").tree
    Tree(children=((3,), (8, 8, 5)))
    """
    require(text, str, "system", "write 'node:4,gpu:8', a preset such as 'dgx-h100:4x8', or a system file")
    if text.endswith(".toml") or text == STDIN:
        return read_system(Path(text))
    text, at, quotas = text.partition("@")
    if at:
        return with_quotas(find_system(text), quotas)
    named = _PRESET.fullmatch(text)
    if named and (named[2] is None or "x" in named[2] or _is_preset(named[1])):
        found, sizes = preset(preset_name(named[1], named[2] or "")), named[2]
        if not sizes:
            return found
        _, counts = _parsed(sizes)
        return resized(found, *_hull(counts))
    names, counts = _parsed(text)
    hull, tree = _hull(counts)
    levels = tuple(Level(name, size) for name, size in zip(names, hull, strict=True))
    system = default_system(levels)
    return system if tree is None else build_system(replace(system, tree=tree))


def _is_preset(text: str) -> bool:
    return text.lower().replace("_", "-") in preset_names()


def levels_text(system: System) -> str:
    """Return the levels of a system as text that `find_system` reads.

    >>> levels_text(find_system("2x[4,3]"))
    'level0:2,level1:[4,3]'
    """
    counts = [(level.size,) for level in system.levels] if system.tree is None else system.tree.children
    pairs = zip(system.levels, counts, strict=True)
    return ",".join(f"{level.name}:{counts_text(sizes)}" for level, sizes in pairs)


def _parsed(text: str) -> tuple[list[str], list[tuple[int, ...]]]:
    """Return the names of the levels and their sizes; irregular levels have one size per unit above."""
    text = _BRACKETS.sub(lambda brackets: brackets[0].replace(" ", ""), text)
    parts = re.split(_NAMED_PARTS if re.search("[:=]", text) else _BARE_PARTS, text)
    sizes = [_COUNTS.search(part) for part in parts]
    pairs = parse_sizes(_LISTED.sub("1", text), "level")
    if len(parts) != len(pairs):
        raise ProblemError(f"level sizes {text[:80]!r} do not parse; write such as node:3,gpu:[8,8,5]")
    found = [
        (size,) if brackets is None else tuple(map(int, brackets[1].split(",")))
        for (_, size), brackets in zip(pairs, sizes, strict=True)
    ]
    names = [name for name, _ in pairs]
    if len(found) == 1 and sizes[0] is not None:
        inside = _INSIDE if ":" in text or "=" in text else "level1"
        return [*names, inside], [(len(found[0]),), found[0]]
    return names, found


def _hull(counts: Sequence[tuple[int, ...]]) -> tuple[list[int], Tree | None]:
    """Return the sizes of the largest units, and the tree if some level is irregular."""
    hull = [max(sizes) for sizes in counts]
    if all(len(sizes) == 1 for sizes in counts):
        return hull, None
    tree = tree_of(counts)
    check_tree(tree, hull)
    return hull, tree
