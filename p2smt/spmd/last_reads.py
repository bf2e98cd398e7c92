"""When the values of a program are read last."""

from p2smt.tensor.program import Program, Read, parts


def last_reads(program: Program) -> dict[int, list[str]]:
    """The computed values that the statement of each number is the last to read; outputs are kept."""
    last: dict[str, int] = {}
    for number, statement in enumerate(program.statements):
        last[statement.name] = number
        for part in parts(statement.expression):
            if isinstance(part, Read):
                last[part.name] = number
    kept = {source.name for source in program.sources} | {output.name for output in program.outputs}
    ends: dict[int, list[str]] = {}
    for name, number in last.items():
        if name not in kept:
            ends.setdefault(number, []).append(name)
    return ends
