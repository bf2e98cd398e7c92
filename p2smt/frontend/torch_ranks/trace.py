"""The tracing program: runs a user's SPMD function once per rank on fake tensors, and records it.

This file runs as a separate program, so that the user's code cannot affect the calling process. Every rank is
traced in a process forked from it, so that caches of torch (DTensor's layouts of results refer to the mesh as one
rank sees it) and state of the user's modules do not leak to other ranks.
"""

import gc
import os
import pickle
import runpy
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from traceback import extract_tb
from typing import cast

import msgspec
import torch
import torch.distributed as dist
from torch._subclasses.fake_tensor import (
    DataDependentOutputException,
    DynamicOutputShapeException,
    UnsupportedFakeTensorException,
    UnsupportedOperatorException,
)
from torch.distributed._functional_collectives import AsyncCollectiveTensor
from torch.distributed.tensor import DTensor
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.testing._internal.distributed.fake_pg import FakeStore
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from p2smt.errors import VerifyError
from p2smt.frontend.sent_function import TRACING
from p2smt.frontend.torch_function.recorder import TraceError
from p2smt.frontend.torch_function.waits import unordered_on
from p2smt.frontend.torch_graph.elements import forget
from p2smt.frontend.torch_graph.graph import Reference
from p2smt.frontend.torch_graph.joint import fake_tensors
from p2smt.frontend.torch_ranks.annotations import annotated, layouts_of
from p2smt.frontend.torch_ranks.data_parallel import check_reducers
from p2smt.frontend.torch_ranks.foreach import each, is_foreach
from p2smt.frontend.torch_ranks.forking import in_a_process, load
from p2smt.frontend.torch_ranks.fully_sharded import NAMESPACE, packed
from p2smt.frontend.torch_ranks.functional import NAMESPACES, called
from p2smt.frontend.torch_ranks.fused import is_fused, step
from p2smt.frontend.torch_ranks.messages import DeviceSource, RanksAnswer, RankTrace, Request
from p2smt.frontend.torch_ranks.patches import patched
from p2smt.frontend.torch_ranks.process_group import RankGroup
from p2smt.frontend.torch_ranks.recorder import RankRecorder
from p2smt.frontend.torch_ranks.unfollowed import (
    MisfitError,
    RaceError,
    UnfollowedError,
    ends_the_claim,
    of_values,
    place_of,
)
from p2smt.frontend.user_imports import import_beside
from p2smt.tensor.expression import AxisLayout, ProgramAxis
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.placing import part_of, resolved
from p2smt.tensor.program import Program
from p2smt.tensor.reason import Refusal
from p2smt.verify.plan_verdict import PlanRule

RUN_AS = "ranks"
_HERE = str(Path(__file__).parent)
_GIVES = "it has to return tensors, in a tuple or by name, or None"
_WRAPPERS = (DTensor, AsyncCollectiveTensor)
_OF_VALUES = (DataDependentOutputException, DynamicOutputShapeException)
_OF_TRACING = (*_OF_VALUES, UnsupportedFakeTensorException, UnsupportedOperatorException)
"""Errors that only fake tensors raise."""


def main() -> None:
    """Read a request from stdin, trace, write the answer to what stdout was; stdout itself becomes stderr."""
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    request = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Request)
    warnings.simplefilter("ignore")
    os.environ[TRACING] = "1"
    gc.freeze()  # what is loaded is shared with the ranks, and no garbage
    answer.write(msgspec.msgpack.encode(traced(request)))
    answer.close()


