"""Check each option that a certificate removes at the start; shares no code with the search."""

from collections.abc import Sequence

import numpy as np

from p2smt.spmd.engines.certificate import Certificate
from p2smt.spmd.engines.problem import JointProblem
from p2smt.spmd.engines.simplification import Removal

_Near = dict[int, tuple[int, tuple[int, ...]]]
"""By link number: the other choice, and for each option the compatible options of that choice, as bits."""


def options_left(problem: JointProblem, certificate: Certificate) -> list[int] | str:
    """Return the options of each choice left after all removals, as bits, or the first fault of a removal."""
    present = [2 ** len(choice.costs) - 1 for choice in problem.choices]
    near = _near(problem)
    for removal in certificate.removals:
        choice, option = removal.choice, removal.option
        if not present[choice] & (1 << option):
            return f"option {option} of choice {choice} is taken away twice"
        present[choice] -= 1 << option
        fault = _removed(removal, problem.choices[choice].costs, near[choice], present)
        if fault is not None:
            return f"option {option} of choice {choice} is {fault}"
    return present


def _removed(removal: Removal, costs: Sequence[int], near: _Near, present: Sequence[int]) -> str | None:
    """Return a fault in the removal of an option; None if there is none."""
    option, instead = removal.option, removal.instead
    if instead is None:
        if removal.link not in near:
            return "taken away for a link that it is not in"
        other, masks = near[removal.link]
        return "not left without support" if masks[option] & present[other] else None
    if not present[removal.choice] & (1 << instead) or costs[instead] > costs[option]:
        return "cheaper than what is taken instead"
    if any(masks[option] & present[other] & ~masks[instead] for other, masks in near.values()):
        return "one that goes with more than what is taken instead"
    return None


def _near(problem: JointProblem) -> list[_Near]:
    """Return the links of every choice."""
    sides: dict[tuple[tuple[int, ...], int], tuple[int, ...]] = {}
    near: list[_Near] = [{} for _ in problem.choices]
    for number, link in enumerate(problem.links):
        key = (link.allowed, len(problem.choices[link.right].costs))
        if key not in sides:
            sides[key] = _from_the_right(*key)
        near[link.left][number] = (link.right, link.allowed)
        near[link.right][number] = (link.left, sides[key])
    return near


def _from_the_right(allowed: tuple[int, ...], count: int) -> tuple[int, ...]:
    """Return for each option of the right choice the compatible options of the left one, as bits."""
    wide = -(-count // 8)
    rows = b"".join([(mask & (2**count - 1)).to_bytes(wide, "little") for mask in allowed])
    bits = np.unpackbits(np.frombuffer(rows, np.uint8).reshape(len(allowed), wide), axis=1, bitorder="little")
    columns = np.packbits(bits[:, :count].T, axis=1, bitorder="little")
    return tuple([int.from_bytes(column.tobytes(), "little") for column in columns])
