"""Conditions on values that only decide whether the code raises, such as `if (labels >= classes).any(): raise`.

A captured step has no values to check, and an error would end it. Such a condition gets the answer with which the code
goes on, and the check is not in the program:

    assert (x > 0).all()                              True
    if not torch.isfinite(loss): raise ValueError     True
    if y.max().item() >= 5 or (y < 0).any(): raise    a small number, False

A check is an `assert`, or an `if` that only raises, warns, prints or logs, or that raises otherwise. Method: the syntax
tree around the instruction that asks is read, and the wanted value is passed down from the check's condition to the
expression that is asked (inherited attributes; Knuth, "Semantics of context-free languages", 1968):
    want(not e, v) = want(e, not v),    want(a and b, True) = want(a, True) and want(b, True),  likewise `or` and False,
and through comparisons, `all` and `any`. What a `try` or a `suppress` around it may catch, also in a function that
calls it, is not a check: it decides how the code goes on. Handlers that raise again catch nothing.
Complexity: one parse of each file, kept, and a search for the position of each question.
"""

import ast
import dis
import linecache
from collections.abc import Iterator, Sequence
from functools import lru_cache
from types import FrameType
from typing import TypeAlias

import torch

Span: TypeAlias = tuple[int | None, int | None, int | None, int | None]
Answer: TypeAlias = bool | int | float
Check: TypeAlias = tuple[ast.expr, bool]
"""A condition, and the truth value with which the code goes on."""
_LARGE = 1 << 62
_ELEMENT = "aten._local_scalar_dense.default"
_READING = (_ELEMENT, "aten.allclose.default", "aten.equal.default", "aten.is_nonzero.default")
"""Operations whose results are numbers: all but the first are truth values."""
_ASKING = ("POP_JUMP", "JUMP_IF", "TO_BOOL")
"""Instructions that ask what the instruction before them computed; all others ask their own operands."""
_LOGGERS = ("warnings", "logging", "logger", "log")
_READERS = ("abs", "bool", "float", "int", "len", "list", "max", "min", "round", "str", "sum", "tuple", "type")
_ASSERTING = ("_assert", "_check")
_OTHERWISE = (ast.Return, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await)
_OF_FINITE = {"isfinite": True, "isnan": False, "isinf": False}
_FILES = 8
"""Files whose checks are remembered: the code of a model is in few, and parsing one takes milliseconds."""


def passing(operation: str, asked: object, frame: FrameType | None) -> Answer | None:
    """Return the answer with which the check passes that asks for it; None if it is not a check that asks.

    `frame` is the innermost one of the user's code.
    """
    if frame is None or operation not in _READING or any(map(_may_be_caught, _callers(frame))):
        return None
    dtype = asked.dtype if operation == _ELEMENT and isinstance(asked, torch.Tensor) else torch.bool
    span = asking(frame)
    # By its place in the text: two expressions that read the same may belong to a check and to something else.
    for condition, wanted in _checks(source_of(frame)):
        for question, answer in _questions(condition, wanted):
            if span_of(question) == span:
                return _typed(dtype, answer)
    return None


def source_of(frame: FrameType) -> str:
    """The text of the file that a frame runs."""
    return "".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals))


def _callers(frame: FrameType) -> Iterator[FrameType]:
    """The frame, and those of the captured code that wait for it; the capture itself called the outermost."""
    each: FrameType | None = frame
    # Beyond the capture stands the user's call of p2smt, whose `try` a training step never sees.
    while each is not None and not each.f_globals.get("__name__", "").startswith("p2smt."):
        yield each
        each = each.f_back


def _may_be_caught(frame: FrameType) -> bool:
    """True if the frame's line is one whose errors the code around it may catch."""
    if frame.f_globals.get("__name__", "").partition(".")[0] == "torch":
        return False  # its calls of modules raise again
    return any(first <= frame.f_lineno <= last for first, last in _caught_lines(source_of(frame)))


