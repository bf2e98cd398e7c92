"""From an assignment to the distributed program: every conversion a statement, just before what first needs it."""

from collections.abc import Sequence
from dataclasses import replace

from p2smt.spmd.availability import FewWays, Ways
from p2smt.spmd.build import Sharding, TensorChoice
from p2smt.spmd.chosen import Chosen, chosen
from p2smt.spmd.graph import Node
from p2smt.spmd.known import Known
from p2smt.spmd.layouts import WHOLE, layout_of
from p2smt.spmd.writing import Writing
from p2smt.tensor.conversion import AllGather, AllReduce, AllToAll, Conversion, Keep, Rebalance, ReduceScatter, Slice
from p2smt.tensor.layout import Layout, Partial, Replicated, Sliced, chunk_sizes, layout_text
from p2smt.tensor.program import (
    Axis,
    Call,
    Convert,
    Expression,
    Number,
    Output,
    Placed,
    Program,
    Read,
)

AXIS = "device"


def emit(sharding: Sharding, assignment: Sequence[int]) -> Program:
    """The distributed program of an assignment; it infers to the layouts that were chosen."""
    return _Emitter(sharding, chosen(sharding, assignment)).run()


def statement_tensors(sharding: Sharding, assignment: Sequence[int]) -> dict[str, int]:
    """The number of the tensor that each statement of `emit`'s program makes, or makes another layout of."""
    emitter = _Emitter(sharding, chosen(sharding, assignment))
    emitter.run()
    return emitter.makes


