"""What every rank of SPMD code has in the end: its statements on its own arrays, collectives among groups of ranks."""

from collections.abc import Mapping, Sequence

import numpy as np

from p2smt.tensor.collectives_meaning import exchanged
from p2smt.tensor.frame import Frame, whole
from p2smt.tensor.meaning import DoesNotRunError, Meaning, Part
from p2smt.tensor.operation import Array
from p2smt.tensor.program import Call, Number, Read
from p2smt.tensor.ranks.programs import Computed, Exchanged, Permuted, RankPrograms, new_version

Arrays = dict[str, Array]


def simulated(
    ranks: RankPrograms, given: Sequence[Mapping[str, Array]], meaning: Meaning, step: int = 0
) -> list[Arrays]:
    """Every rank's arrays, by the name of source, statement or new version; `given` has each rank's sources.

    DoesNotRunError where arrays misfit.
    """
    values = [dict(each) for each in given]
    for statement in ranks.statements:
        match statement:
            case Computed(name, calls):
                for mine, shapes, call in zip(values, ranks.shapes, calls, strict=True):
                    mine[name] = _called(call, mine, shapes[name], meaning, step)
            case Exchanged():
                _exchange(statement, values, meaning)
            case Permuted(name, operand, pairs):
                sent = [mine[operand] for mine in values]
                sender = {target: source for source, target in pairs}
                for rank, mine in enumerate(values):
                    mine[name] = sent[sender[rank]] if rank in sender else np.zeros_like(sent[rank])
    for source, value in ranks.updates:
        for mine in values:
            mine[new_version(source)] = mine[value]
    return values


def _called(call: Call, mine: Arrays, shape: tuple[int, ...], meaning: Meaning, step: int) -> Array:
    arrays = [_operand(each, mine, meaning) for each in call.operands]
    frame = Frame(call.attributes, tuple(whole(array.shape) for array in arrays), whole(shape), step)
    try:
        made = meaning.call(call.operation, arrays, frame)
    except (ValueError, IndexError) as cause:
        raise DoesNotRunError(f"{call.operation}: {cause}") from cause
    if made.shape != shape:
        raise DoesNotRunError(f"{call.operation} gives {list(made.shape)}, not {list(shape)}")
    return made


def _operand(operand: object, mine: Arrays, meaning: Meaning) -> Array:
    match operand:
        case Read(name):
            return mine[name]
        case Number(value):
            return meaning.number(value)
        case _:
            raise AssertionError("operands are names and numbers")


def _exchange(statement: Exchanged, values: list[Arrays], meaning: Meaning) -> None:
    for group in statement.groups:
        arrays = [values[rank][statement.operand] for rank in group]
        parts = tuple(Part(array, whole(array.shape)) for array in arrays)
        after = exchanged(statement.conversion, parts, meaning)
        for rank, part in zip(group, after, strict=True):
            if part is None:
                raise DoesNotRunError(f"rank {rank} has nothing afterwards")
            values[rank][statement.name] = part.array
