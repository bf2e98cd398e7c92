"""Statements that run only where a condition holds and, where it does not, leave nothing behind.

    if mask.any():                              rows = torch.where(chosen == expert)[0]
       y = expert(x[mask])                     if rows.numel() == 0:
       out[mask] = y                               continue
                                                out.index_add_(0, rows, expert(x[rows]))

Such statements are a block: what the `if` guards, what follows it in its loop, or what a loop over the rows of
`hit.nonzero()` repeats. Method: the syntax tree around the question is read. A statement of a block may
    bind names that are used nowhere else in the function,
    write into tensors that have a name before the block: `name[...] = `, `name[...] += `, `name.index_add_(...)`,
and nothing else. What it writes is masked by the condition as it runs (`conditions.py`, `selections/`).
Complexity: one parse of a file, kept, and a walk through it for each question.
Reference: Allen et al., "Conversion of control dependence to data dependence", 1983 (if-conversion).
"""

import ast
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, FrameType
from typing import TypeAlias

import torch

from p2smt.frontend.torch_graph.guards import Span, asking, source_of, span_of

Position: TypeAlias = tuple[int, int]
"""A line and a column."""
Scope: TypeAlias = tuple[ast.AST, bool, Sequence[ast.stmt], int]
"""A statement: its function, whether a loop repeats the list that it stands in, that list, and its index."""
_COMPARED: Mapping[type[ast.cmpop], str] = {
    ast.Gt: "gt",
    ast.GtE: "ge",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Eq: "eq",
    ast.NotEq: "ne",
}
"""Functions of `operator`."""
_LEAVING = (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)
_FILES = 8


@dataclass(frozen=True, slots=True, eq=False)
class CodeBlock:
    """Consecutive statements, and the call of a function that is running them; `line` is that of the first."""

    frame: FrameType
    start: Position
    end: Position
    line: str
    kept: tuple[tuple[object, Sequence[object]], ...]
    """Lists, dictionaries and sets that it names, with what they held before it."""

    def runs(self, frame: FrameType | None) -> bool:
        """True if this frame, or one that waits for it, is within the block."""
        while frame is not None:
            if frame is self.frame:
                return self.start <= _position(frame) < self.end
            frame = frame.f_back
        return False

    def changes_lists(self) -> bool:
        """True if a list, dictionary or set that it names holds other things than before it."""
        return any(
            len(before) != len(after) or any(one is not other for one, other in zip(before, after, strict=True))
            for before, after in ((before, _held(each)) for each, before in self.kept)
        )


@dataclass(frozen=True, slots=True, eq=False)
class ConditionalBlock:
    """A block, the answer with which it runs, and its condition as a function of what is asked."""

    block: CodeBlock
    answer: bool | int
    condition: Callable[[torch.Tensor], torch.Tensor]


def block_of(frame: FrameType, answers: Sequence[bool | int]) -> ConditionalBlock | None:
    """Return the block that runs with one of two answers to the question that a frame asks, and not with the other."""
    span = asking(frame)
    for scope, loop, block, index in _statements(source_of(frame)):
        each = block[index]
        if isinstance(each, ast.If) and any(
            isinstance(one, ast.expr) and span_of(one) == span for one in ast.walk(each.test)
        ):
            truth = _truth(each.test, span)
            if truth is None or bool(truth(answers[0])) == bool(truth(answers[1])):
                return None
            for wanted in (True, False):
                run, skip = (each.body, each.orelse) if wanted else (each.orelse, each.body)
                rest = block[index + 1 :] if loop else None
                found = _guarded(frame, scope, run, skip, rest)
                if found is not None:
                    answer = next(one for one in answers if bool(truth(one)) == wanted)
                    return ConditionalBlock(found, answer, _as_tensor(truth, wanted))
            return None
    return None


def _guarded(
    frame: FrameType,
    scope: ast.AST,
    run: Sequence[ast.stmt],
    skip: Sequence[ast.stmt],
    rest: Sequence[ast.stmt] | None,
) -> CodeBlock | None:
    """The block that one branch is, where the other does nothing, or continues with the next round of a loop.

    `rest` is what follows in the loop's body; None if the branches are not statements of one.
    """
    if len(skip) == 1 and isinstance(skip[0], ast.Continue) and rest is not None:
        return _checked(frame, scope, [*run, *rest], (), to_end=True)
    does_nothing = all(isinstance(each, ast.Pass) for each in skip)
    return _checked(frame, scope, run, (), to_end=False) if does_nothing else None


def repeated_block(frame: FrameType) -> CodeBlock | None:
    """Return the statements that a `for` repeats whose iterator a frame asks for."""
    span = asking(frame)
    for scope, _, block, index in _statements(source_of(frame)):
        each = block[index]
        # Python 3.11 asks for an iterator at the position of the whole statement, others at that of what is iterated.
        if isinstance(each, ast.For) and span in (span_of(each), span_of(each.iter)) and not each.orelse:
            return _checked(frame, scope, each.body, tuple(ast.walk(each.target)), to_end=True)
    return None


def _as_tensor(truth: Callable[[object], object], wanted: bool) -> Callable[[torch.Tensor], torch.Tensor]:
    def condition(asked: torch.Tensor) -> torch.Tensor:
        found = truth(asked)
        assert isinstance(found, torch.Tensor)
        found = found if found.dtype is torch.bool else found != 0
        return found if wanted else found.logical_not()

    return condition


