"""Measured programs from CSV: what is read, and every mistake with its line."""

import pytest
from looped import looped

from p2smt.collective import Collective
from p2smt.cost.calibration import table
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.calibration.table import read_measurements
from p2smt.cost.network.backend import Nccl
from p2smt.cost.network.cost import Work
from p2smt.cost.network.nccl import NetworkCost
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.errors import CalibrationError
from p2smt.placement.matrix import parse_matrix
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.file import preset
from p2smt.reduction.language.hierarchy import read_program
from p2smt.reduction.plan.lower import Lowering

V, F = Role.VARYING, Role.FREE
SYSTEM = preset("p2-a100")
HEADING = "axes,reduce,matrix,program,algorithm,bytes,seconds"
PLAIN = "4x16,1,1x4/4x4,AllReduce,ring,1GiB,0.5"
CROSSING = Pattern((((V, 4),), ((F, 4), (V, 4))))
HIERARCHICAL = "(node, InsideGroup, ReduceScatter); (node, Parallel(root), AllReduce); (node, InsideGroup, AllGather)"


def read(*rows, heading=HEADING):
    return read_measurements("\n".join([heading, *rows, ""]), "times.csv", SYSTEM)


def test_a_plain_allreduce():
    assert read(PLAIN) == [
        Measurement(
            place="times.csv line 2",
            group=" 4x16 1",
            sizes=(4, 16),
            backend=Nccl(Algorithm.RING),
            works=(Work(Collective.ALL_REDUCE, CROSSING, 2.0**30),),
            seconds=0.5,
        )
    ]


def test_a_program_is_lowered_to_its_steps():
    (row,) = read(f'4x16,1,1x4/4x4,"{HIERARCHICAL}",tree,64MB,1e-2')
    assert (row.backend, row.seconds) == (Nccl(Algorithm.TREE), 0.01)
    inside, across = Pattern((((F, 4),), ((F, 4), (V, 4)))), Pattern((((V, 4),), ((F, 16),)))
    collectives = [work for work in row.works if isinstance(work, Work)]
    assert collectives == [
        Work(Collective.REDUCE_SCATTER, inside, 64e6),
        Work(Collective.ALL_REDUCE, across, 16e6),
        Work(Collective.ALL_GATHER, inside, 16e6),
    ]


def test_a_row_costs_what_its_plan_costs():
    (row,) = read(f'4x16,1,1x4/4x4,"{HIERARCHICAL}",ring,64MB,1e-2')
    asked = build_problem(SYSTEM, [Axis("a", 4), Axis("b", 16)], [1], Payload(64 * 10**6, "uint8"), Search())
    lowering = Lowering(asked, parse_matrix("1x4/4x4"))
    plan, cost = lowering.plan(read_program(lowering.hierarchy, HIERARCHICAL)), NetworkCost(SYSTEM, Algorithm.RING)
    assert sum(cost.work_cost(work).seconds for work in row.works) == pytest.approx(cost.plan_seconds(plan))


def test_sizes_and_groups_of_their_own():
    heading = f"{HEADING},sizes,group"
    own, usual, named = read(
        "32,0,2x16,AllReduce,ring,1GiB,0.5,2x16,",
        "64,0,4x16,AllReduce,ring,1GiB,0.5,,mine",
        '"data:4,model:16",model,1x4/4x4,AllReduce,ring,1GiB,0.5,"node:4,gpu:16",mine',
        heading=heading,
    )
    assert (own.sizes, own.group) == ((2, 16), "2x16 32 0")
    assert (usual.sizes, usual.group) == ((4, 16), "mine")
    assert named.works == read(PLAIN)[0].works
    assert [row.place for row in (own, usual, named)] == [f"times.csv line {line}" for line in (2, 3, 4)]


def test_rows_of_one_experiment_are_one_group_by_default():
    rows = read(
        PLAIN,
        "4x16,1,2x2/2x8,AllReduce,tree,1MiB,0.1",
        "4x16,0,1x4/4x4,AllReduce,ring,1GiB,0.2",
        "16x4,1,4x4/1x4,AllReduce,ring,1GiB,0.2",
    )
    assert [row.group for row in rows] == [" 4x16 1", " 4x16 1", " 4x16 0", " 16x4 1"]


