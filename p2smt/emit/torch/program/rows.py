"""Gradients of linear layers from one contiguous copy of their rows, if a gradient has another memory order.

After a permuted image, the gradient of a linear layer has the image's memory order, and each product would copy it:

    m = matmul(g, w)                                         r = reshape(g, (512, 128))
    t = reshape(transpose(g, (3, 0, 1, 2)), (128, 512))      m = reshape(matmul(r, w), (2, 16, 16, 64))
    d = matmul(t, x)                                  ->     t = transpose(r, (1, 0))
    s = sum(g, (0, 1, 2))                                    s = sum(r, (0,))

PyTorch's backward pass does the same. A product with the gradient in its original order is a batch of many small
matrices, which is slow on CUDA. Invariant: every name keeps its layouts; otherwise nothing is rewritten.
Complexity: O(statements) for each gradient that is rewritten.
Reference: McKeeman, "Peephole optimization", 1965.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import prod

from p2smt.tensor.expression import Call, Read, Statement
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred, Refused
from p2smt.tensor.program import Program
from p2smt.tensor.signature import Shape


def with_rows_once(program: Program) -> Program:
    """Return the program with a single copy of the rows of each such gradient."""
    inferred = infer(program)
    if isinstance(inferred, Refused):
        return program
    shapes: dict[str, Shape] = {each.name: each.shape for each in program.sources}
    shapes |= {step.statement: step.whole.shape for step in inferred.steps}
    turned = {name for each in program.statements if (name := _turned(each, shapes))}
    statements: dict[str, Statement] = {}
    for each in program.statements:
        for made in _rewritten(each, turned, shapes):
            statements.setdefault(made.name, made)
    if len(statements) == len(program.statements):
        return program
    made_program = replace(program, statements=tuple(statements.values()))
    other = infer(made_program)
    same = isinstance(other, Inferred) and inferred.layouts.items() <= other.layouts.items()
    return made_program if same else program


def _turned(statement: Statement, shapes: Mapping[str, Shape]) -> str:
    """Return the tensor whose rows a statement transposes into the columns of a matrix; "" for other statements."""
    match statement.expression:
        case Call("reshape", (Call("transpose", (Read(name),), (tuple(order),)),), (tuple(matrix),)):
            shape = shapes[name]
            last = len(shape) - 1
            is_turned = last > 1 and order == (last, *range(last)) and matrix == (shape[-1], prod(shape[:-1]))
            return name if is_turned and f"{name}.rows" not in shapes else ""
        case _:
            return ""


def _rewritten(statement: Statement, turned: set[str], shapes: Mapping[str, Shape]) -> Iterator[Statement]:
    """Yield the statements that replace a statement."""
    if name := _turned(statement, shapes):
        yield from (_flat(name, shapes), replace(statement, expression=Call("transpose", (_rows(name),), ((1, 0),))))
        return
    match statement.expression:
        case Call("matmul", (Read(name), Read(weight))) if name in turned and len(shapes[weight]) == 2:
            if f"{statement.name}.rows" in shapes:
                yield statement
                return
            product = Statement(f"{statement.name}.rows", Call("matmul", (_rows(name), Read(weight))))
            whole = Call("reshape", (Read(product.name),), (shapes[statement.name],))
            yield from (_flat(name, shapes), product, replace(statement, expression=whole))
        case Call("sum", (Read(name),), (dims,)) if name in turned and dims == tuple(range(len(shapes[name]) - 1)):
            yield from (_flat(name, shapes), replace(statement, expression=Call("sum", (_rows(name),), ((0,),))))
        case _:
            yield statement


def _rows(name: str) -> Read:
    return Read(f"{name}.rows")


def _flat(name: str, shapes: Mapping[str, Shape]) -> Statement:
    """Return the statement that flattens a tensor to its rows."""
    *rows, length = shapes[name]
    return Statement(f"{name}.rows", Call("reshape", (Read(name),), ((prod(rows), length),)))
