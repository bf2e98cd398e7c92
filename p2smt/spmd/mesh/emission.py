"""From an assignment to the distributed program on two axes: every conversion a statement, on its axis."""

from collections.abc import Sequence
from dataclasses import replace

from p2smt.spmd.graph import Node
from p2smt.spmd.mesh.build import MeshSharding, TensorPairs
from p2smt.spmd.mesh.chosen import WHOLE_PAIR, ChosenPairs, chosen
from p2smt.spmd.mesh.mesh import Pair
from p2smt.spmd.mesh.ways import MeshWays, mask_of
from p2smt.spmd.writing import Writing
from p2smt.tensor.conversion import AllGather, AllReduce, AllToAll, Conversion, Keep, ReduceScatter, Slice
from p2smt.tensor.layout import Layout, Partial, Replicated, Sliced, chunk_sizes, layout_text
from p2smt.tensor.program import Axis, Call, Convert, Expression, Number, Output, Placed, Program, Read


def emit(sharding: MeshSharding, assignment: Sequence[int]) -> Program:
    """The distributed program of an assignment; it infers to the layouts that were chosen."""
    return _Emitter(sharding, chosen(sharding, assignment)).run()


class _Emitter:
    def __init__(self, sharding: MeshSharding, made: ChosenPairs) -> None:
        self._sharding = sharding
        self._pricing = sharding.pricing
        self._graph = sharding.pricing.graph
        self._made = made
        self._updates = {version.result: version for version in self._graph.versions}
        self._writing = Writing(set(self._graph.named) | {name for name, _ in self._graph.program.sizes} | {"ranks"})
        self._mesh = tuple(Axis(self._writing.fresh(axis.name), axis.size) for axis in self._pricing.mesh.axes)
        self._uses: dict[int, list[Pair]] = {}
        for node in self._graph.nodes:
            for tensor, pair in self._operands(node):
                self._uses.setdefault(tensor, []).append(pair)
        self._outputs = {tensor: self._output_pair(tensor) for tensor in self._graph.outputs}
        self._names: dict[tuple[int, Pair], str] = {}
        self._inline: dict[int, Expression] = {}
        self._observed = {output.name for output in self._graph.program.outputs}

    def run(self) -> Program:
        program = self._graph.program
        sources = []
        for number, tensor in enumerate(self._graph.tensors):
            if tensor.source is not None:
                pair = self._made.produced.setdefault(number, WHOLE_PAIR)
                self._names[number, pair] = tensor.name
                sources.append(replace(tensor.source, layouts=self._placed(number, pair)))
        for node in self._graph.nodes:
            self._node(node)
        outputs = tuple(self._output(output) for output in program.outputs)
        return Program(
            name=program.name, sizes=program.sizes, mesh=self._mesh, sources=tuple(sources),
            statements=tuple(self._writing.statements), outputs=outputs,
        )  # fmt: skip

    def _operands(self, node: Node) -> list[tuple[int, Pair]]:
        """The tensors that an operation reads, and in which layouts."""
        if node.result in self._updates:
            version = self._updates[node.result]
            stored = self._made.produced.get(version.state, WHOLE_PAIR)
            return [(version.old, stored), (version.new, stored)]
        pairs = zip(node.operands, self._made.operands[node.result], strict=True)
        return [(operand, pair) for operand, pair in pairs if isinstance(operand, int)]

    def _meaning(self, tensor: int) -> TensorPairs:
        meaning = self._sharding.meanings[self._sharding.choice_of[tensor]]
        assert isinstance(meaning, TensorPairs)
        return meaning

    def _ways(self, tensor: int, needed: set[Pair]) -> tuple[MeshWays, int]:
        """How the layouts of a tensor are had, and what is needed as bits."""
        meaning = self._meaning(tensor)
        numbers = {pair: number for number, pair in enumerate(meaning.layouts)}
        mask = mask_of([numbers[pair] for pair in needed])
        return meaning.reach.ways(numbers[self._made.produced[tensor]], mask), mask

    def _output_pair(self, tensor: int) -> Pair:
        """Of the pairs in which an output may be left the one that costs least beside what is needed anyway."""
        root = self._made.produced[tensor]

        def costs(goal: Pair) -> tuple[int, bool]:
            ways, mask = self._ways(tensor, {*self._uses.get(tensor, ()), goal})
            cost = ways.cost(mask)
            return (2**62 if cost is None else cost, goal != root)

        return min(self._sharding.goals[tensor], key=costs)

    def _node(self, node: Node) -> None:
        if node.result in self._updates:
            version = self._updates[node.result]
            made = self._made.produced[version.state]
            operands = [self._read(version.old, made), self._read(version.new, made)]
        else:
            operands = [
                operand if isinstance(operand, Number) else self._read(operand, pair)
                for operand, pair in zip(node.operands, self._made.operands[node.result], strict=True)
            ]
            made = self._made.results[node.result]
        self._made.produced.setdefault(node.result, made)
        self._define(node, Call(node.operation, tuple(operands), node.attributes), made)

    def _define(self, node: Node, call: Call, made: Pair) -> None:
        name, uses = self._graph.tensors[node.result].name, self._uses.get(node.result, [])
        if not name and uses == [made] and node.result not in self._outputs:
            self._inline[node.result] = call
            return
        name = name or self._writing.fresh("value")
        self._writing.add(name, call)
        self._names[node.result, made] = name

    def _read(self, tensor: int, pair: Pair) -> Expression:
        if tensor in self._inline:
            return self._inline[tensor]
        if (tensor, pair) not in self._names:
            self._convert(tensor, pair)
        return Read(self._names[tensor, pair])

    def _convert(self, tensor: int, wanted: Pair) -> None:
        """Write the conversions that lead to a pair, as far as they are not there."""
        needed = set(self._uses.get(tensor, ()))
        if tensor in self._outputs:
            needed.add(self._outputs[tensor])
        ways, mask = self._ways(tensor, needed)
        origin = ways.origins(mask)
        layouts = self._meaning(tensor).layouts
        chain = [layouts.index(wanted)]
        while (tensor, layouts[chain[-1]]) not in self._names:
            chain.append(origin[chain[-1]])
        for before, after in zip(reversed(chain), list(reversed(chain))[1:], strict=False):
            self._step(tensor, layouts[before], layouts[after])

    def _step(self, tensor: int, old: Pair, new: Pair) -> None:
        axis = 0 if old[0] != new[0] else 1
        name = self._writing.fresh(f"{self._graph.tensors[tensor].name or 'value'}_{_suffix(new[axis])}")
        conversion = self._conversion(tensor, old[axis], new, axis)
        self._writing.add(name, Convert(conversion, Read(self._names[tensor, old]), self._mesh[axis].name))
        self._names[tensor, new] = name

    def _conversion(self, tensor: int, old: Layout, new: Pair, axis: int) -> Conversion:
        # only Partial, Replicated, Sliced: others are refused, or match no rule and no conversion
        match old, new[axis]:
            case Partial(reduction), Replicated():
                return AllReduce(reduction)
            case Partial(reduction), Sliced(dimension):
                return ReduceScatter(dimension, self._sizes(tensor, new, axis), reduction)
            case Sliced(dimension), Replicated():
                return AllGather(dimension)
            case Sliced(source), Sliced(target):
                return AllToAll(source, target, self._sizes(tensor, new, axis))
            case Replicated(), Sliced(dimension):
                return Slice(dimension, self._sizes(tensor, new, axis))
            case Replicated(), Partial():
                return Keep()
            case _:
                raise AssertionError(f"nothing leads from {layout_text(old)} to {layout_text(new[axis])}")

    def _sizes(self, tensor: int, pair: Pair, axis: int) -> tuple[int, ...] | None:
        """The blocks of a cut; None where they are torch.chunk's, which texts need not say."""
        layout, sizes = pair[axis], self._pricing.sizes(tensor, pair, axis)
        assert isinstance(layout, Sliced)
        blocks: tuple[int, ...] = (self._graph.tensors[tensor].shape[layout.dimension],)
        if axis == 1 and pair[0] == layout:
            blocks = self._pricing.sizes(tensor, pair, 0)
        ranks = self._mesh[axis].size
        chunks = tuple(size for block in blocks for size in chunk_sizes(block, ranks))
        return None if sizes == chunks else sizes

    def _placed(self, tensor: int, pair: Pair) -> tuple[Placed, ...]:
        placed = []
        for axis, layout in enumerate(pair):
            if isinstance(layout, Sliced):
                sized = Sliced(layout.dimension, self._sizes(tensor, pair, axis))
                placed.append(Placed(sized, self._mesh[axis].name))
            elif not isinstance(layout, Replicated):
                placed.append(Placed(layout, self._mesh[axis].name))
        return tuple(placed)

    def _output(self, output: Output) -> Output:
        tensor = self._graph.named[output.name]
        pair = self._outputs[tensor]
        read = self._read(tensor, pair)
        declared = tuple(placed for placed in self._placed(tensor, pair) if isinstance(placed.layout, Partial))
        if read != Read(output.name):
            renamed = self._writing.name_output(output.name, read, self._observed)
            self._names = {key: renamed.get(name, name) for key, name in self._names.items()}
        return Output(output.name, declared)


def _suffix(layout: Layout) -> str:
    match layout:
        case Replicated():
            return "whole"
        case Sliced(dimension):
            return f"cut{dimension}"
        case _:
            return "kept"
