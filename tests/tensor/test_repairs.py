"""The one value of ranks with which, were it another one, all would be right."""

from dataclasses import replace

from looped import looped

from p2smt.tensor.conversion import AllReduce
from p2smt.tensor.expression import AxisLayout, Call, Number, ProgramAxis, Read
from p2smt.tensor.layout import Sliced
from p2smt.tensor.ranks.diagnosis import cause
from p2smt.tensor.ranks.programs import GroupExchange, LocalCall, NamedExchange, OneRankCall, RankPrograms
from p2smt.tensor.text.parser import parse_program

X, H = Read("x"), Read("h")
BOTH = ((0, 1),)


def each(name, operation, *operands, attributes=((), ())):
    """A statement of both ranks; an operand is one of all, or a pair of numbers."""
    own = [tuple(Number(one[rank]) if isinstance(one, tuple) else one for one in operands) for rank in range(2)]
    return LocalCall(name, tuple(Call(operation, own[rank], attributes[rank]) for rank in range(2)))


SCALED = each("p", "mul", X, (1, 3))
SQUARE = each("y", "mul", H, H)
SLICES = ((0, 2, 4), (0, 0, 2)), ((0, 0, 2), (0, 2, 4))


def said(body, statements, lengths):
    single = parse_program(f"program p\ninput x : f64[4]\n{body}\noutput y\n")
    names = {
        name: (4,) for each in statements for name in (each.names if isinstance(each, NamedExchange) else (each.name,))
    }
    shapes = dict.fromkeys(names, (4,)) | lengths
    ranks = RankPrograms(
        name="f",
        mesh=(ProgramAxis("ranks", 2),),
        sources=single.sources,
        statements=tuple(statements),
        shapes=(shapes, shapes),
        outputs=(("y", "y"),),
        updates=(),
    )
    return cause(ranks, single, "y")


ALL = "; with it all would be right"
SUMMED = GroupExchange("h", AllReduce(), "p", BOTH)
MET = NamedExchange(AllReduce(), (0, 1), ("p", "p"), ("h", "h"))
ALONE = [OneRankCall("p", rank, Call("mul", (X, Number(1 + 2 * rank)))) for rank in range(2)]


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
        ("y = x * 5.0 * x", [SCALED, SUMMED, SQUARE], "it is 3.2 times that of one device"),
        ("y = x * 5.0 * x + 1.0", [SCALED, SUMMED, SQUARE], ""),
    ],
)
def test_a_value_is_named_that_would_make_all_right(body, statements, words):
    found = said(body, statements, {})
    assert found.startswith(words)
    assert bool(found) == bool(words)


def test_the_slice_of_another_rank_is_named():
    theirs, own = SLICES
    statements = [
        each("h", "slice", X, attributes=theirs),
        each("o", "slice", X, attributes=own),
        each("y", "mul", H, Read("o")),
    ]
    lengths = dict.fromkeys(("h", "o", "y"), (2,))
    assert said("y = x * x", statements, lengths).startswith("h on rank 0 is the slice of another: with that of rank 1")


def halves(name, of):
    """The value with its halves exchanged."""
    return [
        each(f"{name}.a", "slice", of, attributes=((0, 0, 2),) * 2),
        each(f"{name}.b", "slice", of, attributes=((0, 2, 4),) * 2),
        each(name, "cat", Read(f"{name}.b"), Read(f"{name}.a"), attributes=((0,),) * 2),
    ]


PARTS = {f"{name}.{part}": (2,) for name in "hg" for part in "ab"}
P, A = Read("p"), Read("a")


@looped(
    ("body", "statements", "words"),
    [
        (
            "y = x * x",
            [*halves("h", X), each("y", "mul", H, X)],
            "h has x in another order, along dimension 0; with all of it in order all would be right",
        ),
        (
            "y = x * x * x",
            [*halves("h", X), *halves("g", X), each("q", "mul", H, Read("g")), each("y", "mul", Read("q"), X)],
            "h has x in another order, along dimension 0; with all of it in order and others like it all would be",
        ),
        (
            "y = x * 25.0 * x",
            [each("p", "mul", X, (3, 4)), each("a", "abs", P), GroupExchange("h", AllReduce(), "a", BOTH), SQUARE],
            "h adds up roots, as norms are",
        ),
        (
            "y = x * 25.0 * x",
            [SCALED, each("a", "add", P, X), GroupExchange("h", AllReduce(), "a", BOTH), SQUARE],
            "x is added in a on every rank, and counted 2 times, once per rank, in the sum",
        ),
        (
            "y = x * x + x",
            [each("p", "mul", X, (2, 2)), each("h", "mul", P, P), each("y", "add", H, X)],
            f"p is too large by 2, the number of ranks; else {ALL[len('; with it ') :]}",
        ),
        ("y = x * 1.0", [each("y", "mul", X, (1024, 1024))], "it is 1024 times that of one device"),
    ],
)
def test_the_mistake_of_a_value_is_named(body, statements, words):
    assert said(body, statements, PARTS).startswith(words)


ROWS = """program p
input t : i64[3]
parameter w : f64[4, 2]
y = embedding(w, t) * 2.0
output y
"""


@looped(
    ("index", "words"),
    [
        ([], "t is the same on every rank, without an offset: minus 2 times the rank all would be right"),
        (
            [
                each("s", "sub", Read("t"), (0, 2)),
                each("l", "maximum", Read("s"), (0, 0)),
                each("i", "minimum", Read("l"), (1, 1)),
            ],
            "e is looked up even where t is outside of a rank's 2; masked there all would be right",
        ),
    ],
)
def test_mistakes_of_looked_up_rows_are_named(index, words):
    """Each of two ranks has two rows of the table."""
    single = parse_program(ROWS)
    t, w = single.sources
    placed = (t, replace(w, layouts=(AxisLayout(Sliced(0, (2, 2)), "ranks"),)))
    looked_up = each("e", "embedding", Read("w"), Read("i" if index else "t"))
    statements = (*index, looked_up, GroupExchange("h", AllReduce(), "e", BOTH), each("y", "mul", H, (2, 2)))
    shapes = {"e": (3, 2), "h": (3, 2), "y": (3, 2), "s": (3,), "l": (3,), "i": (3,)}
    ranks = RankPrograms(
        name="f",
        mesh=(ProgramAxis("ranks", 2),),
        sources=placed,
        statements=statements,
        shapes=(shapes, shapes),
        outputs=(("y", "y"),),
        updates=(),
    )
    assert cause(ranks, single, "y").startswith(words)
