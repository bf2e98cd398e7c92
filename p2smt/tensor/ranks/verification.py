"""Verification of SPMD code against a single-device program, as a distributed program or by its values."""

from dataclasses import dataclass, replace

from p2smt.errors import DefectError, ProgramError
from p2smt.tensor.comparison import Wrong
from p2smt.tensor.program import Program, versions
from p2smt.tensor.ranks.comparison import affordable, unlike, wrong_values
from p2smt.tensor.ranks.diagnosis import cause
from p2smt.tensor.ranks.domains import unasked
from p2smt.tensor.ranks.fields import equal_in_fields
from p2smt.tensor.ranks.lifting import lifted
from p2smt.tensor.ranks.lifting_failure import LiftingFailure
from p2smt.tensor.ranks.programs import ArrayPermutation, RankPrograms
from p2smt.tensor.reals import Reals
from p2smt.tensor.reason import Reason, Refusal
from p2smt.tensor.verification.check import verify_program
from p2smt.tensor.verification.more_digits import MoreDigits
from p2smt.tensor.verification.values import trials
from p2smt.tensor.verification.verdict import Arithmetic, ProgramMistake, ProgramProof, ProgramVerdict
from p2smt.verify.verdict import Proved, Refuted, Unknown


@dataclass(frozen=True, slots=True)
class RanksVerdict:
    """The verdict, and the distributed program that was read from the code; None if it could not be read."""

    verdict: ProgramVerdict
    program: Program | None


def verify_ranks(ranks: RankPrograms, single: Program, deadline: float | None = None) -> RanksVerdict:
    """Return the verdict on whether all ranks together observe the values of the single-device program.

    Proved rests on the proof of the lifted distributed program, or on equality in fields rank by rank.
    Refuted requires an observed value that differs on simulated ranks. Other code is unknown. ProgramError if
    names do not agree.
    """
    if single.is_distributed:
        raise ProgramError(f"program {single.name} has layouts; the reference program must be for one device")
    ends, updated = versions(single).keys(), {source for source, _ in ranks.updates}
    if other := ends ^ updated:
        why = f"{min(other)} is updated {'on one device' if min(other) in ends else 'on the ranks'} alone"
        return RanksVerdict(_rank_by_rank(ranks, single, LiftingFailure("", why)), None)
    program = lifted(ranks)
    if isinstance(program, LiftingFailure):
        return RanksVerdict(_rank_by_rank(ranks, single, program), None)
    # Messages may move summands, which lifting reads as parts, so the reading is checked on values
    # first.
    sent = next((each.name for each in ranks.statements if isinstance(each, ArrayPermutation)), "")
    if sent and (not affordable(ranks) or unlike(program, ranks, single, Reals(0), step=1) is not None):
        why = "what ranks send to each other are summands, or not known to be parts of one tensor"
        return RanksVerdict(_rank_by_rank(ranks, single, LiftingFailure(sent, why)), None)
    # A safety net: a wrong reading of the code would make the proof one of another program.
    if affordable(ranks) and (name := unlike(program, ranks, single, Reals(0), step=1)) is not None:
        raise DefectError(
            f"p2smt misreads {name} of {ranks.name}: simulated ranks compute another result. "
            "That is a defect of p2smt; please report it with the code"
        )
    verdict = verify_program(program, single, None, deadline, shrinks=False)
    match verdict:
        case Refuted(mistake) if (shown := _shown(mistake, program, ranks, single)) is not None:
            return RanksVerdict(shown, program)
        case Refuted(mistake):
            broken = mistake.refusal or mistake.wrong or mistake.unseen
            stopped = LiftingFailure(mistake.statement, f"as a distributed program: {broken}")
        case Unknown(reason):
            stopped = LiftingFailure("", str(reason))
        case _:
            return RanksVerdict(verdict, program)
    judged = _rank_by_rank(ranks, single, stopped)
    return RanksVerdict(judged, None if isinstance(judged, Proved) else program)


def _shown(
    mistake: ProgramMistake, program: Program, ranks: RankPrograms, single: Program
) -> Refuted[ProgramMistake] | None:
    """Return the mistake if a value also differs on simulated ranks, however the ranks' arrays are assembled.

    An array can be read as several parts of a tensor, so a wrong reading alone proves no mistake.
    """
    if mistake.wrong is None or not affordable(ranks) or (wrong := _seen(ranks, single)) is None:
        return None
    return Refuted(replace(mistake, wrong=wrong, smallest=None, cause=cause(ranks, single, wrong.name)))


def _seen(ranks: RankPrograms, single: Program) -> Wrong | None:
    """Return the first value that differs on simulated ranks by more than rounding."""
    for trial in trials(single):
        wrong = wrong_values(ranks, single, trial.meaning, trial.step)
        if wrong is not None and wrong.element is not None:
            wrong = wrong_values(ranks, single, MoreDigits(trial.meaning), trial.step) and wrong
        if wrong is not None:
            return wrong
    return None


def _rank_by_rank(ranks: RankPrograms, single: Program, stopped: LiftingFailure) -> ProgramVerdict:
    """Return the verdict by values alone, for code that is not a valid distributed program."""
    if not affordable(ranks):
        return Unknown(f"{stopped}; the arrays are too large to simulate the ranks")
    wrong = _seen(ranks, single)
    if wrong is not None:
        return Refuted(_mistake(ranks, single, wrong, stopped))
    if unseen := _where_unasked(ranks, single):
        return Unknown(f"{stopped}; {unseen}")
    equal = equal_in_fields(ranks, single)
    if isinstance(equal, str):
        return Unknown(f"{stopped}; on simulated ranks no observed value differs, but rank by rank {equal}")
    proof = ProgramProof(
        meshes=(ranks.mesh,),
        judgements=0,
        rules=(),
        schemas=0,
        equality=equal.equality,
        simulated=tuple(Arithmetic),
        assumed=equal.assumed,
    )
    return Proved(proof)


def _where_unasked(ranks: RankPrograms, single: Program) -> str:
    """Return the reason why ranks may be wrong on numbers that only the single device compares with.

    Empty if they are right there too.
    """
    numbers = unasked(ranks, single)
    tried = trials(single) if numbers else ()
    wrong = next(
        (
            found
            for trial in tried
            if (found := wrong_values(ranks, single, trial.meaning, trial.step, without={})) is not None
        ),
        None,
    )
    if wrong is None:
        return ""
    said = " and ".join(f"{name} is {', '.join(map(str, sorted(each)))}" for name, each in sorted(numbers.items()))
    return (
        f"on simulated ranks no observed value differs but where {said}, which {single.name} asks for, as for a "
        f"class that is ignored, and no rank does: there {wrong}. Let the ranks ignore it too, or compare them "
        "with a loss that ignores nothing: -log_softmax(x, 1).gather(1, t[:, None]).mean()"
    )


def _mistake(ranks: RankPrograms, single: Program, wrong: Wrong, stopped: LiftingFailure) -> ProgramMistake:
    """Return a mistake that blames the differing output. A failed lifting alone is not a mistake."""
    return ProgramMistake(
        mesh=ranks.mesh,
        statement=wrong.name,
        axis="",
        refusal=Refusal(Reason.OTHER_VALUE, f"as a distributed program it could be verified up to {stopped}"),
        wrong=wrong,
        smallest=None,
        cause=cause(ranks, single, wrong.name),
    )