@pytest.mark.parametrize("reduce", ["0+2", '"0,2"', " 0 + 2 "])
def test_several_axes_are_reduced_over(reduce):
    (row,) = read(f"2x4x8,{reduce},1x2/4x1/1x8,AllReduce,ring,1GiB,0.5")
    (work,) = row.works
    assert isinstance(work, Work)
    assert work.pattern == Pattern((((F, 4),), ((V, 16),)))


def test_columns_stand_in_any_order_with_spaces_and_others_beside_them():
    (row,) = read(
        " 0.5 , 1GiB,by hand,ring,AllReduce,1x4/4x4,1,4x16",
        heading="seconds, bytes ,note,algorithm,program,matrix,reduce,axes",
    )
    assert row == read(PLAIN)[0]


def test_line_endings_blank_lines_and_a_table_without_rows():
    crlf = read_measurements(f"{HEADING}\r\n{PLAIN}\r\n\r\n{PLAIN}\r\n", "times.csv", SYSTEM)
    assert [row.place for row in crlf] == ["times.csv line 2", "times.csv line 4"]
    assert read() == []


@pytest.mark.parametrize(
    ("heading", "missing"),
    [("", HEADING.replace(",", ", ")), ("axes,reduce,matrix,program,bytes", "algorithm, seconds"), ("a;b", None)],
)
def test_columns_that_are_missing(heading, missing):
    with pytest.raises(CalibrationError) as error:
        read(PLAIN, heading=heading)
    needed = HEADING.replace(",", ", ")
    assert str(error.value) == (
        f"times.csv: column {missing or needed} is missing; the heading needs {needed} and may have sizes, group, goal"
    )


def changed(**cells):
    names = HEADING.split(",")
    values = dict(zip(names, PLAIN.split(","), strict=True)) | cells
    return ",".join(f'"{values[name]}"' for name in names)


NO_TIME = "is not a positive time; write seconds as a number such as 0.18"


@looped(
    ("row", "wanted"),
    [
        (changed(seconds="-1"), f"seconds '-1' {NO_TIME}"),
        (changed(seconds="0"), f"seconds '0' {NO_TIME}"),
        (changed(seconds="nan"), f"seconds 'nan' {NO_TIME}"),
        (changed(seconds="inf"), f"seconds 'inf' {NO_TIME}"),
        (changed(seconds="1e400"), f"seconds '1e400' {NO_TIME}"),
        (changed(seconds="0.1s"), f"seconds '0.1s' {NO_TIME}"),
        (changed(seconds=""), "seconds is empty; fill it in, or leave the row out"),
        (changed(axes=" ", bytes=""), "axes, bytes is empty; fill it in, or leave the row out"),
        ("4x16,1,1x4/4x4", "program, algorithm, bytes, seconds is empty; fill it in, or leave the row out"),
        (PLAIN + ",8", "8 cells for 7 columns; put quotes around cells that contain commas"),
        (
            changed(algorithm="Ring"),
            "algorithm 'Ring' is unknown; write auto or ring or tree or nvls or nvls_tree or collnet_direct or "
            "collnet_chain or pat or gloo",
        ),
        (changed(matrix="1x4"), "matrix 1x4 does not fit; 2 axes on 2 levels need 2 rows of 2 factors"),
        (changed(matrix="2x4/4x4"), "matrix 2x4/4x4: row of axis axis0 multiplies to 8, not 4; p2smt place lists all"),
        (
            changed(matrix="4x1/4x4"),
            "matrix 4x1/4x4: column of level node multiplies to 16, not 4; p2smt place lists all",
        ),
        (changed(matrix="1x4;4x4"), "matrix '1x4;4x4' does not parse; write one row per axis such as 1x4/4x4"),
        (
            changed(axes="4x8"),
            "axes axis0=4 x axis1=8 need 32 devices, but node=4 x gpu=16 has 64; the two products must be equal",
        ),
        (
            changed(axes="4*16"),
            "axis sizes '4*16' do not parse at '4*16'; "
            "write name:size pairs such as node:4,gpu:16 or bare sizes such as 4x16",
        ),
        (changed(reduce="2"), "reduce axis 2 does not exist; the axes are 0=axis0, 1=axis1"),
        (changed(reduce="model"), "reduce axis 'model' does not exist; the axes are 0=axis0, 1=axis1"),
        (changed(reduce="1+1"), "reduce axis axis1 is given twice; name every axis once"),
        (
            changed(bytes="1.5"),
            "bytes '1.5' is not a size; write a positive whole number of bytes such as 1GiB or 64MB",
        ),
    ],
)
def test_a_mistake_is_named_with_its_line(row, wanted):
    with pytest.raises(CalibrationError) as error:
        read(PLAIN, row, PLAIN)
    assert str(error.value) == f"times.csv line 3: {wanted}"


