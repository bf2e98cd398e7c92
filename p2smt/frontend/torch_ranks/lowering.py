"""Lowering of the traces of all ranks: for each rank, statements on its own arrays."""

from collections.abc import Sequence

from p2smt.errors import CaptureError
from p2smt.frontend.torch_graph.aten_call import DTYPES, AtenCall, LoweringState
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.graph import Reference, TorchNode
from p2smt.frontend.torch_graph.lowering.sources import filled
from p2smt.frontend.torch_graph.node import lower
from p2smt.frontend.torch_graph.view import View, plain_view
from p2smt.frontend.torch_ranks.folding import base_name, folded, plainly_named
from p2smt.frontend.torch_ranks.messages import UNMODELLED, RankTrace
from p2smt.tensor.building import ProgramBuilder
from p2smt.tensor.conversion import AllGather, AllReduce, AllToAll, Broadcast, Conversion, ReduceScatter, Send
from p2smt.tensor.expression import Convert, Number, Read, Source, SourceKind
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.ranks.joining import ArrayMessage, Group, OneRank, flat
from p2smt.tensor.ranks.programs import new_version
from p2smt.tensor.shapes import Whole
from p2smt.tensor.signature import Shape


def one_rank(trace: RankTrace, sources: Sequence[Source]) -> OneRank:
    """Return a rank's statements on its own arrays, whose shapes are those of `sources`; CaptureError on failure."""
    return _Lowering(folded(trace), sources).rank()


def rank_by_itself(trace: RankTrace, sources: Sequence[Source], keys: frozenset[str]) -> OneRank:
    """Return a rank's statements, including calls with these keys even if its own results do not need them."""
    return _Lowering(plainly_named(trace, keys), sources).rank()


class _Lowering:
    def __init__(self, trace: RankTrace, sources: Sequence[Source]) -> None:
        self._trace = trace
        self._builder = ProgramBuilder("", (new_version(source.name) for source in sources))
        self._emission = Emission(self._builder)
        self._memory = LoweringState()
        self._groups: dict[str, Group] = {}
        self._keys: dict[str, str] = {}
        self._received: dict[str, ArrayMessage] = {}
        self._sent: dict[ArrayMessage, str] = {}
        self._known: dict[str, Whole] = {}
        for source in sources:
            read = self._builder.source(source)
            self._memory.results[Reference(source.name)] = plain_view(read, source.shape, source.dtype)
            self._known[source.name] = Whole(source.shape, source.dtype)

    def rank(self) -> OneRank:
        for node in self._trace.nodes:
            if isinstance(why := node.keywords.get(UNMODELLED), str):
                raise CaptureError(
                    f"{node.line}: the operation called there is {why}; results that depend on it are not verified"
                )
            if node.operation == "collective.exchange":
                self._exchange(node)
            elif node.operation.startswith("collective."):
                self._collective(node)
            else:
                lower(node, self._emission, self._memory)
        outputs = tuple((name, self._name(reference, name or "output")) for name, reference in self._trace.outputs)
        updates = tuple((name, self._name(reference, name)) for name, reference in self._trace.updates)
        statements = tuple(flat(self._builder.program().statements, self._known))
        shapes = {statement.name: self._known[statement.name].shape for statement in statements}
        return OneRank(
            statements=statements,
            shapes=shapes,
            groups=self._groups,
            outputs=outputs,
            updates=updates,
            keys=self._keys,
            received=self._received,
            sent=self._sent,
        )

    def _name(self, reference: Reference, name: str) -> str:
        found = self._memory.results.get(reference)
        if not isinstance(found, View):
            raise CaptureError(f"{name} is not a tensor of the program")
        self._emission.name = f"{name}.value"
        return self._read(found).name

    def _read(self, view: View) -> Read:
        expression = self._emission.whole(view).expression
        return expression if isinstance(expression, Read) else self._builder.statement(self._emission.name, expression)

    def _exchange(self, node: TorchNode) -> None:
        """Emit the sent values as statements; received values are named by their index among the results."""
        call = AtenCall(node, self._memory)
        key, rank = str(node.keywords["key"]), _numbers(node, "rank")[0]
        for position, target in enumerate(_numbers(node, "targets")):
            self._emission.name = f"{node.name}.to{target}"
            self._sent[ArrayMessage(key, rank, target)] = self._read(call.views(0)[position]).name
        for position, source in enumerate(_numbers(node, "sources")):
            meta = node.results[position]
            dtype = DTYPES.get("" if meta is None else meta.dtype)
            whole = Whole(call.shape_of(position), dtype)
            if 0 in whole.shape:
                raise call.refused("tensors without elements are not supported; leave them out of the function")
            read = self._builder.received(f"{node.name}.from{source}", Convert(Send(), Number(0)), whole)
            self._received[read.name] = ArrayMessage(key, source, rank)
            self._known[read.name] = whole
            self._memory.results[Reference(node.name, position)] = plain_view(read, whole.shape, dtype)

    def _given(self, node: TorchNode, call: AtenCall) -> View:
        """Return the input of a collective; zeros for a rank that only receives."""
        reference = node.arguments[0]
        empty = isinstance(reference, Reference) and self._memory.results.get(reference, 0) is None
        return filled(0, call.shape, call.dtype) if empty and base_name(node) == "broadcast" else call.view(0)

    def _collective(self, node: TorchNode) -> None:
        call = AtenCall(node, self._memory)
        self._emission.name = f"{node.name}.operand"
        operand = self._read(self._given(node, call))
        shape = call.shape
        if 0 in shape:
            raise call.refused("tensors without elements are not supported; leave them out of the function")
        whole = Whole(shape, call.dtype)
        read = self._builder.received(node.name, Convert(_conversion(node, call), operand), whole)
        group = node.keywords["group"]
        assert isinstance(group, list)
        self._groups[read.name] = tuple(each for each in group if isinstance(each, int))
        self._keys[read.name] = str(node.keywords.get("key", node.name))
        self._known[read.name] = whole
        self._memory.results[Reference(node.name)] = plain_view(read, shape, call.dtype)


def _numbers(node: TorchNode, keyword: str) -> list[int]:
    found = node.keywords[keyword]
    return [each for each in (found if isinstance(found, list) else [found]) if isinstance(each, int)]


_REDUCTIONS = {"": ReductionOp.SUM, "_max": ReductionOp.MAX, "_min": ReductionOp.MIN}


def _conversion(node: TorchNode, call: AtenCall) -> Conversion:
    name = base_name(node)
    for ending, reduction in _REDUCTIONS.items():
        if name == f"all_reduce{ending}":
            return AllReduce(reduction)
        if name == f"reduce_scatter{ending}":
            return ReduceScatter(call.whole(1), None, reduction)
    match name:
        case "all_gather":
            return AllGather(call.whole(1))
        case "all_to_all":
            return AllToAll(call.whole(1), call.whole(2))
        case "broadcast":
            return Broadcast(call.whole(1))
        case _:
            raise AssertionError(f"no collective is called {name}")


def local_source(source: Source, shape: Shape) -> Source:
    """Return a source with its shape on each rank."""
    return Source(kind=SourceKind.INPUT, name=source.name, dtype=source.dtype, shape=shape, names=("",) * len(shape))


def torch_type(source: Source) -> str:
    """Torch's name of a source's element type."""
    return next(name for name, dtype in DTYPES.items() if dtype is source.dtype)
