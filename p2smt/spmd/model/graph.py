"""A single-device program as a graph in which every value occurs once, however its text is nested."""

from dataclasses import dataclass, field

from p2smt.errors import ProgramError
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import RECOMPUTED, Call, Convert, Expression, Number, Ranks, Read, Source, SourceKind
from p2smt.tensor.frame import Attributes
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import Whole, flops, signature, whole_of
from p2smt.tensor.signature import Shape, Signature


@dataclass(frozen=True, slots=True)
class Tensor:
    """A value; `source` is its declaration if it is a source, None if it is computed.

    `dtype` is None for values made of literals only, which adopt the dtype of the other operand.
    """

    name: str
    shape: Shape
    dtype: DType | None
    source: Source | None = None

    @property
    def bytes(self) -> int:
        """Return the bytes of the unsharded tensor."""
        return Whole(self.shape, self.dtype).bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """An operation; operands are tensor numbers or literals, and `flops` counts the unsharded operation.

    `kind` is equal for operations with the same name and attributes on operands of the same shapes and dtypes;
    `reads` are the tensors among the operands, without duplicates.
    """

    operation: str
    attributes: Attributes
    operands: tuple[int | Number, ...]
    result: int
    signature: Signature
    flops: int
    kind: int
    reads: tuple[int, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        tensors = dict.fromkeys([operand for operand in self.operands if isinstance(operand, int)])
        object.__setattr__(self, "reads", tuple(tensors))


@dataclass(frozen=True, slots=True)
class NewVersion:
    """An update: `result` replaces `old`, a version of the source `state`, by the value `new`."""

    state: int
    old: int
    new: int
    result: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """All values of a program, and the operations that its outputs and updates depend on, in topological order.

    Equal operations on equal operands are merged, except updates and recomputed statements. `named` maps names to
    values. `borders` are the results of the copies at segment borders (`segments/`), which compute nothing. No
    collective converts `unsent` values, and `settled` values are not computed from partial operands
    (`gradient_sums.py`).
    """

    program: Program
    tensors: tuple[Tensor, ...]
    nodes: tuple[Node, ...]
    versions: tuple[NewVersion, ...]
    named: dict[str, int]
    borders: frozenset[int] = frozenset()
    unsent: frozenset[int] = frozenset()
    settled: frozenset[int] = frozenset()

    @property
    def outputs(self) -> tuple[int, ...]:
        """Return the program's outputs, without new versions of states."""
        return tuple(self.named[output.name] for output in self.program.outputs)


def graph_of(program: Program) -> Graph:
    """Return the graph of a single-device program. Raises ProgramError if the program is already distributed."""
    refuse_distributed(program)
    return _Reader(program).run()


def refuse_distributed(program: Program) -> None:
    """Raise ProgramError for a program that is already distributed."""
    if program.is_distributed:
        raise ProgramError(f"program {program.name} already has layouts or collectives; give the single-device program")


def forward(graph: Graph) -> tuple[Node, ...]:
    """Return the operations that the outputs depend on: the forward pass."""
    wanted = set(graph.outputs)
    kept = []
    for node in reversed(graph.nodes):
        if node.result in wanted:
            kept.append(node)
            wanted |= set(node.reads)
    return tuple(reversed(kept))


class _Reader:
    def __init__(self, program: Program) -> None:
        self._program = program
        self._tensors: list[Tensor] = []
        self._nodes: list[Node] = []
        self._versions: list[NewVersion] = []
        self._named: dict[str, int] = {}
        self._known: dict[tuple[str, Attributes, tuple[int | Number, ...], bool], int] = {}
        self._kinds: dict[tuple[object, ...], _Kind] = {}
        self._origin: dict[int, int] = {}
        self._statement = ""

    def run(self) -> Graph:
        for source in self._program.sources:
            number = self._tensor(source.name, Whole(source.shape, source.dtype), source)
            self._named[source.name] = number
            if source.kind in (SourceKind.STATE, SourceKind.PARAMETER):
                self._origin[number] = number
        for statement in self._program.statements:
            self._statement = statement.name
            try:
                value = self._value(statement.expression, top=True)
            except ProgramError as cause:
                raise ProgramError(f"{statement.name}: {cause}") from cause
            self._named[statement.name] = self._computed(value)
        return Graph(
            program=self._program,
            tensors=tuple(self._tensors),
            nodes=self._used(),
            versions=tuple(self._versions),
            named=self._named,
        )

    def _used(self) -> tuple[Node, ...]:
        """Return the operations that outputs or updates depend on."""
        wanted = {self._named[output.name] for output in self._program.outputs}
        wanted |= {version.result for version in self._versions}
        kept = []
        for node in reversed(self._nodes):
            if node.result in wanted:
                kept.append(node)
                wanted |= set(node.reads)
        return tuple(reversed(kept))

    def _tensor(self, name: str, whole: Whole, source: Source | None = None) -> int:
        self._tensors.append(Tensor(name, whole.shape, whole.dtype, source))
        return len(self._tensors) - 1

    def _computed(self, value: int | Number) -> int:
        """Return the value as a tensor number. Raises ProgramError for a statement that is only a literal."""
        if isinstance(value, int):
            return value
        raise ProgramError(f"{self._statement} is only the number {value.value}; write the number where it is used")

    def _value(self, expression: Expression, top: bool = False) -> int | Number:
        match expression:
            case Read(name):
                return self._named[name]
            case Number():
                return expression
            case Call():
                return self._call(expression, top)
            case Convert() | Ranks():
                raise AssertionError("the program is not distributed")

    def _call(self, call: Call, top: bool) -> int:
        operands = tuple(self._value(operand) for operand in call.operands)
        old = operands[0]
        is_version = top and call.operation == "update" and old in self._origin
        key = (call.operation, call.attributes, operands, self._statement.startswith(RECOMPUTED))
        if not is_version and key in self._known:
            return self._known[key]
        kind = self._kind(call, operands)
        result = self._tensor(self._fresh(top), kind.whole)
        node = Node(
            operation=call.operation,
            attributes=call.attributes,
            operands=operands,
            result=result,
            signature=kind.signature,
            flops=kind.flops,
            kind=kind.number,
        )
        if is_version:
            assert isinstance(old, int)
            self._version(old, self._computed(operands[1]), result)
        else:
            self._known[key] = result
        self._nodes.append(node)
        return result

    def _kind(self, call: Call, operands: tuple[int | Number, ...]) -> "_Kind":
        """Return the properties that operations of one kind share; computed once."""
        used = [self._tensors[each] if isinstance(each, int) else None for each in operands]
        shapes = tuple(tensor.shape if tensor is not None else () for tensor in used)
        types = tuple(tensor.dtype if tensor is not None else None for tensor in used)
        numbers = tuple(each for each in operands if not isinstance(each, int))
        key = (call.operation, call.attributes, shapes, types, numbers)
        if key not in self._kinds:
            names = [f"t{position}" for position in range(len(operands))]
            reads = tuple(
                Read(name) if isinstance(each, int) else each for name, each in zip(names, operands, strict=True)
            )
            known = {
                name: Whole(tensor.shape, tensor.dtype)
                for name, tensor in zip(names, used, strict=True)
                if tensor is not None
            }
            flat = Call(call.operation, reads, call.attributes)
            self._kinds[key] = _Kind(
                len(self._kinds), whole_of(flat, known), signature(flat, shapes), flops(flat, shapes)
            )
        return self._kinds[key]

    def _version(self, old: int, new: int, result: int) -> None:
        state = self._origin[old]
        self._origin[result] = state
        self._versions.append(NewVersion(state, old, new, result))

    def _fresh(self, top: bool) -> str:
        return self._statement if top else ""


@dataclass(frozen=True, slots=True)
class _Kind:
    number: int
    whole: Whole
    signature: Signature
    flops: int
