"""All programs that fit a sketch: the query for all programs, and one term that says that the steps fit.

Method: the sketch is read as a nondeterministic automaton, whose states are its slots, and simulated on a program whose
instructions are unknown (Thompson, "Regular expression search algorithm", 1968). A state is a term over the code bits:
    reached[0] = { first slot },
    reached[i+1][p+1] = reached[i][p] and slot p takes instruction i       (p instead of p+1 if the slot may repeat),
    and p+1 is reached together with p if slot p may be skipped.
So the solver does not choose which piece an instruction belongs to, and a program that fits in several ways is one
answer.

Size: O(limit x slots) terms in addition to the query for all programs.

Example: a gap of at most one instruction, then AllReduce. Before the first instruction, slots 0 (gap) and 1 (AllReduce)
are reached. If that is an AllReduce, the end is reached (the gap is empty), and also slot 1 (it filled the gap).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from p2smt.problem.system.tree import Tree
from p2smt.reduction.language.language import Language, Steps
from p2smt.reduction.language.outline import (
    CollectiveIs,
    Condition,
    GapAtMost,
    GoalCondition,
    GroupingIs,
    LengthAtMost,
    Outline,
    OutlineStep,
)
from p2smt.reduction.language.sketch import Gap
from p2smt.reduction.rules.choices import InstructionChoice, ProgramCode
from p2smt.reduction.rules.shapes import unrolled_on
from p2smt.smt.all_answers import all_answers
from p2smt.smt.answer import Enumeration, Stop
from p2smt.smt.deadlines import is_over
from p2smt.smt.interrupts import Interruptible
from p2smt.smt.terms import Term, conj, disj, implies, neg

Holds = Callable[[Condition], Term]


@Interruptible()
def completions(
    outline: Outline,
    language: Language,
    limit: int,
    deadline: float | None = None,
    on_progress: Callable[[int], None] | None = None,
    tree: Tree | None = None,
) -> Enumeration[Steps]:
    """Return all valid programs of at most `limit` steps that fit the outline, each once, shortest first.

    `tree` is the tree of a reduction group's devices if they lie in units of unequal size, else None.
    """
    code = ProgramCode(language, limit)
    needs: list[Term] = []
    for _, terms in unrolled_on(tree, code):
        if is_over(deadline):
            return Enumeration((), Stop.DEADLINE)
        needs += terms
    needs.append(fitting(outline, [code.choice(place) for place in range(limit)], limit, lambda _: True))
    name = f"programs of {language.levels} levels up to length {limit} that fit the sketch"
    codes = all_answers(name, code.bits, needs, code.significant, deadline, on_progress)
    found = sorted(map(code.steps, codes.items), key=lambda steps: (len(steps), steps))
    return Enumeration(tuple(found), codes.stop, codes.reason)


def fitting(outline: Outline, choices: Sequence[InstructionChoice], limit: int, holds: Holds) -> Term:
    """A term: some prefix of the instructions matches all pieces of the outline in order.

    The prefix must be the whole program if GoalCondition holds, and have at most `limit` steps if LengthAtMost does.
    `holds` maps each condition to a term that says if it is imposed.
    """
    slots = [slot for place, piece in enumerate(outline) for slot in _slots(piece, place, len(choices), holds)]
    reached = _skipping(slots, [True, *(False for _ in slots)])
    fits: list[Term] = []
    for length in range(len(choices) + 1):
        ended = choices[length].ended if length < len(choices) else True
        short = True if length <= limit else neg(holds(LengthAtMost()))
        fits.append(conj((reached[-1], short, implies(holds(GoalCondition()), ended))))
        if length < len(choices):
            reached = _after(slots, reached, choices[length])
    return disj(fits)


@dataclass(frozen=True, slots=True)
class _Slot:
    """A state of the automaton: the instructions that it takes, and whether it may be skipped or may repeat."""

    takes: Callable[[InstructionChoice], Term]
    skips: bool = False
    repeats: bool = False


def _slots(piece: OutlineStep | Gap, place: int, most: int, holds: Holds) -> Iterator[_Slot]:
    """Yield one slot for a step; for a gap, one per instruction up to its bound and one for the excess."""
    if isinstance(piece, OutlineStep):
        yield _Slot(lambda choice: _is_step(piece, place, choice, holds))
        return
    if piece.most is None:
        yield _Slot(lambda _: True, skips=True, repeats=True)
        return
    # As many optional slots as the gap allows; each takes one instruction or none.
    for _ in range(min(piece.most, most)):
        yield _Slot(lambda _: True, skips=True)
    # A slot for all further instructions, open only where the bound of this gap is not demanded (explaining
    # conflicts).
    beyond = neg(holds(GapAtMost(place)))
    yield _Slot(lambda _: beyond, skips=True, repeats=True)


def _is_step(piece: OutlineStep, place: int, choice: InstructionChoice, holds: Holds) -> Term:
    """A term: the instruction has the piece's collective and grouping, unless they are holes."""
    collective, grouping = piece.collective, piece.grouping
    return conj(
        (
            True if collective is None else implies(holds(CollectiveIs(place)), choice.collectives[collective]),
            True if grouping is None else implies(holds(GroupingIs(place)), choice.groupings[grouping]),
        )
    )


def _after(slots: Sequence[_Slot], reached: Sequence[Term], choice: InstructionChoice) -> list[Term]:
    """Return the slots reached after one more instruction; none after the program's end."""
    after: list[Term] = [False] * len(reached)
    for place, slot in enumerate(slots):
        # A slot that repeats stays where it is; `skips` lets the automaton leave it.
        there = place if slot.repeats else place + 1
        after[there] = disj((after[there], conj((reached[place], neg(choice.ended), slot.takes(choice)))))
    return _skipping(slots, after)


def _skipping(slots: Sequence[_Slot], reached: Sequence[Term]) -> list[Term]:
    """Return the slots reached when optional slots may be skipped."""
    closed = list(reached)
    # Ascending, so that passing over several slots in a row takes one sweep.
    for place, slot in enumerate(slots):
        if slot.skips:
            closed[place + 1] = disj((closed[place + 1], closed[place]))
    return closed
