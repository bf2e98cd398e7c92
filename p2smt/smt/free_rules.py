"""The operations of free plans restated on bit-vectors: every contribution is a number of 32 bits.

A plan is right exactly when for all numbers, and whatever undefined buffers hold, every result is the sum of its
group's contributions. Same operations, names and order as `semantics/free_execution.py`, written independently:
there contributions are counted, here numbers are added.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

import z3

from p2smt.program.free_plan import FreePlan, Operation, Step

BITS = 32

Term = Any
Block = list[Term]


@dataclass(frozen=True, slots=True)
class Difference:
    """Numbers on which a plan goes wrong: with `contributions[device, chunk]` (all others 0), a result is not the sum.

    `got` and `wanted` are what `device` has and should have in `chunk`, modulo 2^32.
    """

    device: int
    chunk: int
    contributions: dict[tuple[int, int], int]
    got: int
    wanted: int


@dataclass(frozen=True, slots=True)
class Same:
    """No numbers make a difference: the plan is right."""


@dataclass(frozen=True, slots=True)
class NotKnown:
    """The solver gave no answer, and why."""

    reason: str


def difference(plan: FreePlan, deadline: float | None = None) -> Difference | Same | NotKnown:
    """Numbers on which a plan goes wrong, if there are any; its steps keep the rules of shape.

    `deadline` is a time of `time.monotonic`.
    """
    given = {(d, c): z3.BitVec(f"x_{d}_{c}", BITS) for d in range(plan.devices) for c in range(plan.chunks)}
    state = _run(plan, given)
    known: dict[tuple[int, int, tuple[int, ...]], bool] = {}
    for group in plan.goal:
        for chunk in range(plan.chunks):
            wanted = z3.Sum([given[device, chunk] for device in group])
            for device in group:
                got = state[device][plan.result][chunk]
                key = (got.get_id(), chunk, group)
                if key not in known:
                    known[key] = _is_zero(z3.simplify(got - wanted, som=True))
                if not known[key]:
                    return _ask(given, got, wanted, (device, chunk), deadline)
    return Same()


def _run(plan: FreePlan, given: dict[tuple[int, int], Term]) -> list[dict[str, Block]]:
    unknowns = count()

    def unknown(length: int) -> Block:
        return [z3.BitVec(f"u_{next(unknowns)}", BITS) for _ in range(length)]

    zero = z3.BitVecVal(0, BITS)
    state = [
        {name: [zero] * length if name in plan.zeros else unknown(length) for name, length in plan.buffers}
        for _ in range(plan.devices)
    ]
    for device in range(plan.devices):
        state[device][plan.result] = [given[device, chunk] for chunk in range(plan.chunks)]
    for step in plan.steps:
        target = slice(step.target.start, step.target.end)
        for group in step.groups:
            read = [_brought(state[device], step) for device in group]
            for device, block in zip(group, RULES[step.operation](step, read, unknown), strict=True):
                if block is not None:
                    state[device][step.target.buffer][target] = block
    return state


Unknown = Callable[[int], Block]


def all_reduce(step: Step, read: list[Block], unknown: Unknown) -> list[Block | None]:
    """Everyone the sum."""
    total = _sum(read)
    return [total for _ in read]


def reduce_scatter(step: Step, read: list[Block], unknown: Unknown) -> list[Block | None]:
    """Member `i` block `i` of the sum; in place it knows nothing of the others."""
    total, size = _sum(read), len(read[0]) // len(read)
    found: list[Block | None] = []
    for first in range(0, len(total), size):
        own = total[first : first + size]
        found.append([*unknown(first), *own, *unknown(len(total) - first - size)] if step.in_place else own)
    return found


def reduce(step: Step, read: list[Block], unknown: Unknown) -> list[Block | None]:
    """The root the sum, nobody else anything known."""
    return [_sum(read) if place == step.root else unknown(len(read[0])) for place in range(len(read))]


def all_gather(step: Step, read: list[Block], unknown: Unknown) -> list[Block | None]:
    """Everyone all parts in group order; in place part `i` is block `i` of member `i`."""
    size = len(read[0]) // len(read)
    joined: Block = []
    for place, block in enumerate(read):
        joined += block[place * size : place * size + size] if step.in_place else block
    return [joined for _ in read]


def broadcast(step: Step, read: list[Block], unknown: Unknown) -> list[Block | None]:
    """Everyone what the root has."""
    return [read[step.root] for _ in read]


def send(step: Step, read: list[Block], unknown: Unknown) -> list[Block | None]:
    """Everyone but the root what the root has."""
    return [read[step.root] if place != step.root else None for place in range(len(read))]


def all_to_all(step: Step, read: list[Block], unknown: Unknown) -> list[Block | None]:
    """Member `j` block `j` of everyone."""
    size = len(read[0]) // len(read)
    return [[term for block in read for term in block[j * size :][:size]] for j in range(len(read))]


def add(step: Step, read: list[Block], unknown: Unknown) -> list[Block | None]:
    """Everyone alone source plus target."""
    size = step.target.length
    return [[one + other for one, other in zip(block[:size], block[size:], strict=True)] for block in read]


RULES: dict[Operation, Callable[[Step, list[Block], Unknown], list[Block | None]]] = {
    Operation.ALL_REDUCE: all_reduce,
    Operation.REDUCE_SCATTER: reduce_scatter,
    Operation.REDUCE: reduce,
    Operation.ALL_GATHER: all_gather,
    Operation.BROADCAST: broadcast,
    Operation.SEND: send,
    Operation.ALL_TO_ALL: all_to_all,
    Operation.ADD: add,
}


def _brought(held: dict[str, Block], step: Step) -> Block:
    found: Block = []
    for part in step.reads:
        found += held[part.buffer][part.start : part.end]
    return found


def _sum(read: list[Block]) -> Block:
    return [z3.Sum(list(terms)) for terms in zip(*read, strict=True)]


def _is_zero(term: Term) -> bool:
    return bool(z3.is_bv_value(term) and term.as_long() == 0)


def _ask(
    given: dict[tuple[int, int], Term], got: Term, wanted: Term, place: tuple[int, int], deadline: float | None
) -> Difference | Same | NotKnown:
    solver = z3.SolverFor("QF_BV")
    if deadline is not None:
        solver.set("timeout", max(1, int((deadline - time.monotonic()) * 1000)))
    solver.add(got != wanted)
    answer = solver.check()
    if answer == z3.unsat:
        return Same()
    if answer != z3.sat:
        return NotKnown(solver.reason_unknown())
    model = solver.model()

    def value(term: Term) -> int:
        number: int = model.eval(term, model_completion=True).as_long()
        return number

    numbers = {key: number for key, variable in given.items() if (number := value(variable))}
    return Difference(*place, numbers, value(got), value(wanted))
