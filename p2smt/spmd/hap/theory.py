"""The background theory of HAP's search: what each instruction needs and gives, as sets of properties (Hoare triples).

A property says that a tensor is there in a layout; sets of properties are bit masks. Some properties are of the program
instead: that an operation is computed, that a source is loaded, and how it is stored, that a tensor was communicated.
The triples are read off a joint problem, so that a program costs here what its assignment costs there
(HAP, section 4.2). Values are computed once, and slices, which are free, are made together with what they are cut from.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from p2smt.spmd.model.build import NodeChoice, Sharding, TensorChoice


@dataclass(frozen=True, slots=True)
class HapProperty:
    """A property: an instruction takes an option of an operation, or stores a source in a layout, by number."""

    choice: int
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Triple:
    """An instruction: the properties that it needs, those that there must not be, those that it gives, picoseconds.

    `step` is the number of what it computes, None for loads and conversions. `chosen` is what it decides; conversions
    decide nothing.
    """

    needs: int
    lacks: int
    gives: int
    cost: int
    step: int | None = None
    chosen: tuple[HapProperty, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Theory:
    """Triples, and what a complete program has.

    `moves` are loads and conversions, by tensor. `steps` are operations, updates and outputs in program order, each
    with its triples. `reads` are the tensors of each step, `least` what it costs at least. `bits` are the properties of
    each tensor, `readers` the steps that read it. `done` is the property of each step, `events` are all properties of
    the program.
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
    """The triples of a joint problem."""
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
        """The number of the first of some new properties."""
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
        """A source is loaded once, in one of the layouts in which it may be stored."""
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
        """A layout, and those that are made of it for nothing: slices."""
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
        """The new version is there in the layout in which the state is stored."""
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
