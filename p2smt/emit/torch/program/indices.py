"""Bounds on the indices in a program's inputs: the length of the shortest table that they index.

Method: a backward walk from every lookup to the inputs (a slice of the program; Weiser, "Program slicing", 1984),
through operations that move elements without changing them:
    limit(input) = min over lookups whose index comes from the input of  rows of their table.
Complexity: one walk for each lookup, over the expressions that its index is made of.

Example: `embedding(table, reshape(tokens))` with a table of 1,000 rows: tokens are below 1,000. If the tokens also
index a table of 800 rows, they are below 800.
"""

from p2smt.tensor.expression import Call, Convert, Expression, Read
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Program
from p2smt.tensor.typed_walk import shapes_of, typed_walk


def index_limits(program: Program, *, parts: bool = True) -> dict[str, int]:
    """Map every input that is used as an index to the number of rows it may address.

    Without `parts`, only inputs whose elements are all used as indices count: others may hold larger numbers.
    """
    walk = typed_walk(program)
    made = {statement.name: statement.expression for statement in program.statements}
    limits: dict[str, int] = {}
    for each in walk:
        match each.expression:
            case Call(operation, operands) if _looks_up(operation):
                shape, table = each.whole.shape, shapes_of(walk, each)[0]
                length = {"embedding": table[:1], "pick": table[-1:], "embedding_backward": shape[:1]}.get(operation)
                rows = (length or shape[-1:])[0]
                for name in _origins(operands[-1], made, parts=parts):
                    # An index used in several lookups must be valid in the smallest table.
                    limits[name] = min(rows, limits.get(name, rows))
            case _:
                pass
    return {source.name: limits[source.name] for source in program.sources if source.name in limits}


def _looks_up(operation: str) -> bool:
    return OPERATIONS[operation].kind.looks_up


def _origins(expression: Expression, made: dict[str, Expression], *, parts: bool) -> set[str]:
    """Return the names from which an expression takes elements unchanged: all of them, or with `parts` also some."""
    match expression:
        case Read(name):
            return _origins(made[name], made, parts=parts) | {name} if name in made else {name}
        case Convert(_, operand):
            return _origins(operand, made, parts=parts)
        case Call("slice", _) if not parts:
            return set()
        case Call(operation, operands) if OPERATIONS[operation].kind.moves or operation == "cast":
            return {name for operand in operands for name in _origins(operand, made, parts=parts)}
        case _:
            return set()
