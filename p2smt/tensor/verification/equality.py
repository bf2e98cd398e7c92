"""Whether a program without its distribution is the program for a single device."""

from dataclasses import dataclass

from p2smt.tensor.comparison import compare, whole_value
from p2smt.tensor.frame import whole
from p2smt.tensor.interpreter import run
from p2smt.tensor.meaning import Meaning, Part, Parts
from p2smt.tensor.prime_field import PrimeField
from p2smt.tensor.program import Call, DType, Program
from p2smt.tensor.reals import Reals
from p2smt.tensor.verification.effort import effort
from p2smt.tensor.verification.sameness import same_expressions
from p2smt.tensor.verification.verdict import Equality, NotProved

STEP = 1
"""The number of the training step, which random bits depend on."""
TRIALS = 4
_CHOOSING = frozenset({"maximum", "minimum", "max", "min", "max_kept", "min_kept", "where", "gt", "ge", "lt", "eq"})
_WHOLE = (DType.I32, DType.I64, DType.BOOL)


@dataclass(frozen=True, slots=True)
class Unlike:
    """In numpy this statement, or else this output or version, has another value than in the other program."""

    name: str


def equality(bare: Program, single: Program) -> Equality | NotProved | Unlike:
    """How the two are equal, why that is not known, or what differs in numpy.

    Both are for one device, and their names agree.
    """
    return Equality.EXPRESSIONS if same_expressions(bare, single) else _by_values(bare, single)


def _by_values(bare: Program, single: Program) -> Equality | NotProved | Unlike:
    unlike = f"without its collectives it has other expressions than {single.name}"
    both = effort(bare), effort(single)
    if not all(each.affordable(Reals()) for each in both):
        return NotProved(f"{unlike}, and to run them is too much: {max(both, key=lambda each: each.flops)}")
    for seed in range(TRIALS):
        if compare(bare, single, Reals(seed), STEP) is not None:
            return Unlike(first_unlike(bare, single, Reals(seed)))
    doubt = _doubt(bare, single)
    return Equality.FIELD if doubt is None else NotProved(f"{unlike}; in float64 no value differs, but {doubt}")


def _doubt(bare: Program, single: Program) -> str | None:
    """Why the two, which no value tells apart in numpy, are not known to be equal."""
    if not all(each.affordable(PrimeField()) for each in (effort(bare), effort(single))):
        return "they are too large to be run over the prime field"
    if any(compare(bare, single, PrimeField(seed), STEP) is not None for seed in range(TRIALS)):
        return "relu, exp and the like are taken for any functions over the prime field, and there values differ"
    choosing = _choosing(bare) or _choosing(single)
    return None if choosing is None else f"{choosing}, and not all choices were tried"


def first_unlike(bare: Program, single: Program, meaning: Meaning) -> str:
    """The first statement of the one program of whose name the other has another value, else what is observed so."""
    given: dict[str, Parts] = {}
    for source in single.sources:
        array = whole_value(source, meaning)
        given[source.name] = (Part(array, whole(array.shape)),)
    ours, theirs = run(bare, given, meaning, STEP), run(single, given, meaning, STEP)
    for statement in bare.statements:
        (mine,), (other,) = ours[statement.name], theirs.get(statement.name, (None,))
        if mine is None or other is None or mine.array.shape != other.array.shape:
            continue
        if not meaning.equal(mine.array, other.array):
            return statement.name
    wrong = compare(bare, single, meaning, STEP)
    return "" if wrong is None else wrong.name


def _choosing(program: Program) -> str | None:
    """What in a program depends on an order or on whole numbers, which random elements of a field do not exhaust."""
    for source in program.sources:
        if source.dtype in _WHOLE:
            return f"{source.name} is {source.dtype}"
    for part in program.expressions():
        if isinstance(part, Call) and part.operation in _CHOOSING:
            return f"{part.operation} chooses"
    return None
