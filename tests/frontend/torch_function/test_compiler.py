"""Tracing loads torch's compiler where a function compiles something, which is traced all the same, and only there."""

import subprocess
import sys

import msgspec
import pytest

from p2smt.frontend.asked_goal import AskedGoal
from p2smt.frontend.torch_function.events import FunctionRequest, Trace
from p2smt.frontend.torch_function.weaving import plan_of
from p2smt.verify.check import verify
from p2smt.verify.verdict import Proved

HEAD = "import sys\n\nimport torch\nimport torch.distributed as dist\n\n\n"
LOADED = '"torch._dynamo" in sys.modules'
SUM = "def total(tensor):\n    dist.all_reduce(tensor)\n    return tensor + torch.zeros_like(tensor)\n\n\n"
SAME = "@torch.compile(backend='eager')\ndef same(tensor):\n    return tensor + torch.zeros_like(tensor)\n\n\n"
HELD = (
    "from p2smt.frontend.torch_function.compiler import load_no_compiler_for\n\n\n"
    "class Mode:\n    def __torch_dispatch__(self):\n        return 1\n\n\n"
)
"""A mode that is followed without the compiler; rank 0 keeps it for those that load the compiler."""
SOURCES = {
    "nothing": f"def reduce(tensor):\n    out = total(tensor)\n    assert not {LOADED}\n    return out\n",
    "on some ranks": HELD
    + "def reduce(tensor):\n    if dist.get_rank() == 0:\n        load_no_compiler_for(Mode)\n        sys.mode = Mode\n"
    "    assert sys.mode().__torch_dispatch__() == 1\n    if dist.get_rank() < 2:\n        return total(tensor)\n"
    f"    assert ({LOADED}) == (dist.get_rank() > 2)\n    out = torch.compile(total, backend='eager')(tensor)\n"
    f"    assert {LOADED}\n    held = vars(sys.mode.__torch_dispatch__)\n    before = len(sys.meta_path)\n"
    "    load_no_compiler_for(sys.mode)\n"
    "    assert (sys.mode().__torch_dispatch__(), '__dynamo_disable' in held) == (1, False)\n"
    "    assert len(sys.meta_path) == before\n"
    "    return out\n",
    "before": SAME + "def reduce(tensor):\n    dist.all_reduce(tensor)\n    return same(tensor)\n",
}


@pytest.mark.thorough  # the tracers' tests compile as well
def test_the_compiler_is_loaded_where_something_is_compiled(tmp_path):
    """In a tracer of its own, which is not forked from a process that has loaded it."""
    requests = []
    for name, body in SOURCES.items():
        path = tmp_path / f"{name.replace(' ', '_')}.py"
        path.write_text(HEAD + SUM + body, encoding="utf-8")
        requests.append(FunctionRequest(str(path), "reduce", 4, 4, "float32"))
    tracer = [sys.executable, "-m", "p2smt.frontend.torch_function.trace"]
    answer = subprocess.run(tracer, input=msgspec.json.encode(requests), stdout=subprocess.PIPE, check=True).stdout
    for name, trace in zip(SOURCES, msgspec.json.decode(answer, type=list[Trace]), strict=True):
        assert (trace.mistake, trace.unfollowed) == ("", ""), name
        assert isinstance(verify(plan_of(trace, AskedGoal())), Proved), name


@pytest.mark.thorough  # the test before it says the same of a mode in the process of a tracer
def test_a_mode_is_left_as_it_was_once_the_compiler_is_loaded():
    check = (
        "import sys\n"
        "from p2smt.frontend.torch_function.compiler import load_no_compiler_for\n"
        "class Mode:\n"
        "    def __torch_dispatch__(self):\n"
        "        return 1\n"
        "load_no_compiler_for(Mode)\n"
        "assert Mode().__torch_dispatch__() == 1\n"
        "before = len(sys.meta_path)\n"
        "import torch._dynamo\n"
        "assert Mode().__torch_dispatch__() == 1\n"
        "assert '__dynamo_disable' not in vars(Mode.__torch_dispatch__)\n"
        "load_no_compiler_for(Mode)\n"
        "assert len(sys.meta_path) == before\n"
    )
    subprocess.run([sys.executable, "-c", check], check=True, timeout=120)
