"""Devices fitted to operations: figures found again, errors on operations of other shapes, refusals."""

from dataclasses import replace
from functools import cache
from itertools import product
from math import log
from statistics import fmean

import pytest
from paths import ROOT

from p2smt.cost.calibration.judgement import judge, predicted
from p2smt.cost.calibration.operation_table import (
    COLUMNS,
    ELEMENTWISE,
    KINDS,
    TimedPart,
    parse_operations,
    read_operations,
)
from p2smt.cost.calibration.operations import fit_operations
from p2smt.cost.computing.roofline import kernel_seconds, launch_seconds
from p2smt.errors import CalibrationError
from p2smt.problem.system.device_model import DeviceModel, OperationFigures, OperationKind
from p2smt.run.measure.operation_calls import work_of

HEAD = ",".join(COLUMNS) + "\n"


@cache
def measured():
    return read_operations(ROOT / "scripts" / "h100_operations.csv")


def test_operations_of_other_shapes_than_those_fitted_are_predicted():
    device = [row for row in measured() if row.timing is TimedPart.KERNEL]
    shapes = sorted({row.shape for row in device}, key=str)
    held = set(shapes[1::4])
    seen = [row for row in measured() if row.timing is TimedPart.LAUNCH or row.shape not in held]
    model = fit_operations(seen, "m", "test").model
    errors = {row: abs(log(predicted(model, row) / row.seconds)) for row in device if row.shape in held}
    assert len(errors) > 60
    assert fmean(errors.values()) <= 0.25
    assert fmean(error for row, error in errors.items() if row.kind in ("matmul", "bmm", "bmm_nt")) <= 0.20
    assert fmean(error for row, error in errors.items() if row.kind in ELEMENTWISE) <= 0.12


def test_figures_are_found_again_from_times_that_they_make():
    figures = OperationFigures(least=7e-6, computing=0.6, memory=0.7)
    true = DeviceModel(
        name="true",
        source="",
        peaks=(("float32", 5e13),),
        memory=10**10,
        bandwidth=2e12,
        launch=9e-6,
        least=5e-6,
        measured=((OperationKind.MATMUL, "float32", figures), (OperationKind.ELEMENTWISE, "float32", figures)),
    )
    lengths = (16, 128, 1024, 4096)
    lines = [("matmul", shape) for shape in product(lengths, repeat=3)] + [("add", (n**2,)) for n in lengths]
    rows = []
    for kind, shape in lines:
        flops, size = work_of(kind, "float32", shape)
        text = f"{kind},float32,{'x'.join(map(str, shape))},9,{flops},{size}\n"
        (row,) = parse_operations(HEAD + text, "t")
        rows.append(replace(row, seconds=kernel_seconds(true, row.work)))
    fit = fit_operations(rows, "again", "test", true)
    assert judge(fit.model, rows).mean_abs_ln < 0.02
    again = fit.model.figures(OperationKind.MATMUL, "float32")
    assert again.computing == pytest.approx(0.6, rel=0.03)
    assert again.memory == pytest.approx(0.7, rel=0.05)
    assert again.least == pytest.approx(7e-6, rel=0.03)
    assert [name for kind, _, name in fit.unidentified if kind is OperationKind.MATMUL] == []


def test_launches_are_those_of_their_kind_or_the_median():
    rows = [row for row in measured() if row.timing is TimedPart.LAUNCH or row.kind in ("matmul", "add")]
    model = fit_operations(rows, "m", "test").model
    of = {row.kind: row.seconds for row in rows if row.timing is TimedPart.LAUNCH}
    assert launch_seconds(model, OperationKind.MATMUL, "float32") == pytest.approx(of["launch_matmul"], rel=1e-3)
    assert launch_seconds(model, OperationKind.VIEW, "float32") == pytest.approx(of["launch_reshape"], rel=1e-3)
    assert launch_seconds(model, OperationKind.SOFTMAX, "float32") == pytest.approx(of["launch_sum"], rel=1e-3)


MATMUL, ADD = "matmul,float32,64x64x64,9,524288,49152\n", "add,float32,1024,4,1024,12288\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("kind,dtype\n", "lacks the column shape"),
        (HEAD, "has 0 rows"),
        (HEAD + "mat,float32,1,1,1,1\n", "row 2: kind 'mat' is unknown"),
        (HEAD + "add,float31,1,1,1,1\n", "row 2: dtype 'float31' is unknown"),
        (HEAD + "add,float32,1,0.004,1,1\n", "row 2: 0.004 us is implausible"),
        (HEAD + "add,float32,1,one,1,1\n", "row 2: us 'one' is not a number"),
        (HEAD + "add,float32,1,1,-1,1\n", "row 2: flops -1 is out of range"),
        (HEAD + "add,float32,1xx2,1,1,1\n", "shape '1xx2' does not parse"),
        (HEAD + ADD, "the rows lack a float32 matmul or an element-wise operation"),
    ],
)
def test_what_is_no_table_is_refused(text, said):
    with pytest.raises(CalibrationError, match=said):
        fit_operations(parse_operations(text, "t.csv"), "m", "test")


def test_rows_faster_than_the_peaks_of_a_device_are_refused():
    sheet = fit_operations(parse_operations(HEAD + MATMUL + ADD, "t"), "sheet", "test").model
    fast = parse_operations(HEAD + "matmul,float32,64x64x64,9,524288000,49152\n" + ADD, "t")
    with pytest.raises(CalibrationError, match="times as fast as the peaks of sheet allow"):
        fit_operations(fast, "m", "test", sheet)


def test_every_kind_of_operation_has_a_name_in_tables():
    assert set(KINDS.values()) == set(OperationKind)
