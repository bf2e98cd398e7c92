"""Verification of mixed-precision programs, up to rounding.

With w(p) the program p in which every cast between floating-point types is replaced by its operand, and all
floating-point types by f32,
    p equals q up to rounding   if w(p) equals w(q), and observed values have equal types in p and q.
Casts are the identity of real numbers, which is exact but for rounding and overflow; the verdict lists this as an
assumption. Casts from integers and booleans stay.
Complexity: O(size of the program), and one verification.
Reference: Higham, "Accuracy and Stability of Numerical Algorithms", 2002, section 2.2 (the model of rounding that is
left out).

Example: cast(cast(x, bf16) * 2, f32) and x * 2 are equal up to rounding.
"""

from dataclasses import replace

from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read, Statement
from p2smt.tensor.program import Program, versions
from p2smt.tensor.shapes import whole_of, wholes
from p2smt.tensor.verification.check import verify_program
from p2smt.tensor.verification.verdict import ProgramVerdict
from p2smt.verify.verdict import Proved


def verify_up_to_rounding(
    program: Program, single: Program, devices: int | None = None, deadline: float | None = None
) -> ProgramVerdict:
    """Return the verdict on both programs computed in one floating-point type.

    Casts between floating-point types are replaced by their operands, which the verdict lists as an
    assumption. Observed values must have equal types in the original programs.
    """
    types = _casts(program) | _casts(single)
    if not types or _observed(program) != _observed(single):
        return verify_program(program, single, devices, deadline)
    verdict = verify_program(without_rounding(program), without_rounding(single), devices, deadline)
    if not isinstance(verdict, Proved):
        return verdict
    assumed = f"casts to {', '.join(sorted(types))} do no more than round: no value is beyond the range of its type"
    proof = verdict.evidence
    return Proved(replace(proof, assumed=(*proof.assumed, assumed)))


def without_rounding(program: Program) -> Program:
    r"""Return the program with one floating-point type and no casts among such types.

    >>> from p2smt.tensor.text.parser import parse_program
    >>> low = parse_program("program p\ninput x : f32[4]\ny = cast(cast(x, bf16) * 2, f32)\noutput y\n")
    >>> without_rounding(low).statements[0].expression
    Call(operation='mul', operands=(Read(name='x'), Number(value=2)), attributes=())
    """
    known = wholes(program)

    def kept(expression: Expression) -> Expression:
        match expression:
            case Call("cast", (operand,), (target,)) if not DType(str(target)).is_whole:
                before, inner = whole_of(operand, known), kept(operand)
                is_rounding = bool(before.shape) if before.dtype is None else not before.dtype.is_whole
                return inner if is_rounding else Call("cast", (inner,), (str(DType.F32),))
            case Call(operation, operands, attributes):
                return Call(operation, tuple(map(kept, operands)), attributes)
            case Convert(conversion, operand, axis):
                return Convert(conversion, kept(operand), axis)
            case Read() | Number() | Ranks():
                return expression

    sources = tuple(each if each.dtype.is_whole else replace(each, dtype=DType.F32) for each in program.sources)
    statements = tuple(Statement(each.name, kept(each.expression)) for each in program.statements)
    return replace(program, sources=sources, statements=statements)


def _casts(program: Program) -> set[str]:
    """Return the floating-point types that occur as targets of casts."""
    return {
        str(part.attributes[0])
        for part in program.expressions()
        if isinstance(part, Call) and part.operation == "cast" and not DType(str(part.attributes[0])).is_whole
    }


def _observed(program: Program) -> dict[str, DType | None]:
    """Return the types of outputs and of the last versions of updated sources."""
    known = wholes(program)
    outputs = {f"output {each.name}": known[each.name].dtype for each in program.outputs}
    return outputs | {f"version of {name}": known[last].dtype for name, last in versions(program).items()}
