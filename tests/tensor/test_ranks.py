"""Groups of ranks as collectives of a mesh: in the order of the axis, each rank in one of them."""

from itertools import combinations, permutations, product

import numpy as np
import pytest
from looped import looped

from p2smt.errors import DefectError, ProgramError
from p2smt.tensor.collectives_meaning import exchanged
from p2smt.tensor.conversion import AllGather, AllReduce, AllToAll, ReduceScatter, Slice
from p2smt.tensor.expression import AxisLayout, Call, Convert, Output, ProgramAxis, Read, Statement
from p2smt.tensor.frame import Interval, whole
from p2smt.tensor.layout import Sliced
from p2smt.tensor.meaning import Part
from p2smt.tensor.placing import part_of, resolved, world
from p2smt.tensor.program import Program
from p2smt.tensor.ranks import comparison, verification
from p2smt.tensor.ranks.comparison import wrong_values
from p2smt.tensor.ranks.exchange import along, axes_of, axis_groups, parts_after
from p2smt.tensor.ranks.joining import OneRank, UnlikeRanksError, joined_statements
from p2smt.tensor.ranks.lifting import lifted
from p2smt.tensor.ranks.lifting_failure import LiftingFailure
from p2smt.tensor.ranks.moving import moved_parts
from p2smt.tensor.ranks.parts import lengths
from p2smt.tensor.ranks.programs import ArrayPermutation, GroupExchange, LocalCall, RankPrograms
from p2smt.tensor.ranks.simulation import simulated
from p2smt.tensor.ranks.verification import verify_ranks
from p2smt.tensor.reals import Reals
from p2smt.tensor.shapes import signature
from p2smt.tensor.text.parser import parse_program
from p2smt.verify.verdict import Proved, Unknown

MESH = (ProgramAxis("a", 2), ProgramAxis("b", 2))


def test_groups_are_those_of_an_axis_only_in_its_order():
    """The first member has the first block: another order of members is another collective, of groups it is not."""
    for axes in ((0,), (1,), (0, 1)):
        groups = axis_groups(MESH, axes)
        assert axes_of(groups, MESH) == axes == axes_of(groups[::-1], MESH)
        assert axes_of((groups[0][::-1], *groups[1:]), MESH) is None
    assert axes_of(((0, 3), (1, 2)), MESH) is None


SHAPE = (6, 6)
UNEVEN = (ProgramAxis("a", 2), ProgramAxis("b", 3))


def parts_of(cuts, mesh, shape=SHAPE):
    """The part that every rank has of a tensor whose dimensions are cut along axes, one after the other."""
    empty = Program(name="", mesh=mesh, sources=(), statements=(), outputs=())
    layouts = resolved(tuple(AxisLayout(Sliced(dim), mesh[axis].name) for dim, axis in cuts), empty, shape)
    return tuple(part_of(layouts, mesh, shape, rank) for rank in range(world(mesh)))


def every_cut(mesh):
    """All ways to cut the dimensions along axes, each axis at most once."""
    for count in range(len(mesh) + 1):
        for axes in permutations(range(len(mesh)), count):
            yield from (tuple(zip(dims, axes, strict=True)) for dims in product(range(len(SHAPE)), repeat=count))


def exchanged_indices(conversion, parts):
    """The part of a tensor that members have afterwards, found in its indices; None where one has no such part."""
    indices = np.arange(36).reshape(SHAPE)
    arrays = [indices[tuple(slice(each.start, each.stop) for each in part)] for part in parts]
    after = exchanged(conversion, tuple(Part(each, whole(each.shape)) for each in arrays), Reals(0))
    found = []
    for part in after:
        places = np.array(np.unravel_index(part.array.astype(int), SHAPE))
        box = tuple(Interval(int(each.min()), int(each.max()) + 1) for each in places)
        mine = indices[tuple(slice(each.start, each.stop) for each in box)]
        if mine.shape != part.array.shape or (mine != part.array).any():
            return None
        found.append(box)
    return tuple(found)


