"""Build a distributed program from an assignment; each conversion is a statement right before its first use."""

from collections.abc import Sequence
from dataclasses import replace

from p2smt.spmd.emission.writing import StatementBuilder
from p2smt.spmd.model.availability import Ways, mask_of
from p2smt.spmd.model.build import Sharding, TensorChoice
from p2smt.spmd.model.chosen import ReadableAssignment, chosen
from p2smt.spmd.model.graph import Node
from p2smt.spmd.model.layouts import WHOLE
from p2smt.tensor.conversion import AllGather, AllReduce, AllToAll, Conversion, Keep, Rebalance, ReduceScatter, Slice
from p2smt.tensor.expression import AxisLayout, Call, Convert, Expression, Number, Output, ProgramAxis, Read
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Layout, Partial, Replicated, Sliced, chunk_sizes, layout_text
from p2smt.tensor.program import Program


def emit(sharding: Sharding, assignment: Sequence[int], made: ReadableAssignment | None = None) -> Program:
    """Return the distributed program of an assignment; layout inference yields exactly the chosen layouts.

    `made` is the assignment as rules and layouts, where it is known.
    """
    return _Emitter(sharding, chosen(sharding, assignment) if made is None else made).run()


def statement_tensors(sharding: Sharding, assignment: Sequence[int]) -> dict[str, int]:
    """Map each statement of `emit`'s program to the number of the tensor that it computes or converts."""
    emitter = _Emitter(sharding, chosen(sharding, assignment))
    emitter.run()
    return emitter.makes


