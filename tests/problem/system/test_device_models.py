"""Models of devices: those that come with p2smt, those of a file, and what is refused."""

from dataclasses import replace

import pytest

from p2smt.errors import ProblemError
from p2smt.problem.system.device_model import (
    PEAK_DTYPES,
    USUAL,
    DeviceModel,
    OperationFigures,
    OperationKind,
    check_model,
)
from p2smt.problem.system.device_model_entries import device_model, model_entry, model_names, model_of
from p2smt.problem.system.device_models import computing_of, device_models
from p2smt.problem.system.file import preset, preset_names, read_system, system_text
from p2smt.problem.system.text import find_system

MINE = DeviceModel(
    name="mine",
    source="a test",
    peaks=(("float32", 1e12), ("bfloat16", 4e12)),
    memory=10**9,
    bandwidth=1e11,
    launch=5e-6,
    least=2e-6,
    measured=((OperationKind.MATMUL, "float32", OperationFigures(computing=0.5, least=4e-6, launch=8e-6)),),
)


def test_every_preset_has_devices_with_figures_and_says_where_they_are_from():
    for name in preset_names():
        system = preset(name)
        for model in device_models(system):
            assert len(model.source) > 40, name
            assert model.peak("float32") > 0, name
        if system.network.memory is not None:
            assert system.device is not None, name
            assert system.network.memory == system.device.memory, name
            assert system.network.memory_bandwidth == system.device.bandwidth, name


def test_models_are_of_their_file_and_read_back_equal():
    for name in model_names():
        model = device_model(name)
        assert model.name == name
        assert model_of(model_entry(model)) == model
        peaks = dict(model.peaks)
        assert set(peaks) <= set(PEAK_DTYPES)
        assert [peaks[each] for each in ("float32", "bfloat16", "float8") if each in peaks] == sorted(
            peaks[each] for each in ("float32", "bfloat16", "float8") if each in peaks
        )
    assert set(USUAL) == set(OperationKind)


def test_what_was_not_measured_is_that_of_the_same_kind_or_what_is_usual():
    of_type = MINE.figures(OperationKind.MATMUL, "bfloat16")
    assert (of_type.computing, of_type.least, of_type.launch) == (0.5, 4e-6, 8e-6)
    usual = MINE.figures(OperationKind.SOFTMAX, "float32")
    assert (usual.memory, usual.least, usual.launch) == (USUAL[OperationKind.SOFTMAX].memory, 2e-6, 5e-6)
    assert MINE.peak("float16") == 1e12
    assert MINE.speed("bfloat16") == 2e12
    measured = replace(MINE, measured=((OperationKind.CONVOLUTION, "float32", OperationFigures(memory=0.1)),))
    assert measured.figures(OperationKind.STRIDED_CONVOLUTION, "bfloat16").memory == 0.1
    assert MINE.figures(OperationKind.STRIDED_CONVOLUTION, "float32").memory == USUAL[OperationKind.CONVOLUTION].memory
    four = MINE.times(4)
    assert (four.peak("bfloat16"), four.bandwidth, four.memory, four.least) == (16e12, 4e11, 10**9, 2e-6)
    assert four.figures(OperationKind.SOFTMAX, "float32").row == usual.row / 4


def test_a_file_has_models_of_its_own_and_comes_back(tmp_path):
    system = replace(find_system("dgx-h100:2x2"), device=MINE)
    path = tmp_path / "mine.toml"
    path.write_text(system_text(system), encoding="utf-8")
    assert "[[model]]" in path.read_text(encoding="utf-8")
    assert read_system(path) == system
    assert "[[model]]" not in system_text(find_system("dgx-h100"))


def test_systems_that_name_no_device_take_the_default_and_kinds_without_a_model_are_priced_by_speed(tmp_path):
    assert [str(computing_of(find_system(text))) for text in ("4x8", "hap-v100-p100", "lab:2x2@0.5/0.25")] == [
        "roofline",
        "speeds",
        "speeds",
    ]
    assert device_models(find_system("4x8")) == (device_model("a100"),)
    path = tmp_path / "kinds.toml"
    path.write_text(
        'level = [{name = "gpu", size = 2}]\n[[kind]]\nname = "k"\nmachines = 1\nspeed = "1Tflop/s"\n',
        encoding="utf-8",
    )
    with pytest.raises(ProblemError, match=r"^kind k has no device model; give model = "):
        device_models(read_system(path))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"peaks": (("bfloat16", 1e12),)}, "the peak of float32 is missing"),
        ({"launch": 5e-9}, "5e-09 s is out of range; give at least 0.1 us and less than a second"),
        ({"bandwidth": 0.0}, "bandwidth 0.0 is not a positive rate"),
        ({"memory": 0}, "memory 0 is not a positive number of bytes; write one such as 80GB"),
        ({"overlap_loss": 4.5}, "overlap_loss 4.5 is out of range; give at least 0, at most 4"),
        ({"in_step": 0.5}, "in_step 0.5 is out of range; give a factor of at least 1"),
        ({"measured": ((OperationKind.MATMUL, "float32", OperationFigures(computing=1.2)),)}, "computing 1.2 is out"),
        ({"measured": ((OperationKind.SUM, "float32", OperationFigures(memory=1.2)),)}, "memory 1.2 is out of range"),
        (
            {"measured": ((OperationKind.SUM, "float32", OperationFigures(least=1e-9)),)},
            "1e-09 s is out of range; give at least 0.1 us and less than a second",
        ),
    ],
)
def test_implausible_figures_are_refused(changed, said):
    with pytest.raises(ProblemError, match=said):
        check_model(replace(MINE, **changed))


def test_a_name_of_no_model_is_refused():
    with pytest.raises(ProblemError, match=r"^device model 'h10' is unknown; choose one of a100, a100-80gb"):
        device_model("h10")
