"""One axis given the other, in turn: each is a search of the size of one axis, exact by itself.

That goes on until neither finds anything better. Of several programs then the best mixture is sought, operation by
operation. What is found need not be the cheapest of all: nothing is proved here.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.errors import ProblemError
from p2smt.spmd.chosen import chosen as chosen_alone
from p2smt.spmd.mesh.build import MeshSharding, build
from p2smt.spmd.mesh.chosen import ChosenPairs, chosen
from p2smt.spmd.mesh.folding import Folding
from p2smt.spmd.mesh.options import PairOptions
from p2smt.spmd.mesh.relaxation import Alone
from p2smt.spmd.mesh.restriction import Fixed, MeshRestriction, Mixed
from p2smt.spmd.mesh.updates import choices_of_updates
from p2smt.spmd.problem import Best, Impossible
from p2smt.spmd.solving import Solver
from p2smt.tensor.layout import Layout
from p2smt.tensor.rule import Rule

MOST_TURNS = 6
"""So often one axis is searched given the other, from one start."""

_WORTHWHILE = 0.999
"""Of the cost: a turn that gains less is the last."""

_NEAR = 1.005
"""Times the least cost known: once both axes had their turn, what costs more is not turned further."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An assignment, and what it costs operation by operation."""

    sharding: MeshSharding
    assignment: tuple[int, ...]
    cost: int

    @property
    def chosen(self) -> ChosenPairs:
        """What is chosen, in terms of the program."""
        return chosen(self.sharding, self.assignment)


@dataclass(frozen=True, slots=True)
class Start:
    """What one axis does: by operation (the number of its result) its rule, by source its layout."""

    axis: int
    rules: dict[int, Rule]
    stored: dict[int, Layout]


def start_alone(axis: int, one: Alone) -> Start | None:
    """What an axis would do alone; None where it can do nothing."""
    answer = one.eliminated.answer
    if not isinstance(answer, Best):
        return None
    made = chosen_alone(one.sharding, answer.assignment)
    tensors = one.sharding.pricing.graph.tensors
    stored = {number: layout for number, layout in made.produced.items() if tensors[number].source is not None}
    return Start(axis, made.rules, stored)


def start_of(sharding: MeshSharding, picked: ChosenPairs, axis: int) -> Start:
    """What a program does on one axis."""
    tensors = sharding.pricing.graph.tensors
    stored = {number: pair[axis] for number, pair in picked.produced.items() if tensors[number].source is not None}
    return Start(axis, {number: rules[axis] for number, rules in picked.rules.items()}, stored)


class Folder:
    """Searches the joint problems of one program on one mesh, whose choices and links are the same."""

    def __init__(self, solver: Solver | None = None) -> None:
        self._solver = solver or Solver()
        self._folding: Folding | None = None

    def cheapest(self, sharding: MeshSharding) -> Best | Impossible:
        """The cheapest assignment, found with what belongs to an optimizer folded."""
        if self._folding is None:
            self._folding = Folding(sharding.problem, choices_of_updates(sharding), self._solver)
        return self._folding.cheapest(sharding.problem)


class Turns:
    """Searches of one program on one mesh within a restriction."""

    def __init__(self, known: PairOptions, restriction: MeshRestriction, folder: Folder) -> None:
        """`folder` is of the same program on the same mesh."""
        self._known = known
        self._restriction = restriction
        self._folder = folder

    def after(self, start: Start, most: int = MOST_TURNS, *, least: int | None = None) -> list[Turn]:
        """Programs that get better; `least` is what the cheapest known otherwise costs, here or on another mesh."""
        turns: list[Turn] = []
        costs: list[int] = []
        while len(turns) < most:
            turn = self._searched(Fixed(start.axis, start.rules, start.stored, self._restriction))
            if turn is None:
                break
            turns.append(turn)
            costs.append(turn.cost)
            if len(costs) > 2 and costs[-1] >= costs[-2] * _WORTHWHILE:
                break
            if len(costs) > 1 and least is not None and min(costs) > least * _NEAR:
                break
            if len(turns) < most:
                start = start_of(turn.sharding, turn.chosen, 1 - start.axis)
        return turns

    def mixed(self, programs: Sequence[ChosenPairs]) -> Turn | None:
        """The cheapest whose every operation does as in one of the programs; None where there is none."""
        return self._searched(Mixed(tuple(each.rules for each in programs), self._restriction))

    def _searched(self, restriction: MeshRestriction) -> Turn | None:
        try:
            sharding = build(self._known, restriction, narrow=True)
        except ProblemError:
            return None
        answer = self._folder.cheapest(sharding)
        return Turn(sharding, answer.assignment, answer.cost) if isinstance(answer, Best) else None
