"""Coordinate descent over the axes of a mesh: optimise one axis exactly with the others fixed.

With x[a] the rules of axis a, and cost the price of a whole program,

    x[a] := argmin over x of cost(x, others fixed)   for one axis after the other, until a round gains too little.

The cost never rises, so the descent terminates, in a local minimum for each axis; nothing is proved about the global
one (Wright, "Coordinate descent algorithms", 2015). Each start is the optimum of one axis alone, with everything
replicated on the others. Of several programs, the best mixture is then found, operation by operation.
Complexity: starts x `MOST_ROUNDS` x axes joint problems of the size of one axis.

Example: axes a and b, costs 10 (neither), 7 (a shards rows), 8 (b shards rows), 5 (a shards rows, b columns). Starting
from a alone, optimising b gives 5 at once; optimising a again gains nothing, which ends the descent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p2smt.errors import ProblemError
from p2smt.spmd.engines.folding import ProblemFold
from p2smt.spmd.engines.problem import Best, Impossible
from p2smt.spmd.engines.solving import JointSolver
from p2smt.spmd.model.build import Sharding, build
from p2smt.spmd.model.chosen import ReadableAssignment, chosen
from p2smt.spmd.model.divisions import Rules
from p2smt.spmd.model.layouts import WHOLE
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.restriction import FixedAxes, MixedPrograms, Restriction
from p2smt.spmd.search.mesh.updates import choices_of_updates
from p2smt.tensor.judgement import Layouts

MOST_ROUNDS = 3
"""The most rounds of coordinate descent from one start."""

_WORTHWHILE = 0.999
"""The descent ends with the round whose cost is more than this fraction of the cost a round before."""

_NEAR = 1.005
"""After one round, programs above this factor of the least known cost are not improved further."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The result of optimising one axis: an assignment, its cost summed over operations, and its rules and layouts."""

    sharding: Sharding
    assignment: tuple[int, ...]
    cost: int
    chosen: ReadableAssignment

    @property
    def stored(self) -> dict[int, Layouts]:
        """Return the layouts of sources by tensor number."""
        return _stored(self.sharding, self.chosen)


@dataclass(frozen=True, slots=True)
class StartProgram:
    """A program to start from: rules by operation (the number of its result), and layouts by source.

    `order` lists the axes in the order in which they are optimised.
    """

    rules: dict[int, Rules]
    stored: dict[int, Layouts]
    order: tuple[int, ...]


def start_alone(axis: int, alone: Sharding, answer: Best | Impossible, known: OptionCache) -> StartProgram | None:
    """Return a program of one axis alone, with everything replicated on the others; None if it is infeasible.

    The other axes are optimised first.
    """
    if not isinstance(answer, Best):
        return None
    made = chosen(alone, answer.assignment)
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
    """Solves the joint problems of one program on one mesh, which have the same choices and linked pairs."""

    def __init__(self, solver: JointSolver | None = None) -> None:
        self._solver = solver or JointSolver()
        self._folding: ProblemFold | None = None

    def cheapest(self, sharding: Sharding) -> Best | Impossible:
        """Return the cheapest assignment, with the optimizer's choices folded."""
        if self._folding is None:
            self._folding = ProblemFold(sharding.problem, choices_of_updates(sharding), self._solver)
        return self._folding.cheapest(sharding.problem)


class Turns:
    """Searches of one program on one mesh within a restriction."""

    def __init__(self, known: OptionCache, restriction: Restriction, folder: Folder) -> None:
        """Take a `folder` for the same program and mesh."""
        self._known = known
        self._restriction = restriction
        self._folder = folder

    def after(self, start: StartProgram, most: int | None = None, *, least: int | None = None) -> list[Turn]:
        """Return successively better programs, after at most `most` single-axis searches.

        `least` is the cost of the cheapest program known otherwise, here or on another mesh; None if there is none.
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
        """Return the cheapest program with these rules on all axes but `free`; None if there is none."""
        return self._searched(FixedAxes(free, rules, stored, self._restriction))

    def mixed(self, programs: Sequence[Mapping[int, Rules]]) -> Turn | None:
        """Return the cheapest program whose operations each follow one of the programs; None if there is none."""
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
