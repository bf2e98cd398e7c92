"""Build the joint problem of a program, a mesh and sharding ratios.

Choices: for every operation its rules, one per mesh axis; for every tensor the layout that it is produced in, with the
set of layouts that it is converted to. A layout has one entry per axis; axes are chosen together, because the bytes
sent along one axis depend on the sharding along the others. The goal is a loop invariant: the new version of a
parameter or state has the layout in which the old one is stored. A scalar output is Replicated or Partial, other
outputs are Replicated or Sliced. Data, tensor, sequence and expert parallelism and sharded states and parameters (ZeRO)
are results of the search, not special cases.

    minimise  sum over operations of time[rule] + sum over tensors of conversions[produced, available]
    with  rule(operation) makes produced(result)  and needs layouts in available(operand),   for all its operands.

Size: one choice for each operation and each tensor, and a link for each operand and result.
Reference: Zheng et al., "Alpa: automating inter- and intra-operator parallelism for distributed deep learning", 2022,
section 4, which has a similar integer program.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from p2smt.errors import ProblemError
from p2smt.spmd.engines.engine import HapRestriction
from p2smt.spmd.engines.problem import Choice, Compatibility, JointProblem
from p2smt.spmd.model.availability import ConversionGraph
from p2smt.spmd.model.forms import Form
from p2smt.spmd.model.graph import Node
from p2smt.spmd.model.options import OptionCache, Options
from p2smt.spmd.model.pricing import Pricing
from p2smt.spmd.model.published import linear, most_collectives
from p2smt.spmd.model.restriction import FREEDOM, NoSums, Restriction
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Partial


@dataclass(frozen=True, slots=True)
class TensorChoice:
    """The choice of a tensor's layouts: an option is (layout produced, set of layouts needed).

    Layouts are numbered, and sets are bit masks. `reach` has the prices of all conversions between them.
    """

    tensor: int
    layouts: tuple[Layouts, ...]
    reach: ConversionGraph
    options: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class NodeChoice:
    """The choice of an operation's sharding rules: option i is rule i of its form."""

    node: Node
    form: Form


@dataclass(frozen=True, slots=True)
class Sharding:
    """A joint problem and the meaning of its choices; `choice_of` maps tensor numbers to choices."""

    pricing: Pricing
    problem: JointProblem
    meanings: tuple[NodeChoice | TensorChoice, ...]
    choice_of: Mapping[int, int]
    goals: Mapping[int, tuple[Layouts, ...]]


def build(
    known: OptionCache,
    restriction: Restriction = FREEDOM,
    published: frozenset[HapRestriction] = frozenset(),
    *,
    narrow: bool = False,
    separate: bool = False,
    timed: bool = True,
) -> Sharding:
    """Return the joint problem of sharding. Raises ProblemError if a restriction excludes all options of a choice.

    `known` caches what problems of the same program, mesh and ratios share. With `narrow`, conversions pass only
    through layouts that are produced or needed on some axis, and replicated ones; otherwise through all shardings.
    With `separate`, a tensor costs what its most expensive needed layout costs by itself: a lower bound with few
    options, for when there are too many sets of layouts on several axes. Without `timed`, computation costs nothing,
    because bounds charge for it in another way.
    """
    if HapRestriction.NO_LINEAR_SUMS in published:
        restriction = NoSums(restriction, linear(known.pricing.graph))
    if known.pricing.graph.settled:
        restriction = NoSums(restriction, known.pricing.graph.settled)
    return _Builder(known, restriction, published, narrow=narrow, separate=separate, timed=timed).run()


