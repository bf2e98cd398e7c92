"""Capture of a PyTorch training step as a program: traced in a separate process, lowered here."""

from pathlib import Path

import msgspec

from p2smt.errors import CaptureError, DefectError
from p2smt.frontend.torch_graph.graph import TraceAnswer, TraceRequest, TrainingGraph
from p2smt.frontend.torch_graph.program import program_of
from p2smt.frontend.torch_graph.settings import AttentionForm, Example, OptimizerName, Settings
from p2smt.frontend.torch_graph.survey import Feasibility, feasibility
from p2smt.frontend.tracing import TracingProcess
from p2smt.problem.typed import names_file
from p2smt.tensor.program import Program

TIMEOUT_S = 600.0
_PROCESS = TracingProcess(
    module="torch_graph.process", error=CaptureError, purpose="capture torch models", smaller="a smaller model"
)


def capture_function(
    path: Path, function: str, timeout_s: float = TIMEOUT_S, attention: AttentionForm = AttentionForm.WHOLE
) -> Program:
    """Capture the training step that a file's function returns; this runs the user's code, with fake tensors.

    CaptureError if it fails, or uses an operation that the language of tensor programs lacks.
    """
    if not names_file(path):
        raise CaptureError(f"{path} is not a file; give FILE.py:FUNCTION")
    return program_of(
        _traced(
            TraceRequest(path=str(path), function=function, whole_attention=attention is AttentionForm.WHOLE), timeout_s
        )
    )


def survey_function(
    path: Path, function: str, timeout_s: float = TIMEOUT_S, attention: AttentionForm = AttentionForm.WHOLE
) -> Feasibility:
    """Return all obstacles to capturing a file's training step. CaptureError if it cannot start."""
    if not names_file(path):
        raise CaptureError(f"{path} is not a file; give FILE.py:FUNCTION")
    whole = attention is AttentionForm.WHOLE
    answer = _answer(TraceRequest(path=str(path), function=function, whole_attention=whole, survey=True), timeout_s)
    if answer.survey is None:
        raise CaptureError(f"{path}: {answer.mistake}")
    return feasibility(answer.survey, answer.graph)


def capture_example(
    example: Example,
    settings: Settings,
    optimizing: OptimizerName = OptimizerName.ADAM,
    max_norm: float | None = None,
    timeout_s: float = TIMEOUT_S,
    attention: AttentionForm = AttentionForm.WHOLE,
) -> Program:
    """The program of a packaged model's step."""
    request = TraceRequest(
        example=example.value,
        settings=settings,
        optimizer=optimizing.value,
        max_norm=max_norm,
        whole_attention=attention is AttentionForm.WHOLE,
    )
    return program_of(_traced(request, timeout_s))


def _traced(request: TraceRequest, timeout_s: float) -> TrainingGraph:
    answer = _answer(request, timeout_s)
    if answer.graph is None:
        raise CaptureError(f"{request.path or request.example}: {answer.mistake}")
    return answer.graph


def _answer(request: TraceRequest, timeout_s: float) -> TraceAnswer:
    found = _PROCESS.answer(msgspec.msgpack.encode(request), request.path or request.example, timeout_s)
    answer = msgspec.msgpack.decode(found, type=TraceAnswer)
    if answer.defect:
        raise DefectError(answer.defect)
    return answer
