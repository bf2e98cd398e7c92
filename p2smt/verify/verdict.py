"""The verdict on a claim: proved, refuted by a counter-example, or unknown with the reason.

All claims that p2smt decides share this union. The types of evidence and counter-example depend on the claim:

| claim | evidence | counter-example | alias |
|---|---|---|---|
| a plan reaches its goal | `PlanProof` | `PlanMistake`, `Vacuity` | `verify/plan_verdict.py`: `PlanVerdict` |
| a distributed program is that for one device | `ProgramProof` | `ProgramMistake` | `tensor/verification/verdict.py` |
| a step of a schedule keeps all values | `AppliedStep` | `RefusedStep` | `schedule/outcome.py`: `StepVerdict` |
| a schedule keeps them, and fits into memory | `Scheduled` | `RefusedStep`, `OverMemory` | `schedule/` |

The command line maps them to exit codes in one place, `cli/exit_code.py`.

>>> verdict: Verdict[int, str] = Refuted("rank 0 has 3, not 4")
>>> match verdict:
...     case Proved(evidence):
...         print("proved:", evidence)
...     case Refuted(counter_example):
...         print("refuted:", counter_example)
...     case Unknown(reason):
...         print("unknown:", reason)
refuted: rank 0 has 3, not 4
"""

from dataclasses import dataclass
from typing import Generic, TypeVar

Evidence_co = TypeVar("Evidence_co", covariant=True)
CounterExample_co = TypeVar("CounterExample_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Proved(Generic[Evidence_co]):
    """The claim holds; `evidence` is the basis of the proof."""

    evidence: Evidence_co


@dataclass(frozen=True, slots=True)
class Refuted(Generic[CounterExample_co]):
    """The claim does not hold, as the counter-example shows."""

    counter_example: CounterExample_co


@dataclass(frozen=True, slots=True)
class Unknown:
    """Neither a proof nor a counter-example was found, for the given reason.

    The reason is an unsupported feature, a missing answer of the solver, or a limit that was reached.
    """

    reason: str


Verdict = Proved[Evidence_co] | Refuted[CounterExample_co] | Unknown
"""The verdict on a claim."""
