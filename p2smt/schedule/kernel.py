"""Fusion of statements into one kernel, and the reasons why some cannot be fused.

A kernel runs over one index space, element by element. Other elements may use a reduction inside it only
after a barrier, which is an AllReduce of the reduced value. Its other collectives form one chain.
"""

from dataclasses import dataclass, field
from math import prod

from p2smt.schedule.graph import between, reads, statements
from p2smt.schedule.outcome import StepRefusedError
from p2smt.schedule.scheduled import Kernel
from p2smt.schedule.why import Why
from p2smt.tensor.conversion import COMMUNICATION, AllGather, AllReduce, Conversion, ReduceScatter, Send
from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read, parts
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import signature, wholes
from p2smt.tensor.signature import Shape


def kernel_of(program: Program, members: tuple[str, ...]) -> Kernel:
    """Return the kind of kernel that these statements form. StepRefusedError if they cannot form one."""
    if len(members) < 2:
        raise StepRefusedError(Why.TOO_FEW, ", ".join(members))
    _convex(program, members)
    walk = _Walk(program, members)
    for name in members:
        walk.statement(name)
    return walk.kernel()


def sends(conversion: Conversion) -> bool:
    """True if a conversion communicates."""
    return COMMUNICATION[type(conversion)] is not None


def _convex(program: Program, members: tuple[str, ...]) -> None:
    """Check that no path between members leaves the group; statements are in program order.

    StepRefusedError otherwise.
    """
    inside = set(members)
    behind: set[str] = set()
    for statement in program.statements:
        read = reads(statement.expression)
        if statement.name not in inside:
            if read & inside or read & behind:
                behind.add(statement.name)
        elif read & behind:
            raise StepRefusedError(Why.NOT_CONVEX, f"{min(read & behind)} is left out, and {statement.name} reads it")


@dataclass(frozen=True, slots=True)
class _Value:
    """A shape. `pending` is True if group elements were reduced to the value and no barrier has followed."""

    shape: Shape
    pending: bool


@dataclass(slots=True)
class _Walk:
    program: Program
    members: tuple[str, ...]
    values: dict[str, _Value] = field(default_factory=dict)
    chain: list[str] = field(default_factory=list)
    space: Shape = ()
    expressions: dict[str, Expression] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shapes = wholes(self.program)
        self.expressions = statements(self.program)
        self.values = {name: _Value(whole.shape, False) for name, whole in shapes.items()}
        self.space = max((shapes[name].shape for name in self.members), key=lambda shape: (len(shape), prod(shape)))

    def statement(self, name: str) -> None:
        """Add one member, in program order."""
        expression = self.expressions[name]
        inner = expression.operand if isinstance(expression, Convert) else expression
        if any(isinstance(part, Convert) and sends(part.conversion) for part in parts(inner)):
            raise StepRefusedError(Why.NO_COMPUTATION, name)
        value = self._value(inner, name)
        if isinstance(expression, Convert) and sends(expression.conversion):
            if isinstance(expression.conversion, AllReduce) and value.pending:
                value = _Value(value.shape, False)
            else:
                self.chain.append(name)
        self._in_space(value, name)
        self.values[name] = value

    def _value(self, expression: Expression, name: str) -> _Value:
        match expression:
            case Read(read):
                return self.values[read]
            case Number() | Ranks():
                return _Value((), False)
            case Convert(_, operand):
                return self._value(operand, name)
            case Call(operation, operands):
                theirs = [self._value(operand, name) for operand in operands]
                return self._called(operation, expression, theirs, name)

    def _called(self, operation: str, call: Call, operands: list[_Value], name: str) -> _Value:
        shape = signature(call, tuple(operand.shape for operand in operands)).shape
        pending = any(operand.pending for operand in operands)
        match OPERATIONS[operation].kind:
            case Kind.MAP | Kind.RANDOM | Kind.UPDATE:
                pass
            case Kind.REDUCE:
                return _Value(shape, True)
            case Kind.ROW:
                raise StepRefusedError(Why.ACROSS, f"{operation} in {name} combines elements along a dimension")
            case Kind.CONTRACT | Kind.RELABEL | Kind.VIEW | Kind.TAKE | Kind.PUT | Kind.JOIN:
                raise StepRefusedError(Why.INDEX_SPACE, f"{operation} in {name}")
        if pending and any(operand.pending and operand.shape != shape for operand in operands):
            raise StepRefusedError(Why.ACROSS, f"{name} uses a reduction over all elements in each element")
        return _Value(shape, pending)

    def _in_space(self, value: _Value, name: str) -> None:
        if value.pending:
            return
        lined = (1,) * (len(self.space) - len(value.shape)) + value.shape
        if any(length not in (1, wanted) for length, wanted in zip(lined, self.space, strict=True)):
            raise StepRefusedError(Why.INDEX_SPACE, f"{name} has shape {list(value.shape)} among {list(self.space)}")

    def kernel(self) -> Kernel:
        """Return the kernel kind, by the chain of collectives.

        StepRefusedError if they do not form one chain.
        """
        expressions = statements(self.program)
        chain = [expression for name in self.chain if isinstance(expression := expressions[name], Convert)]
        for first, second in zip(self.chain, self.chain[1:], strict=False):
            if second not in between(self.program, first, [second]):
                raise StepRefusedError(Why.CHAINS, f"{first} and {second} do not depend on each other")
        match [each.conversion for each in chain]:
            case []:
                return Kernel.COMPUTATION
            case [ReduceScatter(), AllGather()] if chain[0].axis == chain[1].axis:
                return Kernel.ALL_REDUCE
            case [AllReduce()]:
                return Kernel.ALL_REDUCE
            case [Send()]:
                return Kernel.SEND
            case [_]:
                return Kernel.COLLECTIVE
            case _:
                pass
        raise StepRefusedError(Why.CHAINS, " and ".join(self.chain))
