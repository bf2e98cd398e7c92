"""The verdict on a distributed program: a proof, a counterexample, or the reason why there is neither."""

from dataclasses import dataclass
from enum import StrEnum

from p2smt.tensor.comparison import Wrong
from p2smt.tensor.expression import ProgramAxis
from p2smt.tensor.program import Program
from p2smt.tensor.reason import Refusal
from p2smt.tensor.rule import RuleName
from p2smt.verify.verdict import Verdict


class Equality(StrEnum):
    """The argument by which a program without its conversions equals the single-device program."""

    EXPRESSIONS = "expression by expression"
    FIELD = "on random elements of fields of random primes near 2^61, where an error goes unseen once in 2^40 times"
    RANKS = (
        "rank by rank, each with its part of every output in some cut along axes, on random elements of fields of "
        "random primes near 2^61, where an error goes unseen once in 2^40 times"
    )


class Arithmetic(StrEnum):
    """The arithmetic in which ranks were simulated."""

    FIELD = "a field of about 2^61 elements"
    REALS = "float64"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramProof:
    """On each of these meshes, every observed value equals the single device's, for all inputs of these sizes.

    The proof rests on a derivation of `judgements` steps, checked independently of inference; on the rules it
    uses (`rules` has the count of each) and its conversions, of which the solver proved the `schemas`
    distinct ones for all sizes, slicings and numbers of ranks; and on `equality`. `assumed` lists assumptions
    beyond exact arithmetic. `simulated` lists the arithmetics in which ranks were also run on random values.
    """

    meshes: tuple[tuple[ProgramAxis, ...], ...]
    judgements: int
    rules: tuple[tuple[RuleName, int], ...]
    schemas: int
    equality: Equality
    simulated: tuple[Arithmetic, ...]
    assumed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Smallest:
    """A smaller pair of programs with the same mistake, and the difference that numpy shows."""

    program: Program
    single: Program
    wrong: Wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramMistake:
    """A mistake on this mesh at a source, statement or output: a broken layout rule, or a differing observed value.

    `wrong` is a difference on random values; None if a rule is broken and the program is too large to run, as
    `unseen` then says. `cause` relates the wrong value to the right one, if known.
    """

    mesh: tuple[ProgramAxis, ...]
    statement: str
    axis: str
    refusal: Refusal | None
    wrong: Wrong | None
    unseen: str = ""
    smallest: Smallest | None = None
    cause: str = ""


ProgramVerdict = Verdict[ProgramProof, ProgramMistake]
"""The verdict on a distributed program.

A program that a rule refuses, but on which no value differs, is unknown.
"""
