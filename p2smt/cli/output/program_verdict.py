"""What `p2smt verify --against` prints of a distributed tensor program."""

from collections.abc import Iterator
from typing import assert_never

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.prose import labelled
from p2smt.tensor.comparison import Wrong
from p2smt.tensor.program import Axis
from p2smt.tensor.text.printer import print_program
from p2smt.tensor.verification.verdict import Mistake, NotProved, ProgramVerdict, Right, Smallest
from p2smt.wording import plural, sizes_text


def program_verdict_text(verdict: ProgramVerdict, program: str, single: str) -> str:
    """The verdict on a program of this name beside another: what it rests on, or where and why, at its smallest."""
    match verdict:
        case Right():
            lines = _right(verdict, program, single)
        case Mistake():
            lines = _wrong(verdict, single)
        case NotProved(reason):
            lines = labelled("not proved:", reason)
        case _:
            assert_never(verdict)
    return "\n".join(lines)


def _right(verdict: Right, program: str, single: str) -> Iterator[str]:
    meshes = " and on ".join(map(_mesh, verdict.meshes))
    yield from labelled("right:", f"{program} computes what {single} does, on {meshes}, for all values of these sizes")
    if verdict.schemas:
        yield from _layouts(verdict)
    yield from labelled("  equal:", f"without its collectives it is {single} {verdict.equality}")
    yield from labelled(
        "  simulated:",
        f"all ranks, over {' and '.join(verdict.simulated)}; no value differs"
        if verdict.simulated
        else "no; it is too large to be run here",
    )
    if verdict.assumed:
        yield from labelled("  assumed:", "; ".join(verdict.assumed))
    yield from labelled("  not in it:", "rounding; numbers are real, so none is infinite")


def _layouts(verdict: Right) -> Iterator[str]:
    """What the layouts rest on; of one device there is nothing to say."""
    rules = ", ".join(f"{name} {count}" for name, count in verdict.rules)
    yield from labelled(
        "  layouts:",
        f"{verdict.judgements} judgements{f' ({rules})' if rules else ''}, replayed by a checker that infers nothing",
    )
    schemas = f"{verdict.schemas} {plural('schema', verdict.schemas)} of rules and collectives"
    yield from labelled("  rules:", f"{schemas}, proved by the solver for all sizes, cuts and numbers of ranks")


def _wrong(verdict: Mistake, single: str) -> Iterator[str]:
    axis = f", axis {verdict.axis}" if verdict.axis else ""
    if verdict.refusal is not None:
        yield from labelled("wrong:", f"{verdict.statement}{axis}: {verdict.refusal.reason}")
        yield from labelled("  there", verdict.refusal.detail)
    elif verdict.wrong is not None and verdict.wrong.rank is None:
        yield from labelled("wrong:", f"{verdict.statement}: it is not that of {single}")
    else:
        yield from labelled("wrong:", f"{verdict.statement}: its value is not that of {single}; layouts fit")
    yield from labelled("  shown:", str(verdict.wrong) if verdict.wrong is not None else verdict.unseen)
    if verdict.smallest is not None:
        small = verdict.smallest
        yield from labelled("  smallest:", f"on {_mesh(small.program.mesh)}, {small.wrong}:")
        yield from (f"    {line}" for line in print_program(small.program).splitlines())


def _mesh(mesh: tuple[Axis, ...]) -> str:
    return sizes_text((axis.name, axis.size) for axis in mesh) or "one device"


def program_verdict_document(verdict: ProgramVerdict) -> Document:
    """The JSON document."""
    match verdict:
        case Right():
            return {
                "version": VERSION,
                "verdict": "right",
                "meshes": [_mesh_document(mesh) for mesh in verdict.meshes],
                "judgements": verdict.judgements,
                "rules": {str(name): count for name, count in verdict.rules},
                "schemas": verdict.schemas,
                "equality": verdict.equality.name.lower(),
                "simulated": [each.name.lower() for each in verdict.simulated],
                "assumed": list(verdict.assumed),
            }
        case Mistake():
            return {
                "version": VERSION,
                "verdict": "wrong",
                "mesh": _mesh_document(verdict.mesh),
                "statement": verdict.statement,
                "axis": verdict.axis or None,
                "rule": None if verdict.refusal is None else verdict.refusal.reason.name.lower(),
                "message": None if verdict.refusal is None else str(verdict.refusal),
                "shown": None if verdict.wrong is None else _wrong_document(verdict.wrong),
                "unseen": verdict.unseen or None,
                "smallest": None if verdict.smallest is None else _smallest_document(verdict.smallest),
            }
        case NotProved(reason):
            return {"version": VERSION, "verdict": "not proved", "message": reason}
        case _:
            assert_never(verdict)


def _mesh_document(mesh: tuple[Axis, ...]) -> Document:
    return {axis.name: axis.size for axis in mesh}


def _wrong_document(wrong: Wrong) -> Document:
    element = None if wrong.element is None else list(wrong.element)
    return {"name": wrong.name, "rank": wrong.rank, "element": element, "detail": wrong.detail}


def _smallest_document(small: Smallest) -> Document:
    return {
        "mesh": _mesh_document(small.program.mesh),
        "program": print_program(small.program),
        "single": print_program(small.single),
        "shown": _wrong_document(small.wrong),
    }
