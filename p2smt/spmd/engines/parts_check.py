"""Check lower bounds that are composed of bounds on parts; shares no code with the search."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.spmd.engines.certificate import Certificate
from p2smt.spmd.engines.certificate_check import check_bound
from p2smt.spmd.engines.problem import JointProblem


@dataclass(frozen=True, slots=True)
class ProvedPart:
    """A subproblem, the certificate of its bound, and its places in the whole problem: choices and links of each."""

    problem: JointProblem
    certificate: Certificate
    places: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]


def bound_of_parts(problem: JointProblem, parts: Sequence[ProvedPart]) -> int | str:
    """Return the bound that the parts prove, or a description of a fault."""
    copies: list[list[tuple[int, ...]]] = [[] for _ in problem.choices]
    total = 0
    for part in parts:
        fault = check_bound(part.problem, part.certificate)
        if fault is not None:
            return fault
        total += part.certificate.bound * len(part.places)
        for choices, links in part.places:
            misplaced = _misplaced(problem, part.problem, choices, links)
            if misplaced is not None:
                return misplaced
            for choice, copy in zip(choices, part.problem.choices, strict=True):
                copies[choice].append(copy.costs)
    excesses: dict[tuple[tuple[int, ...], ...], int] = {}
    for whole, mine in zip(problem.choices, copies, strict=True):
        key = (whole.costs, *mine)
        if key not in excesses:
            excesses[key] = max([sum(rest) - cost for cost, *rest in zip(whole.costs, *mine, strict=True)])
        total -= excesses[key]
    return total


def _misplaced(problem: JointProblem, part: JointProblem, choices: Sequence[int], links: Sequence[int]) -> str | None:
    """Return a fault in the place of a part; None if there is none."""
    if len(choices) != len(part.choices) or len(links) != len(part.links) or len(set(choices)) != len(choices):
        return "a part has other choices or links than its place"
    for choice, mine in zip(choices, part.choices, strict=True):
        if not 0 <= choice < len(problem.choices) or len(problem.choices[choice].costs) != len(mine.costs):
            return f"a part has other options of choice {choice}"
    for number, link in zip(links, part.links, strict=True):
        if not 0 <= number < len(problem.links):
            return f"a part has link {number}, which there is not"
        whole = problem.links[number]
        if (whole.left, whole.right) != (choices[link.left], choices[link.right]) or whole.allowed != link.allowed:
            return f"a part has a link that is not link {number}"
    return None
