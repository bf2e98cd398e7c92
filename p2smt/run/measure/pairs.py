"""The measured pairs of a problem: a placement and a program on it."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import isqrt
from random import Random

from p2smt.collective import Collective
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.model import Problem
from p2smt.reduction.language.instruction import Program
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import Plan
from p2smt.reduction.synth.session import PlacedPrograms, Synthesizer

SAMPLE_SEED = 1


@dataclass(frozen=True, slots=True)
class Pair:
    """A program on a placement; `plan` is None for torch's collective `goal`, whose name is then the text.

    `groups` are the ranks that reduce together.
    """

    matrix: ParallelismMatrix
    text: str
    plan: Plan | None
    goal: Collective
    groups: tuple[tuple[int, ...], ...]


def pairs_of(
    problem: Problem, matrices: tuple[ParallelismMatrix, ...] = (), sample: int | None = None, seed: int = SAMPLE_SEED
) -> Iterator[Pair]:
    """Yield the collective and the programs of every placement, or of `matrices`; at most `sample` per placement.

    A sample contains the shortest programs (as many as the square root of its size) and random other ones; the
    same seed yields the same sample.
    """
    for placed in Synthesizer().synthesize(problem).placements:
        if matrices and placed.matrix not in matrices:
            continue
        lowering = Lowering(problem, placed.matrix)
        plain = lowering.direct
        groups = tuple(plain.groups(plain.reduction))
        yield Pair(placed.matrix, plain.goal.value, None, plain.goal, groups)
        for program in sampled(placed, sample, seed):
            plan = lowering.plan(program)
            yield Pair(placed.matrix, plan.program, plan, plan.goal, groups)


def sampled(placed: PlacedPrograms, sample: int | None, seed: int) -> tuple[Program, ...]:
    """Return the programs of a placement to measure, in their original order."""
    programs = placed.programs
    if sample is None or len(programs) <= sample:
        return programs
    # The square root of the sample is for short programs, which are fastest more often.
    first = min(sample, isqrt(sample))
    # Seeded by placement as well, so that placements draw independently and reproducibly.
    chosen = Random(f"{seed} {placed.matrix}").sample(range(first, len(programs)), sample - first)
    return tuple(programs[position] for position in (*range(first), *sorted(chosen)))
