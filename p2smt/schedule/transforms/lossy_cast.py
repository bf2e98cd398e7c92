"""lossy cast: x = collective(y) -> l = cast(y, t); c = collective(l); x = cast(c, original type).

Guard: t is a narrower floating-point type.
Obligations: none. Values change, so this step is applied only on explicit request.
Rebuild: three statements. The change of values is measured on random inputs and reported (`rounding.py`).
"""

from collections.abc import Mapping

from p2smt.schedule.kernel import sends
from p2smt.schedule.naming import new_names, statement
from p2smt.schedule.outcome import Rewriting, StepRefusedError
from p2smt.schedule.rounding import error_text
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import LossyCast
from p2smt.schedule.transforms.split import put_before
from p2smt.schedule.why import Why
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, Convert, Read, Statement
from p2smt.tensor.shapes import whole_of, wholes

# lacks BF16, BOOL, F16, I32, I64: these have no narrower type, and are refused
_NARROWER: Mapping[DType, tuple[DType, ...]] = {
    DType.F64: (DType.F32, DType.F16, DType.BF16),
    DType.F32: (DType.F16, DType.BF16),
}


def lossy_cast(scheduled: ScheduledProgram, step: LossyCast, results: tuple[str, ...]) -> Rewriting:
    """Send a collective's data in a narrower type. `results` names the data sent and the data received."""
    expression = statement(scheduled, step.value)
    if not isinstance(expression, Convert) or not sends(expression.conversion):
        raise StepRefusedError(Why.NO_COLLECTIVE, step.value)
    dtype = whole_of(expression.operand, wholes(scheduled.program)).dtype or DType.F32
    if step.dtype not in _NARROWER.get(dtype, ()):
        raise StepRefusedError(Why.NOT_NARROWER, f"{dtype} to {step.dtype}")
    new_names(scheduled, results, ("what is sent", "what is received"))
    low, sent = results
    whole = f"{low}.whole"
    made = (
        Statement(low, Call("cast", (expression.operand,), (str(step.dtype),))),
        Statement(sent, Convert(expression.conversion, Read(low), expression.axis)),
        Statement(whole, Call("cast", (Read(sent),), (str(dtype),))),
    )
    program = put_before(scheduled.program, step.value, expression, made)
    note = error_text(scheduled.program, program)
    return Rewriting(scheduled=scheduled.with_program(program), notes=(note,), rounds=True)
