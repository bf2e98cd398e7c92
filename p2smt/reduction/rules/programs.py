"""All valid programs up to a length, as one query: bounded model checking with blocking clauses.

Unrolling: the state before each of the `limit` instructions is a function of the code bits of the earlier ones.
    state[0] = start,   state[i+1] = apply(state[i], choice[i]),
    allowed(state[i], choice[i]),   choice[i] is the end  <=>  state[i] is the goal,   state[limit] is the goal.
So a code is a model exactly if it encodes a valid program followed by ends, and every valid program of at most `limit`
instructions is one model (Biere et al., "Symbolic model checking without BDDs", 1999). All models are enumerated in one
run of the solver; each is excluded by a blocking clause over its significant bits (`smt/all_answers.py`). The
representation of states is a parameter (`Rules`): level sets or k x k matrices.

Size: O(limit x classes x levels) terms for level sets, O(limit x k^2) bits for matrices; enumeration takes at least one
solver step per program.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

from p2smt.reduction.language.language import Steps
from p2smt.reduction.rules.choices import InstructionChoice, ProgramCode
from p2smt.smt.all_answers import all_answers
from p2smt.smt.answer import Enumeration, Stop
from p2smt.smt.deadlines import is_over
from p2smt.smt.interrupts import Interruptible
from p2smt.smt.terms import Term, iff

State = TypeVar("State")


class Rules(Protocol[State]):
    """A semantics of programs whose states consist of solver terms."""

    def start(self) -> State:
        """Return the initial state of every program."""
        ...

    def at_goal(self, state: State) -> Term:
        """A term: the state is the goal."""
        ...

    def apply(self, state: State, choice: InstructionChoice) -> tuple[State, list[Term]]:
        """Return the state after the chosen step (unchanged after the end), and the step's preconditions."""
        ...


def unrolled(rules: Rules[State], code: ProgramCode) -> Iterator[tuple[str, list[Term]]]:
    """Yield the constraints of a valid program with a sentence each: one group per instruction, one for the goal."""
    state = rules.start()
    for place in range(code.limit):
        choice = code.choice(place)
        after, allowed = rules.apply(state, choice)
        # Both directions: a program stops as soon as it is done. Otherwise each would come again with useless steps
        # behind it.
        ends = iff(choice.ended, rules.at_goal(state))
        yield (
            f"Instruction {place + 1} is one of the language, or the end exactly when the goal is reached; "
            "every group satisfies its rule.",
            [*code.well_formed(place, choice), ends, *allowed],
        )
        state = after
    yield f"The goal is reached after at most {code.limit} instructions.", [rules.at_goal(state)]


@Interruptible()
def all_programs(
    rules: Rules[State],
    code: ProgramCode,
    also: Iterable[Term] = (),
    deadline: float | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Enumeration[Steps]:
    """Return all valid programs that `code` can express, in the order in which the solver finds them.

    Every step is one of the language and allowed by the rules; the program ends as soon as the goal is reached. `also`
    are further constraints on the code bits.
    """
    needs = [*also]
    for _, terms in unrolled(rules, code):
        if is_over(deadline):
            return Enumeration((), Stop.DEADLINE)
        needs += terms
    name = f"programs of {code.language.levels} levels up to length {code.limit}"
    codes = all_answers(name, code.bits, needs, code.significant, deadline, on_progress)
    return Enumeration(tuple(map(code.steps, codes.items)), codes.stop, codes.reason)
