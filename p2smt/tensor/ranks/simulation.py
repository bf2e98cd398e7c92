"""Simulation of SPMD code: each rank's statements on its own arrays, and collectives among groups of ranks.

Statements are in an order in which operands exist, so one pass runs all ranks. A value is named by (rank, name), and
`watched` gets, for each new one, those it is computed from, which makes a data dependence graph across ranks.

    array(r, name) = operation(arrays of r),    arrays of a group = collective(arrays of the group).

Complexity: the work of all ranks; `with_arrays` copies references only, so that a repair recomputes no more than it
changes.
Reference: Darema, "The SPMD model: past, present and future", 2001.

Example: y = AllReduce(x) among ranks 0 and 1: (0, y) and (1, y) each depend on (0, x) and (1, x).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import assert_never

import numpy as np

from p2smt.tensor.collectives_meaning import exchanged
from p2smt.tensor.conversion import Conversion
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, Number, Read
from p2smt.tensor.frame import Frame, whole
from p2smt.tensor.meaning import DoesNotRunError, Meaning, Part
from p2smt.tensor.operation import Array
from p2smt.tensor.ranks.programs import (
    ArrayPermutation,
    Delivery,
    GroupExchange,
    LocalCall,
    NamedExchange,
    OneRankCall,
    RankPrograms,
    RankStatement,
    new_version,
)
from p2smt.tensor.shapes import Whole, whole_of_call

Arrays = dict[str, Array]
Origin = tuple[int, str]
"""A rank, and the name of one of its values."""
Watched = Callable[[Origin, Sequence[Origin]], None]
"""Callback for every new value of a rank, with the values from which it is directly computed."""


def simulated(
    ranks: RankPrograms,
    given: Sequence[Mapping[str, Array]],
    meaning: Meaning,
    step: int = 0,
    watched: Watched | None = None,
) -> list[Arrays]:
    """Return every rank's arrays by source, statement or new version; `given` has each rank's sources.

    DoesNotRunError if arrays do not fit.
    """
    simulation = Simulation(ranks, given, meaning, step, watched)
    for statement in ranks.statements:
        simulation.run(statement)
    simulation.update()
    return simulation.values


class Simulation:
    """The values of all ranks after the statements run so far."""

    def __init__(
        self,
        ranks: RankPrograms,
        given: Sequence[Mapping[str, Array]],
        meaning: Meaning,
        step: int,
        watched: Watched | None = None,
    ) -> None:
        self._ranks, self._meaning, self._step, self._watched = ranks, meaning, step, watched
        self.values = [dict(each) for each in given]
        known = {source.name: source.dtype for source in ranks.sources}
        self._types: list[dict[str, DType | None]] = [dict(known) for _ in given]

    def with_arrays(self, arrays: Mapping[Origin, Array]) -> "Simulation":
        """Return a copy with these arrays replaced; values computed from the old arrays are kept."""
        copied = Simulation(self._ranks, self.values, self._meaning, self._step)
        copied._types = [dict(each) for each in self._types]
        for (rank, name), array in arrays.items():
            copied.values[rank][name] = array
        return copied

    def update(self) -> None:
        """Store the new versions of updated sources on all ranks."""
        for source, value in self._ranks.updates:
            for mine in self.values:
                mine[new_version(source)] = mine[value]

    def run(self, statement: RankStatement) -> None:
        """Run a statement on all ranks that take part in it."""
        match statement:
            case LocalCall(name, calls):
                for rank, call in enumerate(calls):
                    self._call(name, rank, call)
            case OneRankCall(name, rank, call):
                self._call(name, rank, call)
            case GroupExchange(name, conversion, operand, groups):
                for group in groups:
                    self._meet(conversion, group, [operand] * len(group), [name] * len(group))
            case NamedExchange(conversion, group, operands, names):
                self._meet(conversion, group, operands, names)
            case Delivery(name, operand, source, target):
                self._keep((target, name), self.values[source][operand], [(source, operand)])
            case ArrayPermutation(name, operand, pairs):
                sent = [mine[operand] for mine in self.values]
                sender = {target: source for source, target in pairs}
                for rank, array in enumerate(sent):
                    source = sender.get(rank, rank)
                    self._keep(
                        (rank, name), sent[source] if rank in sender else np.zeros_like(array), [(source, operand)]
                    )
            case _:
                assert_never(statement)

    def _keep(self, origin: Origin, array: Array, read: Sequence[Origin]) -> None:
        rank, name = origin
        self.values[rank][name] = array
        if name not in self._types[rank] and read:
            of, operand = read[0]
            self._types[rank][name] = self._types[of].get(operand)
        if self._watched is not None:
            self._watched(origin, read)

    def _call(self, name: str, rank: int, call: Call) -> None:
        mine, types = self.values[rank], self._types[rank]
        wholes = tuple(
            Whole(mine[each.name].shape, types.get(each.name)) if isinstance(each, Read) else Whole()
            for each in call.operands
        )
        types[name] = whole_of_call(call, wholes).dtype
        arrays = [_operand(each, mine, self._meaning) for each in call.operands]
        kinds = tuple(each.dtype for each in wholes)
        shape = self._ranks.shapes[rank][name]
        frame = Frame(call.attributes, tuple(whole(array.shape) for array in arrays), whole(shape), self._step, kinds)
        try:
            made = self._meaning.call(call.operation, arrays, frame)
        except (ValueError, IndexError) as cause:
            raise DoesNotRunError(f"{call.operation}: {cause}") from cause
        if made.shape != shape:
            raise DoesNotRunError(f"{call.operation} gives {list(made.shape)}, not {list(shape)}")
        self._keep((rank, name), made, [(rank, each.name) for each in call.operands if isinstance(each, Read)])

    def _meet(
        self, conversion: Conversion, group: Sequence[int], operands: Sequence[str], names: Sequence[str]
    ) -> None:
        origins = list(zip(group, operands, strict=True))
        arrays = [self.values[rank][operand] for rank, operand in origins]
        after = exchanged(conversion, tuple(Part(each, whole(each.shape)) for each in arrays), self._meaning)
        for rank, name, part in zip(group, names, after, strict=True):
            if part is None:
                raise DoesNotRunError(f"rank {rank} receives nothing")
            self._keep((rank, name), part.array, origins)


def _operand(operand: object, mine: Arrays, meaning: Meaning) -> Array:
    match operand:
        case Read(name):
            return mine[name]
        case Number(value):
            return meaning.number(value)
        case _:
            raise AssertionError("operands are names and numbers")