class _Emitter:
    def __init__(self, sharding: Sharding, made: Chosen) -> None:
        self._sharding = sharding
        self._pricing = sharding.pricing
        self._graph = sharding.pricing.graph
        self._made = made
        self._updates = {version.result: version for version in self._graph.versions}
        self._writing = Writing(set(self._graph.named) | {name for name, _ in self._graph.program.sizes} | {"ranks"})
        self._known = Known()
        self._outputs = {tensor: self._output_layout(tensor) for tensor in self._graph.outputs}
        self._needs = self._all_needs()
        self._names: dict[tuple[int, Layout], str] = {}
        self.makes: dict[str, int] = {}
        borders = self._graph.borders
        self._crossing = {each for node in self._graph.nodes if node.result in borders for each in node.reads}
        self._inline: dict[int, Expression] = {}
        self._observed = {self._graph.named[output.name]: output.name for output in self._graph.program.outputs}
        self._uses = self._all_uses()

    def run(self) -> Program:
        program = self._graph.program
        sources = []
        for number, tensor in enumerate(self._graph.tensors):
            if tensor.source is not None:
                layout = self._made.produced.get(number, WHOLE)
                self._made.produced[number] = layout
                self._names[number, layout] = tensor.name
                sources.append(replace(tensor.source, layouts=self._placed(number, layout)))
        for node in self._graph.nodes:
            self._node(node)
        outputs = [self._output(output) for output in program.outputs]
        mesh = (Axis(self._writing.fresh(AXIS), len(self._pricing.cluster.devices)),)
        return Program(
            name=program.name, sizes=program.sizes, mesh=mesh, sources=tuple(sources),
            statements=tuple(self._writing.statements), outputs=tuple(outputs),
        )  # fmt: skip

    def _all_needs(self) -> dict[int, list[Layout]]:
        """The layouts that are really needed of every tensor, in the order in which they are."""
        needs: dict[int, list[Layout]] = {}
        for node in self._graph.nodes:
            for tensor, layout in self._operands(node):
                needs.setdefault(tensor, []).append(layout)
        for tensor, layout in self._outputs.items():
            needs.setdefault(tensor, []).append(layout)
        return needs

    def _operands(self, node: Node) -> list[tuple[int, Layout]]:
        """The tensors that an operation reads, and in which layout."""
        if node.result in self._updates:
            version = self._updates[node.result]
            stored = self._made.produced.get(version.state, WHOLE)
            return [(version.old, stored), (version.new, stored)]
        pairs = zip(node.operands, self._made.operands[node.result], strict=True)
        return [(operand, layout) for operand, layout in pairs if isinstance(operand, int)]

    def _all_uses(self) -> dict[tuple[int, Layout], int]:
        """How often a tensor is read in a layout by operations, outputs and conversions."""
        uses: dict[tuple[int, Layout], int] = {}
        for node in self._graph.nodes:
            for pair in self._operands(node):
                uses[pair] = uses.get(pair, 0) + 1
        return uses

    def _output_layout(self, tensor: int) -> Layout:
        """Of the layouts in which an output may be left the one that costs least beside what is needed anyway."""
        meaning = self._sharding.meanings[self._sharding.choice_of[tensor]]
        assert isinstance(meaning, TensorChoice)
        numbers = {layout: number for number, layout in enumerate(meaning.layouts)}
        root = self._made.produced[tensor]
        goals = self._sharding.goals[tensor]
        needed = {layout for node in self._graph.nodes for read, layout in self._operands(node) if read == tensor}
        ways = self._ways_of(meaning, numbers[root])

        def costs(goal: Layout) -> tuple[int, bool]:
            best = ways.best(sum(1 << numbers[layout] for layout in needed | {goal}))
            return (best[0] if best is not None else 2**62, goal != root)

        return min(goals, key=costs)

    def _node(self, node: Node) -> None:
        if node.result in self._graph.borders:
            self._border(node)
            return
        operands = []
        if node.result in self._updates:
            version = self._updates[node.result]
            stored = self._made.produced[version.state]
            operands = [self._read(version.old, stored), self._read(version.new, stored)]
            made = stored
        else:
            for operand, layout in zip(node.operands, self._made.operands[node.result], strict=True):
                operands.append(operand if isinstance(operand, Number) else self._read(operand, layout))
            result = layout_of(self._made.rules[node.result].result)
            assert result is not None
            made = result
        self._made.produced.setdefault(node.result, made)
        self._define(node, Call(node.operation, tuple(operands), node.attributes), made)

    def _define(self, node: Node, call: Call, made: Layout) -> None:
        name = self._graph.tensors[node.result].name
        needs = set(self._needs.get(node.result, ()))
        once = needs == {made} and self._uses.get((node.result, made)) == 1
        if not name and once and node.result not in self._crossing:
            self._inline[node.result] = call
            return
        name = name or self._writing.fresh("value")
        self._writing.add(name, call)
        self._names[node.result, made] = name
        self.makes[name] = node.result

    def _border(self, node: Node) -> None:
        """What is cut is exchanged, whatever the shares on both sides; what is not has no shares."""
        (layout,), (tensor,) = self._made.operands[node.result], node.reads
        self._made.produced.setdefault(node.result, layout)
        read = self._read(tensor, layout)
        assert isinstance(read, Read)
        name = read.name
        # only Partial, Replicated, Sliced: others are refused, or match no rule and no conversion
        if isinstance(layout, Sliced):
            name = self._writing.fresh(f"{self._graph.tensors[tensor].name or 'value'}_exchanged")
            sizes = self._sizes(node.result, layout.dimension)
            self._writing.add(name, Convert(Rebalance(layout.dimension, sizes), read))
            self.makes[name] = node.result
        self._names[node.result, layout] = name

    def _read(self, tensor: int, layout: Layout) -> Expression:
        if tensor in self._inline:
            return self._inline[tensor]
        if (tensor, layout) not in self._names:
            self._convert(tensor, layout)
        return Read(self._names[tensor, layout])

    def _convert(self, tensor: int, wanted: Layout) -> None:
        """Write the conversions that lead to a layout, as far as they are not there."""
        meaning = self._sharding.meanings[self._sharding.choice_of[tensor]]
        assert isinstance(meaning, TensorChoice)
        numbers = {layout: number for number, layout in enumerate(meaning.layouts)}
        ways = self._ways_of(meaning, numbers[self._made.produced[tensor]])
        steps = ways.steps(sum(1 << numbers[layout] for layout in set(self._needs[tensor])))
        origin = {after: before for before, after in steps}
        chain = [numbers[wanted]]
        while (tensor, meaning.layouts[chain[-1]]) not in self._names:
            chain.append(origin[chain[-1]])
        for before, after in zip(reversed(chain), list(reversed(chain))[1:], strict=False):
            old, new = meaning.layouts[before], meaning.layouts[after]
            name = self._writing.fresh(f"{self._graph.tensors[tensor].name or 'value'}_{_suffix(new)}")
            read = Read(self._names[tensor, old])
            self._writing.add(name, Convert(self._conversion(tensor, old, new), read))
            self._names[tensor, new] = name
            self.makes[name] = tensor

    def _ways_of(self, meaning: TensorChoice, root: int) -> Ways | FewWays:
        return self._known.ways(meaning.prices, root, meaning.most)

    def _conversion(self, tensor: int, old: Layout, new: Layout) -> Conversion:
        match old, new:
            case Partial(reduction), Replicated():
                return AllReduce(reduction)
            case Partial(reduction), Sliced(dimension):
                return ReduceScatter(dimension, self._sizes(tensor, dimension), reduction)
            case Sliced(dimension), Replicated():
                return AllGather(dimension)
            case Sliced(source), Sliced(target):
                return AllToAll(source, target, self._sizes(tensor, target))
            case Replicated(), Sliced(dimension):
                return Slice(dimension, self._sizes(tensor, dimension))
            case Replicated(), Partial():
                return Keep()
            case _:
                raise AssertionError(f"nothing leads from {layout_text(old)} to {layout_text(new)}")

    def _sizes(self, tensor: int, dimension: int) -> tuple[int, ...] | None:
        """The blocks of a cut; None where they are torch.chunk's, which texts need not say."""
        sizes = self._pricing.sizes(tensor, dimension)
        length = self._graph.tensors[tensor].shape[dimension]
        return None if sizes == chunk_sizes(length, len(sizes)) else sizes

    def _placed(self, tensor: int, layout: Layout) -> tuple[Placed, ...]:
        match layout:
            case Replicated():
                return ()
            case Sliced(dimension):
                return (Placed(Sliced(dimension, self._sizes(tensor, dimension))),)
            case _:
                return (Placed(layout),)

    def _output(self, output: Output) -> Output:
        tensor = self._graph.named[output.name]
        layout = self._outputs[tensor]
        read = self._read(tensor, layout)
        declared = self._placed(tensor, layout) if isinstance(layout, Partial) else ()
        if read == Read(output.name):
            return Output(output.name, declared)
        renamed = self._writing.name_output(output.name, read, self._observed.values())
        self._names = {key: renamed.get(name, name) for key, name in self._names.items()}
        self.makes = {**{renamed.get(name, name): made for name, made in self.makes.items()}, output.name: tensor}
        return Output(output.name, declared)


def _suffix(layout: Layout) -> str:
    match layout:
        case Replicated():
            return "whole"
        case Sliced(dimension):
            return f"cut{dimension}"
        case _:
            return "kept"
