"""Tracing of a training step: of a user's function, or a packaged example."""

import runpy
from dataclasses import replace
from pathlib import Path
from traceback import extract_tb

from p2smt.errors import CaptureError, DefectError
from p2smt.frontend.torch_graph.examples.models import training_step
from p2smt.frontend.torch_graph.graph import Obstacle, Survey, TraceAnswer, TraceRequest, TrainingGraph
from p2smt.frontend.torch_graph.joint import fake_tensors
from p2smt.frontend.torch_graph.recording import RecordingMode
from p2smt.frontend.torch_graph.settings import Example, OptimizerName
from p2smt.frontend.torch_graph.training import Training, graph_of, graph_of_real, training_of
from p2smt.frontend.user_imports import import_beside, source_of

RUN_AS = "captured"


def answer_to(request: TraceRequest) -> TraceAnswer:
    """Return the requested graph or survey, or the reason why tracing failed."""
    survey = Survey() if request.survey else None
    answer = _answer(request, survey)
    if survey is None or not survey.begun:
        return answer
    if answer.mistake:
        survey.ended = True
        survey.obstacles.append(Obstacle("", "", answer.mistake))
    return replace(answer, survey=survey)


def _answer(request: TraceRequest, survey: Survey | None) -> TraceAnswer:
    try:
        try:
            with fake_tensors() as mode:
                mode.survey = survey
                return TraceAnswer(_graph(request, mode))
        except _NotBuiltError:  # as modules that look at their own elements, or get their shapes later
            return TraceAnswer(_graph_of_built(request, survey))
    except CaptureError as cause:
        return TraceAnswer(mistake=str(cause))
    except DefectError as cause:
        return TraceAnswer(defect=" ".join(str(cause).split())[:1000])
    except (Exception, SystemExit) as cause:
        return TraceAnswer(
            mistake=f"{_line(cause, request.path)}{type(cause).__name__}: {' '.join(str(cause).split())[:300]}"
        )


class _NotBuiltError(Exception):
    """Raised if a user's function cannot run on fake tensors."""


def _graph(request: TraceRequest, mode: RecordingMode) -> TrainingGraph:
    if request.settings is not None:
        example = Example(request.example)
        step = training_step(example, request.settings, OptimizerName(request.optimizer), request.max_norm)
        return graph_of(example.value, step, mode, request.whole_attention)
    try:
        step = _users_step(request)
    except CaptureError:
        raise
    except Exception as cause:
        raise _NotBuiltError from cause
    return graph_of(request.function, step, mode, request.whole_attention)


def _graph_of_built(request: TraceRequest, survey: Survey | None) -> TrainingGraph:
    """Return the graph of a step whose module and batch are built as real tensors."""
    step = _users_step(request)
    return graph_of_real(request.function, step, whole_attention=request.whole_attention, survey=survey)


def _users_step(request: TraceRequest) -> Training:
    import_beside(request.path)
    source_of(request.path)  # raises for what Python cannot read
    function = runpy.run_path(request.path, run_name=RUN_AS).get(request.function)
    if not callable(function):
        raise CaptureError(f"{request.path} has no function {request.function!r}; give FILE.py:FUNCTION")
    return training_of(function())


def _line(cause: BaseException, path: str) -> str:
    """The last line of the user's code in an error's traceback."""
    folder = str(Path(path).parent.resolve()) if path else ""
    lines = [each for each in extract_tb(cause.__traceback__) if folder and each.filename.startswith(folder)]
    own = [each for each in extract_tb(cause.__traceback__) if each.filename == path]
    last = (own or lines)[-1:]
    return f"{last[0].filename}:{last[0].lineno}: " if last else ""
