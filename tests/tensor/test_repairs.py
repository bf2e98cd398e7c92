"""The one value of ranks with which, were it another one, all would be right."""

from looped import looped

from p2smt.tensor.conversion import AllReduce
from p2smt.tensor.program import Axis, Call, Number, Read
from p2smt.tensor.ranks.diagnosis import cause
from p2smt.tensor.ranks.programs import Alone, Computed, Exchanged, Met, RankPrograms
from p2smt.tensor.text.parser import parse_program

X, H = Read("x"), Read("h")
BOTH = ((0, 1),)


def each(name, operation, *operands, attributes=((), ())):
    """A statement of both ranks; an operand is one of all, or a pair of numbers."""
    own = [tuple(Number(one[rank]) if isinstance(one, tuple) else one for one in operands) for rank in range(2)]
    return Computed(name, tuple(Call(operation, own[rank], attributes[rank]) for rank in range(2)))


SCALED = each("p", "mul", X, (1, 3))
SQUARE = each("y", "mul", H, H)
SLICES = ((0, 2, 4), (0, 0, 2)), ((0, 0, 2), (0, 2, 4))


def said(body, statements, lengths):
    single = parse_program(f"program p\ninput x : f64[4]\n{body}\noutput y\n")
    names = {name: (4,) for each in statements for name in (each.names if isinstance(each, Met) else (each.name,))}
    shapes = dict.fromkeys(names, (4,)) | lengths
    ranks = RankPrograms(name="f", mesh=(Axis("ranks", 2),), sources=single.sources, statements=tuple(statements),
                         shapes=(shapes, shapes), outputs=(("y", "y"),), updates=())  # fmt: skip
    return cause(ranks, single, "y")


ALL = "; with it all would be right"
SUMMED = Exchanged("h", AllReduce(), "p", BOTH)
MET = Met(AllReduce(), (0, 1), ("p", "p"), ("h", "h"))
ALONE = [Alone("p", rank, Call("mul", (X, Number(1 + 2 * rank)))) for rank in range(2)]


@looped(
    ("body", "statements", "words"),
    [
        (
            "y = x * 16.0 * x + x",
            [SCALED, each("q", "mul", Read("p"), Read("p")), each("y", "add", Read("q"), X)],
            f"a sum of p over ranks = 2 is missing{ALL}",
        ),
        (
            "y = x * 4.0 * x + x",
            [SCALED, each("q", "mul", Read("p"), Read("p")), each("y", "add", Read("q"), X)],
            f"a mean of p over ranks = 2 is missing{ALL}",
        ),
        ("y = x * x", [each("p", "mul", X, (1, 1)), SUMMED, SQUARE], "the sum h over ranks is one too many"),
        ("y = x * 4.0 * x", [SCALED, SUMMED, SQUARE], "h is a sum where a mean would be right"),
        ("y = x * 64.0 * x", [*ALONE, MET, SQUARE], "h is too small by 2, the number of ranks: with the sum all"),
        ("y = x * 5.0 * x", [SCALED, SUMMED, SQUARE], ""),
    ],
)
def test_a_value_is_named_that_would_make_all_right(body, statements, words):
    found = said(body, statements, {})
    assert found.startswith(words)
    assert bool(found) == bool(words)


def test_the_slice_of_another_rank_is_named():
    theirs, own = SLICES
    statements = [each("h", "slice", X, attributes=theirs), each("o", "slice", X, attributes=own),
                  each("y", "mul", H, Read("o"))]  # fmt: skip
    lengths = dict.fromkeys(("h", "o", "y"), (2,))
    assert said("y = x * x", statements, lengths).startswith("h on rank 0 is the slice of another: with that of rank 1")
