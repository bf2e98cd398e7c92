"""The code bits of a program: for each instruction a few bits that select its collective and its grouping.

Bits of one instruction, least significant first: three for the collective (five values, and one for "the program has
ended"), then enough to number the language's groupings.

    code = sum over instructions i of  (collective + 8 * grouping) << (i * width)
A code is the model of a query, read as one number, and a program is excluded by its words up to and including its end
(`significant`), which also excludes every other code with the same beginning.
Complexity: O(limit x log groupings) bits.
Reference: McMillan, "Applying SAT methods in unbounded symbolic model checking", 2002 (enumeration by blocking).

Example: with 3 groupings a word has 3 + 2 bits. 01 000 is grouping 1 with the first collective; 00 101 is the end.
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


class ProgramCode:
    """The code bits of a program of at most `limit` instructions."""

    def __init__(self, language: Language, limit: int) -> None:
        self.language = language
        self.limit = limit
        # With one grouping no bits are needed, and `bit_length` of 0 is 0; `max` covers a language
        # without groupings.
        self._width = _COLLECTIVE_BITS + max(len(language.groupings) - 1, 0).bit_length()
        self.bits = constants("code", limit * self._width)

    def choice(self, place: int) -> InstructionChoice:
        """Return the choice encoded by the bits of instruction number `place`."""
        collective, grouping = self._parts(place)
        ended = spells(collective, _ENDED)
        numbered = enumerate(self.language.groupings)
        return InstructionChoice(
            ended,
            {kind: spells(collective, number) for number, kind in enumerate(_COLLECTIVES)},
            {kind: conj((neg(ended), spells(grouping, number))) for number, kind in numbered},
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
            steps.append((self.language.groupings[grouping], _COLLECTIVES[collective]))
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

    def _parts(self, place: int) -> tuple[list[Bool], list[Bool]]:
        bits = self.bits[place * self._width : (place + 1) * self._width]
        return bits[:_COLLECTIVE_BITS], bits[_COLLECTIVE_BITS:]
