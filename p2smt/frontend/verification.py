"""Verification of a plan file: the plan in it, the verdict, and the smallest plan that shows a mistake."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from p2smt.argument_types import path_of
from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AS_WRITTEN, AskedGoal
from p2smt.frontend.format import Format
from p2smt.frontend.importers import read_any
from p2smt.frontend.recognition import format_of
from p2smt.frontend.torch_function.plan import AtLength, TraceOptions, lengths_to_try, trace_lengths
from p2smt.problem.typed import read_bounded
from p2smt.verify.check import verify
from p2smt.verify.counter_example import CounterExample, counter_example
from p2smt.verify.goal import results
from p2smt.verify.joining import joined
from p2smt.verify.limits import MAX_FILE_BYTES
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.plan_verdict import NoPlan, PlanMistake, PlanProof, PlanVerdict
from p2smt.verify.verdict import Proved, Refuted, Unknown
from p2smt.wording import first_few, plural


@dataclass(frozen=True, slots=True)
class Verification:
    """A plan as read from a file (`NoPlan` if none can be run), notes on it, and the smallest mistake.

    `counter_example` is None if there is no mistake, or no plan that could be run. `notes` state the scope of the
    verdict, and assumptions.
    """

    plan: VerificationPlan | NoPlan
    verdict: PlanVerdict
    counter_example: CounterExample | None
    notes: tuple[str, ...] = ()


def verify_file(
    path: Path | str,
    form: Format | None = None,
    asked: AskedGoal = AS_WRITTEN,
    tracing: TraceOptions | None = None,
    deadline: float | None = None,
    devices: int | None = None,
    per_machine: int | None = None,
) -> Verification:
    """Read a plan file as `read_any` does and verify it; `asked` is a goal that overrides the file's own.

    Python code runs only with `tracing`. `deadline` is in the time of `time.monotonic`; if the solver has no
    answer by then, the verdict is unknown. A Python function is traced with tensors of several lengths, unless
    `tracing` gives one: it is proved if it is correct for every length that it accepts, and a mistake names its
    length. `devices` is the number of devices for XLA texts that do not state it; `per_machine` is the number of
    devices per machine, needed if a schedule completes only on some machine sizes. Raises VerifyError or
    PlanError with the place of the mistake in the file.
    """
    path = path_of(path, "plan.json")
    if tracing is not None and _is_torch(path, form):
        lengths = trace_lengths(path, tracing, asked, lengths_to_try(tracing, asked))
        return verify_lengths(lengths, deadline)
    return _judged(read_any(path, form, asked, tracing, devices, per_machine), deadline)


def _is_torch(path: Path, form: Format | None) -> bool:
    # only: plans of other formats have one length
    return (form or format_of(path, read_bounded(path, MAX_FILE_BYTES, VerifyError))) is Format.TORCH


def _judged(plan: VerificationPlan | NoPlan | VerifyError, deadline: float | None) -> Verification:
    if isinstance(plan, VerifyError):
        raise plan
    if not isinstance(plan, VerificationPlan):
        return Verification(plan, verify(plan), None)
    small = joined(plan)
    verdict = verify(small, deadline)
    if isinstance(verdict, Proved) and small is not plan:
        return Verification(plan, Proved(PlanProof(results(plan))), None, plan.notes)
    return Verification(small, verdict, counter_example(small, verdict), small.notes)


def verify_lengths(lengths: Sequence[AtLength], deadline: float | None = None) -> Verification:
    """Return one verdict for a function at several lengths: the first mistake, else the first Unknown, else proved.

    Lengths that the function or the goal refuses are noted; VerifyError if all are refused.
    """
    refused = {at.elements: at.plan for at in lengths if isinstance(at.plan, VerifyError)}
    if len(refused) == len(lengths):
        raise refused[lengths[0].elements]
    judged: dict[int, Verification] = {}
    for at in lengths:
        if at.elements not in refused:
            judged[at.elements] = _judged(at.plan, deadline)
            if isinstance(judged[at.elements].verdict, Refuted):
                break
    elements, worst = max(judged.items(), key=lambda item: _weight(item[1].verdict))
    right = [length for length, one in judged.items() if isinstance(one.verdict, Proved)]
    notes = [f"not {refusal}" for refusal in _refusals(refused)]
    if right:
        all_right = isinstance(worst.verdict, Proved)
        notes.insert(0, f"with {_tensors(right)}{'; no other length was tried' if all_right else ' it is right'}")
    notes += worst.notes
    return replace(worst, verdict=_at(elements, worst.verdict, judged), notes=tuple(notes))


def _refusals(refused: Mapping[int, VerifyError]) -> Iterator[str]:
    """Yield descriptions of the refused lengths, grouped by reason."""
    reasons: dict[str, list[int]] = {}
    for elements, error in refused.items():
        reasons.setdefault(str(error), []).append(elements)
    for reason, lengths in reasons.items():
        yield f"with {_tensors(lengths)}: {reason}"


def _weight(verdict: PlanVerdict) -> int:
    match verdict:
        case Proved():
            return 0
        case Unknown():
            return 1
        case Refuted():
            return 2


def _at(elements: int, verdict: PlanVerdict, judged: Mapping[int, Verification]) -> PlanVerdict:
    """Return the verdict with the tensor length that it holds for."""
    match verdict:
        case Proved():
            proofs = (one.verdict.evidence for one in judged.values() if isinstance(one.verdict, Proved))
            return Proved(PlanProof(sum(proof.checked for proof in proofs)))
        case Unknown(reason):
            return Unknown(f"with {_tensors([elements])}: {reason}")
        case Refuted(PlanMistake() as mistake):
            return Refuted(replace(mistake, message=f"with {_tensors([elements])}: {mistake.message}"))
        case Refuted():
            return verdict


def _tensors(lengths: Sequence[int]) -> str:
    return f"tensors of {first_few(lengths)} {plural('element', max(lengths))}"
