"""Devices, chunks and contributors with symbolic digits on levels of symbolic size, and one step of the level algebra.

A device, chunk or contributor is one bit-vector per level, whose value is below that level's size; sizes range from 2
to the largest number of `DIGIT_BITS` bits. The lemmas only compare digits for equality, so this width loses no
generality.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from p2smt.reduction.language.language import full_language
from p2smt.reduction.rules.choices import InstructionChoice, ProgramCode
from p2smt.reduction.rules.level_rules import HoldingTerms, LevelRules, LevelSet, LevelState
from p2smt.smt import bitvectors
from p2smt.smt.bitvectors import BitVec, at_least, below, bitvector
from p2smt.smt.smtlib import Group
from p2smt.smt.terms import Term, conj, constant, disj, either, iff, implies, neg

DIGIT_BITS = 16

Digits = tuple[BitVec, ...]  # one per level


@dataclass(frozen=True, slots=True)
class Lemma:
    """A lemma: `given` implies `claim` on hierarchies of every size; `section` is its section in the written proof."""

    stem: str
    about: str
    section: str
    given: tuple[Group, ...]
    claim: Term


def free_digits(name: str, levels: int) -> Digits:
    """Return free constants name1, name2, ..., one digit per level."""
    return tuple(bitvector(f"{name}{level}", DIGIT_BITS) for level in range(1, levels + 1))


def number(value: int) -> BitVec:
    """Return a constant digit or size."""
    return bitvectors.number(value, DIGIT_BITS)


def flipped(digit: BitVec) -> BitVec:
    """Return a different digit of the same level; digits 0 and 1 exist on every level."""
    return either(digit == 0, number(1), number(0))


def pick(levels: LevelSet, then: Digits, otherwise: Digits) -> Digits:
    """Return the digits of `then` on the levels of the set, and the digits of `otherwise` elsewhere."""
    return tuple(either(level, a, b) for level, a, b in zip(levels, then, otherwise, strict=True))


def agree(levels: Iterable[Term], left: Digits, right: Digits) -> Term:
    """A term: the two digit sequences are equal on these levels."""
    return conj(implies(level, a == b) for level, a, b in zip(levels, left, right, strict=True))


def every(levels: int) -> LevelSet:
    """Return the set of all levels."""
    return (True,) * levels


def others(levels: LevelSet) -> LevelSet:
    """Return the complement of a level set."""
    return tuple(map(neg, levels))


def within(inner: LevelSet, outer: LevelSet) -> Term:
    """A term: `inner` is a subset of `outer`."""
    return conj(map(implies, inner, outer))


def apart(left: LevelSet, right: LevelSet) -> Term:
    """A term: the two level sets are disjoint."""
    return conj(neg(conj(pair)) for pair in zip(left, right, strict=True))


def has_row(holding: HoldingTerms, device: Digits, chunk: Digits) -> Term:
    """A term: the device holds the chunk, because their digits agree on the scattered levels."""
    return conj((neg(holding.empty), agree(holding.scattered, chunk, device)))


def has_bit(holding: HoldingTerms, device: Digits, chunk: Digits, contributor: Digits) -> Term:
    """A term: the device's copy of the chunk includes the contribution.

    It does if it holds the chunk and the contributor's digits agree with its own outside the merged levels.
    """
    return conj((has_row(holding, device, chunk), agree(others(holding.merged), contributor, device)))


def free_levels(name: str, levels: int) -> LevelSet:
    """Return a level set of free boolean constants name1, name2, ..."""
    return tuple(constant(f"{name}{level}") for level in range(1, levels + 1))


def free_holding(name: str, levels: int, empty: Term = False) -> HoldingTerms:
    """Return a holding with free level sets; it is not empty unless `empty` says otherwise."""
    return HoldingTerms(empty, free_levels(f"{name}F", levels), free_levels(f"{name}M", levels))


def of_device(state: LevelState, device: Digits) -> HoldingTerms:
    """Return the holding of a device, which is that of its device class."""
    holdings = [holding.terms() for holding in state]
    # A binary tree of ifs over the classes: level after level halves them by whether the digit is 0.
    for digit in device:
        inner, first = holdings[1::2], holdings[::2]
        holdings = [
            tuple(either(digit != 0, *pair) for pair in zip(*two, strict=True))
            for two in zip(inner, first, strict=True)
        ]
    empty, *sets = holdings[0]
    return HoldingTerms(empty, tuple(sets[: len(device)]), tuple(sets[len(device) :]))


def in_bounds(sizes: Digits, *numbers: Digits) -> tuple[Term, ...]:
    """Assert that all sizes are at least 2 and all digits are below them."""
    large = tuple(at_least(size, number(2)) for size in sizes)
    return (*large, *(below(digit, size) for digits in numbers for digit, size in zip(digits, sizes, strict=True)))


@dataclass(frozen=True, slots=True)
class Scene:
    """One step of the level algebra from a free state on `levels` levels, with a free grouping."""

    levels: int
    choice: InstructionChoice
    state: LevelState
    after: LevelState
    allowed: tuple[Term, ...]

    @property
    def along(self) -> LevelSet:
        """Return the levels on which the members of a group differ."""
        return self._where([grouping.levels for grouping in self.choice.groupings])

    @property
    def below(self) -> LevelSet:
        """Return the levels on which only devices with digit 0 take part."""
        last = self.levels
        return self._where([range(g.inner + 1 if g.masters else last + 1, last + 1) for g in self.choice.groupings])

    def takes_part(self, device: Digits) -> Term:
        """A term: the device belongs to a group."""
        return agree(self.below, device, (number(0),) * self.levels)

    def together(self, left: Digits, right: Digits) -> Term:
        """A term: both devices belong to the same group."""
        return conj((self.takes_part(left), agree(others(self.along), left, right)))

    def root(self, device: Digits) -> Digits:
        """Return the digits of the root, which is the first device of the device's group."""
        return pick(self.along, (number(0),) * self.levels, device)

    def _where(self, ranges: Sequence[range]) -> LevelSet:
        pairs = list(zip(self.choice.groupings.values(), ranges, strict=True))
        return tuple(disj(chosen for chosen, r in pairs if level in r) for level in range(1, self.levels + 1))


def scene(levels: int) -> Scene:
    """Return a free state and a free step that the level algebra allows in it."""
    language = full_language(levels)
    code = ProgramCode(language, 1)
    choice = code.choice(0)
    state = tuple(free_holding(f"class{p}", levels, constant(f"class{p}Empty")) for p in range(2**levels))
    after, needs = LevelRules(language).apply(state, choice)
    return Scene(levels, choice, state, after, (*code.well_formed(0, choice), neg(choice.ended), *needs))


def equal(left: HoldingTerms, right: HoldingTerms) -> Term:
    """A term: the holdings are equal, so both are empty or both have the same level sets."""
    sets = conj(map(iff, left.terms()[1:], right.terms()[1:]))
    return conj((iff(left.empty, right.empty), disj((left.empty, sets))))


def corners(scene: Scene, device: Digits) -> list[Digits]:
    """Return one member of the device's group per device class: its digits are 0 or 1 on the levels that vary."""
    bits = product((number(0), number(1)), repeat=scene.levels)
    return [pick(scene.along, corner, device) for corner in bits]
