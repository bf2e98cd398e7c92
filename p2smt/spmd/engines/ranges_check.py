"""Check that all numbers of a certificate are in range; shares no code with the search.

`certificate_check.py` adds 64-bit integers, and uses `NEVER` for forbidden combinations. That is sound only if

    0 <= cost,   sum over choices of the largest cost < NEVER / 4,   0 <= shift of a message < NEVER.

With a negative shift, for instance, a message could claim that a feasible combination is forbidden.
Complexity: one pass over the certificate.
Reference: McConnell et al., "Certifying algorithms", 2011.
"""

from collections.abc import Iterator, Sequence

from p2smt.spmd.engines.certificate import Branch, Certificate, Message, Step
from p2smt.spmd.engines.problem import JointProblem
from p2smt.spmd.engines.shifts_check import NEVER


def out_of_range(problem: JointProblem, certificate: Certificate) -> str | None:
    """Describe the first number of a problem or its certificate that is out of range; None if there is none."""
    if (fault := _of_problem(problem)) is not None:
        return fault
    count = len(problem.choices)
    named = [end for link in problem.links for end in link[:2]]
    named += [removal.choice for removal in certificate.removals]
    for removal in certificate.removals:
        options = len(problem.choices[removal.choice].costs) if 0 <= removal.choice < count else 0
        if not 0 <= removal.option < options or not 0 <= (removal.instead or 0) < options:
            return f"choice {removal.choice} has no option {removal.option}, or none that is taken instead"
    for step in _steps(certificate.messages, certificate.branch):
        named.append(step.hub if isinstance(step, Branch) else step.choice)
        if isinstance(step, Message):
            named += step.neighbours
            if not 0 <= step.table < len(certificate.tables):
                return f"the message of choice {step.choice} has table {step.table}, which there is not"
            if not 0 <= step.shift < NEVER:
                return f"the message of choice {step.choice} has a shift of {step.shift}"
    return next((f"choice {each} is named, and there are {count}" for each in named if not 0 <= each < count), None)


def _of_problem(problem: JointProblem) -> str | None:
    if any(cost < 0 for choice in problem.choices for cost in choice.costs):
        return "a cost is below 0"
    if sum(max(choice.costs, default=0) for choice in problem.choices) >= NEVER // 4:
        return "costs are too large to be told from what is not allowed"
    alone = next((link.left for link in problem.links if link.left == link.right), None)
    return None if alone is None else f"a link is of choice {alone} with itself"


def _steps(messages: Sequence[Step], branch: Branch | None) -> Iterator[Step | Branch]:
    """Yield all steps, including those of the cases of branches."""
    yield from messages
    if branch is not None:
        yield branch
        for case in branch.cases:
            yield from _steps(case.messages, case.branch)
