"""The update of all parameters, which emitted steps run as one of torch's fused kernels.

The fused statements are element-wise operations that only updates or other fused statements read. Their kernel reads
its inputs once and writes the new versions (for Adam, parameter, gradient and two states: seven words per parameter).
If a collective reads one of them, as in ZeRO, updates are not fused.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from p2smt.spmd.devices.parts import MeshRanks
from p2smt.tensor.expression import Call, Convert, Expression, Read, SourceKind, parts
from p2smt.tensor.inference import judge
from p2smt.tensor.judgement import Layouts, Refused
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import wholes
from p2smt.tensor.signature import Shape

_ELEMENTWISE = (Kind.MAP, Kind.UPDATE)  # only: others are kernels of their own


@dataclass(frozen=True, slots=True)
class FusedUpdate:
    """The statements of a fused kernel, the most bytes that a device moves for it, and the number of parameters.

    Before launching the kernel, the host collects every parameter with its gradient and states.
    """

    statements: frozenset[str]
    bytes: int
    parameters: int


def fused_update(program: Program) -> FusedUpdate | None:
    """Return the fused update of a step; None if there is none, or if it contains collectives."""
    expressions = {statement.name: statement.expression for statement in program.statements}
    readers: dict[str, set[str]] = {}
    for name, expression in expressions.items():
        for read in _reads(expression):
            readers.setdefault(read, set()).add(name)
    outputs = {output.name for output in program.outputs}
    fused: set[str] = set()
    for name in reversed(expressions):
        read_by = readers.get(name, set())
        is_needed = _is_update(expressions[name]) or bool(read_by)
        if is_needed and name not in outputs and _is_elementwise(expressions[name]) and read_by <= fused:
            fused.add(name)
    if not any(_is_update(expressions[name]) for name in fused):
        return None
    own = {source.name for source in program.sources if source.kind is SourceKind.PARAMETER}
    updated = sum(_updated(expressions[name]) in own for name in fused)
    return FusedUpdate(frozenset(fused), _moved(program, expressions, fused), updated)


def _moved(program: Program, expressions: Mapping[str, Expression], fused: set[str]) -> int:
    """Return the bytes that the kernel reads and writes on the device with the most."""
    judged = judge(program)
    assert not isinstance(judged, Refused)
    ranks, known = MeshRanks(tuple([axis.size for axis in program.mesh])), wholes(program)
    elements: dict[tuple[Layouts, Shape], int] = {}
    read = {name for each in fused for name in _reads(expressions[each])} - fused
    written = [name for name in fused if _is_update(expressions[name])]
    total = 0
    for name in (*sorted(read), *written):
        whole, layouts = known[name], judged.layouts[name]
        if (layouts, whole.shape) not in elements:
            elements[layouts, whole.shape] = int(ranks.elements(layouts, whole.shape).max())
        total += elements[layouts, whole.shape] * whole.element_bytes
    return total


def _reads(expression: Expression) -> set[str]:
    return {part.name for part in parts(expression) if isinstance(part, Read)}


def _is_update(expression: Expression) -> bool:
    return isinstance(expression, Call) and OPERATIONS[expression.operation].kind is Kind.UPDATE  # only: new versions


def _updated(expression: Expression) -> str | None:
    """Return the name that a statement replaces, or None."""
    if not _is_update(expression) or not isinstance(expression, Call) or not isinstance(expression.operands[0], Read):
        return None
    return expression.operands[0].name


def _is_elementwise(expression: Expression) -> bool:
    """True if all operations of an expression are element-wise, and none is a collective."""
    each = list(parts(expression))
    if any(isinstance(part, Convert) for part in each):
        return False
    return all(OPERATIONS[part.operation].kind in _ELEMENTWISE for part in each if isinstance(part, Call))
