"""From a program and a mesh to the joint problem: as `spmd/build.py` makes it, with a pair of layouts for each one.

A choice for every operation (a rule for each axis), and one for every tensor (the pair that it is produced in, and the
set of pairs that it is converted to). Axes are chosen together: bytes that one sends depend on what the other cuts.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from p2smt.errors import ProblemError
from p2smt.spmd.graph import Node
from p2smt.spmd.mesh.forms import MeshForm
from p2smt.spmd.mesh.mesh import Pair
from p2smt.spmd.mesh.options import Options, PairOptions
from p2smt.spmd.mesh.pricing import MeshPricing
from p2smt.spmd.mesh.restriction import ANYTHING, MeshRestriction
from p2smt.spmd.mesh.ways import Reach
from p2smt.spmd.problem import Choice, JointProblem, Link
from p2smt.tensor.layout import Partial


@dataclass(frozen=True, slots=True)
class TensorPairs:
    """What can be chosen for a tensor: options are the pair that it is produced in, and the set that it is needed in.

    Pairs are numbered; sets are bit masks. `reach` has what all conversions between them take.
    """

    tensor: int
    layouts: tuple[Pair, ...]
    reach: Reach
    options: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class NodePairs:
    """What can be chosen for an operation: the pairs of rules of its form."""

    node: Node
    form: MeshForm


@dataclass(frozen=True, slots=True)
class MeshSharding:
    """A joint problem, and what its choices mean. `choice_of` has the choices of tensors by their numbers."""

    pricing: MeshPricing
    problem: JointProblem
    meanings: tuple[NodePairs | TensorPairs, ...]
    choice_of: Mapping[int, int]
    goals: Mapping[int, tuple[Pair, ...]]


def build(known: PairOptions, restriction: MeshRestriction = ANYTHING, *, narrow: bool = False) -> MeshSharding:
    """The joint problem. ProblemError where a restriction leaves an operation or tensor nothing.

    `known` has what problems of one program on one mesh have in common. `narrow`: tensors are converted through layouts
    that something makes or needs of them on an axis, and whole ones, alone. Without, through all cuts.
    """
    return _Building(known, restriction, narrow=narrow).run()


class _Building:
    def __init__(self, known: PairOptions, restriction: MeshRestriction, *, narrow: bool) -> None:
        self._known = known
        self._graph = known.pricing.graph
        self._restriction = restriction
        self._narrow = narrow
        updates = {version.result for version in self._graph.versions}
        self._nodes = [node for node in self._graph.nodes if node.result not in updates]
        self._form_of: dict[tuple[object, ...], MeshForm] = {}
        self._forms = [self._form(node) for node in self._nodes]
        self._produced: dict[int, int] = {}
        self._needed: dict[int, list[int]] = {}
        self._goals: dict[int, tuple[Pair, ...]] = {}
        self._choices: list[Choice] = []
        self._meanings: list[NodePairs | TensorPairs] = []
        self._links: list[Link] = []
        self._choice_of: dict[int, int] = {}
        self._options_of: dict[int, Options] = {}

    def run(self) -> MeshSharding:
        self._collect()
        for tensor in sorted(self._needed.keys() | {version.state for version in self._graph.versions}):
            self._tensor(tensor)
        for node, form in zip(self._nodes, self._forms, strict=True):
            self._node(node, form)
        self._invariants()
        problem = JointProblem(tuple(self._choices), tuple(self._links))
        return MeshSharding(self._known.pricing, problem, tuple(self._meanings), self._choice_of, self._goals)

    def _form(self, node: Node) -> MeshForm:
        key = (self._known.forms.kind(node), self._restriction.alike(node))
        if key not in self._form_of:
            self._form_of[key] = self._known.forms.form(node, self._restriction)
        form = self._form_of[key]
        if not form.rules:
            name = self._graph.tensors[node.result].name or node.operation
            raise ProblemError(f"{name}: the conditions leave {node.operation} no layout; drop one of them")
        return form

    def _collect(self) -> None:
        """Which pairs every tensor is produced and needed in, by their numbers."""
        for number, tensor in enumerate(self._graph.tensors):
            if tensor.source is not None:
                self._produced[number] = self._stored(number)
        for node, form in zip(self._nodes, self._forms, strict=True):
            self._produced[node.result] = self._known.made(form)
            for position, operand in enumerate(node.operands):
                if isinstance(operand, int):
                    self._need(operand, self._known.needed(form, position))
        for version in self._graph.versions:
            self._produced[version.result] = self._produced[version.state]
            self._need(version.new, self._produced[version.state])
        for output in self._graph.outputs:
            more = () if self._graph.tensors[output].shape else (Partial(),)
            self._goals[output] = self._restriction.outputs(output, self._known.pairs(output, *more))
            self._need(output, self._known.number(self._goals[output]))

    def _need(self, tensor: int, pairs: int) -> None:
        self._needed.setdefault(tensor, []).append(pairs)

    def _stored(self, tensor: int) -> int:
        pairs = self._restriction.stored(tensor, self._known.pairs(tensor))
        if not pairs:
            raise ProblemError(f"{self._graph.tensors[tensor].name} cannot be stored as the conditions say")
        return self._known.number(pairs)

    def _tensor(self, tensor: int) -> None:
        goals = self._known.number(self._goals[tensor]) if tensor in self._goals else None
        needed = self._needed.get(tensor, ())
        made = self._known.options(tensor, self._produced[tensor], needed, goals, narrow=self._narrow)
        self._options_of[tensor] = made
        meaning = TensorPairs(tensor, made.layouts, made.reach, made.options)
        self._choice_of[tensor] = self._add(self._name(tensor), made.costs, meaning)

    def _name(self, tensor: int) -> str:
        return self._graph.tensors[tensor].name or f"value {tensor}"

    def _add(self, name: str, costs: tuple[int, ...], meaning: NodePairs | TensorPairs) -> int:
        self._choices.append(Choice(name, costs))
        self._meanings.append(meaning)
        return len(self._choices) - 1

    def _node(self, node: Node, form: MeshForm) -> None:
        name = f"{node.operation} of {self._name(node.result)}"
        choice = self._add(name, self._known.times(node, form), NodePairs(node, form))
        if node.result in self._choice_of:
            self._join(choice, node.result, self._known.producing(self._options_of[node.result], form))
        for tensor, operands in self._known.reads(node):
            self._join(choice, tensor, self._known.reading(self._options_of[tensor], form, operands))

    def _join(self, choice: int, tensor: int, allowed: tuple[int, ...]) -> None:
        self._links.append(Link(choice, self._choice_of[tensor], allowed))

    def _invariants(self) -> None:
        """New versions are made in the layouts that the state is stored in."""
        for version in self._graph.versions:
            if version.new == version.state:
                continue
            for tensor, made in ((version.new, False), (version.result, True)):
                if tensor in self._choice_of:
                    state, other = self._options_of[version.state], self._options_of[tensor]
                    allowed = self._known.following(state, other, made=made)
                    self._join(self._choice_of[version.state], tensor, allowed)