class _TracingMode(TorchDispatchMode):
    """A dispatch mode that reports every operation to the recorder; tensor subclasses are unwrapped."""

    def __init__(self, recorder: RankRecorder) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._recorder = recorder

    def __torch_dispatch__(
        self,
        func: torch._ops.OpOverload,
        types: Sequence[type],
        args: tuple[object, ...] = (),
        kwargs: dict[str, object] | None = None,
    ) -> object:
        kwargs = kwargs or {}
        if any(issubclass(each, _WRAPPERS) for each in types):
            return NotImplemented
        if func.namespace in NAMESPACES:
            return called(self._recorder, func, (*args, *kwargs.values()))
        if is_foreach(func):
            with self:
                return each(func, args, kwargs)
        if func.namespace == NAMESPACE and (known := packed(func)) is not None:
            with self:
                return known(*args, **kwargs)
        if is_fused(func):
            with self:
                return step(func, *args, **kwargs)  # type: ignore[arg-type, func-returns-value]
        begun = self._recorder.begun(func, args, kwargs)
        try:
            result = func(*args, **kwargs)
        except _OF_TRACING as cause:
            ends_the_claim(cause)
            raise
        if begun is not None:
            self._recorder.ended(begun, result)
        return result


def traced(request: Request) -> RanksAnswer:
    """Return the traces of all ranks, recorded one after the other."""
    world = 1
    for _, size in request.mesh:
        world *= size
    ranks: list[RankTrace] = []
    for rank in range(world):
        answer = in_a_process(lambda rank=rank: _answer(request, world, rank), RanksAnswer)  # type: ignore[misc]
        if not answer.ranks:
            return answer
        ranks += answer.ranks
        if rank == 0 and world > 1:
            load(answer.ranks[0].modules)
    return RanksAnswer(ranks=ranks, layouts=answer.layouts)


def _answer(request: Request, world: int, rank: int) -> RanksAnswer:
    """The trace of one rank."""
    RankGroup.register()
    UnfollowedError.first = None  # of whatever the process did before it was forked
    mesh = tuple(ProgramAxis(*each) for each in request.mesh)
    recorder, before = RankRecorder(request.path), set(sys.modules)
    try:
        trace, layouts = _rank(request, mesh, world, rank, recorder)
        if UnfollowedError.first is not None:
            raise UnfollowedError.first
    except (Exception, SystemExit) as cause:
        return _stopped(UnfollowedError.first or cause, rank, request.path)
    new = [name for name in sys.modules if name not in before and name.partition(".")[0] == "torch"]
    return RanksAnswer(ranks=[replace(trace, modules=new)], layouts=layouts)


def _stopped(cause: BaseException, rank: int, path: str) -> RanksAnswer:
    line = place_of(cause, path)
    text = " ".join(str(cause).split())[:300]
    if isinstance(cause, VerifyError):
        return RanksAnswer(mistake=text)
    if isinstance(cause, RaceError):
        return RanksAnswer(race=text)
    if isinstance(cause, (UnfollowedError, TraceError, NotImplementedError, *_OF_TRACING)):
        return RanksAnswer(
            unfollowed=f"rank {rank}, {line}{of_values(cause) if isinstance(cause, _OF_VALUES) else text}"
        )
    where = extract_tb(cause.__traceback__)[-1].filename
    if where.startswith(_HERE) and not isinstance(cause, MisfitError | SystemExit):
        return RanksAnswer(defect=f"{path}: rank {rank}, {line}tracing it, p2smt raised {type(cause).__name__}: {text}")
    kind = "" if isinstance(cause, MisfitError) else f"{type(cause).__name__}: "
    return RanksAnswer(mistake=f"rank {rank}, {line}{kind}{text}", raised=bool(line and kind))


