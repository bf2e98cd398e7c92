"""The background theory of HAP's search: the pre- and postconditions of instructions (Hoare triples) as property sets.

A property says that a tensor is available in a layout; sets of properties are bit masks. Other properties, the events,
concern the program: an operation is computed, a source is loaded or stored in a layout, a tensor was communicated. The
triples are derived from a joint problem, so that a program costs the same here as its assignment there (HAP, section
4.2). Values are computed once; slices are free, and are made together with the tensor that they are taken from.

    {needs, not lacks}  instruction  {gives}     at a cost
(Hoare, "An axiomatic basis for computer programming", 1969). On a set P of properties the instruction can be applied if
needs is a subset of P and lacks is disjoint from P, and leaves P | gives: three operations on bit masks. A program is a
sequence of instructions from the empty set to a set that contains `done` of every step.
Size: one triple for each combination of an operation's layouts, and one for each conversion of a tensor.

Example: matmul of x sliced by rows and w replicated. needs {x sliced(0), w replicated}, gives {y sliced(0), y
computed}.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from p2smt.spmd.model.build import NodeChoice, Sharding, TensorChoice


@dataclass(frozen=True, slots=True)
class HapProperty:
    """A decision of an instruction: option `number` of an operation's choice, or the stored layout of a source."""

    choice: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Triple:
    """An instruction: the properties it needs, those that must be absent, those it gives, and its cost in picoseconds.

    `step` is the number of the step that it computes, None for loads and conversions. `chosen` has its decisions; a
    conversion has none.
    """

    needs: int
    lacks: int
    gives: int
    cost: int
    step: int | None = None
    chosen: tuple[HapProperty, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Theory:
    """The triples of a program, and the properties of a complete program.

    `moves` are loads and conversions by tensor. `steps` are operations, updates and outputs in program order, each
    with its triples. `reads` has the tensors of each step and `least` its least cost. `spent` has the properties of
    each tensor that can be forgotten after `readers`, the steps that read it. `done` is the property of each step;
    `events` are all properties that concern the program instead of a tensor's layout.
    """

    moves: tuple[tuple[Triple, ...], ...]
    steps: tuple[tuple[Triple, ...], ...]
    reads: tuple[tuple[int, ...], ...]
    least: tuple[int, ...]
    spent: tuple[int, ...]
    readers: tuple[int, ...]
    done: tuple[int, ...]
    events: int


def theory_of(sharding: Sharding) -> Theory:
    """Return the triples of a joint problem."""
    return _Reader(sharding).run()


class _Reader:
    def __init__(self, sharding: Sharding) -> None:
        self._sharding = sharding
        self._graph = sharding.pricing.graph
        self._bits = 0
        self._first: dict[int, int] = {}
        self._choices: dict[int, TensorChoice] = {}
        self._moves: list[list[Triple]] = []
        self._positions: dict[int, int] = {}
        self._stored: dict[tuple[int, int], int] = {}
        self._steps: list[tuple[Triple, ...]] = []
        self._reads: list[tuple[int, ...]] = []
        self._done: list[int] = []
        self._spent: list[int] = []
        self._loaded = 0
        self._states = {version.state for version in self._graph.versions}

    def run(self) -> Theory:
        for tensor, choice in self._sharding.choice_of.items():
            self._tensor(tensor, choice)
        nodes = {
            meaning.node.result: (choice, meaning)
            for choice, meaning in enumerate(self._sharding.meanings)
            if isinstance(meaning, NodeChoice)
        }
        for node in self._graph.nodes:
            if node.result in nodes:
                self._computed(*nodes[node.result])
            else:
                self._updated(node.result)
        for tensor in dict.fromkeys(self._graph.outputs):
            self._left(tensor)
        layouts = [((1 << len(each.layouts)) - 1) << self._first[tensor] for tensor, each in self._choices.items()]
        readers = [0] * len(layouts)
        for done, reads in zip(self._done, self._reads, strict=True):
            # A property may be forgotten once everything that reads it is done.
            for position in reads:
                readers[position] |= done
        return Theory(
            moves=tuple(map(tuple, self._moves)),
            steps=tuple(self._steps),
            reads=tuple(self._reads),
            least=tuple(min((triple.cost for triple in step), default=0) for step in self._steps),
            spent=tuple(self._spent),
            readers=tuple(readers),
            done=tuple(self._done),
            events=((1 << self._bits) - 1) & ~sum(layouts),
        )

    def _new(self, count: int = 1) -> int:
        """Allocate `count` properties and return the number of the first."""
        self._bits += count
        return self._bits - count

    def _tensor(self, tensor: int, choice: int) -> None:
        meaning = self._sharding.meanings[choice]
        assert isinstance(meaning, TensorChoice)
        self._choices[tensor] = meaning
        self._positions[tensor] = len(self._moves)
        start = self._first[tensor] = self._new(len(meaning.layouts))
        sent = 1 << self._new() if meaning.reach.most == 1 else 0
        loads = self._loads(tensor, choice, meaning) if self._graph.tensors[tensor].source is not None else []
        self._spent.append(((1 << self._bits) - (1 << start)) & ~self._loaded)
        moves = []
        for before, row in enumerate(meaning.reach.prices):
            for after, price in enumerate(row):
                if price and meaning.reach.most != 0:
                    needs, gives = self._bit(tensor, before), self._given(tensor, after)
                    moves.append(Triple(needs=needs, lacks=sent, gives=gives | sent, cost=price))
        self._moves.append([*loads, *moves])

    def _loads(self, tensor: int, choice: int, meaning: TensorChoice) -> list[Triple]:
        """Return the triples that load a source: once, in one of the layouts in which it may be stored."""
        roots = tuple(dict.fromkeys(root for root, _ in meaning.options))
        for root in roots:
            self._stored[tensor, root] = 1 << self._new() if tensor in self._states else 0
        loaded = 1 << self._new()
        self._loaded |= loaded
        return [
            Triple(
                needs=0,
                lacks=loaded,
                gives=self._given(tensor, root) | loaded | self._stored[tensor, root],
                cost=0,
                chosen=(HapProperty(choice, root),),
            )
            for root in roots
        ]

    def _step(self, triples: Sequence[Triple], reads: Sequence[int]) -> None:
        done = 1 << self._new()
        number = len(self._steps)
        self._steps.append(
            tuple([replace(each, lacks=each.lacks | done, gives=each.gives | done, step=number) for each in triples])
        )
        self._reads.append(tuple([self._positions[tensor] for tensor in dict.fromkeys(reads)]))
        self._done.append(done)

    def _bit(self, tensor: int, number: int) -> int:
        return 1 << (self._first[tensor] + number)

    def _given(self, tensor: int, number: int) -> int:
        """Return the bits of a layout and of all layouts that are made of it at no cost (slices)."""
        prices, free = self._choices[tensor].reach.prices, [number]
        for before in free:
            free += [after for after, price in enumerate(prices[before]) if price == 0 and after not in free]
        return sum(self._bit(tensor, each) for each in free)

    def _computed(self, choice: int, meaning: NodeChoice) -> None:
        node, form = meaning.node, meaning.form
        triples = []
        for rule, cost in enumerate(self._sharding.problem.choices[choice].costs):
            needs = gives = 0
            for operand, needed in zip(node.operands, form.needed, strict=True):
                if isinstance(operand, int):
                    needs |= self._bit(operand, self._choices[operand].layouts.index(needed[rule]))
            if node.result in self._choices:
                gives = self._given(node.result, self._choices[node.result].layouts.index(form.made[rule]))
            triples.append(Triple(needs=needs, lacks=0, gives=gives, cost=cost, chosen=(HapProperty(choice, rule),)))
        self._step(triples, node.reads)

    def _updated(self, result: int) -> None:
        """Add the step of an update: the new version is available in the layout in which the state is stored."""
        version = next(version for version in self._graph.versions if version.result == result)
        state, new = version.state, version.new
        triples = []
        for root in dict.fromkeys(root for root, _ in self._choices[state].options):
            layout = self._choices[state].layouts[root]
            there = new == state or layout in self._choices[new].layouts
            kept = result not in self._choices or layout in self._choices[result].layouts
            if there and kept:
                needs, gives = self._stored[state, root], 0
                if new != state:
                    needs |= self._bit(new, self._choices[new].layouts.index(layout))
                if result in self._choices:
                    gives = self._given(result, self._choices[result].layouts.index(layout))
                triples.append(Triple(needs=needs, lacks=0, gives=gives, cost=0))
        self._step(triples, [each for each in (state, new) if each in self._choices])

    def _left(self, tensor: int) -> None:
        layouts = self._choices[tensor].layouts
        goals = [self._bit(tensor, layouts.index(goal)) for goal in self._sharding.goals[tensor]]
        self._step([Triple(needs=goal, lacks=0, gives=0, cost=0) for goal in goals], (tensor,))
