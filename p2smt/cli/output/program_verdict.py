"""Output of `p2smt verify --against` for a distributed tensor program."""

from collections.abc import Iterator
from typing import assert_never

from p2smt.cli.output.document import VERSION, Document
from p2smt.cli.output.prose import labelled
from p2smt.tensor.comparison import Wrong
from p2smt.tensor.expression import ProgramAxis
from p2smt.tensor.printer import print_program
from p2smt.tensor.verification.mistake_words import mistake_words
from p2smt.tensor.verification.verdict import Equality, ProgramMistake, ProgramProof, ProgramVerdict, Smallest
from p2smt.verify.verdict import Proved, Refuted, Unknown
from p2smt.wording import plural, sizes_text


def program_verdict_text(verdict: ProgramVerdict, program: str, single: str) -> str:
    """Describe the verdict on `program` against `single`: basis of the proof, or mistake and smallest example."""
    match verdict:
        case Proved(proof):
            lines = _right(proof, program, single)
        case Refuted(mistake):
            lines = _wrong(mistake, single)
        case Unknown(reason):
            lines = labelled("not proved:", reason)
        case _:
            assert_never(verdict)
    return "\n".join(lines)


def _right(proof: ProgramProof, program: str, single: str) -> Iterator[str]:
    meshes = " and on ".join(map(_mesh, proof.meshes))
    yield from labelled("right:", f"{program} computes what {single} does, on {meshes}, for all values of these sizes")
    if proof.schemas:
        yield from _layouts(proof)
    if proof.equality is Equality.RANKS:
        yield from labelled("  equal:", f"what ranks have is that of {single}, {proof.equality}")
    else:
        yield from labelled("  equal:", f"without its collectives it is {single} {proof.equality}")
    yield from labelled(
        "  simulated:",
        f"all ranks, over {' and '.join(proof.simulated)}; no value differs"
        if proof.simulated
        else "no; it is too large to be run here",
    )
    if proof.assumed:
        yield from labelled("  assumed:", "; ".join(proof.assumed))
    yield from labelled("  not in it:", "rounding; numbers are real, so none is infinite")


def _layouts(proof: ProgramProof) -> Iterator[str]:
    """Yield the layout judgements and rules on which the proof rests."""
    rules = ", ".join(f"{name} {count}" for name, count in proof.rules)
    yield from labelled(
        "  layouts:",
        f"{proof.judgements} judgements{f' ({rules})' if rules else ''}, replayed by a checker that infers nothing",
    )
    schemas = f"{proof.schemas} {plural('schema', proof.schemas)} of rules and collectives"
    yield from labelled("  rules:", f"{schemas}, proved by the solver for all sizes, cuts and numbers of ranks")


def _wrong(mistake: ProgramMistake, single: str) -> Iterator[str]:
    for number, (label, text) in enumerate(mistake_words(mistake, single)):
        yield from labelled(f"  {label}" if number else label, text)
    if mistake.smallest is not None:
        small = mistake.smallest
        yield from labelled("  smallest:", f"on {_mesh(small.program.mesh)}, {small.wrong}:")
        yield from (f"    {line}" for line in print_program(small.program).splitlines())


def _mesh(mesh: tuple[ProgramAxis, ...]) -> str:
    return sizes_text((axis.name, axis.size) for axis in mesh) or "one device"


def program_verdict_document(verdict: ProgramVerdict) -> Document:
    """Return the JSON document of a verdict."""
    match verdict:
        case Proved(proof):
            return {
                "version": VERSION,
                "verdict": "right",
                "meshes": [_mesh_document(mesh) for mesh in proof.meshes],
                "judgements": proof.judgements,
                "rules": {str(name): count for name, count in proof.rules},
                "schemas": proof.schemas,
                "equality": proof.equality.name.lower(),
                "simulated": [each.name.lower() for each in proof.simulated],
                "assumed": list(proof.assumed),
            }
        case Refuted(mistake):
            return {
                "version": VERSION,
                "verdict": "wrong",
                "mesh": _mesh_document(mistake.mesh),
                "statement": mistake.statement,
                "axis": mistake.axis or None,
                "rule": None if mistake.refusal is None else mistake.refusal.reason.name.lower(),
                "message": None if mistake.refusal is None else str(mistake.refusal),
                "cause": mistake.cause or None,
                "shown": None if mistake.wrong is None else _wrong_document(mistake.wrong),
                "unseen": mistake.unseen or None,
                "smallest": None if mistake.smallest is None else _smallest_document(mistake.smallest),
            }
        case Unknown(reason):
            return {"version": VERSION, "verdict": "not proved", "message": reason}
        case _:
            assert_never(verdict)


def _mesh_document(mesh: tuple[ProgramAxis, ...]) -> Document:
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
