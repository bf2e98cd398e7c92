"""A lower bound on the step of a single-device program, for all shardings, schedules and placements.

Every contraction that the outputs and new versions need is computed at least once, by all devices together:

    step >= sum over contractions of flops / (devices x flops per second of a device).

Sharding divides this work or repeats it, schedules move it, overlap hides other things behind it; none of them removes
any. Other operations and all communication count as nothing, so that the bound is loose where these take long. The rate
is the largest that the machine's prices have for any of the contractions in any of the program's types.
Complexity: one pass over the contractions.
Reference: Graham, "Bounds for certain multiprocessing anomalies", 1966 (work divided by processors).

Example: a product of 2 x 10^12 operations on eight devices of 10^14 a second takes at least 2.5 ms.
"""

from math import prod

from p2smt.schedule.cost.fused_kernel import kernel_kind
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.layouts_of import typed
from p2smt.spmd.devices.kernel_times import dtype_name
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Program
from p2smt.tensor.tidying import without_unused


def least_step_seconds(program: Program, machine: Machine) -> float:
    """Return the bound for a program of one device, with the prices of a machine of all devices."""
    needed = without_unused(program)
    known = typed(needed)
    called = dict.fromkeys(each for each in needed.expressions() if isinstance(each, Call))
    # only: other operations may be divided and fused at will
    contractions = [each for each in called if OPERATIONS[each.operation].kind is Kind.CONTRACT]
    flops = sum(2.0 * prod(label.size for label in known.signed(each).labels) for each in contractions)
    rates = [_rate(machine, each, dtype) for each in contractions for dtype in _types(needed)]
    return flops / (machine.cost.system.devices * max(rates)) if rates else 0.0


def _rate(machine: Machine, call: Call, dtype: DType) -> float:
    """Return the operations per second of a contraction on one device."""
    model, kind = machine.model, kernel_kind(call.operation)
    if model is None or kind is None:
        return machine.flops
    return model.peak(dtype_name(dtype)) * model.figures(kind, dtype_name(dtype)).computing


def _types(program: Program) -> list[DType]:
    """Return the types of sources and of casts, in which values can be."""
    casts = [
        DType(str(each.attributes[0]))
        for each in program.expressions()
        if isinstance(each, Call) and each.operation == "cast"
    ]
    return list(dict.fromkeys([*(source.dtype for source in program.sources), *casts]))
