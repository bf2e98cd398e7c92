"""Options that need not be looked at: those that nothing goes with, and those that another one is never worse than.

An option is unsupported if a link leaves it no option of the other choice. It is dominated if another option of its
choice costs no more and goes with all that it goes with. Either can be taken away without raising the optimum; what is
left is looked at again until nothing changes. Limits would have to be asked too: problems with limits keep dominated
options.
"""

from dataclasses import dataclass

from p2smt.spmd.problem import Choice, JointProblem, Link


@dataclass(frozen=True, slots=True)
class Removal:
    """An option that is taken away: for `instead`, or because link number `link` leaves it nothing."""

    choice: int
    option: int
    instead: int | None = None
    link: int | None = None


@dataclass(frozen=True, slots=True)
class Simplified:
    """What is left, the removals in order, and for each choice the options that are left, by their old numbers."""

    problem: JointProblem
    removals: tuple[Removal, ...]
    kept: tuple[tuple[int, ...], ...]


def simplify(problem: JointProblem) -> Simplified:
    """The problem without unsupported and dominated options; a choice can end up without any."""
    return _Simplifier(problem).run()


class _Simplifier:
    def __init__(self, problem: JointProblem) -> None:
        self._problem = problem
        self._present = [(1 << len(choice.costs)) - 1 for choice in problem.choices]
        self._near: list[list[tuple[int, int, tuple[int, ...]]]] = [[] for _ in problem.choices]
        self._removals: list[Removal] = []
        turned: dict[tuple[tuple[int, ...], int], tuple[int, ...]] = {}
        for number, link in enumerate(problem.links):
            key = (link.allowed, len(problem.choices[link.right].costs))
            if key not in turned:
                turned[key] = _turned(*key)
            self._near[link.left].append((number, link.right, link.allowed))
            self._near[link.right].append((number, link.left, turned[key]))

    def run(self) -> Simplified:
        waiting = list(reversed(range(len(self._present))))
        queued = [True] * len(waiting)
        while waiting:
            choice = waiting.pop()
            queued[choice] = False
            if self._reduce(choice):
                for _, other, _ in self._near[choice]:
                    if not queued[other]:
                        queued[other] = True
                        waiting.append(other)
        kept = tuple(
            tuple(option for option in range(len(choice.costs)) if (mask >> option) & 1)
            for choice, mask in zip(self._problem.choices, self._present, strict=True)
        )
        return Simplified(restricted(self._problem, kept), tuple(self._removals), kept)

    def _reduce(self, choice: int) -> bool:
        """Take away what can be taken away from a choice; whether something was."""
        costs = self._problem.choices[choice].costs
        before = self._present[choice]
        fits: dict[int, list[int]] = {}
        for option in range(len(costs)):
            if (before >> option) & 1:
                masks = [allowed[option] & self._present[other] for _, other, allowed in self._near[choice]]
                if all(masks):
                    fits[option] = masks
                else:
                    self._remove(Removal(choice, option, link=self._near[choice][masks.index(0)][0]))
        if not self._problem.limits:
            self._dominated(choice, costs, fits)
        return self._present[choice] != before

    def _dominated(self, choice: int, costs: tuple[int, ...], fits: dict[int, list[int]]) -> None:
        ranked = sorted(fits, key=lambda each: (costs[each], -sum(mask.bit_count() for mask in fits[each]), each))
        kept: list[int] = []
        for option in ranked:
            better = (
                other for other in kept if not any(a & ~b for a, b in zip(fits[option], fits[other], strict=True))
            )
            instead = next(better, None)
            if instead is None:
                kept.append(option)
            else:
                self._remove(Removal(choice, option, instead=instead))

    def _remove(self, removal: Removal) -> None:
        self._present[removal.choice] &= ~(1 << removal.option)
        self._removals.append(removal)


def restricted(problem: JointProblem, kept: tuple[tuple[int, ...], ...]) -> JointProblem:
    """The problem with these options alone, numbered anew."""
    choices = tuple(
        Choice(choice.name, tuple(choice.costs[option] for option in options))
        for choice, options in zip(problem.choices, kept, strict=True)
    )
    made: dict[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]], tuple[int, ...]] = {}
    links = []
    for link in problem.links:
        key = (link.allowed, kept[link.left], kept[link.right])
        if key not in made:
            made[key] = tuple(_picked(link.allowed[option], kept[link.right]) for option in kept[link.left])
        links.append(Link(link.left, link.right, made[key]))
    return JointProblem(choices, tuple(links))


def _picked(mask: int, options: tuple[int, ...]) -> int:
    return sum(1 << position for position, option in enumerate(options) if (mask >> option) & 1)


def _turned(allowed: tuple[int, ...], count: int) -> tuple[int, ...]:
    return tuple(sum(1 << left for left, mask in enumerate(allowed) if (mask >> right) & 1) for right in range(count))
