"""The language of programs: the groupings of a hierarchy, the collectives that a grammar allows, and the goal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from p2smt.collective import Collective
from p2smt.placement.tree import Shape, hull_of, present_groups
from p2smt.problem.model import Grammar
from p2smt.problem.system.tree import Tree
from p2smt.reduction.language.instruction import Grouping, Instruction, Program, grouping_of, instruction_for

Step = tuple[Grouping, Collective]
Steps = tuple[Step, ...]

PAPER_COLLECTIVES = (  # only: the paper's
    Collective.ALL_REDUCE,
    Collective.REDUCE_SCATTER,
    Collective.REDUCE,
    Collective.ALL_GATHER,
    Collective.BROADCAST,
)
"""The collectives of the paper (section 3.2); collectives added later do not belong here."""


def all_groupings(levels: int) -> tuple[Grouping, ...]:
    """Return all groupings of `levels` levels: n(n+1)/2 plain ones and n(n-1)/2 among masters.

    >>> len(all_groupings(3))
    9
    """
    # Masters are told apart from the plain grouping only if a level lies below `inner`, hence the
    # smaller range.
    plain = (Grouping(o, i) for o in range(levels) for i in range(o + 1, levels + 1))
    masters = (Grouping(o, i, True) for o in range(levels) for i in range(o + 1, levels))
    return tuple(sorted((*plain, *masters)))


@dataclass(frozen=True, slots=True)
class Language:
    """The steps over `levels` reduction levels: `groupings`, and the collectives that `grammar` allows in each of them.

    Programs implement the `goal`: the effect of that single collective on a whole reduction group.
    """

    levels: int
    groupings: tuple[Grouping, ...]
    grammar: Grammar
    goal: Collective = Collective.ALL_REDUCE

    def collectives(self, grouping: Grouping) -> tuple[Collective, ...]:
        """Return the collectives that the grammar allows in a grouping.

        Grammar `paper` restricts masters to AllReduce.
        """
        match self.grammar:
            case Grammar.FULL:
                return tuple(Collective)
            case Grammar.PAPER:
                return (Collective.ALL_REDUCE,) if grouping.masters else PAPER_COLLECTIVES

    def steps(self) -> Iterator[Step]:
        """Yield all steps of the language in a fixed order."""
        return ((grouping, collective) for grouping in self.groupings for collective in self.collectives(grouping))

    def program(self, steps: tuple[Step, ...]) -> Program:
        """Return the instructions for a sequence of steps."""
        (program,) = self.programs((steps,))
        return program

    def programs(self, every: Sequence[tuple[Step, ...]]) -> tuple[Program, ...]:
        """Return the instructions of each program; equal steps share one instruction object."""
        steps = dict.fromkeys(chain.from_iterable(every))
        made = {
            (grouping, collective): instruction_for(grouping, collective, self.levels) for grouping, collective in steps
        }
        return tuple(tuple(map(made.__getitem__, steps)) for steps in every)

    def grouping(self, instruction: Instruction) -> Grouping:
        """Return the grouping of an instruction of this language."""
        grouping = grouping_of(instruction.slice, instruction.form, self.levels)
        assert grouping is not None
        return grouping


def full_language(levels: int, grammar: Grammar = Grammar.FULL, goal: Collective = Collective.ALL_REDUCE) -> Language:
    """Return the language with every grouping, for a hierarchy that has reduction levels only."""
    return Language(levels, all_groupings(levels), grammar, goal)


def shape_language(shape: Shape, grammar: Grammar = Grammar.FULL, goal: Collective = Collective.ALL_REDUCE) -> Language:
    """Return the language of a hierarchy of reduction levels: all groupings that have distinct groups.

    Duplicates only occur on irregular trees: if only one unit has a second child, for example, the plain grouping has
    the same groups as the one among masters. The plain one is kept.

    >>> [(g.outer, g.inner, g.masters) for g in shape_language(Tree(((2,), (2, 1)))).groupings]
    [(0, 1, False), (0, 2, False), (1, 2, False)]
    """
    language = full_language(len(hull_of(shape)), grammar, goal)
    if not isinstance(shape, Tree):
        return language
    return replace(language, groupings=tuple(sorted({*one_of_like(shape).values()})))


def one_of_like(tree: Tree) -> dict[Grouping, Grouping]:
    """Map each grouping of a tree to the first grouping with the same groups.

    >>> one_of_like(Tree(((2,), (2, 1))))[Grouping(0, 1, masters=True)]
    Grouping(outer=0, inner=1, masters=False)
    """
    levels = len(tree.children)
    first: dict[tuple[tuple[int, ...], ...], Grouping] = {}
    return {
        grouping: first.setdefault(tuple(present_groups(tree, grouping.levels, grouping.below(levels))), grouping)
        for grouping in all_groupings(levels)
    }
