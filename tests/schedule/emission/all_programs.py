"""Tensor programs with a statement for every reduction program of a language, and schedules that say so."""

from math import prod

from p2smt.collective import Collective
from p2smt.problem.model import Engine, Grammar
from p2smt.reduction.language.language import Language, all_groupings
from p2smt.reduction.language.text import format_program
from p2smt.reduction.synth.engines import find_programs
from p2smt.schedule.check import check_schedule
from p2smt.schedule.text.parser import parse_schedule
from p2smt.tensor.text.parser import parse_program

LAYOUTS = {
    Collective.ALL_REDUCE: ("partial(+)", "AllReduce(x", ""),
    Collective.REDUCE_SCATTER: ("partial(+)", "ReduceScatter(x, 0", " sliced(0)"),
    Collective.ALL_GATHER: ("sliced(0)", "AllGather(x, 0", ""),
}
"""Of what a goal begins with, its call, and the layout of its result."""


def levels_of(sizes):
    """Levels with their names, outermost first."""
    return tuple((f"level{number}", size) for number, size in enumerate(sizes))


def all_programs(goal, sizes, limit):
    """Every program of the full language of so many steps at most, as text."""
    language = Language(len(sizes), all_groupings(len(sizes)), Grammar.FULL, goal)
    names = ["root", *(name for name, _ in levels_of(sizes))]
    found = find_programs(Engine.EXPLICIT, language, list(sizes), limit)
    return [format_program(language.program(steps), names) for steps in found.items]


def each_by_a_program(goal, sizes, texts, rows, mesh=""):
    """A collective of a goal for each program; `mesh` has an axis `along` that the programs run along."""
    held, call, made = LAYOUTS[goal]
    axis, on = (", axis=along", ", along") if mesh else ("", "")
    numbers = range(len(texts))
    lines = ["program every", *([f"mesh {mesh}"] if mesh else []), f"input x : f32[{rows}, 3] {held[:-1]}{on})"]
    lines += [f"y{number} = {call}{axis})" for number in numbers]
    lines += [f"z{number} = y{number} * {number + 1}" for number in numbers]
    lines += [f"output z{number}{made[:-1] + on + ')' if made else ''}" for number in numbers]
    levels = ", ".join(f"{name}={size}" for name, size in levels_of(sizes))
    steps = [f'w{number} = split y{number} "{text}" levels {levels}\n' for number, text in enumerate(texts)]
    program = parse_program("\n".join(lines) + "\n")
    return check_schedule(program, parse_schedule("".join(steps)), None if mesh else prod(sizes))
