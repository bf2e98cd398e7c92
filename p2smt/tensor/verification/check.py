"""Verification of a distributed program against a single-device program."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from p2smt.argument_types import require
from p2smt.errors import ProgramError
from p2smt.tensor.comparison import compare, names_agree, other_type
from p2smt.tensor.derivation import check
from p2smt.tensor.expression import ProgramAxis
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred, Refused
from p2smt.tensor.meaning import Meaning
from p2smt.tensor.placing import world
from p2smt.tensor.prime_field import PrimeField, covers
from p2smt.tensor.program import Program
from p2smt.tensor.reals import Reals
from p2smt.tensor.rule import RuleName
from p2smt.tensor.verification.effort import effort
from p2smt.tensor.verification.equality import Equal, Unlike, equality
from p2smt.tensor.verification.erasure import erased
from p2smt.tensor.verification.lone_ranks import without_lone_ranks
from p2smt.tensor.verification.narrowing import narrowed_sums
from p2smt.tensor.verification.schemas import prove_rules
from p2smt.tensor.verification.smallest import differs, smallest_refused, smallest_unequal
from p2smt.tensor.verification.verdict import Arithmetic, Equality, ProgramMistake, ProgramProof, ProgramVerdict
from p2smt.verify.verdict import Proved, Refuted, Unknown

RANKS = (2, 3, 4)
"""Numbers of ranks on which a program for any number of ranks is checked."""


MOST = 2_000_000
"""The largest number of statements times ranks that is checked."""


def verify_program(
    program: Program,
    single: Program,
    devices: int | None = None,
    deadline: float | None = None,
    *,
    shrinks: bool = True,
) -> ProgramVerdict:
    """Return the verdict on whether a program observes the values of the single-device program.

    A program without mesh is checked on 2, 3 and 4 ranks, or on `devices`. `single` may be distributed
    itself: its layouts must then be correct, and its collectives are removed. `deadline` is a time of
    `time.monotonic`; rules not proved by then make the verdict unknown. With `shrinks`, a smaller program
    with the same mistake is searched. ProgramError if names do not agree.
    """
    for given, name in ((program, "program"), (single, "single")):
        require(given, Program, name, "read_program reads a file, capture makes one of a model")
    proofs = []
    for placed in _on_meshes(program, devices):
        bare = _bare(single, placed)
        names_agree(placed, bare)
        verdict = _judged(placed, bare, deadline, shrinks)
        if not isinstance(verdict, Proved):
            return verdict
        proofs.append(verdict.evidence)
    return Proved(_together(proofs))


def _on_meshes(program: Program, devices: int | None) -> Iterator[Program]:
    if program.mesh or not program.is_distributed:
        ranks = world(program.mesh)
        if devices not in (None, ranks):
            raise ProgramError(f"program {program.name} is for {ranks} devices, not for {devices}")
        yield program
        return
    for count in RANKS if devices is None else (devices,):
        yield program.on(ProgramAxis("ranks", count))


def _bare(other: Program, program: Program) -> Program:
    """Return the reference program for a single device. ProgramError if its own layouts are wrong."""
    if not other.is_distributed:
        return other
    placed = other
    if not other.mesh:
        if len(program.mesh) != 1:
            raise ProgramError(
                f"program {other.name} is for any number of ranks on one axis, but {program.name} has "
                f"{len(program.mesh)} axes; verify a program on one axis"
            )
        placed = other.on(*program.mesh)
    if not _fits(placed):
        raise ProgramError(
            f"program {other.name} has layouts for {world(placed.mesh)} ranks, more than are checked; verify "
            "it on a smaller mesh"
        )
    inferred = infer(placed)
    fault = inferred if isinstance(inferred, Refused) else check(placed, inferred)
    if fault is not None:
        raise ProgramError(f"program {other.name}, the reference, is wrong itself: {fault}; verify and mend it first")
    return erased(placed)


def _fits(program: Program) -> bool:
    return world(program.mesh) * len(program.statements) <= MOST


def _together(proofs: list[ProgramProof]) -> ProgramProof:
    """Combine the proofs for several meshes into one."""
    used: Counter[RuleName] = Counter()
    for each in proofs:
        used.update(dict(each.rules))
    kinds = {each.equality for each in proofs}
    return replace(
        proofs[0],
        meshes=tuple(mesh for each in proofs for mesh in each.meshes),
        judgements=sum(each.judgements for each in proofs),
        rules=tuple((rule, used[rule]) for rule in RuleName if used[rule]),
        schemas=max(each.schemas for each in proofs),
        equality=Equality.FIELD if Equality.FIELD in kinds else Equality.EXPRESSIONS,
        simulated=tuple(each for each in Arithmetic if all(each in one.simulated for one in proofs)),
        assumed=tuple(dict.fromkeys(each for one in proofs for each in one.assumed)),
    )


def _judged(program: Program, single: Program, deadline: float | None, shrinks: bool) -> ProgramVerdict:
    if not _fits(program):
        ranks = world(program.mesh)
        return Unknown(
            f"{len(program.statements)} statements on {ranks} ranks are more than are checked; verify a smaller mesh"
        )
    if (wrong := other_type(program, single)) is not None:
        mistake = ProgramMistake(mesh=program.mesh, statement=wrong.name, axis="", refusal=None, wrong=wrong)
        return Refuted(mistake)
    return _by_layouts(program, single, deadline, shrinks)


def _by_layouts(program: Program, single: Program, deadline: float | None, shrinks: bool) -> ProgramVerdict:
    inferred = infer(program)
    if isinstance(inferred, Refused):
        return _refused(program, single, inferred, deadline, shrinks)
    if (fault := check(program, inferred)) is not None:
        return Unknown(f"layouts were inferred, but the independent check rejects them: {fault}")
    equal = equality(erased(program), single)
    if isinstance(equal, Unlike):
        return _unequal(program, single, equal.name, shrinks)
    if isinstance(equal, Unknown):
        return equal
    return _proved(program, single, inferred, equal, deadline)


def _proved(
    program: Program, single: Program, inferred: Inferred, equal: Equal, deadline: float | None
) -> Proved[ProgramProof] | Unknown:
    proofs = prove_rules(program, inferred, deadline)
    if isinstance(proofs, Unknown):
        return proofs
    simulated = []
    for arithmetic in Arithmetic:
        meaning = _meaning(arithmetic)
        if effort(program).affordable(meaning) and (arithmetic is Arithmetic.REALS or covers(program)):
            if (wrong := compare(program, single, meaning, step=1)) is not None:
                return Unknown(f"the derivation is right, but simulated ranks differ over {arithmetic}: {wrong}")
            simulated.append(arithmetic)
    proof = ProgramProof(
        meshes=(program.mesh,),
        judgements=len(inferred.steps),
        rules=proofs.used,
        schemas=proofs.schemas,
        equality=equal.equality,
        simulated=tuple(simulated),
        assumed=(*equal.assumed, *narrowed_sums(inferred)),
    )
    return Proved(proof)


def _meaning(arithmetic: Arithmetic) -> Meaning:
    match arithmetic:
        case Arithmetic.FIELD:
            return PrimeField(1)
        case Arithmetic.REALS:
            return Reals(1)


def _refused(
    program: Program, single: Program, refused: Refused, deadline: float | None, shrinks: bool
) -> ProgramVerdict:
    """Return the verdict on a program that a layout rule refuses: refuted if a value differs.

    An axis of one rank can break rules without effect; then the program without such axes is judged.
    """
    wrong = differs(program, single)
    unseen = ""
    if wrong is None and effort(program).affordable(Reals()):
        others = without_lone_ranks(program)
        if others is not None and not isinstance(infer(others), Refused):
            verdict = _by_layouts(others, single, deadline, shrinks)
            if isinstance(verdict, Proved):
                return Proved(replace(verdict.evidence, meshes=(program.mesh,)))
            return verdict
        why = f"{refused.statement} has no layout: {refused.refusal}"
        return Unknown(f"{why}; but no output or updated state differs on random values")
    if wrong is None:
        unseen = f"too large to be run: {effort(program)}"
    mistake = ProgramMistake(
        mesh=program.mesh,
        statement=refused.statement,
        axis="" if refused.axis is None else program.mesh[refused.axis].name,
        refusal=refused.refusal,
        wrong=wrong,
        unseen=unseen,
        smallest=smallest_refused(program, refused) if shrinks else None,
    )
    return Refuted(mistake)


def _unequal(program: Program, single: Program, statement: str, shrinks: bool) -> Refuted[ProgramMistake] | Unknown:
    """Return the verdict on a program whose layouts hold, but whose expressions are not known to be equal."""
    wrong = differs(program, single) or differs(erased(program), single)
    if wrong is None:
        return Unknown(
            f"{statement} differs from that of {single.name}, but no output or updated state differed on random values"
        )
    smallest = smallest_unequal(program, single, statement, wrong) if shrinks else None
    mistake = ProgramMistake(
        mesh=program.mesh, statement=statement, axis="", refusal=None, wrong=wrong, smallest=smallest
    )
    return Refuted(mistake)
