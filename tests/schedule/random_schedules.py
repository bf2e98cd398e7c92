"""Random distributed programs as text, and random steps on them, sensible ones and others."""

import re

from p2smt.collective import Collective
from p2smt.errors import ProgramError
from p2smt.schedule.apply import apply
from p2smt.schedule.graph import between, reads, statements
from p2smt.schedule.step import (
    AllReduceSplit,
    Dead,
    Fuse,
    Line,
    LossyCast,
    Merge,
    Overlap,
    Reorder,
    SliceStates,
    SplitForm,
    Through,
    UseProgram,
)
from p2smt.schedule.tuner.reductions import all_programs
from p2smt.tensor.conversion import COMMUNICATION, AllGather, AllReduce, Broadcast, ReduceScatter, Send
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Convert, ProgramAxis, SourceKind, parts
from p2smt.tensor.text.parser import parse_program

GOALS = (Collective.ALL_REDUCE, Collective.REDUCE_SCATTER, Collective.ALL_GATHER)
LEVELS = (("node", 2), ("gpu", 2))
LENGTHS = (1, 2, 3, 3, 4, 4, 5, 5, 6, 7)


def program_text(rng):
    """A program that reduces something, computes with it, and updates states."""
    a, b, c = (rng.choice(LENGTHS) for _ in range(3))
    lines = [
        "program random",
        f"input x : f32[{a}, {b}] partial({rng.choice(['+', '+', '+', 'max'])})",
        f"input y : f32[{a}, {b}] {rng.choice(['sliced(0)', 'sliced(1)', 'on_rank(0)', 'replicated'])}",
        f"parameter bias : f32[{b}]",
        f"parameter one : f32[{rng.choice([1, a])}, {b}]",
        f"parameter w : f32[{b}, {c}]",
        f"state m : f32[{a}, {b}]",
        "scalar beta",
    ]
    lines.append("s0 = AllReduce(x, max)" if "partial(max)" in lines[1] else "s0 = AllReduce(x)")
    conversion = {"sliced(0)": "AllGather(y, 0)", "sliced(1)": "AllGather(y, 1)", "on_rank(0)": "Broadcast(y, 0)"}
    lines.append("s1 = " + next((text for key, text in conversion.items() if key in lines[2]), "y"))
    whole, values, state = ["s0", "s1"], ["s0"], False
    for number in range(rng.randint(2, 6)):
        x, z = rng.choice([*values, "s1"]), rng.choice(whole)
        made = [
            f"{x} + bias",
            f"{x} * one",
            f"{x} - {z}",
            f"relu({x})",
            f"tanh({x}) * beta",
            f"{x} / ranks",
            f"dropout({x}, 0.5, seed={rng.randint(0, 3)})",
            f"{x} * 2",
            f"-{x}",
            f"{x} * {z}",
            f"exp({x}) + {z}",
            f"softmax({x}, {rng.randint(0, 1)})",
            f"layernorm({x}, {rng.randint(0, 1)})",
            f"{x} * sum({x})",
            f"{x} / (norm({x}) + norm(bias))",
            f"maximum({x}, {z})",
            f"{x} + sum({x}, 0)",
            f"cumsum({x}, {rng.randint(0, 1)})",
            f"{x} + matmul(matmul({x}, w), transpose(w, 1, 0))",
        ]
        text = rng.choice(made)
        if not state and rng.random() < 0.4:
            text, state = f"update(m, m * beta + {text})", True
        lines.append(f"t{number} = {text}")
        whole.append(f"t{number}")
        values.append(f"t{number}")
    last = f"t{number}"
    lines.append(f"z = {rng.choice([f'sum({last}, 1)', f'matmul({last}, w)', f'{last} + 1'])}")
    text = "\n".join(lines) + "\n"
    lines += [f"output {name}" for name in [*values, "z"] if len(re.findall(rf"\b{name}\b", text)) == 1]
    return "\n".join(lines) + "\n"


def random_program(rng, ranks):
    """One on so many ranks."""
    while True:
        text = program_text(rng)
        try:
            return parse_program(text).on(ProgramAxis("rank", ranks)), text
        except ProgramError:
            continue


