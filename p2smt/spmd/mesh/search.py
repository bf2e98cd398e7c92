"""The cheapest program on a mesh of two axes: exactly where it is small, else axis by axis, beside a lower bound.

Axis by axis: given what one axis does, the best that the other can do is a search of the size of one axis, exact too.
In turn that goes on until neither finds anything better; it begins from what each axis would do alone (`relaxation.py`)
and from other programs that are known. Of all that were found then the best mixture is sought, operation by operation.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from p2smt.errors import EngineError, ProblemError
from p2smt.spmd.brute import brute
from p2smt.spmd.certificate_check import check_certificate
from p2smt.spmd.chosen import chosen as chosen_alone
from p2smt.spmd.elimination import eliminate
from p2smt.spmd.engine import Engine
from p2smt.spmd.forms import Forms
from p2smt.spmd.ilp import solve
from p2smt.spmd.instructions import Account, account
from p2smt.spmd.memory import beyond
from p2smt.spmd.mesh.bound import relaxed
from p2smt.spmd.mesh.build import MeshSharding, build
from p2smt.spmd.mesh.chosen import ChosenPairs, chosen
from p2smt.spmd.mesh.emission import emit
from p2smt.spmd.mesh.memory import fitted_on
from p2smt.spmd.mesh.options import PairOptions
from p2smt.spmd.mesh.relaxation import PARTS, Alone, alone, divided
from p2smt.spmd.mesh.restriction import Fixed, MeshRestriction, Mixed, PerAxis
from p2smt.spmd.problem import Best, JointProblem
from p2smt.spmd.restriction import FREEDOM, Restriction
from p2smt.tensor.layout import Layout
from p2smt.tensor.program import Program
from p2smt.tensor.rule import Rule

MOST_TURNS = 6
"""So often one axis is searched given the other, from one start."""

_WORTHWHILE = 0.999
"""Of the cost: a turn that gains less is the last."""

MOST_PAIRS = 5_000
"""Up to so many pairs of pairs of layouts, summed over tensors, all choices of both axes are searched at once."""


@dataclass(frozen=True, slots=True)
class Made:
    """A program and what it takes; `cost` adds up operation by operation."""

    sharding: MeshSharding
    assignment: tuple[int, ...]
    cost: int
    program: Program
    account: Account

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


@dataclass(frozen=True, slots=True)
class Searched:
    """The fastest, and a proved bound on all in picoseconds; `exact`: all choices were searched at once."""

    fastest: Made
    bound: int
    exact: bool


class MeshSearch:
    """Searches of one program on one mesh."""

    def __init__(
        self,
        known: PairOptions,
        engine: Engine = Engine.ELIMINATION,
        *,
        certify: bool = False,
        one_axis: Restriction = FREEDOM,
    ) -> None:
        """`one_axis`: what an axis alone may choose from, which has all that either can on the mesh."""
        self._known = known
        self._pricing = known.pricing
        self._graph = known.pricing.graph
        self._engine = engine
        self._certify = certify
        self._one_axis = one_axis
        self._forms = Forms(self._graph, self._pricing.classes)
        self._alone: dict[int, Alone] = {}
        self._bound: int | None = None

    @property
    def is_small(self) -> bool:
        """Whether all choices of both axes are searched at once."""
        tensors = range(len(self._graph.tensors))
        return sum(len(self._known.pairs(tensor)) ** 2 for tensor in tensors) <= MOST_PAIRS

    def search(self, restriction: MeshRestriction, known: Sequence[Made] = ()) -> Searched:
        """The fastest within a restriction; `known` are programs within it. ProblemError where there is none."""
        if self._engine is not Engine.ELIMINATION or self.is_small:
            sharding = build(self._known, restriction)
            made = self.made(sharding, sharding.problem)
            return Searched(min((made, *known), key=_time), self._exact_bound(sharding, made), True)
        found = list(known)
        for start in (*self._starts(), *(_start(each, axis) for each in known for axis in range(2))):
            found += self._in_turn(start, restriction)
        if not found:
            raise ProblemError("no program was found that keeps all conditions; drop one of them")
        mixed = self._mixed(restriction, sorted(found, key=_cost))
        return Searched(min((*found, *mixed), key=_time), self.bound(), False)

    def fitting(self, restriction: MeshRestriction, fastest: Made) -> Made:
        """A program that fits into every device's memory, if one is found, else the fastest, which does not.

        Unless all choices are searched at once, one axis computes as the fastest does, and all is stored as need be.
        ProblemError where what is stored is too much for a device alone.
        """
        if not lacks(fastest):
            return fastest
        if self.is_small:
            shardings = [fastest.sharding]
        else:
            fixed = [Fixed(axis, _start(fastest, axis).rules, {}, restriction) for axis in range(2)]
            shardings = [build(self._known, each, narrow=True) for each in fixed]
        found = []
        for sharding in shardings:
            fits = fitted_on(sharding)
            if fits is not None:
                cost = sharding.problem.cost(fits.assignment)
                found.append(Made(sharding, fits.assignment, cost, fits.program, fits.account))
        return min(found, key=_time, default=fastest)

    def within(self, restriction: PerAxis) -> Made | None:
        """A fast program within restrictions of each axis, for comparison; None where there is none.

        Unless it is small: what the first axis does alone, and the best that the other can do then.
        """
        try:
            if self.is_small:
                sharding = build(self._known, restriction)
                return self.made(sharding, sharding.problem)
            one = alone(divided(self._pricing, 0, self._forms, restriction.axes[0]), Fraction(1))
        except ProblemError:
            return None
        answer = one.eliminated.answer
        found = self._in_turn(_start_of(0, one, answer.assignment), restriction, 1) if isinstance(answer, Best) else []
        return min(found, key=_time, default=None)

    def made(self, sharding: MeshSharding, problem: JointProblem) -> Made:
        """The program of the cheapest assignment of a problem. ProblemError where there is none."""
        best = self._solved(problem)
        program = emit(sharding, best.assignment)
        mesh = self._pricing.mesh
        taken = account(program, mesh.cluster, mesh.networks)
        return Made(sharding, best.assignment, sharding.problem.cost(best.assignment), program, taken)

    def bound(self) -> int:
        """A bound on every program: the sum of what each axis takes at least, however the computing is divided."""
        if self._bound is None:
            shardings = [divided(self._pricing, axis, self._forms, self._one_axis) for axis in range(2)]
            sums = []
            for part in PARTS:
                both = [alone(shardings[0], part), alone(shardings[1], 1 - part)]
                sums.append(sum(self._checked(each) for each in both))
                for axis, given in enumerate((part, 1 - part)):
                    if given == 1:
                        self._alone[axis] = both[axis]
            self._bound = max(sums)
        return self._bound

    def _checked(self, one: Alone) -> int:
        answer, certificate = one.eliminated.answer, one.eliminated.certificate
        if not isinstance(answer, Best):
            return 0
        if self._certify:
            assert certificate is not None
            _refuse(check_certificate(one.problem, certificate, answer.assignment))
        return answer.cost

    def _exact_bound(self, sharding: MeshSharding, made: Made) -> int:
        """With the mean of the devices' computing in place of the longest, as on one axis (`bound.py`)."""
        problem = relaxed(sharding)
        lost = sum(
            max(one - other for one, other in zip(before.costs, after.costs, strict=True))
            for before, after in zip(sharding.problem.choices, problem.choices, strict=True)
        )
        if lost <= len(problem.choices):
            return made.cost - lost
        return self._solved(problem).cost

    def _solved(self, problem: JointProblem) -> Best:
        certificate = None
        match self._engine:
            case Engine.ELIMINATION:
                eliminated = eliminate(problem)
                answer, certificate = eliminated.answer, eliminated.certificate
            case Engine.ILP:
                answer = solve(problem).answer
            case Engine.BRUTE:
                answer = brute(problem)
            case Engine.ASTAR:
                raise EngineError("engine astar searches one axis; take the engine elimination with --mesh")
        if not isinstance(answer, Best):
            raise ProblemError("no program keeps all conditions; drop one of them")
        if self._certify:
            if certificate is None:
                raise EngineError(f"engine {self._engine} gives no certificate; take the engine {Engine.ELIMINATION}")
            _refuse(check_certificate(problem, certificate, answer.assignment))
        return answer

    def _starts(self) -> list[Start]:
        """What each axis would do alone."""
        self.bound()
        found = []
        for axis, one in sorted(self._alone.items()):
            answer = one.eliminated.answer
            if isinstance(answer, Best):
                found.append(_start_of(axis, one, answer.assignment))
        return found

    def _in_turn(self, start: Start, restriction: MeshRestriction, most: int = MOST_TURNS) -> list[Made]:
        """Programs that get better: the other axis given the first, and so on until neither helps any more."""
        found: list[Made] = []
        axis, rules, stored = start.axis, start.rules, start.stored
        while len(found) < most:
            try:
                sharding = build(self._known, Fixed(axis, rules, stored, restriction), narrow=True)
                made = self.made(sharding, sharding.problem)
            except ProblemError:
                return found
            found.append(made)
            if len(found) > 2 and made.cost >= found[-2].cost * _WORTHWHILE:
                return found
            axis = 1 - axis
            began = _start(made, axis)
            rules, stored = began.rules, began.stored
        return found

    def _mixed(self, restriction: MeshRestriction, found: Sequence[Made]) -> list[Made]:
        """The cheapest program whose every operation does as one of those that were found does."""
        if len(found) < 2:
            return []
        mixed = Mixed(tuple(each.chosen.rules for each in found), restriction)
        sharding = build(self._known, mixed, narrow=True)
        return [self.made(sharding, sharding.problem)]


def _start_of(axis: int, one: Alone, assignment: Sequence[int]) -> Start:
    made = chosen_alone(one.sharding, assignment)
    tensors = one.sharding.pricing.graph.tensors
    stored = {number: layout for number, layout in made.produced.items() if tensors[number].source is not None}
    return Start(axis, made.rules, stored)


def _start(made: Made, axis: int) -> Start:
    """What a program does on one axis."""
    tensors, picked = made.sharding.pricing.graph.tensors, made.chosen
    stored = {number: pair[axis] for number, pair in picked.produced.items() if tensors[number].source is not None}
    return Start(axis, {number: rules[axis] for number, rules in picked.rules.items()}, stored)


def _refuse(fault: str | None) -> None:
    if fault is not None:
        raise EngineError(f"the certificate of the optimum is not accepted by its checker: {fault}; nothing is proved")


def lacks(made: Made) -> bool:
    """Whether a device has less memory than the program needs at its peak."""
    return any(beyond(made.sharding.pricing.mesh.cluster.devices, made.account.memory))


def _cost(made: Made) -> int:
    return made.cost


def _time(made: Made) -> int:
    return made.account.time
