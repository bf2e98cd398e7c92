"""All programs over level sets, found separately for each set of boundaries that their groupings use.

Levels 1..n have n - 1 inner boundaries; a grouping (i..j] uses those of i and j. If no grouping of a program uses the
boundary between levels l and l + 1, then its groups are those of a hierarchy in which the two are one level of size
s[l] s[l + 1]: members differ on both or on neither, and have digit 0 on both or on neither. Validity does not depend on
sizes (`semantics/README.md`), so

    programs(n) = disjoint union over B subset of 1..n-1 of  { p stretched to n levels : p in Q(B) },
    Q(B) = programs over |B| + 1 levels that use all of their |B| boundaries.

The solver enumerates one program of each class of Q(B), to the final unsat, and rewriting gives the others
(`representatives.py`); sets B that lead to the same language share one answer.
Complexity: 2^(n - 1) queries over fewer levels, most of which share an answer.
Reference: Stanley, "Enumerative Combinatorics 1", 2012 (compositions of n are subsets of its boundaries).

Example: at most five instructions, grammar full. Q has 3, 90, 1452 and 3007 programs for |B| = 0, 1, 2 and 3. So there
are 3 + 90 = 93 programs over two levels, 3 + 2 * 90 + 1452 = 1635 over three, and 3 + 3 * 90 + 3 * 1452 + 3007 = 7636
over four. The solver finds 1, 23, 449 and 1229 of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import Language, Steps
from p2smt.reduction.rules.choices import LevelCode, ProgramCode
from p2smt.reduction.rules.programs import all_programs
from p2smt.reduction.rules.representatives import all_of_classes, is_representative
from p2smt.reduction.rules.run_rules import RunRules
from p2smt.smt.answer import Enumeration, Stop
from p2smt.smt.terms import Term, disj, iff, neg


@dataclass(frozen=True, slots=True)
class CoarseLanguage:
    """The part of a language that uses no boundaries but `kept`, as a language over `len(kept) + 1` levels.

    `finer` maps its groupings to those of the original language.
    """

    language: Language
    finer: dict[Grouping, Grouping]

    def stretched(self, steps: Steps) -> Steps:
        """Return the same program over the original levels."""
        return tuple((self.finer[grouping], collective) for grouping, collective in steps)


def coarsened(language: Language, kept: tuple[int, ...]) -> CoarseLanguage:
    """Return the part of a language of at least one level that uses no inner boundaries but `kept`.

    >>> from p2smt.reduction.language.language import full_language
    >>> coarsened(full_language(3), (2,)).finer[Grouping(0, 1, True)]
    Grouping(outer=0, inner=2, masters=True)
    """
    number = {boundary: place for place, boundary in enumerate((0, *kept, language.levels))}
    finer = {
        Grouping(number[one.outer], number[one.inner], one.masters): one
        for one in language.groupings
        if one.outer in number and one.inner in number
    }
    return CoarseLanguage(Language(len(kept) + 1, tuple(finer), language.grammar, language.goal), finer)


def level_programs(
    language: Language,
    limit: int,
    deadline: float | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Enumeration[Steps]:
    """Return all valid programs of at most `limit` instructions over the level algebra.

    `deadline` is a time of `time.monotonic`; at the deadline, on Ctrl-C or if the solver gives up, the programs so far
    are returned. `on_progress` receives their number, which grows by rewriting at the end of each set of boundaries.
    """
    if not language.levels:
        return all_programs(RunRules(language), ProgramCode(language, limit), (), deadline, on_progress)
    found: list[Steps] = []
    try:
        return _by_boundaries(language, limit, found, deadline, on_progress)
    except KeyboardInterrupt:  # between two queries, as programs are rewritten: those of earlier sets are whole
        return Enumeration(tuple(found), Stop.INTERRUPTED)


def _by_boundaries(
    language: Language,
    limit: int,
    found: list[Steps],
    deadline: float | None,
    on_progress: Callable[[int], None] | None,
) -> Enumeration[Steps]:
    """Return the programs of `level_programs` over at least one level; `found` receives those of each finished set."""
    known: dict[Language, tuple[Steps, ...]] = {}
    boundaries = range(1, language.levels)
    for kept in (some for size in range(language.levels) for some in combinations(boundaries, size)):
        coarse = coarsened(language, kept)
        if coarse.language not in known:
            code, before = LevelCode(coarse.language, limit), len(found)
            report = None if on_progress is None else _counting_from(before, on_progress)
            also = [*_uses_all(code), *is_representative(code)]
            answer = all_programs(RunRules(coarse.language), code, also, deadline, report)
            programs = all_of_classes(coarse.language, limit, answer.items)
            if answer.stop is not Stop.EXHAUSTED:
                return Enumeration((*found, *map(coarse.stretched, programs)), answer.stop, answer.reason)
            known[coarse.language] = programs
        found += map(coarse.stretched, known[coarse.language])
        if on_progress is not None:
            on_progress(len(found))
    return Enumeration(tuple(found), Stop.EXHAUSTED)


def _uses_all(code: ProgramCode) -> list[Term]:
    """Return constraints that some instruction's grouping uses each inner boundary of the language."""
    choices = [code.choice(place) for place in range(code.limit)]
    # Groups vary on levels in a row, so their grouping uses a boundary if they vary on one side of it alone.
    return [
        disj(neg(iff(choice.is_along(boundary), choice.is_along(boundary + 1))) for choice in choices)
        for boundary in range(1, code.language.levels)
    ]


def _counting_from(before: int, on_progress: Callable[[int], None]) -> Callable[[int], None]:
    return lambda programs: on_progress(before + programs)
