"""The table of measurements: whole rows, known ones left out, nothing foreign touched."""

from dataclasses import replace

import pytest
from support import problem
from unlike_plans import unlike_problem

from p2smt.collective import Collective
from p2smt.cost.calibration.table import read_measurements
from p2smt.errors import CalibrationError, MeasureError
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.system.text import find_system
from p2smt.reduction.synth.session import Synthesizer
from p2smt.run.measure.pairs import pairs_of, sampled
from p2smt.run.measure.results import COLUMNS, Result, Results, key_of, names_of, read_results
from p2smt.run.measure.stable import Patience, spread

ROW = Result(
    sizes="2x4",
    axes="8",
    reduce="0",
    matrix="2x4",
    program="AllReduce",
    algorithm="gloo",
    bytes=500_000,
    seconds=0.1,
    repeats=3,
    spread=0.01,
    wrong=0,
    reference=0.2,
    drift=1.0,
    backend="gloo",
    rates="nic=100Mb/s",
    p2smt="0.1.0",
    torch="2.13.0",
    host="Linux",
    measured="2026-01-01T00:00:00Z",
)


def test_rows_come_back_and_the_last_of_a_key_holds(tmp_path):
    path = tmp_path / "table.csv"
    with Results(path) as results:
        results.add(ROW)
        results.add(replace(ROW, program="(root, InsideGroup, AllReduce); x", seconds=0.3))
    with Results(path) as results:
        assert len(results.known) == 2
        results.add(replace(ROW, seconds=0.5))
    assert [row.seconds for row in read_results(path)] == [0.3, 0.5]


@pytest.mark.parametrize("cut", range(1, 40, 3))
def test_a_row_that_was_cut_off_is_measured_again(tmp_path, cut):
    path = tmp_path / "table.csv"
    with Results(path) as results:
        results.add(ROW)
        results.add(replace(ROW, matrix="4x2"))
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    with Results(path) as results:
        assert [key[3] for key in results.known] == ["2x4"]
        results.add(replace(ROW, matrix="4x2"))
    assert path.read_bytes() == whole


def test_foreign_files_are_refused_and_stay(tmp_path):
    path = tmp_path / "notes.csv"
    path.write_text("my,own,notes\n1,2,3\n", encoding="utf-8")
    with pytest.raises(
        MeasureError,
        match=r"notes\.csv is not a table of measurements: its heading is not "
        "sizes,axes",
    ):
        Results(path)
    with pytest.raises(MeasureError, match="is not a table of measurements"):
        read_results(path)
    assert path.read_text(encoding="utf-8") == "my,own,notes\n1,2,3\n"
    path.write_bytes(b"\xff\n")
    with pytest.raises(MeasureError, match="is not text"):
        Results(path)
    with pytest.raises(MeasureError, match=r"cannot write .*: No such file"), Results(tmp_path / "no" / "x.csv"):
        pass


def test_goals_are_told_apart_and_tables_without_them_hold_all_reduces(tmp_path):
    path, earlier = tmp_path / "table.csv", tmp_path / "earlier.csv"
    other = replace(ROW, goal="Reduce", seconds=0.7)
    with Results(path) as results:
        results.add(ROW)
        results.add(other)
    assert read_results(path) == [ROW, other]
    assert Results(path).known == {ROW.key, other.key}
    rows = [line.rsplit(",", 1)[0] for line in path.read_text(encoding="utf-8").splitlines()[:2]]
    earlier.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    assert read_results(earlier) == [ROW]
    with Results(earlier) as results:
        assert results.known == {ROW.key}
        results.add(replace(ROW, matrix="4x2"))
        with pytest.raises(MeasureError, match="has no column goal, which Reduce needs; write to another --out"):
            results.add(other)
    assert [row.matrix for row in read_results(earlier)] == ["2x4", "4x2"]


def test_pairs_of_a_goal_are_its_plain_collective_and_its_programs():
    asked = problem((2, 4), [8], goal=Collective.REDUCE_SCATTER)
    plain, *programs = pairs_of(asked)
    assert (plain.text, plain.plan, plain.goal) == ("ReduceScatter", None, Collective.REDUCE_SCATTER)
    assert len(programs) == 3
    assert {pair.plan.goal for pair in programs} == {plain.goal}
    assert {pair.groups for pair in (plain, *programs)} == {(tuple(range(8)),)}
    assert {key_of(names_of(asked), pair)[-1] for pair in (plain, *programs)} == {"ReduceScatter"}


def test_a_cell_that_is_no_number_is_named_with_its_line(tmp_path):
    path = tmp_path / "table.csv"
    with Results(path) as results:
        results.add(ROW)
    path.write_text(path.read_text(encoding="utf-8").replace(",0.1,3,", ",fast,3,"), encoding="utf-8")
    with pytest.raises(MeasureError, match=r"table\.csv line 2: could not convert string to float: 'fast'"):
        read_results(path)


def test_pairs_are_the_plain_all_reduce_and_all_programs():
    asked = problem((2, 4), [2, 4], reduce=[1])
    every = list(pairs_of(asked))
    only = list(pairs_of(asked, (ParallelismMatrix(((1, 2), (2, 2))),)))
    assert len(every) == 94 + 4
    assert len(only) == 94
    assert every[0].plan is None
    assert all(pair.plan is not None for pair in only[1:])
    names = names_of(asked)
    assert len({key_of(names, pair) for pair in every}) == len(every)
    assert len(COLUMNS) == len(set(COLUMNS))


def test_samples_are_the_same_every_time_and_have_the_shortest():
    placed = Synthesizer().synthesize(problem((2, 4), [8])).placements[0]
    few = sampled(placed, 25, 1)
    assert few == sampled(placed, 25, 1) != sampled(placed, 25, 2)
    assert len(few) == 25
    assert few[:5] == placed.programs[:5]
    assert few == tuple(program for program in placed.programs if program in few)
    assert sampled(placed, 93, 1) == sampled(placed, None, 1) == placed.programs


def test_patience_ends_with_a_known_median_many_repeats_or_much_time():
    patience = Patience(least=3, most=5, error=0.05, seconds=10)
    assert not patience.enough([1.0, 1.0])
    assert patience.enough([1.0, 1.0, 1.01])
    assert not patience.enough([1.0, 2.0, 3.0])
    assert patience.enough([1.0, 2.0, 3.0, 4.0, 5.0])
    assert patience.enough([5.0, 9.0, 1.0])
    assert spread([1.0, 2.0, 3.0]) > spread([1.0, 1.1, 1.2])


def test_rows_tell_units_of_unlike_size_and_are_not_fitted():
    names = names_of(unlike_problem("node:[5,3]", (8,)))
    assert names["sizes"] == "2x[5,3]"
    cells = {
        "sizes": names["sizes"],
        "axes": "8",
        "reduce": "0",
        "matrix": "2x5",
        "program": "AllReduce",
        "algorithm": "gloo",
        "bytes": "400",
        "seconds": "1",
    }
    head, row = ",".join(cells), ",".join(f'"{cell}"' for cell in cells.values())
    with pytest.raises(
        CalibrationError, match="describe an irregular hierarchy; use rows of systems whose units have equal sizes"
    ):
        read_measurements(f"{head}\n{row}\n", "rows.csv", find_system("node:[5,3]"))
