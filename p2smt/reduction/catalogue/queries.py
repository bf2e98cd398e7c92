"""A bounded synthesis query, scripts that ask it, and a description of the code bits in words."""

from dataclasses import dataclass

from p2smt.collective import Collective
from p2smt.problem.model import Grammar
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import Language, full_language
from p2smt.reduction.rules.choices import ProgramCode
from p2smt.reduction.rules.level_rules import LevelRules
from p2smt.reduction.rules.matrix_rules import MatrixRules
from p2smt.reduction.rules.programs import unrolled
from p2smt.smt.smtlib import Group, Script, Status
from p2smt.wording import bare_sizes, counted

SOURCE = "P2 (MLSys 2022), section 3.5 (synthesis) and figure 8 (rules)"
SOURCE_LEVELS = f"{SOURCE}; states as level sets instead of matrices"

Groups = list[Group]


@dataclass(frozen=True, slots=True)
class BoundedQuery:
    """A query for programs of bounded length, over levels of given sizes, or over `levels` levels of any size."""

    levels: int
    limit: int
    grammar: Grammar = Grammar.FULL
    sizes: tuple[int, ...] = ()

    @property
    def language(self) -> Language:
        """Return the language with all groupings and the grammar's collectives."""
        return full_language(self.levels, self.grammar)

    @property
    def over(self) -> str:
        """Return the levels, for a file name."""
        return f"matrices-{bare_sizes(self.sizes)}" if self.sizes else f"levels-{self.levels}"

    @property
    def about(self) -> str:
        """Describe the levels in words."""
        where = (
            "levels of sizes " + " and ".join(map(str, self.sizes))
            if self.sizes
            else f"{counted(self.levels, 'level')} of any sizes"
        )
        return f"over {where}, grammar {self.grammar}"

    def code(self) -> ProgramCode:
        """Return the code bits."""
        return ProgramCode(self.language, self.limit)

    def groups(self, code: ProgramCode) -> Groups:
        """Return the constraints under which a code is a valid program."""
        if self.sizes:
            built = unrolled(MatrixRules(self.language, self.sizes), code)
        else:
            built = unrolled(LevelRules(self.language), code)
        return [(sentence, tuple(terms)) for sentence, terms in built]

    def script(self, name: str, about: str, status: Status, extra: Groups, counts: bool = False) -> Script:
        """Build a script that asks for a valid program that also satisfies `extra`.

        Models are counted by their code bits.
        """
        code = self.code()
        bits = tuple(code.bits)
        return Script(
            f"{self.over}-{name}",
            f"{about} {code_in_words(self.language)}",
            SOURCE if self.sizes else SOURCE_LEVELS,
            status,
            bits,
            (*self.groups(code), *extra),
            bits if counts else (),
        )


def code_in_words(language: Language) -> str:
    """Return a sentence that explains the code bits of an instruction."""
    kinds = ", ".join(f"{number} {kind}" for number, kind in enumerate(Collective))
    groupings = ", ".join(f"{number} {_levels(grouping)}" for number, grouping in enumerate(language.groupings))
    width = max(len(language.groupings) - 1, 0).bit_length()
    return (
        "Code bits of one instruction, least significant first: "
        f"3 for the collective ({kinds}, {len(Collective)} the end), "
        f"{width} for the levels that vary in its groups ({groupings})."
    )


def _levels(grouping: Grouping) -> str:
    first, last = grouping.levels[0], grouping.levels[-1]
    span = f"level {first}" if first == last else f"levels {first}-{last}"
    return f"{span} masters" if grouping.masters else span
