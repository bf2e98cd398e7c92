"""Coordinate descent over the axes of a mesh: one axis given all others, each exact by itself.

With x[a] what axis a does, and cost the price of a whole program,
    x[a] := argmin over x of cost(x, others fixed)   for one axis after the other, until a round gains too little.
The cost never rises, so it ends; the end is a local minimum in each axis and need not be the cheapest of all: nothing
is proved here (Wright, "Coordinate descent algorithms", 2015). Each start is what one axis does alone, all others
keeping everything whole. Of several programs then the best mixture is sought, operation by operation.

Complexity: starts x `MOST_ROUNDS` x axes joint problems of the size of one axis.

Example: axes a and b, costs 10 (neither), 7 (a cuts rows), 8 (b cuts rows), 5 (a cuts rows, b columns). From "a alone"
b's turn finds 5 at once; a's next turn finds nothing better, which ends it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p2smt.errors import ProblemError
from p2smt.spmd.engines.folding import ProblemFold
from p2smt.spmd.engines.problem import Best, Impossible
from p2smt.spmd.engines.solving import JointSolver
from p2smt.spmd.model.build import Sharding, build
from p2smt.spmd.model.chosen import ReadableAssignment, chosen
from p2smt.spmd.model.layouts import WHOLE
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import Rules
from p2smt.spmd.model.restriction import FixedAxes, MixedPrograms, Restriction
from p2smt.spmd.search.mesh.relaxation import AxisProblem
from p2smt.spmd.search.mesh.updates import choices_of_updates
from p2smt.tensor.judgement import Layouts

MOST_ROUNDS = 3
"""The most rounds of coordinate descent from one start."""

_WORTHWHILE = 0.999
"""The ratio of the cost after a round to that before it above which the round is the last."""

_NEAR = 1.005
"""After one round, programs above this factor of the least known cost are not improved further."""


@dataclass(frozen=True, slots=True)
class Turn:
    """An assignment, its cost operation by operation, and its meaning in terms of the program."""

    sharding: Sharding
    assignment: tuple[int, ...]
    cost: int
    chosen: ReadableAssignment

    @property
    def stored(self) -> dict[int, Layouts]:
        """The layouts of sources, by their numbers."""
        return _stored(self.sharding, self.chosen)


@dataclass(frozen=True, slots=True)
class StartProgram:
    """A program to begin from: by operation (the number of its result) its rules, by source its layout.

    `order` are the axes in the order in which they have their turn.
    """

    rules: dict[int, Rules]
    stored: dict[int, Layouts]
    order: tuple[int, ...]


def start_alone(axis: int, one: AxisProblem, known: OptionCache) -> StartProgram | None:
    """The program of an axis alone, while the others keep everything whole; None where it can do nothing.

    The others have their turn first.
    """
    answer = one.eliminated.answer
    if not isinstance(answer, Best):
        return None
    made = chosen(one.sharding, answer.assignment)
    axes = range(len(known.pricing.mesh.sizes))
    nodes = {node.result: node for node in known.pricing.graph.nodes}
    tensors = known.pricing.graph.tensors
    rules = {}
    for result, (mine,) in made.rules.items():
        whole = known.forms.whole_rule(nodes[result])
        rules[result] = tuple([mine if each == axis else whole for each in axes])
    stored = {
        number: tuple([layout if each == axis else WHOLE for each in axes])
        for number, (layout,) in made.produced.items()
        if tensors[number].source is not None
    }
    return StartProgram(rules, stored, (*[each for each in axes if each != axis], axis))


def _stored(sharding: Sharding, picked: ReadableAssignment) -> dict[int, Layouts]:
    tensors = sharding.pricing.graph.tensors
    return {number: each for number, each in picked.produced.items() if tensors[number].source is not None}


class Folder:
    """Searches the joint problems of one program on one mesh, whose choices and links are the same."""

    def __init__(self, solver: JointSolver | None = None) -> None:
        self._solver = solver or JointSolver()
        self._folding: ProblemFold | None = None

    def cheapest(self, sharding: Sharding) -> Best | Impossible:
        """The cheapest assignment, found with what belongs to an optimizer folded."""
        if self._folding is None:
            self._folding = ProblemFold(sharding.problem, choices_of_updates(sharding), self._solver)
        return self._folding.cheapest(sharding.problem)


class Turns:
    """Searches of one program on one mesh within a restriction."""

    def __init__(self, known: OptionCache, restriction: Restriction, folder: Folder) -> None:
        """`folder` is of the same program on the same mesh."""
        self._known = known
        self._restriction = restriction
        self._folder = folder

    def after(self, start: StartProgram, most: int | None = None, *, least: int | None = None) -> list[Turn]:
        """Programs that get better, in at most so many turns.

        `least` is what the cheapest known otherwise costs, here or on another mesh.
        """
        axes = len(start.order)
        turns: list[Turn] = []
        costs: list[int] = []
        rules, stored = start.rules, start.stored
        while len(turns) < (MOST_ROUNDS * axes if most is None else most):
            free = start.order[len(turns) % axes]
            turn = self.given(free, rules, stored)
            if turn is None:
                break
            turns.append(turn)
            costs.append(turn.cost)
            # a whole round ago the same axis was free: what has not become cheaper since will not
            if len(costs) > axes and costs[-1] >= costs[-axes] * _WORTHWHILE:
                break
            if len(costs) >= axes and least is not None and min(costs) > least * _NEAR:
                break
            rules, stored = turn.chosen.rules, turn.stored
        return turns

    def given(self, free: int, rules: dict[int, Rules], stored: dict[int, Layouts]) -> Turn | None:
        """The cheapest program that does as this one on all axes but one; None where there is none."""
        return self._searched(FixedAxes(free, rules, stored, self._restriction))

    def mixed(self, programs: Sequence[Mapping[int, Rules]]) -> Turn | None:
        """The cheapest whose every operation does as in one of the programs; None where there is none."""
        return self._searched(MixedPrograms(tuple(programs), self._restriction))

    def _searched(self, restriction: Restriction) -> Turn | None:
        try:
            sharding = build(self._known, restriction, narrow=True)
        except ProblemError:
            return None
        answer = self._folder.cheapest(sharding)
        if not isinstance(answer, Best):
            return None
        return Turn(sharding, answer.assignment, answer.cost, chosen(sharding, answer.assignment))
