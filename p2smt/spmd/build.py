"""From a program, a cluster and shares to the joint problem.

Choices: for every operation its rule; for every tensor the layout that it is produced in, and the set of layouts that
it is converted to. The goal is a loop invariant: the new version of a parameter or state is there in the layout in
which the old one is stored; a scalar output is Replicated or a summand, others are whole or cut. From it follow data,
tensor, sequence and expert parallelism, and sliced states and parameters (ZeRO), none of which is a case of its own.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from p2smt.errors import ProblemError
from p2smt.spmd.availability import Ways
from p2smt.spmd.graph import Node
from p2smt.spmd.layouts import WHOLE, cuts, layout_of, ordered, usable_rules
from p2smt.spmd.pricing import Pricing
from p2smt.spmd.problem import Choice, JointProblem, Link
from p2smt.spmd.restriction import FREEDOM, Restriction
from p2smt.tensor.layout import Layout, Partial
from p2smt.tensor.program import Number
from p2smt.tensor.rule import Rule


@dataclass(frozen=True, slots=True)
class TensorChoice:
    """What can be chosen for a tensor: options are the layout that it is produced in, and the set that it is needed in.

    Layouts are numbered; sets are bit masks. `prices` are of all conversions between them.
    """

    tensor: int
    layouts: tuple[Layout, ...]
    prices: tuple[tuple[int | None, ...], ...]
    options: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class NodeChoice:
    """What can be chosen for an operation: its rules."""

    node: Node
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Sharding:
    """A joint problem, and what its choices mean. `choice_of` has the choices of tensors by their numbers."""

    pricing: Pricing
    problem: JointProblem
    meanings: tuple[NodeChoice | TensorChoice, ...]
    choice_of: Mapping[int, int]
    goals: Mapping[int, tuple[Layout, ...]]


def build(pricing: Pricing, restriction: Restriction = FREEDOM) -> Sharding:
    """The joint problem of sharding. ProblemError where a restriction leaves an operation or tensor nothing."""
    return _Builder(pricing, restriction).run()


class _Builder:
    def __init__(self, pricing: Pricing, restriction: Restriction) -> None:
        self._pricing = pricing
        self._graph = pricing.graph
        self._restriction = restriction
        self._updates = {version.result: version for version in self._graph.versions}
        self._nodes = [node for node in self._graph.nodes if node.result not in self._updates]
        self._rules = [self._rules_of(node) for node in self._nodes]
        self._produced: dict[int, list[Layout]] = {}
        self._needed: dict[int, list[Layout]] = {}
        self._goals: dict[int, tuple[Layout, ...]] = {}
        self._choices: list[Choice] = []
        self._meanings: list[NodeChoice | TensorChoice] = []
        self._links: list[Link] = []
        self._choice_of: dict[int, int] = {}
        self._alike: dict[tuple[object, ...], tuple[TensorChoice, tuple[int, ...]]] = {}
        self._times: dict[tuple[object, ...], tuple[int, ...]] = {}
        self._allowed: dict[tuple[object, ...], tuple[int, ...]] = {}

    def run(self) -> Sharding:
        self._collect()
        for tensor in sorted(self._needed.keys() | {version.state for version in self._graph.versions}):
            self._tensor(tensor)
        for node, rules in zip(self._nodes, self._rules, strict=True):
            self._node(node, rules)
        self._invariants()
        problem = JointProblem(tuple(self._choices), tuple(self._links))
        return Sharding(self._pricing, problem, tuple(self._meanings), self._choice_of, self._goals)

    def _rules_of(self, node: Node) -> tuple[Rule, ...]:
        able = self._restriction.rules(node, usable_rules(self._graph, node, self._pricing.classes))
        if not able:
            name = self._graph.tensors[node.result].name or node.operation
            raise ProblemError(f"{name}: the conditions leave {node.operation} no layout; drop one of them")
        return able

    def _collect(self) -> None:
        """Which layouts every tensor is produced and needed in."""
        for number, tensor in enumerate(self._graph.tensors):
            if tensor.source is not None:
                self._produced[number] = list(self._stored(number))
        for node, rules in zip(self._nodes, self._rules, strict=True):
            self._produced[node.result] = [_layout(rule.result) for rule in rules]
            for rule in rules:
                for operand, need in zip(node.operands, rule.operands, strict=True):
                    if isinstance(operand, int):
                        self._needed.setdefault(operand, []).append(_layout(need))
        for version in self._graph.versions:
            self._produced[version.result] = self._produced[version.state]
            self._needed.setdefault(version.new, []).extend(self._produced[version.state])
        for output in self._graph.outputs:
            goals = self._restriction.outputs(output, self._goal(output))
            self._goals[output] = goals
            self._needed.setdefault(output, []).extend(goals)

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
        """Tensors that are cut, produced and needed alike have one set of options, worked out once."""
        produced, needed = ordered(self._produced[tensor]), ordered(self._needed.get(tensor, []))
        mine = self._graph.tensors[tensor]
        dimensions = range(len(mine.shape))
        cut = tuple(self._pricing.atoms(tensor, d) for d in dimensions)
        goals = self._goals.get(tensor)
        key = (mine.bytes, cut, produced, needed, goals, self._is_given(tensor))
        if key not in self._alike:
            self._alike[key] = self._options(tensor, produced, needed, goals)
        meaning, costs = self._alike[key]
        self._choice_of[tensor] = self._add(self._name(tensor), costs, replace(meaning, tensor=tensor))

    def _options(
        self,
        tensor: int,
        produced: tuple[Layout, ...],
        needed: tuple[Layout, ...],
        goals: tuple[Layout, ...] | None,
    ) -> tuple[TensorChoice, tuple[int, ...]]:
        layouts = ordered([WHOLE, *cuts(self._graph, tensor, self._pricing.classes), *produced, *needed])
        prices = tuple(tuple(self._price(tensor, before, after) for after in layouts) for before in layouts)
        numbers = {layout: number for number, layout in enumerate(layouts)}
        roots = sorted((numbers[layout] for layout in produced), reverse=self._is_given(tensor))
        needs = [numbers[layout] for layout in needed]
        options = [(root, mask, cost) for root in roots for mask, cost in Ways(prices, root).options(needs)]
        if goals is not None:
            wanted = sum(1 << numbers[layout] for layout in goals)
            options = [each for each in options if each[1] & wanted]
        meaning = TensorChoice(tensor, layouts, prices, tuple((root, mask) for root, mask, _ in options))
        return meaning, tuple(cost for _, _, cost in options)

    def _is_given(self, tensor: int) -> bool:
        """Sources that can be cut as well as whole are cut: the first of equally cheap options is chosen."""
        return self._graph.tensors[tensor].source is not None

    def _price(self, tensor: int, before: Layout, after: Layout) -> int | None:
        price = self._pricing.conversion(tensor, before, after)
        return None if price is None else price.time

    def _name(self, tensor: int) -> str:
        return self._graph.tensors[tensor].name or f"value {tensor}"

    def _add(self, name: str, costs: Iterable[int], meaning: NodeChoice | TensorChoice) -> int:
        self._choices.append(Choice(name, tuple(costs)))
        self._meanings.append(meaning)
        return len(self._choices) - 1

    def _node(self, node: Node, rules: tuple[Rule, ...]) -> None:
        key = (node.operation, node.flops, rules, *(self._cut(each) for each in (*node.operands, node.result)))
        if key not in self._times:
            self._times[key] = tuple(self._pricing.slowest(node, rule) for rule in rules)
        costs = self._times[key]
        choice = self._add(f"{node.operation} of {self._name(node.result)}", costs, NodeChoice(node, rules))
        if node.result in self._choice_of:
            made = [_layout(rule.result) for rule in rules]
            self._link(node.result, choice, [frozenset({layout}) for layout in made], produced=True)
        for tensor in node.reads:
            needs = [
                frozenset(
                    _layout(need)
                    for operand, need in zip(node.operands, rule.operands, strict=True)
                    if operand == tensor
                )
                for rule in rules
            ]
            self._link(tensor, choice, needs, produced=False)

    def _cut(self, operand: int | Number) -> tuple[tuple[int, ...], ...]:
        """The atoms of every dimension of an operand."""
        if not isinstance(operand, int):
            return ()
        return tuple(self._pricing.atoms(operand, d) for d in range(len(self._graph.tensors[operand].shape)))

    def _link(self, tensor: int, choice: int, layouts: list[frozenset[Layout]], *, produced: bool) -> None:
        """Options of an operation go with those of a tensor that is produced in, or has, the layouts they speak of."""
        meaning = self._meaning(tensor)
        key = (tuple(layouts), meaning.layouts, meaning.options, produced)
        if key not in self._allowed:
            self._allowed[key] = self._fitting(meaning, layouts, produced=produced)
        self._links.append(Link(choice, self._choice_of[tensor], self._allowed[key]))

    def _fitting(self, meaning: TensorChoice, layouts: list[frozenset[Layout]], *, produced: bool) -> tuple[int, ...]:
        allowed = []
        for wanted in layouts:
            mask = sum(1 << number for number, layout in enumerate(meaning.layouts) if layout in wanted)
            fits = [mask == 1 << root if produced else not mask & ~there for root, there in meaning.options]
            allowed.append(_mask(fits))
        return tuple(allowed)

    def _meaning(self, tensor: int) -> TensorChoice:
        meaning = self._meanings[self._choice_of[tensor]]
        assert isinstance(meaning, TensorChoice)
        return meaning

    def _invariants(self) -> None:
        """New versions are made in the layout that the state is stored in."""
        for version in self._graph.versions:
            state, new = self._meaning(version.state), self._meaning(version.new)
            if version.new == version.state:
                continue
            there = {layout: number for number, layout in enumerate(new.layouts)}
            allowed = [
                _mask([bool((mask >> there[state.layouts[root]]) & 1) for _, mask in new.options])
                for root, _ in state.options
            ]
            self._links.append(Link(self._choice_of[version.state], self._choice_of[version.new], tuple(allowed)))
            if version.result in self._choice_of:
                made = self._meaning(version.result)
                same = [
                    _mask([made.layouts[other] == state.layouts[root] for other, _ in made.options])
                    for root, _ in state.options
                ]
                self._links.append(Link(self._choice_of[version.state], self._choice_of[version.result], tuple(same)))


def _layout(need: object) -> Layout:
    from p2smt.tensor.rule import AtRoot, Cut, Own, Summand, Whole

    assert isinstance(need, Whole | Cut | Summand | Own | AtRoot)
    layout = layout_of(need)
    assert layout is not None
    return layout


def _mask(bits: list[bool]) -> int:
    return sum(1 << number for number, bit in enumerate(bits) if bit)