def test_parts_after_a_collective_are_those_that_indices_have():
    seen = {True: 0, False: 0}
    for cuts, axis in product(every_cut(UNEVEN), range(2)):
        parts = parts_of(cuts, UNEVEN)
        group = [parts[rank] for rank in axis_groups(UNEVEN, (axis,))[0]]
        for conversion in (AllGather(0), AllGather(1), AllToAll(0, 1), AllToAll(1, 0), Slice(0), Slice(1)):
            if isinstance(conversion, Slice) and len(set(group)) > 1:
                continue  # what ranks take of unlike parts is not read so
            try:
                wanted = exchanged_indices(conversion, group)
            except ValueError:
                wanted = None
            assert parts_after(conversion, group) == wanted, (cuts, axis, conversion)
            seen[wanted is not None] += 1
    assert min(seen.values()) > 20


def one_after_the_other(steps, parts):
    """Parts after conversions, each along an axis."""
    after = list(parts)
    for conversion, axis in steps:
        for group in axis_groups(UNEVEN, (axis,)):
            made = parts_after(conversion, [after[rank] for rank in group])
            for rank, part in zip(group, made, strict=True):
                after[rank] = part
    return tuple(after)


def test_what_goes_along_several_axes_is_one_collective_after_the_other():
    """Of a gather the inner axis goes first, of a scatter the outer one: blocks are in the order of ranks."""
    (everyone,) = axis_groups(UNEVEN, (0, 1))
    for conversion, cuts in ((AllGather(0), ((0, 0), (0, 1))), (ReduceScatter(0), ())):
        parts = parts_of(cuts, UNEVEN)
        together = parts_after(conversion, [parts[rank] for rank in everyone])
        assert everyone == tuple(range(6))
        assert one_after_the_other(along(conversion, (0, 1)), parts) == together
    assert along(AllToAll(0, 1), (0, 1)) is None
    assert along(ReduceScatter(0, (2, 1, 1, 1, 1, 0)), (0, 1)) is None
    assert along(AllToAll(0, 1), (1,)) == [(AllToAll(0, 1), 1)]


def test_parts_are_moved_by_gathers_and_slices_that_give_them():
    """What is cut in both ways alike stays; without gathers nothing that is cut otherwise is moved."""
    moved = 0
    cuts = list(every_cut(UNEVEN))
    for old, new in product(cuts[::3], cuts):
        before, after = parts_of(old, UNEVEN), parts_of(new, UNEVEN)
        made = moved_parts(Read("x"), before, after, SHAPE, UNEVEN, gathers=True)
        alone = moved_parts(Read("x"), before, after, SHAPE, UNEVEN, gathers=False)
        steps = []
        expression = made
        while isinstance(expression, Convert):
            steps.insert(0, (expression.conversion, [axis.name for axis in UNEVEN].index(expression.axis)))
            expression = expression.operand
        assert one_after_the_other(steps, before) == after, (old, new)
        gathered = any(isinstance(conversion, AllGather) for conversion, _ in steps)
        assert alone == (None if gathered else made), (old, new)
        moved += gathered
    assert moved > 40


@pytest.mark.parametrize(
    ("groups", "right"),
    [(((0, 1), (0, 1), (2,)), True), (((0, 1), (0, 1), (1, 2)), False), (((0, 1), (0, 1), (0, 1)), False)],
)
def test_every_rank_is_in_one_group(groups, right):
    call = (Statement("y", Convert(AllReduce(), Read("x"), "")),)
    ranks = [OneRank(statements=call, shapes={}, groups={"y": group}, outputs=(), updates=()) for group in groups]
    if right:
        assert joined_statements(ranks) == (GroupExchange("y", AllReduce(), "x", ((0, 1), (2,))),)
    else:
        with pytest.raises(UnlikeRanksError, match="y: the groups of its ranks overlap, or do not cover all ranks"):
            joined_statements(ranks)


@looped(
    ("changed", "said"),
    [
        ({}, None),
        ({"outputs": (("y", "a"),)}, "ranks return different results"),
        ({"updates": (("w", "a"),)}, "ranks return different results"),
        ({"updates": ()}, "ranks return different results"),
        ({"names": ("a",)}, "rank 1 runs nothing more where rank 0 runs more"),
        ({"names": ("b", "a")}, "rank 1 runs b where rank 0 runs a"),
        ({"operation": "mul"}, None),
    ],
)
def test_ranks_that_run_or_give_or_keep_something_else_are_not_followed(changed, said):
    """What a call is may differ, as bounds do: who follows it looks at all of them."""

    def rank(names=("a", "b"), operation="add", outputs=(("y", "b"),), updates=(("w", "b"),)):
        calls = tuple(Statement(name, Call(operation, (Read("w"), Read("w")))) for name in names)
        return OneRank(statements=calls, shapes={}, groups={}, outputs=outputs, updates=updates)

    if said is None:
        assert [each.name for each in joined_statements([rank(), rank(**changed)])] == ["a", "b"]
    else:
        with pytest.raises(UnlikeRanksError, match=said):
            joined_statements([rank(), rank(**changed)])


