"""Judges SPMD code beside the program for a single device: as the distributed program that it is, else by values."""

from dataclasses import dataclass

from p2smt.errors import DefectError, ProgramError
from p2smt.tensor.comparison import Wrong
from p2smt.tensor.program import Program
from p2smt.tensor.ranks.comparison import affordable, unlike, wrong_values
from p2smt.tensor.ranks.lifting import Unlifted, lifted
from p2smt.tensor.ranks.programs import Permuted, RankPrograms
from p2smt.tensor.reals import Reals
from p2smt.tensor.reason import Reason, Refusal
from p2smt.tensor.verification.check import verify_program
from p2smt.tensor.verification.values import trials
from p2smt.tensor.verification.verdict import ProgramMistake, ProgramVerdict
from p2smt.verify.verdict import Refuted, Unknown


@dataclass(frozen=True, slots=True)
class RanksVerdict:
    """The verdict, and the distributed program that the code was read as; None where it was not."""

    verdict: ProgramVerdict
    program: Program | None


def verify_ranks(ranks: RankPrograms, single: Program, deadline: float | None = None) -> RanksVerdict:
    """Whether what all ranks run observes what the program for a single device does.

    Proved is said of the distributed program that it is, by its proof alone; refuted where an observed value differs
    on simulated ranks alone. Other code is unknown. ProgramError if names don't agree.
    """
    if single.is_distributed:
        raise ProgramError(f"program {single.name} says layouts; what ranks run is compared with one for one device")
    program = lifted(ranks)
    if isinstance(program, Unlifted):
        return RanksVerdict(_by_values(ranks, single, program), None)
    sent = next((each.name for each in ranks.statements if isinstance(each, Permuted)), "")
    if sent and (not affordable(ranks) or unlike(program, ranks, single, Reals(0), step=1) is not None):
        why = "what ranks send to each other are summands, or not known to be parts of one tensor"
        return RanksVerdict(_by_values(ranks, single, Unlifted(sent, why)), None)
    if affordable(ranks) and (name := unlike(program, ranks, single, Reals(0), step=1)) is not None:
        raise DefectError(f"p2smt reads {name} of {ranks.name} as what it is not: on simulated ranks the two differ. "
                          "That is a defect of p2smt; please report it with the code")  # fmt: skip
    verdict = verify_program(program, single, None, deadline)
    if isinstance(verdict, Refuted):
        verdict = _shown(verdict.counter_example, program, ranks, single)
    return RanksVerdict(verdict, program)


def _shown(
    mistake: ProgramMistake, program: Program, ranks: RankPrograms, single: Program
) -> Refuted[ProgramMistake] | Unknown:
    """The mistake, if a value differs: in the program, and however what ranks have is put together.

    Which part of a tensor an array is can be read in several ways, of which one that is wrong shows nothing.
    """
    if mistake.wrong is None:
        return Unknown(f"{mistake.statement} has no layout: {mistake.refusal}; but {mistake.unseen}")
    if not affordable(ranks) or _seen(ranks, single) is None:
        why = mistake.refusal or mistake.wrong
        seen = "no observed value differs on simulated ranks" if affordable(ranks) else "it is too large to be run"
        return Unknown(f"{mistake.statement}, as a distributed program: {why}; but {seen}")
    return Refuted(mistake)


def _seen(ranks: RankPrograms, single: Program) -> Wrong | None:
    """What differs on simulated ranks on some values."""
    for trial in trials(single):
        if (wrong := wrong_values(ranks, single, trial.meaning, trial.step)) is not None:
            return wrong
    return None


def _by_values(ranks: RankPrograms, single: Program, unlifted: Unlifted) -> Refuted[ProgramMistake] | Unknown:
    if not affordable(ranks):
        return Unknown(f"{unlifted}; it is too large to be run on simulated ranks")
    wrong = _seen(ranks, single)
    if wrong is not None:
        refusal = Refusal(Reason.NO_WHOLE, unlifted.reason)
        mistake = ProgramMistake(
            mesh=ranks.mesh, statement=unlifted.statement, axis="", refusal=refusal, wrong=wrong, smallest=None
        )
        return Refuted(mistake)
    return Unknown(f"{unlifted}; on simulated ranks no observed value differs")