def random_chain(scheduled, rng):
    """A unit, a collective as often as not, then one that reads it, and so on."""
    expressions = statements(scheduled.program)
    groups = {name: getattr(scheduled.group_of(name), "name", name) for name in expressions}
    units = list(dict.fromkeys(groups.values()))
    sent = [groups[name] for name, each in expressions.items() if isinstance(each, Convert)]
    found = [rng.choice(sent if sent and rng.random() < 0.6 else units)]
    for _ in range(rng.choice((1, 1, 2))):
        made = set(scheduled.members(found[-1]))
        behind = [
            unit
            for unit in units
            if unit not in found and any(reads(expressions[name]) & made for name in scheduled.members(unit))
        ]
        found += [rng.choice(behind)] if behind else []
    return tuple(found)


def random_step(scheduled, rng):
    """A step that may make sense."""
    program = scheduled.program
    names = [each.name for each in program.statements]
    expressions = statements(program)
    units = [name for name in names if scheduled.group_of(name) is None] + [group.name for group in scheduled.groups]

    def of(kind):
        found = [
            n for n in names if isinstance(expressions[n], Convert) and isinstance(expressions[n].conversion, kind)
        ]
        return rng.choice(found) if found and rng.random() < 0.95 else rng.choice(names)

    def past(value):
        later = between(program, value, names)
        count = rng.choice((1, 1, 2, 3, 9))
        found = [n for n in later[:count] if scheduled.group_of(n) is None]
        return tuple(found) or (rng.choice(units),)

    def consecutive(counts):
        start = rng.randrange(len(names))
        found = tuple(n for n in names[start : start + rng.choice(counts)] if n in units)
        return found or (names[start],)

    def split():
        form = rng.choice([SplitForm.RS_AG] * 4 + [SplitForm.REDUCE_BROADCAST, SplitForm.SLICE_AG])
        return AllReduceSplit(of(AllReduce), form, rng.choice((0, 0, 1, 2)))

    def reorder():
        value = of((AllGather, Broadcast, Send))
        return Reorder(value, past(value))

    def through():
        value = of((AllReduce, AllGather))
        return Through(value, past(value)[:1])

    def merge():
        first = rng.choice(names)
        return Merge(first, rng.choice([n for n in names if first in reads(expressions[n])] or names))

    def sliced():
        return SliceStates(tuple(each.name for each in program.sources if each.kind is SourceKind.STATE))

    def by_program():
        """By a program that is for this collective, or for another one; four ranks are two levels."""
        value = of((AllReduce, ReduceScatter, AllGather))
        sent = [COMMUNICATION[type(each.conversion)] for each in parts(expressions[value]) if isinstance(each, Convert)]
        right = [goal for goal in sent if goal in GOALS]
        goal = right[0] if right and rng.random() < 0.8 else rng.choice(GOALS)
        return UseProgram(value, rng.choice(all_programs(LEVELS, goal)), LEVELS)

    makers = [split] * 3 + [reorder] * 6 + [through, merge, sliced, sliced]
    makers += [lambda: Fuse(consecutive((2, 2, 3, 4, 5))), lambda: Dead((rng.choice(names),))]
    makers += [lambda: Overlap(random_chain(scheduled, rng), rng.choice((1, 1, 2, 2, 3)), rng.choice((0, 0, 1)))] * 3
    makers += [by_program] * (2 if len(program.mesh) == 1 and program.mesh[0].size == 4 else 0)
    makers += [lambda: LossyCast(of((AllReduce, AllGather)), DType.F16)]
    return rng.choice(makers)()


def applied(scheduled, step, number):
    """What becomes of a step, with as many names as it asks for."""
    names = tuple(f"n{number}_{position}" for position in range(40))
    count = 0
    while True:
        try:
            return apply(scheduled, Line(step, names[:count]))
        except ProgramError as error:
            asked = re.search(r"it makes (\d+)", str(error))
            wanted = int(asked[1]) if asked else 0
            if wanted == count:
                raise
            count = wanted
