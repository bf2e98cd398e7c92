"""The overlap loss of a device: found again from times that it makes, kept without any, refused where it cannot be."""

import pytest

from p2smt.cost.calibration.judgement import judge, predicted
from p2smt.cost.calibration.operation_table import COLUMNS, parse_operations
from p2smt.cost.calibration.operations import fit_operations
from p2smt.errors import CalibrationError
from p2smt.run.measure.operation_calls import work_of

HEAD = ",".join(COLUMNS) + "\n"
ADD = "add,float32,1048576,12,1048576,12582912\n"
SHAPES = ((512, 512, 512), (1024, 256, 512), (256, 256, 256))


def rows(*beside):
    """Products of the shapes alone, each of which takes so many times as long beside communication; None is no row."""
    text = HEAD + ADD
    for shape, factor in zip(SHAPES, beside, strict=True):
        flops, size = work_of("matmul", "float32", shape)
        alone = flops / 1e6  # one Tflop/s
        name = f"float32,{'x'.join(map(str, shape))}"
        text += f"matmul,{name},{alone},{flops},{size}\n"
        if factor is not None:
            text += f"beside_matmul,{name},{alone * factor},{flops},{size}\n"
    return parse_operations(text, "t")


@pytest.mark.parametrize(
    ("beside", "loss"),
    [
        ((1.1, 1.25, 1.2), 0.2),
        ((1.1, None, 1.25), 0.175),
        ((1.1, 1.1, 40.0), 0.1),
        ((0.9, 0.95, 1.0), 0.0),
        ((None, None, None), 0.1),
    ],
)
def test_the_loss_is_the_median_of_what_contractions_lose(beside, loss):
    fit = fit_operations(rows(*beside), "m", "test")
    assert fit.model.overlap_loss == pytest.approx(loss)
    assert fit.beside == sum(factor is not None for factor in beside)


def test_other_figures_do_not_depend_on_rows_beside_communication():
    with_rows, without = (fit_operations(rows(*factors), "m", "t").model for factors in ((3, 3, 3), (None,) * 3))
    assert (with_rows.peaks, with_rows.measured) == (without.peaks, without.measured)


def test_a_contraction_beside_communication_is_predicted_with_the_loss():
    table = rows(1.3, 1.3, 1.3)
    model = fit_operations(table, "m", "test").model
    alone, beside = (row for row in table if row.shape == SHAPES[0])
    assert predicted(model, beside) == pytest.approx(1.3 * predicted(model, alone))
    errors = judge(model, table).kinds
    assert errors["beside_matmul"] == pytest.approx(errors["matmul"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "beside_matmul,float32,64x64x32,9,262144,32768\n",
            "beside_matmul float32 64x64x32 was measured beside communication only; the overlap loss is the ratio to "
            "the time alone, so add a row matmul float32 64x64x32, or leave this one out",
        ),
        (
            "beside_matmul,float32,64x64x64,90,524288,49152\n",
            "contractions take 10 times as long beside communication as alone, more than the 5 times that a model of a "
            "device may have; measure on idle devices",
        ),
        ("beside_add,float32,1024,4,1024,12288\n", "kind 'beside_add' is not a contraction"),
        ("beside_launch_add,float32,1024,4,1024,12288\n", "kind 'beside_launch_add' is unknown"),
    ],
)
def test_what_says_nothing_about_overlap_is_refused(text, said):
    with pytest.raises(CalibrationError) as refusal:
        fit_operations(parse_operations(HEAD + ADD + "matmul,float32,64x64x64,9,524288,49152\n" + text, "t"), "m", "")
    assert said in str(refusal.value)