@lru_cache(_FILES)
def _statements(source: str) -> tuple[Scope, ...]:
    """All `if` and `for` statements of a file."""
    try:
        return tuple(_statements_of(tree := ast.parse(source), tree))
    except SyntaxError:
        return ()


def _statements_of(node: ast.AST, scope: ast.AST) -> Iterator[Scope]:
    inner = node if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) else scope
    for name, value in ast.iter_fields(node):
        listed = value if isinstance(value, list) else [value]
        for index, each in enumerate(listed):
            if isinstance(each, ast.If | ast.For):
                yield inner, isinstance(node, ast.For | ast.While) and name == "body", listed, index
            if isinstance(each, ast.AST):
                yield from _statements_of(each, inner)


def _truth(test: ast.expr, span: Span) -> Callable[[object], object] | None:
    """The value of a condition as a function of the answer to the question in it; None if it depends on more."""
    if span_of(test) == span:
        return lambda answer: answer
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            inner = _truth(operand, span)
            return None if inner is None else lambda answer: _opposite(inner(answer))
        case ast.Call(func=ast.Name(id="bool"), args=[each], keywords=[]):
            return _truth(each, span)
        case ast.BoolOp(op=ast.And(), values=[*_, last]):
            return _truth(last, span)  # those before it were true, or it would not be asked
        case ast.Compare(left=left, ops=[compared], comparators=[ast.Constant(value=int() as number)]):
            while isinstance(left, ast.Call) and isinstance(left.func, ast.Name) and left.func.id == "int":
                if span_of(left) == span or len(left.args) != 1:
                    break
                left = left.args[0]
            known = type(compared) in _COMPARED and span_of(left) == span
            function = getattr(operator, _COMPARED.get(type(compared), "eq"))
            return (lambda answer: function(answer, number)) if known else None
        case _:
            return None


def _opposite(truth: object) -> object:
    return truth.logical_not() if isinstance(truth, torch.Tensor) else not truth


def _checked(
    frame: FrameType, scope: ast.AST, statements: Sequence[ast.stmt], targets: Sequence[ast.AST], *, to_end: bool
) -> CodeBlock | None:
    """The block of these statements; None if they may leave more behind than writes into tensors.

    `to_end`: they end where their loop's body ends, and may continue with its next round.
    """
    if not statements:
        return None
    start = statements[0].lineno, statements[0].col_offset
    end = statements[-1].end_lineno or 0, statements[-1].end_col_offset or 0
    every = [*targets, *[each for one in statements for each in ast.walk(one)]]
    bound = {each.id for each in every if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    own = set(map(id, every))
    outside = {each.id for each in ast.walk(scope) if isinstance(each, ast.Name) and id(each) not in own}
    outside |= {name for each in ast.walk(scope) if isinstance(each, ast.Global | ast.Nonlocal) for name in each.names}
    if bound & outside or any(isinstance(each, _LEAVING) for each in every):
        return None
    if not to_end and any(isinstance(each, ast.Continue) for each in every):
        return None
    known = frame.f_locals

    def is_written(base: ast.expr) -> bool:
        """True for a tensor that has this name since before the block."""
        return isinstance(base, ast.Name) and base.id not in bound and isinstance(known.get(base.id), torch.Tensor)

    if not all(_leaves_nothing(each, is_written) for each in statements):
        return None
    named = {each.id for each in every if isinstance(each, ast.Name)} - bound
    kept = tuple((known[name], _held(known[name])) for name in sorted(named) if _is_container(known.get(name)))
    return CodeBlock(frame, start, end, f"{frame.f_code.co_filename}:{start[0]}", kept)


def _is_container(value: object) -> bool:
    return isinstance(value, list | dict | set)


def _held(container: object) -> Sequence[object]:
    match container:
        case dict():
            return [each for pair in container.items() for each in pair]
        case list() | set():
            return list(container)
        case _:
            return ()


def _leaves_nothing(statement: ast.stmt, is_written: Callable[[ast.expr], bool]) -> bool:
    match statement:
        case ast.Assign(targets=targets):
            return all(_is_bound(each) or _is_row(each, is_written) for each in targets)
        case ast.AnnAssign(target=target) | ast.AugAssign(target=target):
            return _is_bound(target) or _is_row(target, is_written)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=base, attr=name))):
            return name.endswith("_") and not name.endswith("__") and is_written(base)
        case ast.If(body=body, orelse=other):
            return all(_leaves_nothing(each, is_written) for each in (*body, *other))
        case ast.Pass() | ast.Continue() | ast.Expr(value=ast.Constant()):
            return True
        case _:
            return False


def _is_bound(target: ast.expr) -> bool:
    """True for a name, or several; that nothing else uses them is checked for all together."""
    match target:
        case ast.Name():
            return True
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return all(map(_is_bound, elements))
        case _:
            return False


def _is_row(target: ast.expr, is_written: Callable[[ast.expr], bool]) -> bool:
    return isinstance(target, ast.Subscript) and is_written(target.value)


@lru_cache(_FILES)
def _positions(code: CodeType) -> tuple[Position, ...]:
    return tuple((line or 0, column or 0) for line, _, column, _ in code.co_positions())


def _position(frame: FrameType) -> Position:
    """The beginning of the expression that a frame computes."""
    return _positions(frame.f_code)[frame.f_lasti // 2]  # an instruction takes two bytes
