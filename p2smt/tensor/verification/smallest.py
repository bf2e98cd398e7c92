"""Search for the fewest ranks and the shortest dimensions that still show a mistake.

Method: greedy delta debugging (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002).
Each step tries fewer ranks on one axis, or a shorter length together with its multiples, smallest sizes first; the
first smaller pair of programs that shows the mistake replaces the current one. The search ends where no single step
shows it, or after `SECONDS`. The result is a local minimum on which the mistake was observed.

    current := first smaller pair that shows the mistake,   until there is none.

Complexity: one comparison per step tried; every replacement makes some size smaller.

Example: a wrong sum on 8 ranks of [64, 128]. 1 rank does not show it, 2 ranks do; then lengths of 1, 2, 3, 4, 32
and 64 are tried in place of 128, and so on.
"""

from collections.abc import Callable, Iterator, Mapping
from time import monotonic

from p2smt.errors import ProgramError
from p2smt.tensor.comparison import Wrong, compare, names_agree
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred, Refused
from p2smt.tensor.program import Program
from p2smt.tensor.reals import Reals
from p2smt.tensor.reason import Reason
from p2smt.tensor.verification.alone import alone, both_alone, claims
from p2smt.tensor.verification.effort import effort
from p2smt.tensor.verification.erasure import erased
from p2smt.tensor.verification.more_digits import MoreDigits
from p2smt.tensor.verification.resize import NewSizes, lengths_of, resized
from p2smt.tensor.verification.values import trials
from p2smt.tensor.verification.verdict import Smallest

SECONDS = 5.0
"""The time limit of the search for a smaller counterexample, in seconds."""

Shown = tuple[Program, Wrong]
Shows = Callable[[Program, Program], Shown | None]
"""Returns the program, possibly with a claim about its output, and the difference from the single-device program.

None if none shows.
"""


def smallest_refused(program: Program, refused: Refused) -> Smallest | None:
    """Return the refused statement alone, at the smallest sizes where it differs under every claim about its layout.

    None if there are no such sizes.
    """
    statement = alone(program, refused)
    if statement is None:
        return None
    return shrunk(statement, erased(statement), _refuses(refused.refusal.reason), monotonic() + SECONDS)


def smallest_unequal(program: Program, single: Program, statement: str, wrong: Wrong) -> Smallest | None:
    """Return the differing statement alone, else both programs, at the smallest sizes that show a difference."""
    until = monotonic() + SECONDS
    pair = both_alone(program, single, statement)
    small = None if pair is None else shrunk(*pair, _differs_in(statement), until)
    return small or shrunk(program, single, _differs_in(wrong.name), until)


def _differs_in(name: str) -> Shows:
    def shows(smaller: Program, smaller_single: Program) -> Shown | None:
        found = differs(smaller, smaller_single) if isinstance(infer(smaller), Inferred) else None
        return (smaller, found) if found is not None and found.name == name else None

    return shows


def differs(program: Program, single: Program) -> Wrong | None:
    """Return a difference on some test values, simple ones first.

    None if there is none or a run would take too long.
    """
    if not effort(program).affordable(Reals()):
        return None
    for trial in trials(program, single):
        wrong = compare(program, single, trial.meaning, trial.step)
        if wrong is not None and wrong.element is not None:
            wrong = compare(program, single, MoreDigits(trial.meaning), trial.step) and wrong
        if wrong is not None:
            return wrong
    return None


def _refuses(reason: Reason) -> Shows:
    def shows(program: Program, single: Program) -> Shown | None:
        result = infer(program)
        if not isinstance(result, Refused) or result.refusal.reason is not reason:
            return None
        shown = []
        for claimed in claims(program):
            wrong = differs(claimed, single)
            if wrong is None:
                return None
            shown.append((claimed, wrong))
        return shown[0]

    return shows


def shrunk(program: Program, single: Program, shows: Shows, until: float) -> Smallest | None:
    """Return the smallest pair that shows a mistake, found step by step. None if no pair shows it."""
    best: Smallest | None = None
    while True:
        better = None
        # The first round asks whether the pair shows the mistake as it is.
        for resizing in [NewSizes({}, {})] if best is None else _steps(program, single):
            pair = resized(program, resizing), resized(single, resizing)
            shown = _shown(*pair, shows)
            if shown is not None:
                better = Smallest(program=shown[0], single=pair[1], wrong=shown[1])
                break
            if monotonic() > until:
                break
        if better is None and best is None:
            return _from_less(program, single, shows, until)
        if better is None or monotonic() > until:
            return better or best
        best, program, single = better, better.program, better.single


def _from_less(program: Program, single: Program, shows: Shows, until: float) -> Smallest | None:
    """Return the smallest counterexample after dividing all lengths, if the programs at their own size show none."""
    lengths = sorted(lengths_of(program) | lengths_of(single), reverse=True)
    for divisor in (length for length in lengths if length > 1):
        # Lengths that the divisor does not divide stay, and none falls below 2: a length of 1 hides
        # mistakes of order.
        mapping = {length: length // divisor if length % divisor == 0 else length for length in lengths}
        resizing = NewSizes({}, {old: max(2, new) for old, new in mapping.items() if new != old})
        pair = resized(program, resizing), resized(single, resizing)
        if pair[0] != program and _shown(*pair, shows) is not None:
            return shrunk(*pair, shows, until)
        if monotonic() > until:
            break
    return None


def _shown(program: Program, single: Program, shows: Shows) -> Shown | None:
    try:
        names_agree(program, single)
        return shows(program, single)
    except ProgramError:
        return None


def _steps(program: Program, single: Program) -> Iterator[NewSizes]:
    """Yield smaller sizes, smallest first.

    First come fewer ranks of an axis, then a shorter length, with and without its multiples.
    """
    for axis in program.mesh:
        for count in _below(axis.size):
            yield NewSizes({axis.name: count}, {})
    lengths = sorted(lengths_of(program) | lengths_of(single), reverse=True)
    for old in lengths:
        for new in _below(old):
            yield NewSizes({}, _scaled(lengths, old, new))
            yield NewSizes({}, {old: new})


def _below(size: int) -> Iterator[int]:
    yield from range(1, min(size, 5))
    if size > 8:
        yield from (size // 4, size // 2)


def _scaled(lengths: list[int], old: int, new: int) -> Mapping[int, int]:
    return {length: length // old * new for length in lengths if length % old == 0}
