"""Printer of programs, in a canonical form, the inverse of the parser.

Brackets by precedence: with s the strength of an operator (1 for + and -, 2 for * and /, 3 for negation, 4 for atoms),
    text(e, least) = text(e) if s(e) >= least, else "(" text(e) ")",
    text(a op b) = text(a, s) op text(b, s + 1),   since operators associate to the left.
Invariant: parse(print(p)) = p.
Complexity: linear in the text.
Reference: Ramsey, "Unparsing expressions with prefix and postfix operators", 1998.

Example: (a - b) - c is printed as a - b - c, and a - (b - c) with its brackets.
"""

from typing import Protocol

from p2smt.tensor.conversion import (
    AllGather,
    AllReduce,
    AllToAll,
    Broadcast,
    Conversion,
    Keep,
    Rebalance,
    Reduce,
    ReduceScatter,
    Send,
    Slice,
)
from p2smt.tensor.expression import (
    AxisLayout,
    Call,
    Convert,
    Expression,
    Number,
    Output,
    ProgramAxis,
    Ranks,
    Read,
    Source,
    SourceKind,
    Statement,
)
from p2smt.tensor.frame import Attribute
from p2smt.tensor.layout import ReductionOp, layout_text, sizes_as_text
from p2smt.tensor.operation import ParameterKind
from p2smt.tensor.operations import OPERATIONS

INFIX = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
_STRENGTH = {"add": 1, "sub": 1, "mul": 2, "div": 2, "neg": 3}
_ATOM = 4


class ProgramParts(Protocol):
    """The parts of a program that stand in its text; `Program` has them, and shows itself by its text."""

    @property
    def name(self) -> str:
        """The name."""
        ...

    @property
    def sizes(self) -> tuple[tuple[str, int], ...]:
        """Named sizes, in order."""
        ...

    @property
    def mesh(self) -> tuple[ProgramAxis, ...]:
        """The axes of the mesh; none on one device."""
        ...

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources, in order."""
        ...

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The statements, in order."""
        ...

    @property
    def outputs(self) -> tuple[Output, ...]:
        """The outputs, in order."""
        ...


def print_program(program: ProgramParts) -> str:
    """Return the text of a program. Guarantees `parse_program(print_program(p)) == p`."""
    lines = [f"program {program.name}"]
    if program.mesh:
        lines.append("mesh " + ", ".join(f"{axis.name}={axis.size}" for axis in program.mesh))
    if program.sizes:
        lines.append("size " + ", ".join(f"{name} = {size}" for name, size in program.sizes))
    lines += [_source(source, dict(program.sizes)) for source in program.sources]
    lines += [f"{each.name} = {print_expression(each.expression)}" for each in program.statements]
    lines += [f"output {_output(output)}" for output in program.outputs]
    return "\n".join(lines) + "\n"


def _source(source: Source, sizes: dict[str, int]) -> str:
    if source.kind is SourceKind.SCALAR:
        return f"scalar {source.name}" + (f" : {source.dtype}" if source.dtype != "f32" else "")
    shape = ", ".join(
        name if name in sizes else f"{name}={length}" if name else str(length)
        for name, length in zip(source.names, source.shape, strict=True)
    )
    value = f" = {number_text(source.value)}" if source.kind is SourceKind.CONSTANT else ""
    return f"{source.kind} {source.name} : {source.dtype}[{shape}]{_layouts(source.layouts)}{value}"


def _output(output: Output) -> str:
    return output.name + _layouts(output.layouts)


def _layouts(layouts: tuple[AxisLayout, ...]) -> str:
    return "".join(f" {placed_text(placed)}" for placed in layouts)


def placed_text(placed: AxisLayout) -> str:
    """Return the text of a layout with its axis.

    >>> from p2smt.tensor.layout import OnRank
    >>> placed_text(AxisLayout(OnRank(0), "data"))
    'on_rank(0, data)'
    """
    text = layout_text(placed.layout)
    if not placed.axis:
        return text
    if "(" not in text:
        return f"{text}({placed.axis})"
    head, comma, rest = text[:-1].partition(", ")
    return f"{head}, {placed.axis}{comma}{rest})"


def print_expression(expression: Expression) -> str:
    """Return the text of an expression, with no more brackets than precedence needs."""
    return _printed(expression, 0)


def _printed(expression: Expression, strength: int) -> str:
    own = _ATOM
    match expression:
        case Read(name):
            text = name
        case Number(value):
            text = number_text(value)
        case Ranks(axis):
            text = f"ranks({axis})" if axis else "ranks"
        case Call(name, (left, right)) if name in INFIX:
            own = _STRENGTH[name]
            text = f"{_printed(left, own)} {INFIX[name]} {_printed(right, own + 1)}"
        case Call("neg", (operand,)) if not isinstance(operand, Number):
            own = _STRENGTH["neg"]
            text = f"-{_printed(operand, own)}"
        case Call():
            text = _called(expression)
        case Convert(conversion, operand, axis):
            arguments = [_printed(operand, 0), *_conversion(conversion), *([f"axis={axis}"] if axis else [])]
            text = f"{type(conversion).__name__}({', '.join(arguments)})"
    return text if own >= strength else f"({text})"


def _called(call: Call) -> str:
    operation = OPERATIONS[call.operation]
    arguments = [_printed(operand, 0) for operand in call.operands]
    for parameter, value in zip(operation.parameters, call.attributes, strict=True):
        if value == parameter.default:
            continue
        if parameter.kind is ParameterKind.TEXT:
            arguments.insert(0, f'"{value}"')
        elif parameter.kind is ParameterKind.WHOLES:
            arguments += _values(value)
        else:
            arguments.append(f"{parameter.name}={''.join(_values(value))}")
    return f"{call.operation}({', '.join(arguments)})"


def _values(value: Attribute) -> list[str]:
    match value:
        case tuple():
            return [str(number) for number in value]
        case str():
            return [value]
        case int() | float():
            return [number_text(value)]


def _conversion(conversion: Conversion) -> list[str]:
    numbers: tuple[int, ...]
    match conversion:
        case AllReduce(reduction):
            numbers, rest = (), _reduced(reduction)
        case ReduceScatter(dimension, sizes, reduction):
            numbers, rest = (dimension,), [*_reduced(reduction), *_sizes(sizes)]
        case AllToAll(source, target, sizes):
            numbers, rest = (source, target), _sizes(sizes)
        case Rebalance(dimension, sizes) | Slice(dimension, sizes):
            numbers, rest = (dimension,), _sizes(sizes)
        case Reduce(root, reduction):
            numbers, rest = (root,), _reduced(reduction)
        case AllGather(number) | Broadcast(number) | Keep(number):
            numbers, rest = (number,), []
        case Send():
            numbers, rest = (), ["next"]
    return [*map(str, numbers), *rest]


def _reduced(reduction: ReductionOp) -> list[str]:
    return [] if reduction is ReductionOp.SUM else [reduction]  # only: the default reduction is not written


def _sizes(sizes: tuple[int, ...] | None) -> list[str]:
    return [] if sizes is None else [f"sizes={sizes_as_text(sizes)}"]


def number_text(value: int | float) -> str:
    """Return the text of a number; reading it gives the same number."""
    return repr(value)
