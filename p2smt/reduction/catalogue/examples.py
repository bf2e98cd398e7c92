"""The paper's example programs (figures 3, 4 and 10) on state matrices: every intermediate state is a script constant.

Bit `j` of constant `s{step}_d{device}_c{chunk}` is set if device `device` holds device `j`'s contribution to the chunk
after `step` steps. A valid program has exactly one execution; an invalid one has none.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import prod

from p2smt.reduction.catalogue.naming import slug
from p2smt.reduction.language.instruction import Instruction
from p2smt.reduction.language.language import full_language
from p2smt.reduction.language.text import format_instruction, parse_program
from p2smt.reduction.rules.matrix_rules import RULES, MatrixState, group_of
from p2smt.reduction.semantics.groups import groups_of, own_chunks
from p2smt.reduction.semantics.state import goal_state, start_state
from p2smt.smt.bitvectors import bitvector
from p2smt.smt.smtlib import Script, Status
from p2smt.smt.terms import Term

_NAMES = ("root", "outer", "inner")
_INSIDE = "(outer, InsideGroup, {})"
_ACROSS = "(outer, Parallel(root), {})"
_MASTERS = "(outer, Master(root), {})"
_ALL = "(root, InsideGroup, {})"


def _program(*steps: tuple[str, str]) -> str:
    return "; ".join(form.format(collective) for form, collective in steps)


_BY_ROOTS = _program((_INSIDE, "Reduce"), (_MASTERS, "AllReduce"), (_INSIDE, "Broadcast"))
_BY_SHARDS = _program((_INSIDE, "ReduceScatter"), (_ACROSS, "AllReduce"), (_INSIDE, "AllGather"))


@dataclass(frozen=True, slots=True)
class _Example:
    """A program from a figure over the levels `outer` and `inner`, or a variation of it.

    With `goal`, the script also asserts that the program reaches the goal, not only that every step is allowed.
    """

    figure: str
    about: str
    sizes: tuple[int, int]
    program: str
    status: Status = Status.SAT
    goal: bool = True
    change: str = ""


_EXAMPLES = (
    _Example("3 a", "One AllReduce.", (2, 2), _program((_ALL, "AllReduce"))),
    _Example("3 b", "AllReduce inside, then across.", (2, 2), _program((_INSIDE, "AllReduce"), (_ACROSS, "AllReduce"))),
    _Example("3 c", "Reduce to a root, AllReduce between the roots, Broadcast.", (2, 2), _BY_ROOTS),
    _Example(
        "4 a",
        "Invalid: after the ReduceScatter the members of a group hold different chunks, which must not be added.",
        (2, 2),
        _program((_INSIDE, "ReduceScatter"), (_ALL, "AllReduce")),
        Status.UNSAT,
        goal=False,
    ),
    _Example(
        "4 a",
        "Up to the instruction that is not allowed.",
        (2, 2),
        _program((_INSIDE, "ReduceScatter")),
        goal=False,
        change="first instruction",
    ),
    _Example(
        "4 b",
        "Invalid: the second AllReduce adds in again what the first has added.",
        (2, 2),
        _program((_ACROSS, "AllReduce"), (_ALL, "AllReduce")),
        Status.UNSAT,
        goal=False,
    ),
    _Example(
        "4 b",
        "Up to the instruction that is not allowed.",
        (2, 2),
        _program((_ACROSS, "AllReduce")),
        goal=False,
        change="first instruction",
    ),
    _Example("10 i", "Reduce, AllReduce between the roots, Broadcast.", (2, 4), _BY_ROOTS),
    _Example("10 ii", "ReduceScatter, AllReduce across, AllGather.", (2, 4), _BY_SHARDS),
    _Example(
        "10 i",
        "Invalid: only the roots hold the sum.",
        (2, 4),
        _program((_INSIDE, "Reduce"), (_MASTERS, "AllReduce")),
        Status.UNSAT,
        change="without broadcast",
    ),
    _Example(
        "10 i",
        "Invalid: Parallel instead of Master asks devices that hold nothing to reduce.",
        (2, 4),
        _program((_INSIDE, "Reduce"), (_ACROSS, "AllReduce")),
        Status.UNSAT,
        goal=False,
        change="parallel",
    ),
    _Example(
        "10 ii",
        "Invalid: every device holds its own part of the sum only.",
        (2, 4),
        _program((_INSIDE, "ReduceScatter"), (_ACROSS, "AllReduce")),
        Status.UNSAT,
        change="without gather",
    ),
)


def examples() -> Iterator[Script]:
    """Yield the scripts of the folder `examples`."""
    return map(_script, _EXAMPLES)


def _script(example: _Example) -> Script:
    devices = prod(example.sizes)
    program = parse_program(example.program, _NAMES)
    states = [_state(f"s{step}", devices) for step in range(len(program) + 1)]
    groups = [("Before: every device holds its own contribution.", _is(states[0], start_state(devices)))]
    for number, instruction in enumerate(program, start=1):
        needs, becomes = _step(example.sizes, instruction, states[number - 1], states[number])
        sentence = f"Instruction {number}, {format_instruction(instruction, _NAMES)}: allowed in every group."
        groups += [(sentence, needs), (f"What instruction {number} gives.", becomes)]
    if example.goal:
        goal = goal_state(example.sizes, (True, True))
        groups.append(("After: every device holds every contribution.", _is(states[-1], goal)))
    constants = tuple(row for state in states for rows in state for row in rows)
    return Script(
        slug(f"figure {example.figure} {example.change}"),
        f"{example.about} On {example.sizes[0]} x {example.sizes[1]} devices: {example.program}. s1_d2_c3 is what "
        "device 2 holds of chunk 3 after 1 instruction, bit j for the contribution of device j.",
        f"P2 (MLSys 2022), figure {example.figure.replace(' ', '')}{', changed' if example.change else ''}",
        example.status,
        constants,
        tuple(groups),
        constants if example.status is Status.SAT else (),
    )


def _state(name: str, devices: int) -> MatrixState:
    places = range(devices)
    return tuple(tuple(bitvector(f"{name}_d{device}_c{chunk}", devices) for chunk in places) for device in places)


def _is(state: MatrixState, values: tuple[tuple[int, ...], ...]) -> tuple[Term, ...]:
    pairs = zip(state, values, strict=True)
    return tuple(row == value for rows, numbers in pairs for row, value in zip(rows, numbers, strict=True))


def _step(
    sizes: tuple[int, int], instruction: Instruction, before: MatrixState, after: MatrixState
) -> tuple[tuple[Term, ...], tuple[Term, ...]]:
    """Return the preconditions of all groups, and the state of every device after the step.

    Devices in no group keep their state.
    """
    grouping = full_language(len(sizes)).grouping(instruction)
    given = dict(enumerate(before))
    needs = []
    for members in groups_of(sizes, grouping):
        blocks = tuple(own_chunks(sizes, device, grouping.levels) for device in members)
        states = [before[device] for device in members]
        group = group_of(states, blocks, [tuple(row != 0 for row in state) for state in states])
        effect = RULES[instruction.collective](group)
        needs.append(effect.needs)
        given |= dict(zip(members, effect.after, strict=True))
    becomes = [
        row == value for device, rows in enumerate(after) for row, value in zip(rows, given[device], strict=True)
    ]
    return tuple(needs), tuple(becomes)
