"""Equality of a program without its distribution with the single-device program.

Three checks, in this order: both have the same expressions; some values in numpy differ; over random prime fields
both are the same functions of their sources, with the same divisors and arguments of roots and logarithms.

Method of the third: polynomial identity testing. Two different rational functions of degree at most d agree on
random values of a field of p elements with probability at most 2 d / p (Schwartz, "Fast probabilistic algorithms
for verification of polynomial identities", 1980; Zippel, 1979); p is near 2^61, and `TRIALS` fields are used. Seeds
are hashes of both programs, so nobody can write a program for a seed. Fields have no order and no number formats:
selection by value, casts and dropout are unknown functions there (`prime_field.py`).

    P(equal by chance) <= (2 d / p)^`TRIALS`.

Complexity: per field, one run of both programs on one device in Python integers.

Example: (x + y) * (x - y) and x * x - y * y are different expressions, but equal over every field. x * x + 1
differs from both in numpy already.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

from p2smt.tensor.comparison import compare, whole_value
from p2smt.tensor.expression import Read, parts
from p2smt.tensor.frame import whole
from p2smt.tensor.interpreter import run
from p2smt.tensor.meaning import DoesNotRunError, Meaning, Part, Parts
from p2smt.tensor.operation import Array
from p2smt.tensor.prime_field import Guard, PrimeField
from p2smt.tensor.program import Program, all_text, versions
from p2smt.tensor.reals import Reals
from p2smt.tensor.verification.effort import effort
from p2smt.tensor.verification.sameness import same_expressions
from p2smt.tensor.verification.values import Trial, of_definedness, trials
from p2smt.tensor.verification.verdict import Equality
from p2smt.verify.verdict import Unknown

TRIALS = 4
"""The number of fields used."""


@dataclass(frozen=True, slots=True)
class Unlike:
    """A difference in numpy: the first differing statement, or else the first differing output or version."""

    name: str


@dataclass(frozen=True, slots=True)
class Equal:
    """The argument by which the programs are equal, and its assumptions."""

    equality: Equality
    assumed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _GuardedValue:
    value: Array
    guards: frozenset[Guard]


def equality(bare: Program, single: Program) -> Equal | Unlike | Unknown:
    """Compare two single-device programs.

    Return the argument for their equality, a difference in numpy, or the reason why equality is unknown.
    Requires matching names.
    """
    return Equal(Equality.EXPRESSIONS) if same_expressions(bare, single) else _by_values(bare, single)


def _by_values(bare: Program, single: Program) -> Equal | Unlike | Unknown:
    unlike = f"without its collectives it has other expressions than {single.name}"
    both = effort(bare), effort(single)
    if not all(each.affordable(Reals()) for each in both):
        return Unknown(f"{unlike}, and running them would take too long: {max(both, key=lambda each: each.flops)}")
    for trial in trials(bare, single):
        if compare(bare, single, trial.meaning, trial.step) is not None:
            return Unlike(first_unlike(bare, single, trial))
    found = _in_fields(bare, single)
    return Unknown(f"{unlike}; in float64 no value differs, but {found}") if isinstance(found, str) else found


def _in_fields(bare: Program, single: Program) -> Equal | str:
    """Compare two programs over fields, after numpy has shown no difference.

    A text gives the reason why equality is unknown.
    """
    for trial in of_definedness(bare, single):
        if (wrong := compare(bare, single, trial.meaning, trial.step)) is not None:
            return f"for some values one of the two alone has a number: {wrong}"
    if not all(each.affordable(PrimeField()) for each in (effort(bare), effort(single))):
        return "they are too large to be run over a prime field"
    first, guarded = _seed(bare, single), False
    for seed in range(first, first + TRIALS):
        found = _in_field(bare, single, seed)
        if isinstance(found, str):
            return found
        guarded = guarded or found
    where = (
        "no value is divided by 0, and no root or logarithm is of what has none; both programs have the same of them"
    )
    return Equal(Equality.FIELD, (where,) if guarded else ())


def _seed(bare: Program, single: Program) -> int:
    """Return a seed derived from both programs, so that nobody can write a program for it.

    It is the same in every run.
    """
    # Of the programs' own text: the same programs are judged alike every time, and no program can be written for a
    # seed.
    return int.from_bytes(blake2b(all_text(bare, single).encode(), digest_size=6).digest(), "big") + 1


def _in_field(bare: Program, single: Program, seed: int) -> bool | str:
    """Compare in one field.

    Return True if equal where guards hold, False if equal everywhere, or a text that describes the
    difference.
    """
    field = PrimeField(seed)
    given = _given(single, field)
    try:
        ours, theirs = (_observed(program, given, field, seed) for program in (bare, single))
    except DoesNotRunError as cause:
        return f"over a prime field they do not run: {cause}"
    for name, mine in ours.items():
        other = theirs[name]
        if not field.equal(mine.value, other.value):
            return (
                "relu, exp, casts and the like are taken for any functions over a prime field, and constants are exact "
                "there; there values differ"
            )
        if mine.guards != other.guards:
            kinds = sorted({operation for operation, _ in mine.guards ^ other.guards})
            return f"{name} is defined where {', '.join(kinds)} of other values is in one of the two than in the other"
    return any(each.guards for each in ours.values())


def _given(single: Program, meaning: Meaning) -> dict[str, Parts]:
    arrays = {source.name: whole_value(source, meaning) for source in single.sources}
    return {name: (Part(array, whole(array.shape)),) for name, array in arrays.items()}


def _observed(program: Program, given: Mapping[str, Parts], field: PrimeField, step: int) -> dict[str, _GuardedValue]:
    """Run a single-device program; return each observed value with the guards of everything it is computed from."""
    guards: dict[str, frozenset[Guard]] = {}
    reads = {
        statement.name: [part.name for part in parts(statement.expression) if isinstance(part, Read)]
        for statement in program.statements
    }

    def watched(name: str) -> None:
        read = (guards.get(each, frozenset()) for each in reads[name])
        guards[name] = frozenset(field.guards).union(*read)
        field.guards.clear()

    # Guards are collected statement by statement, so that each output has those of its own ancestors alone.
    field.guards.clear()
    values = run(program, given, field, step, watched)
    ends = [(f"output {output.name}", output.name) for output in program.outputs]
    ends += [(f"version of {name}", last) for name, last in versions(program).items()]
    found = {}
    for name, statement in ends:
        (part,) = values[statement]
        assert part is not None
        found[name] = _GuardedValue(part.array, guards.get(statement, frozenset()))
    return found


def first_unlike(bare: Program, single: Program, trial: Trial) -> str:
    """Return the first statement whose value differs between the programs, else the first differing output."""
    meaning = trial.meaning
    given = _given(single, meaning)
    ours, theirs = run(bare, given, meaning, trial.step), run(single, given, meaning, trial.step)
    # In the order of computing, so the first difference is nearest to the mistake.
    for statement in bare.statements:
        (mine,), (other,) = ours[statement.name], theirs.get(statement.name, (None,))
        if mine is None or other is None or mine.array.shape != other.array.shape:
            continue
        if not meaning.equal(mine.array, other.array):
            return statement.name
    wrong = compare(bare, single, trial.meaning, trial.step)
    return "" if wrong is None else wrong.name