class _Builder:
    def __init__(
        self,
        known: OptionCache,
        restriction: Restriction,
        published: frozenset[HapRestriction],
        *,
        narrow: bool,
        separate: bool,
        timed: bool,
    ) -> None:
        self._known = known
        self._graph = known.pricing.graph
        self._restriction = restriction
        self._published = published
        self._narrow = narrow
        self._separate = separate
        self._timed = timed
        updates = {version.result for version in self._graph.versions}
        self._nodes = [node for node in self._graph.nodes if node.result not in updates]
        self._form_of: dict[tuple[object, ...], Form] = {}
        self._forms = [self._form(node) for node in self._nodes]
        self._produced: dict[int, int] = {}
        self._needed: dict[int, list[int]] = {}
        self._goals: dict[int, tuple[Layouts, ...]] = {}
        self._choices: list[Choice] = []
        self._meanings: list[NodeChoice | TensorChoice] = []
        self._links: list[Compatibility] = []
        self._choice_of: dict[int, int] = {}
        self._options_of: dict[int, Options] = {}

    def run(self) -> Sharding:
        self._collect()
        for tensor in sorted(self._needed.keys() | {version.state for version in self._graph.versions}):
            self._tensor(tensor)
        for node, form in zip(self._nodes, self._forms, strict=True):
            self._node(node, form)
        self._invariants()
        problem = JointProblem(tuple(self._choices), tuple(self._links))
        return Sharding(self._known.pricing, problem, tuple(self._meanings), self._choice_of, self._goals)

    def _form(self, node: Node) -> Form:
        key = (self._known.forms.kind(node), self._restriction.alike(node))
        if key not in self._form_of:
            self._form_of[key] = self._known.forms.form(node, self._restriction)
        form = self._form_of[key]
        if not form.rules:
            name = self._graph.tensors[node.result].name or node.operation
            raise ProblemError(f"{name}: the conditions leave no layout for {node.operation}; drop one of them")
        return form

    def _collect(self) -> None:
        """Number the layouts in which every tensor is produced and needed."""
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
            self._goals[output] = self._restriction.outputs(output, self._known.layouts(output, *more))
            self._need(output, self._known.number(self._goals[output]))

    def _need(self, tensor: int, layouts: int) -> None:
        self._needed.setdefault(tensor, []).append(layouts)

    def _stored(self, tensor: int) -> int:
        layouts = self._restriction.stored(tensor, self._known.layouts(tensor))
        if not layouts:
            raise ProblemError(
                f"{self._graph.tensors[tensor].name} cannot be stored as the conditions require; drop one of them"
            )
        return self._known.number(layouts)

    def _tensor(self, tensor: int) -> None:
        goals = self._known.number(self._goals[tensor]) if tensor in self._goals else None
        is_source = self._graph.tensors[tensor].source is not None
        needed = self._needed.get(tensor, ())
        is_unsent = tensor in self._graph.unsent
        most = 0 if is_unsent else most_collectives(self._published, is_source=is_source)
        made = self._known.options(
            tensor, self._produced[tensor], needed, goals, narrow=self._narrow, separate=self._separate, most=most
        )
        self._options_of[tensor] = made
        meaning = TensorChoice(tensor, made.layouts, made.reach, made.options)
        self._choice_of[tensor] = self._add(self._name(tensor), made.costs, meaning)

    def _name(self, tensor: int) -> str:
        return self._graph.tensors[tensor].name or f"value {tensor}"

    def _add(self, name: str, costs: tuple[int, ...], meaning: NodeChoice | TensorChoice) -> int:
        self._choices.append(Choice(name, costs))
        self._meanings.append(meaning)
        return len(self._choices) - 1

    def _node(self, node: Node, form: Form) -> None:
        name = f"{node.operation} of {self._name(node.result)}"
        costs = self._known.times(node, form) if self._timed else (0,) * len(form.rules)
        choice = self._add(name, costs, NodeChoice(node, form))
        if node.result in self._choice_of:
            self._join(choice, node.result, self._known.producing(self._options_of[node.result], form))
        for tensor, operands in self._known.reads(node):
            self._join(choice, tensor, self._known.reading(self._options_of[tensor], form, operands))

    def _join(self, choice: int, tensor: int, allowed: tuple[int, ...]) -> None:
        self._links.append(Compatibility(choice, self._choice_of[tensor], allowed))

    def _invariants(self) -> None:
        """Link each new version to its state, so that it has the layout in which the state is stored."""
        for version in self._graph.versions:
            if version.new == version.state:
                continue
            for tensor, made in ((version.new, False), (version.result, True)):
                if tensor in self._choice_of:
                    state, other = self._options_of[version.state], self._options_of[tensor]
                    allowed = self._known.following(state, other, made=made)
                    self._join(self._choice_of[version.state], tensor, allowed)