def _rank(
    request: Request, mesh: tuple[ProgramAxis, ...], world: int, rank: int, recorder: RankRecorder
) -> tuple[RankTrace, dict[str, str]]:
    os.environ |= {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": str(world), "LOCAL_WORLD_SIZE": str(world)}
    RankGroup.recorder = recorder
    dist.init_process_group(RankGroup.backend, store=FakeStore(), rank=rank, world_size=world)
    try:
        with ExitStack() as stack:
            for mode in (fake_tensors(), patched(recorder), sdpa_kernel(SDPBackend.MATH)):
                stack.enter_context(mode)
            function = _function(request)
            texts, placed = annotated(function, request)
            tensors = {
                given.name: _local(given, texts.get(given.name, ""), mesh, rank, recorder)
                for given in request.sources
                if given.name in placed.values()
            }
            with _TracingMode(recorder):
                result = function(**{name: tensors[source] for name, source in placed.items()})
                check_reducers()
                outputs = _outputs(result, recorder)
                updates = [(name, recorder.reference(tensor)) for name, tensor in tensors.items()]
                _check_waits(recorder, rank, [*_given(result), *tensors.values()])
    finally:
        dist.destroy_process_group()
    return (
        RankTrace(
            sources=[(name, name) for name in tensors],
            nodes=recorder.nodes,
            outputs=outputs,
            updates=[(name, reference) for name, reference in updates if reference.node != name],
            actions=recorder.actions(),
        ),
        texts,
    )


def _function(request: Request) -> Callable[..., object]:
    if request.code:
        sys.path[:] = request.paths
        return cast("Callable[..., object]", pickle.loads(request.code))
    import_beside(request.path)
    function = runpy.run_path(request.path, run_name=RUN_AS).get(request.function)
    if not callable(function):
        raise VerifyError(f"there is no function {request.function!r}; give FILE.py:FUNCTION")
    return cast("Callable[..., object]", function)


def _local(
    given: DeviceSource, text: str, mesh: tuple[ProgramAxis, ...], rank: int, recorder: RankRecorder
) -> torch.Tensor:
    """Return a rank's part of a source."""
    placed: tuple[AxisLayout, ...] = layouts_of(given.name, text)
    empty = Program(name="", mesh=mesh, sources=(), statements=(), outputs=())
    layouts: Layouts | Refusal = resolved(placed, empty, given.shape)
    if isinstance(layouts, Refusal):
        raise VerifyError(f"{given.name}: {layouts}")
    shape = [interval.length for interval in part_of(layouts, mesh, given.shape, rank)]
    tensor = torch.empty(shape, dtype=getattr(torch, given.dtype))
    forget(tensor)
    if given.trained:
        tensor.requires_grad_()
    recorder.source(tensor, given.name)
    return tensor


def _outputs(result: object, recorder: RankRecorder) -> list[tuple[str, Reference]]:
    if result is None:
        return []
    if isinstance(result, torch.Tensor):
        listed: list[tuple[str, object]] = [("", result)]
    elif isinstance(result, Mapping):
        listed = [(str(name), value) for name, value in result.items()]
    elif isinstance(result, Sequence):
        listed = [("", value) for value in result]
    else:
        raise VerifyError(f"the function returns {type(result).__name__}; {_GIVES}")
    return [(name, recorder.reference(_plain(value))) for name, value in listed]


def _given(result: object) -> list[torch.Tensor]:
    """Return the tensors in a result, unwrapped."""
    return [_plain(each) for each in tree_leaves(result) if isinstance(each, torch.Tensor)]


def _check_waits(recorder: RankRecorder, rank: int, results: Sequence[torch.Tensor]) -> None:
    """Raise UnfollowedError if memory of a running call is accessed, or returned, before its wait."""
    journal = recorder.journal
    spans = tuple(span for each in results for span in recorder.memory.spans(each))
    found = unordered_on(rank, journal.records, journal.lines, spans, frozenset(recorder.may_be_left))
    if found is not None and found.rule is PlanRule.RACE and found.message.endswith("on gloo as on NCCL"):
        raise RaceError(found.message)
    if found is not None:
        raise UnfollowedError(found.message)
    if journal.unsure:
        raise UnfollowedError(journal.unsure)


def _plain(value: object) -> torch.Tensor:
    """The local tensor inside a tensor subclass."""
    if isinstance(value, AsyncCollectiveTensor):
        return _plain(value.trigger_wait())  # type: ignore[no-untyped-call]
    if isinstance(value, DTensor):
        return _plain(value._local_tensor)
    if not isinstance(value, torch.Tensor):
        raise VerifyError(f"the function returns {type(value).__name__}; {_GIVES}")
    return value


if __name__ == "__main__":
    main()
