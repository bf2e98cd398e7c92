"""The verdict on a distributed program: its proof, its counter-example, or the reason why neither was found."""

from dataclasses import dataclass
from enum import StrEnum

from p2smt.tensor.comparison import Wrong
from p2smt.tensor.program import Axis, Program
from p2smt.tensor.reason import Refusal
from p2smt.tensor.rule import RuleName
from p2smt.verify.verdict import Verdict


class Equality(StrEnum):
    """The way in which a program without its conversions is known to equal its reference."""

    EXPRESSIONS = "expression by expression"
    FIELD = "on random elements of fields of random primes near 2^61, where an error goes unseen once in 2^40 times"
    RANKS = (
        "rank by rank, each with its part of every output in some cut along axes, on random elements of fields of "
        "random primes near 2^61, where an error goes unseen once in 2^40 times"
    )


class Arithmetic(StrEnum):
    """Over which numbers ranks were simulated."""

    FIELD = "a field of about 2^61 elements"
    REALS = "float64"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramProof:
    """On each of these meshes every observed value is the single device's, for all inputs of these sizes.

    That rests on a derivation of so many `judgements`, replayed by a checker that infers nothing; on the rules it uses
    (`rules`: how often each) and its conversions, of which the solver proved the `schemas` different ones for all
    sizes, cuts and numbers of ranks; and on `equality`. `assumed` is what it holds under, beyond exact arithmetic.
    `simulated` are second opinions: over these numbers, ranks were
    run on random values.
    """

    meshes: tuple[tuple[Axis, ...], ...]
    judgements: int
    rules: tuple[tuple[RuleName, int], ...]
    schemas: int
    equality: Equality
    simulated: tuple[Arithmetic, ...]
    assumed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Smallest:
    """A smaller pair of programs with the same mistake, and what differs there in numpy."""

    program: Program
    single: Program
    wrong: Wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramMistake:
    """On this mesh the source, statement or output is wrong: a layout rule is broken, or an observed value differs.

    `wrong` is what differs on random values; None where a rule is broken and the program is too large to be run
    (`unseen` says so). `cause` says what the value has to do with the right one, where that is known.
    """

    mesh: tuple[Axis, ...]
    statement: str
    axis: str
    refusal: Refusal | None
    wrong: Wrong | None
    unseen: str = ""
    smallest: Smallest | None = None
    cause: str = ""


ProgramVerdict = Verdict[ProgramProof, ProgramMistake]
"""The verdict on a distributed program. What a rule refuses, and of which no value differs, is unknown."""
