"""A function that every rank runs, traced in a process of its own, beside the program for one device."""

import subprocess
import sys
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path

import msgspec

from p2smt.errors import CaptureError, DefectError, VerifyError
from p2smt.frontend.torch_graph.graph import Node
from p2smt.frontend.torch_ranks.annotations import layouts_of
from p2smt.frontend.torch_ranks.folding import base_name
from p2smt.frontend.torch_ranks.lowering import local_source, one_rank, torch_type
from p2smt.frontend.torch_ranks.messages import Answer, Given, RankTrace, Request
from p2smt.tensor.placing import Mesh, part_of, resolved, world
from p2smt.tensor.program import DType, Program, Source, SourceKind, versions
from p2smt.tensor.ranks.joining import OneRank, UnlikeRanksError, joined_statements
from p2smt.tensor.ranks.lifting import lengths
from p2smt.tensor.ranks.programs import RankPrograms, new_version
from p2smt.tensor.ranks.verification import RanksVerdict, verify_ranks
from p2smt.tensor.reason import Refusal
from p2smt.verify.verdict import Unknown

MAX_RANKS = 64
_FLOATS = (DType.F16, DType.BF16, DType.F32, DType.F64)


def verify_function(
    path: Path, function: str, mesh: Mesh, single: Program, timeout_s: float, deadline: float | None = None
) -> RanksVerdict:
    """Whether a function of a file, run by every rank of a mesh, computes what a program for one device does.

    This runs the user's code. VerifyError where it cannot be run so; what is not followed, or not in the language, is
    not proved, and named.
    """
    if not path.is_file():
        raise VerifyError(f"{path} is no file; give FILE.py:FUNCTION")
    if not 1 <= world(mesh) <= MAX_RANKS:
        raise VerifyError(f"{world(mesh)} ranks; a function is run on 1 to {MAX_RANKS} of them")
    sources = [Given(each.name, each.shape, torch_type(each), _is_trained(each)) for each in single.sources]
    request = Request(
        path=str(path), function=function, mesh=[(axis.name, axis.size) for axis in mesh], sources=sources
    )
    answer = _traced(request, timeout_s)
    if answer.unfollowed:
        return RanksVerdict(Unknown(f"{path}: {answer.unfollowed}"), None)
    try:
        ranks = _together(answer, function, mesh, single)
    except (CaptureError, UnlikeRanksError) as cause:
        return RanksVerdict(Unknown(str(cause)), None)
    return verify_ranks(ranks, single, deadline)


def _is_trained(source: Source) -> bool:
    return source.kind is SourceKind.PARAMETER and source.dtype in _FLOATS


def _traced(request: Request, timeout_s: float) -> Answer:
    command = [sys.executable, "-m", "p2smt.frontend.torch_ranks.trace"]
    try:
        done = subprocess.run(
            command, input=msgspec.msgpack.encode(request), capture_output=True, timeout=timeout_s, check=False
        )
    except subprocess.TimeoutExpired as cause:
        message = f"{request.path}: not traced within {timeout_s:g} s; give --timeout or fewer ranks"
        raise VerifyError(message) from cause
    if done.returncode or not done.stdout:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        need = "; install torch to trace torch code" if "No module named 'torch'" in last[0] else ""
        raise VerifyError(f"{request.path}: could not be traced: {last[0][:300]}{need}")
    return checked(msgspec.msgpack.decode(done.stdout, type=Answer), request.path)


def checked(answer: Answer, path: str) -> Answer:
    """An answer that is no mistake. VerifyError for the user's, DefectError for ours."""
    if answer.defect:
        raise DefectError(answer.defect)
    if answer.mistake:
        raise VerifyError(f"{path}: {answer.mistake}")
    return answer


def _together(answer: Answer, function: str, mesh: Mesh, single: Program) -> RankPrograms:
    placed = {name: layouts_of(name, text) for name, text in answer.layouts.items()}
    sources = tuple(
        Source(kind=each.kind, name=each.name, dtype=each.dtype, shape=each.shape, names=each.names,
               layouts=placed.get(each.name, ()), value=each.value)
        for each in single.sources
    )  # fmt: skip
    _check_calls(answer.ranks)
    ranks = [one_rank(trace, _local_sources(sources, mesh, rank)) for rank, trace in enumerate(answer.ranks)]
    return RankPrograms(
        name=function,
        mesh=mesh,
        sources=sources,
        statements=joined_statements(ranks),
        shapes=tuple(rank.shapes for rank in ranks),
        outputs=_outputs(ranks[0], single),
        updates=ranks[0].updates,
    )


