"""How a system is named on a command line: bare levels, a preset, or a file."""

import re
from pathlib import Path

from p2smt.problem.system.build import default_system
from p2smt.problem.system.file import preset, preset_names, read_system, resized
from p2smt.problem.system.network import Level, System
from p2smt.problem.text import parse_sizes

_PRESET = re.compile(r"([A-Za-z][A-Za-z0-9_-]*)(?::(\d+(?:x\d+)*))?")

SYSTEM_FORMS = "Levels, outermost first (node:4,gpu:16 or 4x16), a preset (dgx-h100 or dgx-h100:16x8), or FILE.toml"


def find_system(text: str) -> System:
    """The system that a text names.

    Raises ProblemError for one that is no list of sizes, no preset and no readable file.

    >>> [level.name for level in find_system("dgx-h100:2x8").levels]
    ['node', 'gpu']
    """
    if text.endswith(".toml"):
        return read_system(Path(text))
    named = _PRESET.fullmatch(text)
    if named and (named[2] is None or "x" in named[2] or named[1] in preset_names()):
        found, sizes = preset(named[1]), named[2]
        return resized(found, [size for _, size in parse_sizes(sizes, "level")]) if sizes else found
    return default_system([Level(label, size) for label, size in parse_sizes(text, "level")])
