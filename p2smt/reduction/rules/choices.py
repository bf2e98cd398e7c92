"""The code bits of a program: for each instruction a few bits that select its collective and its grouping.

Bits of one instruction, least significant first: three for the collective (five values, and one for "the program has
ended"), then the word of its grouping. `ProgramCode` numbers the language's groupings in as few bits as that takes.
`LevelCode` has a bit for each level, which says whether groups vary on it, and one for masters: more bits, but rules
that ask for levels, and not for groupings, have a bit where numbers need a disjunction, and searches fewer conflicts.

    code = sum over instructions i of  (collective + 8 * word of the grouping) << (i * width)
A code is the model of a query, read as one number, and a program is excluded by its words up to and including its end
(`significant`), which also excludes every other code with the same beginning.
Complexity: O(limit x log groupings) bits, or O(limit x levels).
Reference: McMillan, "Applying SAT methods in unbounded symbolic model checking", 2002 (enumeration by blocking).

Example: with 3 groupings an instruction has 3 + 2 bits. 01 000 is grouping 1 with the first collective; 00 101 is the
end. By levels, of which there are two then, it has 3 + 3 bits: 101 000 is that collective along level 1, among masters.
"""

from dataclasses import dataclass

from p2smt.collective import Collective
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import Language, Step
from p2smt.smt.terms import Bool, Term, conj, constants, disj, implies, neg, spells

_COLLECTIVES = tuple(Collective)
# The end of a program is one more number beside those of the collectives, so it needs no bit of its own.
_ENDED = len(_COLLECTIVES)
_COLLECTIVE_BITS = _ENDED.bit_length()


@dataclass(frozen=True, slots=True)
class InstructionChoice:
    """One instruction of a program, as terms: exactly one collective and one grouping, or neither after the end."""

    ended: Term
    collectives: dict[Collective, Term]
    groupings: dict[Grouping, Term]

    def is_along(self, level: int) -> Term:
        """A term: the members of a group differ on the level."""
        return disj(term for one, term in self.groupings.items() if level in one.levels)

    def is_below(self, level: int) -> Term:
        """A term: the groups are among masters, and the level lies below those on which their members differ."""
        return disj(term for one, term in self.groupings.items() if one.masters and level > one.inner)


class ProgramCode:
    """The code bits of a program of at most `limit` instructions; its groupings are numbered as in the language."""

    def __init__(self, language: Language, limit: int) -> None:
        self.language = language
        self.limit = limit
        self._words = self._words_of(language)
        self._spelled = {word: grouping for grouping, word in self._words.items()}
        # With one grouping, number 0, no bits are needed: `bit_length` of 0 is 0.
        self._width = _COLLECTIVE_BITS + max(self._words.values(), default=0).bit_length()
        self.bits = constants("code", limit * self._width)

    def choice(self, place: int) -> InstructionChoice:
        """Return the choice encoded by the bits of instruction number `place`."""
        collective, grouping = self._parts(place)
        ended = spells(collective, _ENDED)
        return InstructionChoice(
            ended,
            {kind: spells(collective, number) for number, kind in enumerate(_COLLECTIVES)},
            {kind: conj((neg(ended), spells(grouping, word))) for kind, word in self._words.items()},
        )

    def ended(self, place: int) -> list[Bool]:
        """Return literals that together state that the program has ended before instruction number `place`."""
        collective, _ = self._parts(place)
        return [bit if (_ENDED >> number) & 1 else neg(bit) for number, bit in enumerate(collective)]

    def well_formed(self, place: int, choice: InstructionChoice) -> list[Term]:
        """Return constraints that an instruction's bits encode a step of the language, or the program's end."""
        _, grouping = self._parts(place)
        return [
            disj((choice.ended, *choice.collectives.values())),
            disj((choice.ended, *choice.groupings.values())),
            # An ended program has one code, not one for each value of bits that mean nothing: no program is counted
            # twice.
            implies(choice.ended, spells(grouping, 0)),
            *(
                implies(chosen, disj(choice.collectives[kind] for kind in self.language.collectives(grouping)))
                for grouping, chosen in choice.groupings.items()
            ),
        ]

    def steps(self, code: int) -> tuple[Step, ...]:
        """Decode a code into steps."""
        steps = []
        for place in range(self.limit):
            word = (code >> (place * self._width)) % (1 << self._width)
            # The collective is in the low bits, so quotient and remainder by a power of two are
            # grouping and collective.
            grouping, collective = divmod(word, 1 << _COLLECTIVE_BITS)
            if collective == _ENDED:
                break
            steps.append((self._spelled[grouping], _COLLECTIVES[collective]))
        return tuple(steps)

    def significant(self, code: int) -> int:
        """Return the number of leading bits, up to the program's end, that distinguish it from all other programs."""
        # One instruction more than the program has: the end itself is part of what tells it from longer programs.
        collective = (1 << _COLLECTIVE_BITS) - 1
        for last in range(self._width, len(self.bits), self._width):
            if code & collective == _ENDED:
                return last
            code >>= self._width
        return len(self.bits)

    @staticmethod
    def _words_of(language: Language) -> dict[Grouping, int]:
        return {grouping: number for number, grouping in enumerate(language.groupings)}

    def _parts(self, place: int) -> tuple[list[Bool], list[Bool]]:
        bits = self.bits[place * self._width : (place + 1) * self._width]
        return bits[:_COLLECTIVE_BITS], bits[_COLLECTIVE_BITS:]


@dataclass(frozen=True, slots=True)
class LevelChoice(InstructionChoice):
    """A choice whose levels are bits: those along which its groups vary, outermost first, and `masters`.

    All bits are false after the end, as `well_formed` demands.
    """

    along: tuple[Term, ...]
    masters: Term

    def is_along(self, level: int) -> Term:
        """A term: the members of a group differ on the level."""
        return self.along[level - 1]

    def is_below(self, level: int) -> Term:
        """A term: the groups are among masters, and the level lies below those on which their members differ."""
        # Members differ on levels in a row: below them is every level behind one of them that is none itself.
        return conj((self.masters, neg(self.along[level - 1]), disj(self.along[: level - 1])))


class LevelCode(ProgramCode):
    """The code bits of a program, with a bit for each level along which the groups of an instruction can vary."""

    def choice(self, place: int) -> LevelChoice:
        """Return the choice encoded by the bits of instruction number `place`."""
        plain = super().choice(place)
        levels = self.language.levels
        # Bits that no grouping of the language needs are not there.
        bits: tuple[Term, ...] = (*self._parts(place)[1], *(False,) * (levels + 1))
        return LevelChoice(plain.ended, plain.collectives, plain.groupings, bits[:levels], bits[levels])

    @staticmethod
    def _words_of(language: Language) -> dict[Grouping, int]:
        masters = 1 << language.levels
        return {one: (1 << one.inner) - (1 << one.outer) + masters * one.masters for one in language.groupings}