@pytest.mark.parametrize(("operation", "wrong"), [("add", None), ("mul", "w"), ("sub", "w")])
def test_what_a_parameter_is_updated_to_counts_as_outputs_do(operation, wrong):
    """Ranks that give the right output may still keep another parameter than one device does."""
    single = parse_program("program p\nparameter w : f64[4]\ny = w * w\nw.1 = update(w, w + w)\noutput y\n")
    w = Read("w")
    both = (LocalCall("y", (Call("mul", (w, w)),) * 2), LocalCall("kept", (Call(operation, (w, w)),) * 2))
    ranks = RankPrograms(
        name="p",
        mesh=MESH[:1],
        sources=single.sources,
        statements=both,
        shapes=({"w": (4,), "y": (4,), "kept": (4,)},) * 2,
        outputs=(("y", "y"),),
        updates=(("w", "kept"),),
    )
    found = wrong_values(ranks, single, Reals(1))
    assert (None if found is None else found.name) == wrong


def code(statement, sources, shapes, **said):
    """Two ranks, or four, that run one statement and give y."""
    mesh = MESH[: len(shapes) // 2]
    listed = tuple(parse_program(f"program p\n{sources}\noutput {sources.split()[1]}\n").sources)
    return RankPrograms(
        name="p",
        mesh=mesh,
        sources=listed,
        statements=(statement,),
        shapes=shapes,
        outputs=(("y", "y"),),
        updates=(),
        **said,
    )


def test_what_is_handed_on_lies_where_it_is_said_to():
    """Rank 1 has the third and fourth element, or the first two: arrays of one length, in two places."""
    square = LocalCall("y", (Call("mul", (Read("x"), Read("x"))),) * 4)
    for axis, right in (("a", True), ("b", False), (None, True)):
        placed = {} if axis is None else {"y": (AxisLayout(Sliced(0), axis),)}
        ranks = code(square, "input x : f64[4] sliced(0, a)", ({"x": (2,), "y": (2,)},) * 4, placed=placed)
        found = lifted(ranks)
        assert isinstance(found, Program if right else LiftingFailure), axis
    assert found.outputs == (Output("y"),)


OF_PARTS = (
    ("embedding(x, i)", "input x : f64[4, 6] sliced(0)\ninput i : i64[3]", False),
    ("embedding(x, i)", "input x : f64[4, 6] sliced(1)\ninput i : i64[3]", True),
    ("embedding(x, i)", "input x : f64[4, 6]\ninput i : i64[4] sliced(0)", True),
    ("pick(x, i)", "input x : f64[4, 6] sliced(1)\ninput i : i64[4]", False),
    ("pick(x, i)", "input x : f64[4, 6] sliced(0)\ninput i : i64[4] sliced(0)", True),
    ("attention(x, x, x, 1)", "input x : f64[2, 2, 4, 6] sliced(2)", False),
    ("attention(x, x, x, 1)", "input x : f64[2, 2, 4, 6] sliced(1)", True),
    ("rotary(x)", "input x : f64[2, 4, 6] sliced(1)", False),
    ("rotary(x)", "input x : f64[2, 4, 6] sliced(0)", True),
    ("dropout(x, 0.5)", "input x : f64[4, 6] sliced(0)", False),
    ("dropout(x, 0.5)", "input x : f64[4, 6]", False),
    ("relu(x)", "input x : f64[4, 6] sliced(1)", True),
)
"""Calls, what ranks are given, and whether each does then what one device does."""


def test_what_counts_from_the_first_index_is_not_read_of_a_part():
    """A rank counts from its own first row, position or index, and draws random numbers of its own."""
    for call, sources, right in OF_PARTS:
        program = parse_program(f"program p\nmesh a=2\n{sources}\ny = {call}\noutput y\n")
        (statement,) = program.statements
        shapes = []
        for rank in range(2):
            parts = {
                each.name: part_of(resolved(each.layouts, program, each.shape), program.mesh, each.shape, rank)
                for each in program.sources
            }
            mine = {name: lengths(part) for name, part in parts.items()}
            read = tuple(mine[each.name] for each in statement.expression.operands)
            shapes.append(mine | {"y": signature(statement.expression, read).shape})
        found = lifted(code(LocalCall("y", (statement.expression,) * 2), sources, tuple(shapes)))
        assert isinstance(found, Program if right else LiftingFailure), (call, sources, found)


@pytest.mark.parametrize("pairs", [((0, 1),), ((1, 1),), ()])
def test_a_program_has_no_ranks_that_are_sent_nothing(pairs):
    shapes = ({"x": (2,), "y": (2,)},) * 2
    found = lifted(code(ArrayPermutation("y", "x", pairs), "input x : f64[4] sliced(0, a)", shapes))
    assert str(found) == "y: ranks that receive nothing hold zeros, which no conversion gives"
    kept = lifted(code(ArrayPermutation("y", "x", ((0, 0), (1, 1))), "input x : f64[4] sliced(0, a)", shapes))
    assert isinstance(kept, Program)


@pytest.mark.parametrize("layout", ["local", "on_rank(0)"])
def test_ranks_are_given_parts_of_a_tensor_and_nothing_of_their_own(layout):
    same = LocalCall("y", (Call("mul", (Read("x"), Read("x"))),) * 2)
    with pytest.raises(ProgramError, match="x: its layout on the ranks must be replicated, sliced or partial"):
        lifted(code(same, f"input x : f64[4] {layout}", ({"x": (4,), "y": (4,)},) * 2))


def test_messages_that_are_too_large_to_be_run_are_not_trusted(monkeypatch):
    """They are read as parts that are gathered and cut anew, which is not so of summands."""
    single = parse_program("program one\ninput x : f64[4]\ny = x + 0\noutput y\n")
    ranks = code(
        ArrayPermutation("y", "x", ((0, 0), (1, 1))), "input x : f64[4] sliced(0, a)", ({"x": (2,), "y": (2,)},) * 2
    )
    assert isinstance(verify_ranks(ranks, single).verdict, Proved)
    monkeypatch.setattr(comparison, "MOST_ELEMENTS", 0)
    found = verify_ranks(ranks, single)
    assert isinstance(found.verdict, Unknown)
    assert found.program is None


def test_a_program_that_ranks_do_not_run_is_a_defect(monkeypatch):
    """As if products had been read as sums: the program for one device has these too."""
    single = parse_program("program one\ninput x : f64[4]\ny = x + x\noutput y\n")
    x = Read("x")
    given, shapes = "input x : f64[4] sliced(0, a)", ({"x": (2,), "y": (2,)},) * 2
    ranks, wrong = (code(LocalCall("y", (Call(operation, (x, x)),) * 2), given, shapes) for operation in ("mul", "add"))
    program = lifted(wrong)
    assert isinstance(verify_ranks(wrong, single).verdict, Proved)
    monkeypatch.setattr(verification, "lifted", lambda _: program)
    with pytest.raises(DefectError, match="p2smt misreads y of p"):
        verify_ranks(ranks, single)


def partial_permutations(ranks):
    """Every way in which some ranks send to different others, or to themselves."""
    for count in range(ranks + 1):
        for senders in combinations(range(ranks), count):
            for receivers in permutations(range(ranks), count):
                yield tuple(zip(senders, receivers, strict=True))


def test_who_is_sent_nothing_by_a_permutation_has_zeros():
    """Of all permutations of some of three ranks; what a rank had before counts for nobody but its receiver."""
    given = [{"x": np.array([10 * rank + 1, 10 * rank + 2])} for rank in range(3)]
    shapes = ({"x": (2,), "y": (2,), "z": (2,)},) * 3
    every = list(partial_permutations(3))
    assert len(every) == 34
    for pairs in every:
        ranks = RankPrograms(
            name="p",
            mesh=(ProgramAxis("a", 3),),
            sources=(),
            shapes=shapes,
            statements=(ArrayPermutation("y", "x", pairs), ArrayPermutation("z", "y", pairs)),
            outputs=(("z", "z"),),
            updates=(),
        )
        held = [each["x"].tolist() for each in given]
        found = simulated(ranks, given, Reals(1))
        for name in ("y", "z"):
            wanted = [[0, 0] for _ in given]
            for source, target in pairs:
                wanted[target] = held[source]
            assert [each[name].tolist() for each in found] == wanted, (pairs, name)
            held = wanted
