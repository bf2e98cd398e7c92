"""Application of one step to a scheduled program: check its guard, rebuild the program, prove the result.

A refused step comes with numbers that show why.
"""

from p2smt.errors import ProgramError
from p2smt.schedule.graph import statements
from p2smt.schedule.naming import WrongNamesError
from p2smt.schedule.outcome import AppliedStep, RefusedStep, Rewriting, StepRefusedError, StepVerdict
from p2smt.schedule.proof import fault, prove
from p2smt.schedule.replay import counter_example
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import (
    AllReduceSplit,
    Dead,
    Fuse,
    Line,
    LossyCast,
    Merge,
    Overlap,
    Reorder,
    SliceStates,
    Through,
    UseProgram,
)
from p2smt.schedule.transforms.dead import dead
from p2smt.schedule.transforms.fuse import fuse
from p2smt.schedule.transforms.lossy_cast import lossy_cast
from p2smt.schedule.transforms.merge import merge
from p2smt.schedule.transforms.overlap import overlap
from p2smt.schedule.transforms.reorder import reorder
from p2smt.schedule.transforms.slice_states import slice_states
from p2smt.schedule.transforms.split import split
from p2smt.schedule.transforms.synthesised import synthesised
from p2smt.schedule.transforms.through import through
from p2smt.schedule.why import Why
from p2smt.tensor.conversion import COMMUNICATION
from p2smt.tensor.expression import Convert
from p2smt.verify.verdict import Proved, Refuted, Unknown


def apply(scheduled: ScheduledProgram, line: Line, *, bitwise: bool = False, with_example: bool = True) -> StepVerdict:
    """Return the verdict on a step.

    With `bitwise`, steps that change the order of summation or round are refused. Without `with_example`, no
    counterexample is searched for that the verdict does not need. ProgramError for unknown names, or if the
    program itself has no layouts.
    """
    try:
        made = _rewritten(scheduled, line)
    except StepRefusedError as refused:
        return _refusal(scheduled, line, refused, with_example=with_example)
    except WrongNamesError as cause:
        raise WrongNamesError(f"line {line.line}: {cause}" if line.line else str(cause), cause.makes) from cause
    except ProgramError as cause:
        raise ProgramError(f"line {line.line}: {cause}" if line.line else str(cause)) from cause
    lost = _without_its_program(made.scheduled)
    if lost:
        return Refuted(RefusedStep(line, Why.BY_A_PROGRAM, lost))
    if bitwise and made.summing:
        return Refuted(RefusedStep(line, Why.ORDER_OF_SUMMING, made.summing))
    if bitwise and made.rounds:
        return Refuted(RefusedStep(line, Why.ROUNDS, "; ".join(made.notes)))
    return _proved(scheduled, line, made)


def _rewritten(scheduled: ScheduledProgram, line: Line) -> Rewriting:
    step, results = line.step, line.results
    match step:
        case AllReduceSplit():
            return split(scheduled, step, results)
        case Merge():
            return merge(scheduled, step, results)
        case UseProgram():
            return synthesised(scheduled, step, results)
        case Reorder():
            return reorder(scheduled, step, results)
        case Through():
            return through(scheduled, step, results)
        case Fuse() | Overlap() | SliceStates() | Dead() | LossyCast():
            return _others(scheduled, step, results)


def _others(
    scheduled: ScheduledProgram, step: Fuse | Overlap | SliceStates | Dead | LossyCast, results: tuple[str, ...]
) -> Rewriting:
    match step:
        case Fuse():
            return fuse(scheduled, step, results)
        case Overlap():
            return overlap(scheduled, step, results)
        case SliceStates():
            return slice_states(scheduled, step, results)
        case Dead():
            return dead(scheduled, step, results)
        case LossyCast():
            return lossy_cast(scheduled, step, results)


def _without_its_program(scheduled: ScheduledProgram) -> str:
    """Return a statement that lost the collective its reduction program implements; empty if there is none."""
    expressions = statements(scheduled.program)
    for noted in scheduled.implementations:
        found = expressions.get(noted.statement)
        if not (isinstance(found, Convert) and COMMUNICATION[type(found.conversion)] is noted.goal):
            return noted.statement
    return ""


def _refusal(scheduled: ScheduledProgram, line: Line, refused: StepRefusedError, *, with_example: bool) -> StepVerdict:
    """Return the verdict on a refused step.

    A broken guard refutes the step; a broken layout rule does so only with a counterexample.
    """
    if refused.naive is None and isinstance(refused.reason, Why):
        shown = refused.example() if with_example and refused.example is not None else None
        return Refuted(RefusedStep(line, refused.reason, refused.detail, shown))
    # A rule may be stricter than the mathematics: only numbers that differ make the refusal a refutation.
    example = None if refused.naive is None else counter_example(scheduled.program, refused.naive)
    if example is None:
        return Unknown(f"{refused.reason}: {refused.detail}; and no numbers differ")
    return Refuted(RefusedStep(line, refused.reason, refused.detail, example))


def _proved(scheduled: ScheduledProgram, line: Line, made: Rewriting) -> StepVerdict:
    wrong = fault(scheduled.program, made)
    if wrong:
        example = counter_example(scheduled.program, made.scheduled.program)
        return Unknown(wrong) if example is None else Refuted(RefusedStep(line, Why.LAYOUTS, wrong, example))
    proof = prove(made)
    if isinstance(proof, Unknown):
        return proof
    applied = AppliedStep(
        line=line,
        scheduled=made.scheduled,
        proof=proof,
        inserted=made.inserted,
        notes=made.notes,
        summing=made.summing,
        rounds=made.rounds,
    )
    return Proved(applied)
