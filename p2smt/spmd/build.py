"""From a program, a cluster and shares to the joint problem.

Choices: for every operation its rule; for every tensor the layout that it is produced in, and the set of layouts that
it is converted to. The goal is a loop invariant: the new version of a parameter or state is there in the layout in
which the old one is stored; a scalar output is Replicated or a summand, others are whole or cut. From it follow data,
tensor, sequence and expert parallelism, and sliced states and parameters (ZeRO), none of which is a case of its own.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from p2smt.errors import ProblemError
from p2smt.spmd.availability import FewWays, Prices, Ways, ways
from p2smt.spmd.engine import Published
from p2smt.spmd.forms import Form, Forms
from p2smt.spmd.graph import Node
from p2smt.spmd.known import Known, Options
from p2smt.spmd.layouts import WHOLE, cuts, ordered
from p2smt.spmd.pricing import Pricing
from p2smt.spmd.problem import Choice, JointProblem, Link
from p2smt.spmd.published import NoLinearSums, linear, most_collectives
from p2smt.spmd.restriction import FREEDOM, Restriction
from p2smt.tensor.layout import Layout, Partial


@dataclass(frozen=True, slots=True)
class TensorChoice:
    """What can be chosen for a tensor: options are the layout that it is produced in, and the set that it is needed in.

    Layouts are numbered; sets are bit masks. `prices` are of all conversions between them, of which at most `most` may
    cost something (None: any number).
    """

    tensor: int
    layouts: tuple[Layout, ...]
    prices: Prices
    options: tuple[tuple[int, int], ...]
    most: int | None = None

    def ways(self, root: int) -> Ways | FewWays:
        """How other layouts are made of that in which the tensor is produced."""
        return ways(self.prices, root, self.most)


@dataclass(frozen=True, slots=True)
class NodeChoice:
    """What can be chosen for an operation: the rules of its form."""

    node: Node
    form: Form


@dataclass(frozen=True, slots=True)
class Sharding:
    """A joint problem, and what its choices mean. `choice_of` has the choices of tensors by their numbers."""

    pricing: Pricing
    problem: JointProblem
    meanings: tuple[NodeChoice | TensorChoice, ...]
    choice_of: Mapping[int, int]
    goals: Mapping[int, tuple[Layout, ...]]


def build(
    pricing: Pricing,
    restriction: Restriction = FREEDOM,
    forms: Forms | None = None,
    published: frozenset[Published] = frozenset(),
    known: Known | None = None,
) -> Sharding:
    """The joint problem of sharding. ProblemError where a restriction leaves an operation or tensor nothing.

    `forms`, if given, are of the same graph: with other shares and restrictions most of them were found already.
    `known` is what was worked out before with the same forms and pricing.
    """
    if Published.NO_LINEAR_SUMS in published:
        restriction = NoLinearSums(restriction, linear(pricing.graph))
    return _Builder(
        pricing, restriction, forms or Forms(pricing.graph, pricing.classes), published, known or Known()
    ).run()


class _Builder:
    def __init__(
        self, pricing: Pricing, restriction: Restriction, forms: Forms, published: frozenset[Published], known: Known
    ) -> None:
        self._pricing = pricing
        self._published = published
        self._graph = pricing.graph
        self._restriction = restriction
        self._updates = {version.result for version in self._graph.versions}
        self._nodes = [node for node in self._graph.nodes if node.result not in self._updates]
        self._form_of: dict[tuple[object, ...], Form] = {}
        self._forms = [self._form(node, forms) for node in self._nodes]
        self._produced: dict[int, tuple[Layout, ...]] = {}
        self._needed: dict[int, dict[tuple[Layout, ...], None]] = {}
        self._goals: dict[int, tuple[Layout, ...]] = {}
        self._choices: list[Choice] = []
        self._meanings: list[NodeChoice | TensorChoice] = []
        self._links: list[Link] = []
        self._choice_of: dict[int, int] = {}
        self._options_of: dict[int, Options] = {}
        self._worked_out = known

    def run(self) -> Sharding:
        self._collect()
        for tensor in sorted(self._needed.keys() | {version.state for version in self._graph.versions}):
            self._tensor(tensor)
        for node, form in zip(self._nodes, self._forms, strict=True):
            self._node(node, form)
        self._invariants()
        problem = JointProblem(tuple(self._choices), tuple(self._links))
        return Sharding(self._pricing, problem, tuple(self._meanings), self._choice_of, self._goals)

    def _form(self, node: Node, forms: Forms) -> Form:
        key = (forms.kind(node), self._restriction.alike(node))
        if key not in self._form_of:
            self._form_of[key] = forms.form(node, self._restriction)
        form = self._form_of[key]
        if not form.rules:
            name = self._graph.tensors[node.result].name or node.operation
            raise ProblemError(f"{name}: the conditions leave {node.operation} no layout; drop one of them")
        return form

    def _collect(self) -> None:
        """Which layouts every tensor is produced and needed in."""
        for number, tensor in enumerate(self._graph.tensors):
            if tensor.source is not None:
                self._produced[number] = self._stored(number)
        for node, form in zip(self._nodes, self._forms, strict=True):
            self._produced[node.result] = form.made
            for operand, needed in zip(node.operands, form.needed, strict=True):
                if isinstance(operand, int):
                    self._needed.setdefault(operand, {})[needed] = None
        for version in self._graph.versions:
            self._produced[version.result] = self._produced[version.state]
            self._needed.setdefault(version.new, {})[self._produced[version.state]] = None
        for output in self._graph.outputs:
            goals = self._restriction.outputs(output, self._goal(output))
            self._goals[output] = goals
            self._needed.setdefault(output, {})[goals] = None

    def _stored(self, tensor: int) -> tuple[Layout, ...]:
        layouts = self._restriction.stored(tensor, (WHOLE, *cuts(self._graph, tensor, self._pricing.classes)))
        if not layouts:
            raise ProblemError(f"{self._graph.tensors[tensor].name} cannot be stored as the conditions say")
        return layouts

    def _goal(self, tensor: int) -> tuple[Layout, ...]:
        if not self._graph.tensors[tensor].shape:
            return (WHOLE, Partial())
        return (WHOLE, *cuts(self._graph, tensor, self._pricing.classes))

    def _tensor(self, tensor: int) -> None:
        """Tensors that are cut, produced and needed alike have one set of options, worked out once.

        Sources that can be cut as well as whole are cut: the first of equally cheap options is chosen.
        """
        mine, goals = self._graph.tensors[tensor], self._goals.get(tensor)
        produced, needed = self._produced[tensor], tuple(self._needed.get(tensor, ()))
        is_given = mine.source is not None
        summed = self._pricing.summed_inside(tensor)
        key = (mine.bytes, self._pricing.cut(tensor), produced, needed, goals, is_given, summed, self._published)
        if key not in self._worked_out.options:
            both = ordered(produced), ordered([layout for layouts in needed for layout in layouts])
            alike = (*key[:2], *both, goals, is_given, summed, self._published)
            if alike not in self._worked_out.options:
                self._worked_out.options[alike] = self._made(len(self._worked_out.options), tensor, *both)
            self._worked_out.options[key] = self._worked_out.options[alike]
        made = self._worked_out.options[key]
        self._options_of[tensor] = made
        meaning = TensorChoice(tensor, made.layouts, made.prices, made.options, made.most)
        self._choice_of[tensor] = self._add(self._name(tensor), made.costs, meaning)

    def _made(self, number: int, tensor: int, produced: tuple[Layout, ...], needed: tuple[Layout, ...]) -> Options:
        mine, goals = self._graph.tensors[tensor], self._goals.get(tensor)
        most = most_collectives(self._published, is_source=mine.source is not None)
        layouts = ordered([WHOLE, *cuts(self._graph, tensor, self._pricing.classes), *produced, *needed])
        prices = tuple(tuple(self._price(tensor, before, after) for after in layouts) for before in layouts)
        numbers = {layout: number for number, layout in enumerate(layouts)}
        roots = sorted([numbers[layout] for layout in produced], reverse=mine.source is not None)
        needs = [numbers[layout] for layout in needed]
        options = [
            (root, mask, cost)
            for root in roots
            for mask, cost in self._worked_out.ways(prices, root, most).options(needs)
        ]
        if goals is not None:
            wanted = sum(1 << numbers[layout] for layout in goals)
            options = [each for each in options if each[1] & wanted]
        inside = {root: self._pricing.inside(tensor, layouts[root]) for root in roots}
        costs = tuple(cost + inside[root] for root, _, cost in options)
        return Options(number, layouts, prices, tuple((root, mask) for root, mask, _ in options), costs, most)

    def _price(self, tensor: int, before: Layout, after: Layout) -> int | None:
        price = self._pricing.conversion(tensor, before, after)
        return None if price is None else price.time

    def _name(self, tensor: int) -> str:
        return self._graph.tensors[tensor].name or f"value {tensor}"

    def _add(self, name: str, costs: tuple[int, ...], meaning: NodeChoice | TensorChoice) -> int:
        self._choices.append(Choice(name, costs))
        self._meanings.append(meaning)
        return len(self._choices) - 1

    def _node(self, node: Node, form: Form) -> None:
        pricing = self._pricing
        cut = [pricing.cut(each) for each in (*node.operands, node.result) if isinstance(each, int)]
        key = (node.kind, form.number, *cut)
        if key not in self._worked_out.times:
            self._worked_out.times[key] = tuple(pricing.slowest(node, rule) for rule in form.rules)
        meaning = NodeChoice(node, form)
        choice = self._add(f"{node.operation} of {self._name(node.result)}", self._worked_out.times[key], meaning)
        if node.result in self._choice_of:
            self._link(node.result, choice, form, None)
        for tensor in node.reads:
            self._link(tensor, choice, form, tuple([each == tensor for each in node.operands]))

    def _link(self, tensor: int, choice: int, form: Form, operands: tuple[bool, ...] | None) -> None:
        """Options of an operation go with those of a tensor that is produced in, or has, the layouts they speak of.

        `operands` says which of the operation's operands the tensor is; None: it is the result.
        """
        options = self._options_of[tensor]
        key = (form.number, options.number, operands)
        if key not in self._worked_out.allowed:
            if operands is None:
                self._worked_out.allowed[key] = _producing(options, form)
            else:
                self._worked_out.allowed[key] = _reading(options, form, operands)
        self._links.append(Link(choice, self._choice_of[tensor], self._worked_out.allowed[key]))

    def _invariants(self) -> None:
        """New versions are made in the layout that the state is stored in."""
        for version in self._graph.versions:
            if version.new == version.state:
                continue
            self._follow(version.state, version.new, made=False)
            if version.result in self._choice_of:
                self._follow(version.state, version.result, made=True)

    def _follow(self, state: int, other: int, *, made: bool) -> None:
        """Another tensor is there (or, if it is `made` by the update, produced) in the layout of the state."""
        mine, options = self._options_of[state], self._options_of[other]
        key = (mine.number, options.number, made)
        if key not in self._worked_out.allowed:
            stored = [options.layouts.index(mine.layouts[root]) for root, _ in mine.options]
            self._worked_out.allowed[key] = tuple(
                _mask([root == layout if made else bool((mask >> layout) & 1) for root, mask in options.options])
                for layout in stored
            )
        self._links.append(Link(self._choice_of[state], self._choice_of[other], self._worked_out.allowed[key]))


def _producing(options: Options, form: Form) -> tuple[int, ...]:
    """For each rule the options in which the tensor is produced as the rule makes it."""
    return tuple(_mask([options.layouts[root] == made for root, _ in options.options]) for made in form.made)


def _reading(options: Options, form: Form, operands: tuple[bool, ...]) -> tuple[int, ...]:
    """For each rule the options that have all layouts that the rule needs of the tensor."""
    allowed = []
    for rule in range(len(form.rules)):
        wanted = {needed[rule] for needed, mine in zip(form.needed, operands, strict=True) if mine}
        mask = sum(1 << number for number, layout in enumerate(options.layouts) if layout in wanted)
        allowed.append(_mask([not mask & ~there for _, there in options.options]))
    return tuple(allowed)


def _mask(bits: list[bool]) -> int:
    return sum(1 << number for number, bit in enumerate(bits) if bit)
