"""Functions written in a test, traced in its own process, which has torch already."""

from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AskedGoal
from p2smt.frontend.torch_function.events import FunctionRequest
from p2smt.frontend.torch_function.weaving import plan_of
from p2smt.verify.check import verify
from p2smt.verify.verdict import Unknown

HEAD = "import torch\nimport torch.distributed as dist\n\n\ndef reduce(tensor):\n"


def source(tmp_path, body):
    path = tmp_path / "reduce.py"
    path.write_text(HEAD + "".join(f"    {line}\n" for line in body.splitlines()), encoding="utf-8")
    return path


def verdict(tmp_path, body, devices=4, **how):
    return verify(traced(source(tmp_path, body), devices, **how))


def traced(path, devices, elements=None, function=None, dtype="float32", average=False):
    from p2smt.frontend.torch_function.trace import trace

    found = trace(FunctionRequest(str(path), function, devices, elements or devices, dtype))
    if found.mistake:
        raise VerifyError(found.mistake)
    if found.unfollowed:
        return Unknown(found.unfollowed)
    return plan_of(found, AskedGoal(average=average))