class _Emitter:
    def __init__(self, sharding: Sharding, made: ReadableAssignment) -> None:
        self._sharding = sharding
        self._pricing = sharding.pricing
        self._graph = sharding.pricing.graph
        # Tensors that have no choice get their layouts as they are written.
        self._made = replace(made, produced=dict(made.produced))
        self._updates = {version.result: version for version in self._graph.versions}
        self._writing = StatementBuilder(
            set(self._graph.named) | {name for name, _ in self._graph.program.sizes} | {"ranks"}
        )
        self._mesh = tuple(ProgramAxis(self._writing.fresh(axis.name), axis.size) for axis in self._pricing.mesh.axes)
        self._whole: Layouts = (WHOLE,) * len(self._mesh)
        self._uses: dict[int, list[Layouts]] = {}
        for node in self._graph.nodes:
            for tensor, layouts in self._operands(node):
                self._uses.setdefault(tensor, []).append(layouts)
        self._outputs = {tensor: self._output_layouts(tensor) for tensor in self._graph.outputs}
        self._names: dict[tuple[int, Layouts], str] = {}
        self.makes: dict[str, int] = {}
        borders = self._graph.borders
        self._crossing = {each for node in self._graph.nodes if node.result in borders for each in node.reads}
        self._inline: dict[int, Expression] = {}
        self._observed = {output.name for output in self._graph.program.outputs}

    def run(self) -> Program:
        program = self._graph.program
        sources = []
        for number, tensor in enumerate(self._graph.tensors):
            if tensor.source is not None:
                layouts = self._made.produced.setdefault(number, self._whole)
                self._names[number, layouts] = tensor.name
                sources.append(replace(tensor.source, layouts=self._placed(number, layouts)))
        for node in self._graph.nodes:
            self._node(node)
        outputs = tuple(self._output(output) for output in program.outputs)
        return Program(
            name=program.name,
            sizes=program.sizes,
            mesh=self._mesh,
            sources=tuple(sources),
            statements=tuple(self._writing.statements),
            outputs=outputs,
        )

    def _operands(self, node: Node) -> list[tuple[int, Layouts]]:
        """Return the tensors that an operation reads, each with the layouts that it needs."""
        if node.result in self._updates:
            version = self._updates[node.result]
            stored = self._made.produced.get(version.state, self._whole)
            return [(version.old, stored), (version.new, stored)]
        pairs = zip(node.operands, self._made.operands[node.result], strict=True)
        return [(operand, layouts) for operand, layouts in pairs if isinstance(operand, int)]

    def _meaning(self, tensor: int) -> TensorChoice:
        meaning = self._sharding.meanings[self._sharding.choice_of[tensor]]
        assert isinstance(meaning, TensorChoice)
        return meaning

    def _ways(self, tensor: int, needed: set[Layouts]) -> tuple[Ways, int]:
        """Return the conversions between a tensor's layouts, and the needed layouts as a bit mask."""
        meaning = self._meaning(tensor)
        numbers = {layouts: number for number, layouts in enumerate(meaning.layouts)}
        mask = mask_of([numbers[layouts] for layouts in needed])
        return meaning.reach.ways(numbers[self._made.produced[tensor]], mask), mask

    def _output_layouts(self, tensor: int) -> Layouts:
        """Return the output layouts that add least to the cost of the layouts that operations need anyway."""
        root = self._made.produced[tensor]

        def costs(goal: Layouts) -> tuple[int, bool]:
            ways, mask = self._ways(tensor, {*self._uses.get(tensor, ()), goal})
            cost = ways.cost(mask)
            return (2**62 if cost is None else cost, goal != root)

        return min(self._sharding.goals[tensor], key=costs)

    def _node(self, node: Node) -> None:
        if node.result in self._graph.borders:
            self._border(node)
            return
        if node.result in self._updates:
            version = self._updates[node.result]
            made = self._made.produced[version.state]
            operands = [self._read(version.old, made), self._read(version.new, made)]
        else:
            operands = [
                operand if isinstance(operand, Number) else self._read(operand, layouts)
                for operand, layouts in zip(node.operands, self._made.operands[node.result], strict=True)
            ]
            made = self._made.results[node.result]
        self._made.produced.setdefault(node.result, made)
        self._define(node, Call(node.operation, tuple(operands), node.attributes), made)

    def _define(self, node: Node, call: Call, made: Layouts) -> None:
        name, uses = self._graph.tensors[node.result].name, self._uses.get(node.result, [])
        once = uses == [made] and node.result not in self._outputs
        if not name and once and node.result not in self._crossing:
            self._inline[node.result] = call
            return
        name = name or self._writing.fresh("value")
        self._writing.add(name, call)
        self._names[node.result, made] = name
        self.makes[name] = node.result

    def _border(self, node: Node) -> None:
        """Convert at a border between segments: rebalance each sharded dimension to the ratios of the next segment."""
        (layouts,), (tensor,) = self._made.operands[node.result], node.reads
        self._made.produced.setdefault(node.result, layouts)
        read = self._read(tensor, layouts)
        assert isinstance(read, Read)
        name = read.name
        for axis, layout in enumerate(layouts):
            # only Partial, Replicated, Sliced: others are refused, or match no rule and no conversion
            if isinstance(layout, Sliced):
                name = self._writing.fresh(f"{self._graph.tensors[tensor].name or 'value'}_exchanged")
                sizes = self._sizes(node.result, layouts, axis)
                self._writing.add(name, Convert(Rebalance(layout.dimension, sizes), read, self._named(axis)))
                self.makes[name] = node.result
        self._names[node.result, layouts] = name

    def _read(self, tensor: int, layouts: Layouts) -> Expression:
        if tensor in self._inline:
            return self._inline[tensor]
        if (tensor, layouts) not in self._names:
            self._convert(tensor, layouts)
        return Read(self._names[tensor, layouts])

    def _convert(self, tensor: int, wanted: Layouts) -> None:
        """Write the conversions that lead to a layout, starting from the nearest layout that exists."""
        needed = set(self._uses.get(tensor, ()))
        if tensor in self._outputs:
            needed.add(self._outputs[tensor])
        ways, mask = self._ways(tensor, needed)
        origin = ways.origins(mask)
        layouts = self._meaning(tensor).layouts
        chain = [layouts.index(wanted)]
        # From the wanted layout back to one that exists, then forwards along the same chain.
        while (tensor, layouts[chain[-1]]) not in self._names:
            chain.append(origin[chain[-1]])
        for before, after in zip(reversed(chain), list(reversed(chain))[1:], strict=False):
            self._step(tensor, layouts[before], layouts[after])

    def _step(self, tensor: int, old: Layouts, new: Layouts) -> None:
        axis = next(axis for axis, (before, after) in enumerate(zip(old, new, strict=True)) if before != after)
        name = self._writing.fresh(f"{self._graph.tensors[tensor].name or 'value'}_{_suffix(new[axis])}")
        conversion = self._conversion(tensor, old[axis], new, axis)
        self._writing.add(name, Convert(conversion, Read(self._names[tensor, old]), self._named(axis)))
        self._names[tensor, new] = name
        self.makes[name] = tensor

    def _named(self, axis: int) -> str:
        """Return an axis's name as program texts write it: empty on a mesh of one axis."""
        return self._mesh[axis].name if len(self._mesh) > 1 else ""

    def _conversion(self, tensor: int, old: Layout, new: Layouts, axis: int) -> Conversion:
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

    def _sizes(self, tensor: int, layouts: Layouts, axis: int) -> tuple[int, ...] | None:
        """Return the block sizes of a sharded dimension; None for torch.chunk's, the default in program texts."""
        layout, sizes = layouts[axis], self._pricing.sizes(tensor, layouts, axis)
        assert isinstance(layout, Sliced)
        blocks: tuple[int, ...] = (self._graph.tensors[tensor].shape[layout.dimension],)
        outer = [number for number in range(axis) if layouts[number] == layout]
        if outer:
            blocks = self._pricing.sizes(tensor, layouts, outer[-1])
        ranks = self._mesh[axis].size
        chunks = tuple(size for block in blocks for size in chunk_sizes(block, ranks))
        return None if sizes == chunks else sizes

    def _placed(self, tensor: int, layouts: Layouts) -> tuple[AxisLayout, ...]:
        placed = []
        for axis, layout in enumerate(layouts):
            if isinstance(layout, Sliced):
                placed.append(
                    AxisLayout(Sliced(layout.dimension, self._sizes(tensor, layouts, axis)), self._named(axis))
                )
            elif not isinstance(layout, Replicated):
                placed.append(AxisLayout(layout, self._named(axis)))
        return tuple(placed)

    def _output(self, output: Output) -> Output:
        tensor = self._graph.named[output.name]
        layouts = self._outputs[tensor]
        read = self._read(tensor, layouts)
        declared = tuple(placed for placed in self._placed(tensor, layouts) if isinstance(placed.layout, Partial))
        if read == Read(output.name):
            return Output(output.name, declared)
        renamed = self._writing.name_output(output.name, read, self._observed)
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
