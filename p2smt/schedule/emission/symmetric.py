"""Emission of a loop's pair as one operation of symmetric memory, for ranks whose GPUs share memory.

The lines go before the loop over chunks, which every other machine runs:

    if shares_memory(along_rank):
        rs = matmul_reduce_scatter(x, w, along_rank, 0)
        ...the rest of the loop, on whole tensors...
        return y
"""

import re
from collections.abc import Sequence

from p2smt.emit.torch.program.lines import broken
from p2smt.schedule.emission.writer import ScheduleWriter
from p2smt.schedule.graph import statements
from p2smt.schedule.layouts_of import typed
from p2smt.schedule.scheduled import Loop, ScheduledProgram
from p2smt.schedule.symmetric_memory import PipelinedPair, pipelined_pair
from p2smt.tensor.conversion import AllGather, ReduceScatter
from p2smt.tensor.expression import Call, Convert

_INSIDE = " " * 8
_PRODUCT = re.compile(r"torch\.matmul\((\w+), (\w+)\)")
_GATHER = re.compile(r"all_gather\w*\((\w+), ")


def symmetric_lines(
    writer: ScheduleWriter, scheduled: ScheduledProgram, loop: Loop, wanted: Sequence[str]
) -> list[str]:
    """Return the lines that carry a loop out by symmetric memory and return `wanted`; none if there is no such pair.

    The writer is left as it was.
    """
    pair = pipelined_pair(scheduled, loop)
    expressions = statements(scheduled.program)
    inside = () if pair is None else (*pair.members, *pair.rest)
    updates = any(isinstance(each := expressions[name], Call) and each.operation == "update" for name in inside)
    # An update writes into its state's own memory, of which a loop has chunks; sums in rank order are not torch's.
    if pair is None or updates or writer.is_ordered:
        return []
    values, lines, indent = dict(writer.values), writer.lines, writer.indent
    writer.lines, writer.indent = [], _INSIDE
    condition, first = _pair(writer, scheduled, pair)
    writer.lines = [] if first is None else [first]
    for statement in scheduled.program.statements:
        if statement.name in pair.rest:
            writer.write(statement)
    results = ", ".join(writer.values[name].text for name in wanted)
    found = [*writer.lines, broken(f"{_INSIDE}return {results}")]
    writer.lines, writer.indent = lines, indent
    writer.values.clear()
    writer.values.update(values)
    return [] if first is None else [f"    if {condition}:  # GPUs with NVLink: blocks, started once", *found]


def _pair(writer: ScheduleWriter, scheduled: ScheduledProgram, pair: PipelinedPair) -> tuple[str, str | None]:
    """Return the condition for a pair's operation, and its line; None if it is no plain product. Defines its result."""
    convert = statements(scheduled.program)[pair.collective]
    assert isinstance(convert, Convert)
    assert isinstance(convert.conversion, AllGather | ReduceScatter)
    for statement in scheduled.program.statements:
        if statement.name in pair.members:
            writer.write(statement)
    text = "\n".join(writer.lines)
    dimension, axis = convert.conversion.dimension, writer.axes[scheduled.program.axis(convert.axis)].name
    scatters = isinstance(convert.conversion, ReduceScatter)
    name = pair.collective if scatters else pair.contraction
    found = _PRODUCT.search(text)
    operand = _GATHER.search(text)
    if found is None or (operand is None and not scatters):
        return "", None
    x = found[1] if scatters or operand is None else operand[1]
    function = "matmul_reduce_scatter" if scatters else "all_gather_matmul"
    value = writer.values[name]
    last = scatters and dimension == len(typed(scheduled.program).shapes[pair.contraction]) - 1
    condition = f"shares_memory({axis}{', by_columns=True' if last else ''})"
    return condition, broken(f"{_INSIDE}{value.text} = {function}({x}, {found[2]}, {axis}, {dimension})")
