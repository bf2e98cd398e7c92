"""Values as operands: lookup by name, access to tuple elements, and conversion to tensors."""

from collections.abc import Mapping, Sequence

from p2smt.errors import VerifyError
from p2smt.frontend.xla.ssa import HloShape, Type
from p2smt.frontend.xla.ssa_values import GivenParameter, HloTensor, Value


def parameter(type_: Type, first: int, whole: str | None) -> tuple[Value, int]:
    """Return a parameter whose tensors are numbered from `first`, and the number of its tensors."""
    if isinstance(type_, HloShape):
        return HloTensor(type_, GivenParameter(first), whole), 1
    values: list[Value] = []
    count = 0
    for one in type_:
        value, inside = parameter(one, first + count, whole)
        values.append(value)
        count += inside
    return tuple(values), count


def count_of(value: Value) -> int:
    """The number of tensors in a value."""
    return sum(map(count_of, value)) if isinstance(value, tuple) else 1


def looked_up(name: str, held: Mapping[str, Value]) -> Value:
    """Return a value by name; `%0#1` is the second element of `%0`."""
    whole, _, place = name.partition("#")
    if whole not in held:
        raise VerifyError(f"{name[:60]} is used before it is defined")
    return element(held[whole], int(place[:6])) if place else held[whole]


def element(value: Value, index: int) -> Value:
    """An element of a tuple. Raises VerifyError."""
    if not isinstance(value, tuple):
        raise VerifyError(f"element {index} of a value that is not a tuple; use the value itself")
    if index >= len(value):
        raise VerifyError(f"there is no element {index} in a tuple of {len(value)}; elements are counted from 0")
    return value[index]


def one_or_several(values: Sequence[Value]) -> Value:
    """Return a single value itself, several as a tuple."""
    return values[0] if len(values) == 1 else tuple(values)


def first_of(values: Sequence[Value]) -> Value:
    """The tuple operand."""
    if not values:
        raise VerifyError("the operand is missing; it must be a tuple")
    return values[0]


def tensors_of(values: Sequence[Value]) -> list[HloTensor]:
    """The operands as tensors."""
    if not values or any(isinstance(value, tuple) for value in values):
        raise VerifyError("expected a tensor, found a tuple or no operand; take one element of the tuple")
    tensors = [value for value in values if isinstance(value, HloTensor)]
    if any(tensor.whole is not None for tensor in tensors):
        raise VerifyError(
            "the operation takes a sharded tensor as a whole: the program is not partitioned yet; give "
            "the text of the compiled program, or write what one device does (shard_map)"
        )
    return tensors


def types_of(type_: "Type | None") -> Sequence[Type]:
    """The types in a tuple type; a single type alone."""
    return type_ if isinstance(type_, tuple) else [] if type_ is None else [type_]


def shape_of(type_: "Type | None") -> HloShape:
    """The type of a tensor."""
    if not isinstance(type_, HloShape):
        raise VerifyError("the type is missing, or is a tuple where a tensor is expected")
    return type_
