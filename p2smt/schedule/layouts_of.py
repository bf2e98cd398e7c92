"""The layouts of expressions in a program with known layouts, and the rule used along each axis.

Type inference by structural recursion, with layouts as types and one rule for each axis, on its own:
    layouts(Convert(c, e, axis))  = layouts(e) with c applied on that axis,
    layouts(f(e1, ..., en))[axis] = result of the first rule of f whose operands are layouts(ei)[axis],
and a refusal where no rule applies, or layouts of several axes do not go together.
Complexity: O(size of the expression x axes x rules); programs are inferred once and kept.
Reference: the same kind of rules as in Xu et al., "GSPMD: general and scalable parallelization for ML computation
graphs", 2021.

Example: x in slices of rows and w whole: x @ w is in slices of rows. With x in slices of columns and w in slices of
rows, it is a partial sum.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from p2smt.errors import ProgramError
from p2smt.tensor.conversion_rules import converted
from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred, Layouts, Refused
from p2smt.tensor.layout import Layout, Replicated
from p2smt.tensor.placing import mixed
from p2smt.tensor.program import Program
from p2smt.tensor.reason import Refusal
from p2smt.tensor.refusals import refusal
from p2smt.tensor.rule import Rule, applied, rules
from p2smt.tensor.shapes import signature, wholes
from p2smt.tensor.signature import Shape, Signature


@dataclass(frozen=True, slots=True)
class TypedProgram:
    """The shape and the layouts of every name of a program on a mesh."""

    program: Program
    shapes: Mapping[str, Shape]
    layouts: Mapping[str, Layouts]

    def shape_of(self, expression: Expression) -> Shape:
        """Return the shape of an expression."""
        match expression:
            case Read(name):
                return self.shapes[name]
            case Number() | Ranks():
                return ()
            case Convert(_, operand):
                return self.shape_of(operand)
            case Call():
                return self.signed(expression).shape

    def signed(self, call: Call) -> Signature:
        """Return the signature of a call."""
        return signature(call, tuple(self.shape_of(operand) for operand in call.operands))

    def layouts_of(self, expression: Expression) -> Layouts | Refusal:
        """Return the layouts of an expression, or the rule that it violates."""
        match expression:
            case Read(name):
                return self.layouts[name]
            case Number() | Ranks():
                return (Replicated(),) * len(self.program.mesh)
            case Convert(conversion, operand, axis):
                before = self.layouts_of(operand)
                if isinstance(before, Refusal):
                    return before
                number = self.program.axis(axis)
                after = converted(conversion, before, self.program.mesh, number, self.shape_of(operand))
                return after if isinstance(after, Refusal) else (*before[:number], after, *before[number + 1 :])
            case Call(_, operands):
                theirs = [self.layouts_of(operand) for operand in operands]
                return self.called(self.signed(expression), theirs)

    def called(self, signed: Signature, operands: list[Layouts | Refusal]) -> Layouts | Refusal:
        """Return the layouts of an operation's result, or the rule that its operands violate."""
        known: list[Layouts] = []
        for each in operands:
            if isinstance(each, Refusal):
                return each
            known.append(each)
        results: list[Layout] = []
        for axis in range(len(self.program.mesh)):
            result = along_axis(signed, tuple(layouts[axis] for layouts in known))
            if isinstance(result, Refusal):
                return result
            results.append(result[1])
        return mixed(tuple(results)) or tuple(results)


def along_axis(signed: Signature, operands: tuple[Layout, ...]) -> tuple[Rule, Layout] | Refusal:
    """Return the rule that applies along one axis, and the layout of the result; a refusal if none applies."""
    for rule in rules(signed):
        result = applied(rule, operands)
        if result is not None:
            return rule, result
    return refusal(signed, operands)


@lru_cache(maxsize=256)
def typed(program: Program) -> TypedProgram:
    """Return the layouts of a program. ProgramError if it has none."""
    result = infer(program)
    match result:
        case Inferred(layouts):
            shapes = {name: whole.shape for name, whole in wholes(program).items()}
            return TypedProgram(program, shapes, layouts)
        case Refused():
            raise ProgramError(f"the program is invalid before any step: {result}; correct it first")