@pytest.mark.parametrize("program", ["Allreduce", "(node, InsideGroup)", "(box, InsideGroup, AllReduce)"])
def test_a_program_that_does_not_parse_is_named_with_its_line(program):
    with pytest.raises(CalibrationError) as error:
        read(PLAIN, changed(program=program))
    text = str(error.value)
    assert text.startswith("times.csv line 3: ")
    assert "\n" not in text


def test_a_program_that_does_not_reduce_is_refused():
    with pytest.raises(CalibrationError) as error:
        read(changed(program="(node, InsideGroup, AllReduce)"))
    assert str(error.value).startswith(
        "times.csv line 2: program (node, InsideGroup, AllReduce) does not implement all-reduce over axis1; "
    )


@pytest.mark.parametrize(
    ("sizes", "wanted"),
    [
        ("2x2x16", "3 sizes for 2 levels; give one size for each of node, gpu"),
        ("0x16", "level node has size 0; a size is a whole number >= 1"),
        (
            "4x",
            "level sizes '4x' do not parse at ''; "
            "write name:size pairs such as node:4,gpu:16 or bare sizes such as 4x16",
        ),
        ("2x16", "axes axis0=4 x axis1=16 need 64 devices, but node=2 x gpu=16 has 32; the two products must be equal"),
    ],
)
def test_sizes_that_do_not_fit(sizes, wanted):
    with pytest.raises(CalibrationError) as error:
        read(f"{PLAIN},{sizes}", heading=f"{HEADING},sizes")
    assert str(error.value) == f"times.csv line 2: {wanted}"


@pytest.mark.parametrize("text", [f'{HEADING}\n"4x16', f'{HEADING}\n"4x16"x,1', f"{HEADING}\n{'x' * 200_000}"])
def test_text_that_is_no_csv_is_named_with_its_line(text):
    with pytest.raises(CalibrationError, match=r"^times\.csv line \d: "):
        read_measurements(text, "times.csv", SYSTEM)


def test_no_more_rows_than_can_be_fitted(monkeypatch):
    monkeypatch.setattr(table, "MAX_ROWS", 3)
    assert len(read(PLAIN, PLAIN, PLAIN)) == 3
    with pytest.raises(CalibrationError) as error:
        read(PLAIN, PLAIN, PLAIN, PLAIN)
    assert str(error.value) == "times.csv has more than 3 rows, the limit; split the table"


def test_a_row_of_another_goal_is_one_of_its_own_program():
    (reduced,) = read(PLAIN)
    scatter = changed(program="ReduceScatter")
    (scattered,) = read(f"{scatter},ReduceScatter", heading=f"{HEADING},goal")
    (whole,), (part,) = reduced.works, scattered.works
    assert isinstance(whole, Work)
    assert isinstance(part, Work)
    assert (whole.collective, part.collective) == (Collective.ALL_REDUCE, Collective.REDUCE_SCATTER)
    with pytest.raises(
        CalibrationError, match=r"times\.csv line 2: goal 'Scatter' is unknown; choose one of AllReduce"
    ):
        read(f"{PLAIN},Scatter", heading=f"{HEADING},goal")
