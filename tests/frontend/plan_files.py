"""The files of tests/plans: their tables, in TOML itself or in leading comments of other languages, and their plans."""

import re
import tomllib
from functools import cache

from paths import TESTS

from p2smt.frontend.asked_goal import AskedGoal
from p2smt.frontend.format import Format
from p2smt.frontend.importers import read_any
from p2smt.frontend.torch_function.events import FunctionRequest
from p2smt.frontend.torch_function.plan import TraceOptions
from p2smt.frontend.torch_function.weaving import plan_of

FOLDER = TESTS / "plans"
FILES = sorted(path for path in FOLDER.iterdir() if path.is_file())
FORMATS = {
    ".toml": Format.HAND,
    ".py": Format.TORCH,
    ".hlo": Format.HLO,
    ".mlir": Format.STABLEHLO,
    ".xml": Format.MSCCL,
}


def table(path):
    """Everything that a file says about itself: `about`, `verdict`, and what the command line has to be told."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".toml":
        return tomllib.loads(text)
    if path.suffix == ".xml":
        return tomllib.loads(re.match(r"\s*<!--(.*?)-->", text, re.S)[1])
    mark = "#" if path.suffix == ".py" else "//"
    lines = []
    for line in text.splitlines():
        if not line.startswith(mark):
            break
        lines.append(line.removeprefix(mark).strip())
    return tomllib.loads("\n".join(lines))


def goal(path):
    """The groups that the file wants to be told, or None."""
    text = table(path).get("groups") if path.suffix != ".toml" else None
    return text and tuple(tuple(map(int, group.split(","))) for group in text.split(";"))


def tracing(path):
    """How a Python file is traced, or None."""
    if path.suffix != ".py":
        return None
    return TraceOptions(**{name: value for name, value in table(path)["tracing"].items() if name != "average"})


def asked(path):
    """The goal that the file wants to be asked for."""
    average = path.suffix == ".py" and table(path)["tracing"].get("average", False)
    return AskedGoal(groups=goal(path), average=average)


@cache
def read(path):
    """The plan of a file; torch code is traced in this process, which imports torch once for all files."""
    if path.suffix != ".py":
        return read_any(path, asked=asked(path))
    from p2smt.frontend.torch_function.trace import trace

    how = tracing(path)
    found = trace(FunctionRequest(str(path), how.function, how.devices, how.elements or how.devices, how.dtype))
    assert not found.mistake, found.mistake
    return plan_of(found, asked(path))
