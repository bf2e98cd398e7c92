"""The two programs of a step that accumulates gradients: of all micro-batches but the last, and of the last.

A step with `accumulate=k` has for every trained parameter w a state w.accumulated, and

    total.w = w.accumulated + gradient.w / k,    w.accumulated' = total.w,    w' = (the optimizer's step with total.w)

The first k - 1 micro-batches need the second equation alone (and new versions of buffers); the last needs the third,
and whoever runs it clears the states behind it. Both are the sharded program without the other's updates.
"""

from collections.abc import Callable
from dataclasses import replace

from p2smt.tensor.program import Program, Read, SourceKind, parts, versions

_STATE = ".accumulated"


def gradients_alone(program: Program) -> Program:
    """Without the updates of parameters and of the optimizer's states; the norm of gradients is no output."""
    parameters = {each.name for each in program.sources if each.kind is SourceKind.PARAMETER}

    def is_kept(name: str) -> bool:
        return name.endswith(_STATE) or (name not in parameters and name.rpartition(".")[0] not in parameters)

    return _with_updates(replace(program, outputs=program.outputs[:1]), is_kept)


def without_accumulation(program: Program) -> Program:
    """Without the updates of sums of gradients, which are cleared behind the step."""
    return _with_updates(program, lambda name: not name.endswith(_STATE))


def _with_updates(program: Program, is_kept: Callable[[str], bool]) -> Program:
    """The statements that outputs and the updates of these states and parameters need."""
    needed = {each.name for each in program.outputs}
    needed |= {version for name, version in versions(program).items() if is_kept(name)}
    kept = []
    for statement in reversed(program.statements):
        if statement.name in needed:
            kept.append(statement)
            needed |= {part.name for part in parts(statement.expression) if isinstance(part, Read)}
    return replace(program, statements=tuple(reversed(kept)))
