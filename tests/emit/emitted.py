"""What the tests of all emitted files share: plans, names that try to break out, the style that files keep."""

import subprocess
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from paths import ROOT
from ruff.__main__ import find_ruff_bin
from support import problem

from p2smt.placement.enumeration import all_placements
from p2smt.placement.matrix import parse_matrix
from p2smt.reduction.language.hierarchy import read_program
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import Plan, PlanDigit

PROGRAM = "(level0, InsideGroup, ReduceScatter); (level0, Parallel(root), AllReduce); (level0, InsideGroup, AllGather)"
HOSTILE = [
    '"""; import os #',
    '\\"""\nimport os\n"""',
    "\\",
    "{0}{devices}{scope}%s$reference",
    "a\r\n\x00\u2028\u202eb",
    "<b>&'é\U0001f600",
    "\\N{BULLET}\\x00",
    '"',
    "'" * 3,
    "\ud800",
    "n" * 500,
    "w " * 300,
]

_CONFIG = ("--config", str(ROOT / "pyproject.toml"))
_PLAIN = ("--isolated", "--select", "E,F,I,B,UP,S102,S307", "--line-length", "120")


def plan_4x4(text: str = PROGRAM) -> Plan:
    lowering = Lowering(problem([4, 4], [8, 2]), parse_matrix("4x2/1x2"))
    return lowering.plan(read_program(lowering.hierarchy, text))


def no_steps() -> Plan:
    asked = problem([2, 2], [4, 1], [1])
    return Lowering(asked, all_placements(asked).items[0]).direct


def hostile(plan: Plan, name: str) -> Plan:
    """The plan with this name wherever a name is free."""
    return replace(
        plan,
        levels=tuple((name, size) for _, size in plan.levels),
        axes=tuple((name, size) for _, size in plan.axes),
        reduce=(name,),
        program=f"({name}, InsideGroup, AllReduce); ({name}, Parallel({name}), AllReduce)",
        digits=tuple(PlanDigit(name, name, digit.size) for digit in plan.digits),
    )


def check_style(folder: Path, texts: Iterable[str]) -> None:
    """The files are clean in the project's settings of ruff, and in plain ones."""
    for number, text in enumerate(texts):
        (folder / f"emitted{number}.py").write_text(text, encoding="utf-8")
    for arguments in (("check", *_CONFIG), ("check", *_PLAIN), ("format", "--check", *_CONFIG)):
        command = [find_ruff_bin(), *arguments, "--no-cache", str(folder)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
