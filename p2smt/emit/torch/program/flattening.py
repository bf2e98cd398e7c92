"""Weight gradients from a flattened tensor, if the program already has it.

    v = reshape(transpose(x, (0, 2, 1, 3)), (8, 64, 256))        the same v, and
    d = einsum("b s o, b h s i -> o h i", g, x)      ->    d = reshape(einsum("b s o, b s h -> o h", g, v), (o, h, i))

Labels that v has as one dimension (heads and their features) are joined. The gradient becomes a product of two
matrices, and the flattened tensor is copied once, as in PyTorch's layers.

Invariant: every name keeps its layouts. Nothing is rewritten if ranks have shards of a dimension that flattening joins
with others, or if the program would infer other layouts.
Complexity: O(statements) for each gradient that is rewritten.
Reference: McKeeman, "Peephole optimization", 1965.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from p2smt.tensor.expression import Call, Read, Statement
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred, Layouts, Refused
from p2smt.tensor.layout import Replicated, Sliced
from p2smt.tensor.operations.move import groups
from p2smt.tensor.program import Program
from p2smt.tensor.signature import Shape

_NEAR = 4
"""The most statements after a contraction within which the flattening is moved before it."""


@dataclass(frozen=True, slots=True)
class FlatTensor:
    """A statement that flattens a tensor, and its number; `joined` lists the tensor's dimensions in each of its own."""

    statement: Statement
    number: int
    joined: tuple[tuple[int, ...], ...]


def with_flat_operands(program: Program) -> Program:
    """Return the program with contractions that read flattened tensors instead of the original ones."""
    inferred = infer(program)
    if isinstance(inferred, Refused):
        return program
    shapes: dict[str, Shape] = {each.name: each.shape for each in program.sources}
    shapes |= {step.statement: step.whole.shape for step in inferred.steps}
    flat = _flat_tensors(program, shapes, inferred.layouts)
    taken = {*shapes}
    statements: dict[str, Statement] = {}
    for number, each in enumerate(program.statements):
        match each.expression:
            case Call("einsum", (Read() as left, Read() as right), (str(text),)) if f"{each.name}.flat" not in taken:
                near = {name: found for name, found in flat.items() if found.number < number + _NEAR}
                made = _contracted((left, right), text, near)
            case _:
                made = None
        if made is not None:
            early = [found.statement for found in flat.values() if Read(found.statement.name) in made.operands]
            statements |= {found.name: found for found in early if found.name not in statements}
            statements[f"{each.name}.flat"] = Statement(f"{each.name}.flat", made)
            whole = Call("reshape", (Read(f"{each.name}.flat"),), (shapes[each.name],))
            statements[each.name] = replace(each, expression=whole)
        statements.setdefault(each.name, each)
    made_program = replace(program, statements=tuple(statements.values()))
    if len(statements) == len(program.statements):
        return program
    other = infer(made_program)
    same = isinstance(other, Inferred) and inferred.layouts.items() <= other.layouts.items()
    return made_program if same else program


def _flat_tensors(
    program: Program, shapes: Mapping[str, Shape], layouts: Mapping[str, Layouts]
) -> dict[str, FlatTensor]:
    """Return the flattening statement of each tensor, if ranks have the joined dimensions unsharded."""
    found: dict[str, FlatTensor] = {}
    for number, each in enumerate(program.statements):
        match each.expression:
            case Call("reshape", (Call("transpose", (Read(name),), (tuple(order),)),), (tuple(shape),)):
                joined = _groups(tuple(shapes[name][dim] for dim in order), shape, order)
                if joined and _is_whole(joined, layouts[name], layouts[each.name]):
                    found.setdefault(name, FlatTensor(each, number, joined))
            case _:
                pass
    return found


def _groups(old: Shape, new: Shape, order: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Return the dimensions that each new dimension joins, by their numbers in `order`; () if one is split.

    >>> _groups((8, 64, 4, 16), (8, 64, 64), (0, 2, 1, 3))
    ((0,), (2,), (1, 3))
    """
    runs = groups(old, new)
    if any(len(after) != 1 for _, after in runs):
        return ()
    return tuple(tuple(order[position] for position in before) for before, _ in runs)


def _is_whole(joined: Sequence[Sequence[int]], before: Layouts, after: Layouts) -> bool:
    """True if ranks have shards only of dimensions that are not joined."""
    # only Replicated, Sliced: summands and values of one rank stay as they are written
    return all(
        isinstance(old, Replicated)
        or (isinstance(old, Sliced) and isinstance(new, Sliced) and joined[new.dimension] == (old.dimension,))
        for old, new in zip(before, after, strict=True)
    )


def _contracted(operands: Sequence[Read], text: str, flat: Mapping[str, FlatTensor]) -> Call | None:
    """Return the contraction with a flattened operand; None if no flattened form joins these labels."""
    sources, _, target = text.partition("->")
    labels, result = [source.split() for source in sources.split(",")], target.split()
    reads = list(operands)
    for number, read in enumerate(operands):
        found = flat.get(read.name)
        if found is None:
            continue
        joined = [[labels[number][dim] for dim in group] for group in found.joined]
        behind = _joined(result, [group for group in joined if len(group) > 1], labels[1 - number])
        if behind is not None:
            reads[number] = Read(found.statement.name)
            labels[number], result = [group[0] for group in joined], behind
    if reads == list(operands):
        return None
    spec = f"{', '.join(' '.join(each) for each in labels)} -> {' '.join(result)}"
    return Call("einsum", tuple(reads), (spec,))


def _joined(result: list[str], groups: Sequence[Sequence[str]], others: Sequence[str]) -> list[str] | None:
    """Return the result's labels with each group replaced by its first label; None if a group is not contiguous."""
    for group in groups:
        first = result.index(group[0]) if group[0] in result else len(result)
        if result[first : first + len(group)] != [*group] or not {*group}.isdisjoint(others):
            return None
        result = [*result[: first + 1], *result[first + len(group) :]]
    return result
