"""The roofline: its terms by hand, and that a device never does more than its peaks allow."""

from dataclasses import replace
from itertools import product

import pytest

from p2smt.cost.computing.roofline import RooflineWork, kernel_seconds, launch_seconds
from p2smt.problem.system.device_model import DeviceModel, OperationFigures, OperationKind
from p2smt.problem.system.device_model_entries import device_model, model_names

FIGURES = OperationFigures(least=1e-6, launch=3e-6, computing=0.5, memory=0.25, row=1e-9, unaligned=0.1)
MODEL = DeviceModel(
    name="m",
    source="",
    peaks=(("float32", 1e12), ("bfloat16", 8e12)),
    memory=1,
    bandwidth=1e11,
    launch=5e-6,
    least=2e-6,
    measured=tuple((kind, "float32", FIGURES) for kind in OperationKind),
)


@pytest.mark.parametrize(
    ("kind", "dtype", "flops", "size", "rows", "aligned", "seconds"),
    [
        ("matmul", "float32", 1e9, 1e6, 0, True, 1e-6 + 2e-3),
        ("matmul", "bfloat16", 1e9, 1e6, 0, True, 1e-6 + 0.25e-3),
        ("matmul", "bfloat16", 1e9, 1e6, 0, False, 1e-6 + 1e-2),
        ("matmul", "float32", 1e6, 1e9, 0, True, 1e-6 + 4e-2),
        ("conv2d", "float32", 1e9, 1e9, 0, True, 1e-6 + 2e-3 + 4e-2),
        ("softmax", "float32", 1e12, 1e6, 10**6, True, 1e-6 + 1e-3),
        ("elementwise", "float32", 1e12, 1e6, 0, True, 1e-6 + 4e-5),
        ("reshape", "float32", 0, 1e9, 0, True, 0.0),
    ],
)
def test_terms_by_hand(kind, dtype, flops, size, rows, aligned, seconds):
    work = RooflineWork(kind=OperationKind(kind), dtype=dtype, flops=flops, bytes=size, rows=rows, aligned=aligned)
    assert kernel_seconds(MODEL, work) == pytest.approx(seconds)
    assert launch_seconds(MODEL, work.kind, dtype) == 3e-6


def test_no_kernel_is_faster_than_the_peaks_and_more_work_takes_no_less():
    for name, kind, dtype in product(model_names(), OperationKind, ("float32", "bfloat16")):
        model = device_model(name)
        work = RooflineWork(kind=kind, dtype=dtype, flops=3e10, bytes=5e8, rows=1000)
        if kind is OperationKind.VIEW:
            continue
        seconds = kernel_seconds(model, work)
        most = 2.25 if kind.startswith("conv2d") else 1.0
        assert seconds >= work.bytes / model.bandwidth, (name, kind)
        if kind in (OperationKind.MATMUL, OperationKind.CONVOLUTION, OperationKind.ATTENTION):
            assert seconds * model.peak(dtype) * most >= work.flops, (name, kind)
        assert kernel_seconds(model, replace(work, flops=6e10)) >= seconds
        assert kernel_seconds(model, replace(work, bytes=1e9)) >= seconds
        assert kernel_seconds(model.times(4), work) <= seconds
