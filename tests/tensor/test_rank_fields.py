"""What ranks have beside one device over fields: right is what is equal under the same conditions, and nothing else."""

from p2smt.tensor.conversion import AllReduce
from p2smt.tensor.program import Axis, Call, Number, Read
from p2smt.tensor.ranks.fields import equal_in_fields
from p2smt.tensor.ranks.programs import Alone, Delivered, Met, RankPrograms
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.verification.equality import Equal

MESH = (Axis("ranks", 2),)
X = Read("x")


def ranks(single, statements, outputs=(("y", "y"),), shape=(4,)):
    """Both ranks have x whole, and statements of their own."""
    names = {name for each in statements for name in (each.names if isinstance(each, Met) else (each.name,))}
    return RankPrograms(
        name="f", mesh=MESH, sources=single.sources, statements=tuple(statements),
        shapes=(dict.fromkeys(names, shape),) * 2, outputs=outputs, updates=(),
    )  # fmt: skip


def said(body, *statements):
    single = parse_program(f"program p\ninput x : f64[4]\n{body}\noutput y\n")
    return equal_in_fields(ranks(single, statements), single)


def both(name, call):
    return [Alone(name, rank, call) for rank in range(2)]


DOUBLE = Call("add", (X, X))


def test_ranks_that_compute_otherwise_are_equal_by_value():
    alone = Alone("y", 0, DOUBLE), Alone("y", 1, Call("mul", (X, Number(2))))
    assert isinstance(said("y = x * 2.0", *alone), Equal)
    assert "rank 1 has another value of y" in said("y = x * 2.0", alone[0], Alone("y", 1, Call("mul", (X, Number(3)))))


def test_sums_and_messages_between_ranks_are_followed():
    half = both("h", Call("mul", (X, Number(0.5))))
    summed = Met(AllReduce(), (0, 1), ("h", "h"), ("y", "y"))
    assert isinstance(said("y = x * 1.0", *half, summed), Equal)
    sent = [Alone("d", 0, DOUBLE), Delivered("y", "d", 0, 0), Delivered("y", "d", 0, 1)]
    assert isinstance(said("y = x + x", *sent), Equal)


def test_a_division_that_one_device_lacks_is_not_claimed():
    less = both("s", Call("sub", (X, Number(1000))))
    product = both("p", Call("mul", (X, Read("s"))))
    statements = [*less, *product, *both("y", Call("div", (Read("p"), Read("s"))))]
    assert "y is defined where div of other values" in said("y = x * 1.0", *statements)


def test_random_numbers_are_those_of_each_rank():
    statements = both("y", Call("dropout", (X,), (0.5, 1)))
    assert "draws random numbers" in said("y = dropout(x, 0.5, 1)", *statements)