def _check_calls(ranks: Sequence[RankTrace]) -> None:
    """UnlikeRanksError where ranks call other collectives, or members of a group with tensors that are not alike.

    What ranks do together without tensors (barriers, making groups) is among the calls: who is not there is waited for.
    """
    calls = [[node for node in trace.nodes if node.operation.startswith("collective.")] for trace in ranks]
    said = [[(node.operation, node.keywords["reduction"], node.line) for node in listed] for listed in calls]
    for rank, listed in enumerate(said):
        if listed != said[0]:
            raise UnlikeRanksError(
                f"rank {rank} calls other collectives than rank 0, which is not followed{_apart(calls[0], calls[rank])}"
            )
    for nodes in zip(*calls, strict=True):
        groups = [_group(node) for node in nodes]
        for rank, node in enumerate(nodes):
            if rank not in groups[rank] or any(groups[member] != groups[rank] for member in groups[rank]):
                raise UnlikeRanksError(f"{node.name}: the groups of its ranks overlap, or do not have all ranks")
            first = min(groups[rank])
            for mine, other in zip(node.results, nodes[first].results, strict=True):
                if mine != other and mine is not None and other is not None:
                    raise UnlikeRanksError(
                        f"{node.name} gives {mine.dtype} {list(mine.shape)} on rank {rank} and {other.dtype} "
                        f"{list(other.shape)} on rank {first}; members of a group call it with tensors alike"
                    )


def _group(node: Node) -> tuple[int, ...]:
    group = node.keywords["group"]
    assert isinstance(group, list)
    return tuple(member for member in group if isinstance(member, int))


def _apart(first: Sequence[Node], others: Sequence[Node]) -> str:
    """The first call in which two ranks differ, and where it is."""
    for one, other in zip_longest(first, others):
        if one is None or other is None or (one.operation, one.line) != (other.operation, other.line):
            call = one or other
            return (
                "" if call is None else f": {base_name(call)} in {call.line or 'torch'} is called by one of them alone"
            )
    return ""


def _local_sources(sources: Sequence[Source], mesh: Mesh, rank: int) -> list[Source]:
    empty = Program(name="", mesh=mesh, sources=(), statements=(), outputs=())
    found = []
    for source in sources:
        layouts = resolved(source.layouts, empty, source.shape)
        if isinstance(layouts, Refusal):
            raise VerifyError(f"{source.name}: {layouts}")
        found.append(local_source(source, lengths(part_of(layouts, mesh, source.shape, rank))))
    return found


def _outputs(rank: OneRank, single: Program) -> tuple[tuple[str, str], ...]:
    """What is returned, under the names of the other program; outputs that are new versions are there already."""
    ends = {name: source for source, name in versions(single).items()}
    updated = {source for source, _ in rank.updates}
    names = [output.name for output in single.outputs]
    versioned = {name: new_version(ends[name]) for name in names if ends.get(name) in updated}
    left = [name for name in names if name not in versioned]
    named = {name: value for name, value in rank.outputs if name}
    listed = [value for name, value in rank.outputs if not name]
    wanted = names if len(listed) == len(names) else left
    if named and (unknown := sorted(named.keys() - set(names))):
        raise VerifyError(f"the function gives {unknown[0]!r}, which is no output of {single.name}; "
                          f"those are {', '.join(names)[:300]}")  # fmt: skip
    if listed and len(listed) != len(wanted):
        raise VerifyError(f"the function gives {len(listed)} tensors; {single.name} has the outputs "
                          f"{', '.join(wanted)[:300]}; give as many, or a dict by name")  # fmt: skip
    returned = named | dict(zip(wanted, listed, strict=False))
    return tuple(
        (name, versioned.get(name) or returned[name]) for name in names if name in versioned or name in returned
    )
