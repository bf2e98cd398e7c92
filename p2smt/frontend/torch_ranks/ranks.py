"""Verification of a function that every rank runs, traced in a separate process."""

import sys
from pathlib import Path

import msgspec

from p2smt.errors import CaptureError, DefectError, UserCodeError, VerifyError
from p2smt.frontend.torch_ranks.lowering import torch_type
from p2smt.frontend.torch_ranks.meeting import unmet
from p2smt.frontend.torch_ranks.messages import DeviceSource, RanksAnswer, Request
from p2smt.frontend.torch_ranks.together import together
from p2smt.frontend.tracing import TracingProcess
from p2smt.problem.typed import names_file
from p2smt.tensor.comparison import Wrong
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Source, SourceKind
from p2smt.tensor.placing import Mesh, world
from p2smt.tensor.program import Program
from p2smt.tensor.ranks.joining import UnlikeRanksError, UnmetError
from p2smt.tensor.ranks.verification import RanksVerdict, verify_ranks
from p2smt.tensor.reason import Reason, Refusal
from p2smt.tensor.verification.verdict import ProgramMistake
from p2smt.verify.verdict import Refuted, Unknown

MAX_RANKS = 64
_PROCESS = TracingProcess(
    module="torch_ranks.trace", error=VerifyError, purpose="trace torch code", smaller="fewer ranks"
)
Pairs = tuple[tuple[str, str], ...]
_FLOATS = (DType.F16, DType.BF16, DType.F32, DType.F64)


def verify_function(
    path: Path,
    function: str,
    mesh: Mesh,
    single: Program,
    timeout_s: float,
    deadline: float | None = None,
    *,
    code: bytes = b"",
) -> RanksVerdict:
    """Return the verdict on whether a function, run by all ranks of a mesh, computes the values of `single`.

    This runs the user's code: the function of a file, or `code`, the serialized function (`sent_function.py`).
    VerifyError if it cannot be run this way; if it uses something unsupported, the verdict is unknown and names
    it.
    """
    if not code and not names_file(path):
        raise VerifyError(f"{path} is not a file; give FILE.py:FUNCTION")
    if not 1 <= world(mesh) <= MAX_RANKS:
        raise VerifyError(f"{world(mesh)} ranks are out of range; a function is run on 1 to {MAX_RANKS}")
    sources = [DeviceSource(each.name, each.shape, torch_type(each), _is_trained(each)) for each in single.sources]
    request = Request(
        path=str(path),
        function=function,
        mesh=[(axis.name, axis.size) for axis in mesh],
        sources=sources,
        code=code,
        paths=list(sys.path) if code else [],
    )
    answer = _traced(request, timeout_s)
    if answer.race:
        return RanksVerdict(_refuted(Reason.RACE, answer.race, mesh), None)
    if answer.unfollowed:
        return RanksVerdict(Unknown(f"{path}: {answer.unfollowed}"), None)
    if (apart := unmet([trace.actions for trace in answer.ranks])) is not None:
        return RanksVerdict(_unmet(*apart, mesh), None)
    try:
        ranks = together(answer, function, mesh, single)
    except UnmetError as cause:
        return RanksVerdict(_unmet(str(cause), True, mesh), None)
    except (CaptureError, UnlikeRanksError) as cause:
        return RanksVerdict(Unknown(str(cause)), None)
    return verify_ranks(ranks, single, deadline)


def _unmet(message: str, everywhere: bool, mesh: Mesh) -> Refuted[ProgramMistake] | Unknown:
    """Return the verdict on ranks whose calls do not match: refuted if so on every backend, else unknown."""
    if not everywhere:
        return Unknown(f"calls do not match: {message}")
    return _refuted(Reason.UNMET, message, mesh)


def _refuted(reason: Reason, message: str, mesh: Mesh) -> Refuted[ProgramMistake]:
    """The verdict on calls that fail before any value is compared."""
    wrong = Wrong("does not run", message)
    return Refuted(
        ProgramMistake(mesh=mesh, statement="collectives", axis="", refusal=Refusal(reason, message), wrong=wrong)
    )


def _is_trained(source: Source) -> bool:
    return source.kind is SourceKind.PARAMETER and source.dtype in _FLOATS


def _traced(request: Request, timeout_s: float) -> RanksAnswer:
    answer = _PROCESS.answer(msgspec.msgpack.encode(request), request.path, timeout_s)
    return checked(msgspec.msgpack.decode(answer, type=RanksAnswer), request.path)


def checked(answer: RanksAnswer, path: str) -> RanksAnswer:
    """Return an answer without mistake. VerifyError for a user's mistake, DefectError for an internal one."""
    if answer.defect:
        raise DefectError(answer.defect)
    if answer.mistake:
        raise (UserCodeError if answer.raised else VerifyError)(f"{path}: {answer.mistake}")
    return answer
