"""One call of every operation on small shapes, found by trial, so that new operations are covered."""

from collections.abc import Iterator, Mapping
from itertools import chain, product

from p2smt.tensor.frame import Attribute
from p2smt.tensor.operation import Operation, Parameter, ParameterKind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.rule import Rule, rules
from p2smt.tensor.rules.schema import general
from p2smt.tensor.signature import Shape, Signature

_SHAPES: tuple[Shape, ...] = ((3, 4), (4, 3), (3, 1), (4,), (2, 3, 4, 4), (5, 3, 3, 3), (2, 5, 4, 4), (2, 2, 3, 3))
_GROUPED: tuple[Shape, ...] = ((2, 3, 2, 4, 4), (3, 4, 2, 3, 3), (2, 3, 4, 2, 2))
"""Shapes for grouped convolutions: images, kernels and gradients."""
_WHOLES: tuple[tuple[int, ...], ...] = ((1, 0), (3, 4), (12,), (0,), (0, 2, 1, 3))
_FEW = 4
"""Above this number of operands, only calls whose operands have equal shapes are tried first."""
_TEXTS = ("b m, m n -> b n", "a b -> b a")


def calls() -> Iterator[tuple[Operation, Signature]]:
    """Yield every operation that accepts some of the shapes, with its signature for them."""
    for operation in OPERATIONS.values():
        found = _signature(operation)
        if found is not None:
            yield operation, found


def schemas() -> Mapping[tuple[Signature, Rule], str]:
    """Return all distinct rules of all operations, each with the first operation that has it."""
    found: dict[tuple[Signature, Rule], str] = {}
    for operation, signed in calls():
        for rule in rules(signed):
            found.setdefault(general(signed, rule), operation.name)
    return found


def _signature(operation: Operation) -> Signature | None:
    """Return the signature of the first call whose shapes and attributes fit; None if there is none."""
    count = 2 if operation.operands is None else operation.operands
    attributes = [_values(parameter) for parameter in operation.parameters]
    alike = [(shape,) * count for shape in _SHAPES if count > _FEW]
    for shapes in chain(alike, product(_SHAPES, repeat=count), product(_GROUPED, repeat=count)):
        for values in product(*attributes):
            try:
                return operation.signature(shapes, values)
            except ValueError:
                continue
    return None


def _values(parameter: Parameter) -> tuple[Attribute, ...]:
    match parameter.kind:
        case ParameterKind.WHOLE if isinstance(parameter.default, int):
            return (parameter.default,)
        case ParameterKind.WHOLE:
            return (1, 2, 3, 4, 6)
        case ParameterKind.REAL:
            return (0.5,)
        case ParameterKind.TEXT:
            return _TEXTS
        case ParameterKind.DTYPE:
            return ("f64",)
        case ParameterKind.WHOLES:
            return _WHOLES
