"""The last statement that reads each value of a program."""

from collections.abc import Sequence

from p2smt.tensor.program import Program


def last_reads(
    program: Program, reads: Sequence[Sequence[str]], buckets: Sequence[tuple[str, ...]] = ()
) -> dict[int, list[str]]:
    """Map each statement's number to the computed values that it is the last to read; outputs are never freed.

    `reads` has the names that each statement reads. A bucket reads its operands at its last statement. Its results
    share one buffer, which is freed after the last read.
    """
    last: dict[str, int] = {}
    for number, (statement, names) in enumerate(zip(program.statements, reads, strict=True)):
        last[statement.name] = number
        for name in names:
            last[name] = number
    numbers = {statement.name: number for number, statement in enumerate(program.statements)}
    for bucket in buckets:
        end, inside = numbers[bucket[-1]], {numbers[name] for name in bucket}
        last.update({name: end for name, number in last.items() if number in inside})
        last.update(dict.fromkeys(bucket, max(last[name] for name in bucket)))
    kept = {source.name for source in program.sources} | {output.name for output in program.outputs}
    ends: dict[int, list[str]] = {}
    for name, number in last.items():
        if name not in kept:
            ends.setdefault(number, []).append(name)
    return ends
