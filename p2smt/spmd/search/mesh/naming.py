"""Name mesh axes after their use in the program.

Method: a simultaneous renaming of bound variables, which must not capture others: a mesh axis shares the namespace of
tensors and sizes, so with `taken` all other names,
    name(axis) = first of (use, use2, use3, ...) that is not in taken,  which then joins taken.
The use is that of most work (`account/recognition.py`). Expressions without axes stay the same objects.
Complexity: one pass over the program.
Reference: Pierce, "Types and Programming Languages", 2002, section 5.3 (substitution that avoids capture).

Example: axes a and b, used for data and tensor parallelism, in a program with a tensor called `data`: they become data2
and tensor.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import is_
from types import MappingProxyType

from p2smt.spmd.account.recognition import recognised
from p2smt.spmd.devices.device_mesh import axis_names
from p2smt.tensor.expression import AxisLayout, Call, Convert, Expression, ProgramAxis, Ranks, Statement
from p2smt.tensor.program import Program

_NAMES = MappingProxyType(
    {
        "data parallelism": "data",
        "tensor parallelism": "tensor",
        "Megatron's tensor parallelism": "tensor",
        "sequence parallelism": "sequence",
        "expert parallelism": "expert",
    }
)


def named(program: Program) -> Program:
    """Return the program with each axis named after the parallelism of most of its contractions' work.

    A single axis keeps its name, which texts leave out, and so do axes that the user named.
    """
    if not _has_default_names(program):
        return program
    wanted: dict[str, str] = {}
    for each in recognised(program):
        if each.name in _NAMES:
            wanted.setdefault(each.axis, _NAMES[each.name])
    return _with_names(program, wanted)


def named_for(program: Program, purposes: Sequence[str]) -> Program:
    """Return the program with each axis named after its purpose, as `named` does where the purposes are not known.

    `purposes` has a name for each axis of the mesh, empty where the axis keeps its name.
    """
    # Names that a user gave stay.
    if not _has_default_names(program):
        return program
    pairs = zip(program.mesh, purposes, strict=True)
    return _with_names(program, {axis.name: purpose for axis, purpose in pairs if purpose})


def _has_default_names(program: Program) -> bool:
    """True if the mesh has several axes, and none of their names is the user's."""
    names = {axis.name for axis in program.mesh}
    return len(program.mesh) > 1 and not names.isdisjoint(axis_names(len(program.mesh)))


def _with_names(program: Program, wanted: Mapping[str, str]) -> Program:
    """Return the program with its axes renamed; names that are taken get a number."""
    taken = {source.name for source in program.sources} | {each.name for each in program.statements}
    taken |= {name for name, _ in program.sizes}
    names: dict[str, str] = {}
    for axis in program.mesh:
        stem = name = wanted.get(axis.name, axis.name)
        number = 1
        while name in taken:
            number += 1
            name = f"{stem}{number}"
        taken.add(name)
        names[axis.name] = name
    return replace(
        program,
        mesh=tuple(ProgramAxis(names[axis.name], axis.size) for axis in program.mesh),
        sources=tuple(replace(each, layouts=_placed(each.layouts, names)) for each in program.sources),
        statements=tuple([_on_axes(each, names) for each in program.statements]),
        outputs=tuple(replace(each, layouts=_placed(each.layouts, names)) for each in program.outputs),
    )


def _placed(layouts: tuple[AxisLayout, ...], names: Mapping[str, str]) -> tuple[AxisLayout, ...]:
    return tuple(replace(each, axis=names[each.axis]) for each in layouts)


def _on_axes(statement: Statement, names: Mapping[str, str]) -> Statement:
    expression = _renamed(statement.expression, names)
    return statement if expression is statement.expression else Statement(statement.name, expression)


def _renamed(expression: Expression, names: Mapping[str, str]) -> Expression:
    """Return the expression on the renamed axes; the same object if it has none."""
    match expression:
        case Call(operation, operands, attributes):
            made = tuple([_renamed(each, names) for each in operands])
            return expression if all(map(is_, made, operands)) else Call(operation, made, attributes)
        case Convert(conversion, operand, axis):
            return Convert(conversion, _renamed(operand, names), names[axis])
        case Ranks(axis):
            return Ranks(names[axis])
        case _:
            return expression