@lru_cache(_FILES)
def _caught_lines(source: str) -> tuple[tuple[int, int], ...]:
    """First and last lines of statements whose errors the code around them may catch."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return ()
    caught = [each for node in ast.walk(tree) for each in _caught(node)]
    return tuple([(each.lineno, each.end_lineno or each.lineno) for each in caught])


def _caught(node: ast.AST) -> Sequence[ast.stmt]:
    """The statements of a `try` or `with` whose errors it may catch."""
    match node:
        case ast.Try(body=body, handlers=handlers) if not all(_raises(each.body) for each in handlers):
            return body
        case ast.With(items=items, body=body) if any(
            isinstance(each.context_expr, ast.Call) and _name(each.context_expr.func) == "suppress" for each in items
        ):
            return body
        case _:
            return ()


def asking(frame: FrameType) -> Span:
    """The position of the expression that a frame asks: first and last line, first and last column."""
    before: dis.Instruction | None = None
    found: dis.Instruction | None = None
    for each in dis.get_instructions(frame.f_code):
        if each.offset > frame.f_lasti:  # a call that waits for another frame stands at its last cache
            break
        before, found = found, each
    if found is not None and any(name in found.opname for name in _ASKING):
        found = before
    if found is None or found.positions is None:
        return None, None, None, None
    line, last_line, column, last_column = found.positions
    return line, last_line, column, last_column


def span_of(node: ast.expr | ast.stmt) -> Span:
    """The position of a piece of code: first and last line, first and last column."""
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


@lru_cache(_FILES)
def _checks(source: str) -> tuple[Check, ...]:
    """All checks of a file; none if it cannot be parsed."""
    try:
        return tuple(_checks_of(ast.parse(source)))
    except SyntaxError:
        return ()


def _checks_of(node: ast.AST) -> Iterator[Check]:
    match node:
        case ast.Assert(test=test):
            yield test, True
        case ast.If(test=test, body=body, orelse=other) if _raises(body) or (_tells(body) and not other):
            yield test, False
        case ast.If(test=test, orelse=other) if _raises(other):
            yield test, True
        case ast.Expr(value=ast.Call(args=[condition, *_]) as call) if _name(call.func) in _ASSERTING:
            yield call, True  # the one that asks stands in torch
            yield condition, True
        case ast.Call(func=function) if _name(function) == "istft":
            yield node, False  # torch asks whether the window leaves gaps
        case _:
            pass
    for each in ast.iter_child_nodes(node):
        yield from _checks_of(each)


def _raises(statements: Sequence[ast.stmt]) -> bool:
    """True if statements end in an error, and cannot be left in another way."""
    if not statements or not isinstance(statements[-1], ast.Raise):
        return False
    return not any(isinstance(each, _OTHERWISE) for one in statements for each in ast.walk(one))


def _tells(statements: Sequence[ast.stmt]) -> bool:
    """True if statements only print, warn or log what reading tensors gives."""
    return all(
        isinstance(each, ast.Expr)
        and isinstance(each.value, ast.Call)
        and _is_notice(each.value.func)
        and all(map(_only_reads, [*each.value.args, *[keyword.value for keyword in each.value.keywords]]))
        for each in statements
    )


def _only_reads(argument: ast.expr) -> bool:
    """True if nothing in an argument can change a value: calls are of these functions and of methods of tensors."""
    for each in ast.walk(argument):
        match each:
            case ast.Call(func=ast.Name(id=name)) if name in _READERS:
                pass
            # Methods that write end with an underscore. Those of a user's own module have other names, and may write.
            case ast.Call(func=ast.Attribute(attr=name)) if hasattr(torch.Tensor, name) and not name.endswith("_"):
                pass
            case ast.Call() | ast.NamedExpr() | ast.Await() | ast.Yield() | ast.YieldFrom():
                return False
            case _:
                pass
    return True


def _is_notice(function: ast.expr) -> bool:
    match function:
        case ast.Name(id="print" | "warn"):
            return True
        case ast.Attribute(value=ast.Name(id=name)):
            return name.lower().strip("_") in _LOGGERS
        case _:
            return False


def _name(function: ast.expr) -> str:
    """The last part of a function's name."""
    match function:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _questions(condition: ast.expr, wanted: bool) -> Iterator[tuple[ast.expr, Answer]]:
    """Expressions of a condition whose values decide it, with answers that make it what is wanted.

    Python asks until the condition is decided, so that answers may be given to each alone.
    """
    yield condition, wanted
    match condition:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield from _questions(operand, not wanted)
        case ast.BoolOp(values=values):
            for each in values:
                yield from _questions(each, wanted)
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            # Either side may be a tensor's number: it is made so large or small that any other side decides nothing.
            for side, sign in ((left, 1), (right, -1)):
                if (direction := _direction(operator, wanted)) is not None:
                    yield from _numbers(side, sign * direction * _LARGE)
        case ast.Call(func=ast.Name(id="all" | "any"), args=[ast.GeneratorExp(elt=each) | ast.ListComp(elt=each)]):
            yield from _questions(each, wanted)
        # math.isfinite and the like ask for the number themselves, before the condition is known.
        case ast.Call(func=function, args=[each]) if _OF_FINITE.get(_name(function)) is wanted:
            yield from _numbers(each, 0)
        case _:
            pass


def _direction(operator: ast.cmpop, wanted: bool) -> int | None:
    """Return 1 if a comparison is as wanted for a large left side, -1 for a small one; None if for neither."""
    match operator:
        case ast.Gt() | ast.GtE():
            return 1 if wanted else -1
        case ast.Lt() | ast.LtE():
            return -1 if wanted else 1
        # No number equals what is not known, but any large one differs from it.
        case ast.Eq() | ast.NotEq():
            return 1 if isinstance(operator, ast.NotEq) == wanted else None
        case _:
            return None


def _numbers(side: ast.expr, number: float) -> Iterator[tuple[ast.expr, Answer]]:
    """The expression whose number is asked, also inside a conversion."""
    yield side, number
    match side:
        case ast.Call(func=ast.Name(id="int" | "float"), args=[inner]):
            yield from _numbers(inner, number)
        case _:
            pass


def _typed(dtype: torch.dtype, answer: Answer) -> Answer | None:
    """The answer as a number of this type; None if the size of a truth value is asked."""
    if dtype is torch.bool:
        return answer if isinstance(answer, bool) else None
    return float(answer) if dtype.is_floating_point else int(answer)
