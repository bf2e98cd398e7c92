"""Three small operations, timed for a moment, in place of the 160 by which a training that lacks a device's speed
measures it: they take six CPU seconds on every rank, and say nothing about a step's result."""

from collections.abc import Callable

from p2smt.run.measure.operation_cases import OperationCase

FEW = [
    OperationCase("matmul", "float32", (64, 64, 64)),
    OperationCase("add", "float32", (4096,)),
    OperationCase("softmax", "float32", (64, 64)),
]


def time_few(replace: Callable[[object, str, object], None] = setattr) -> None:
    """Let this process time them; `replace` may be a monkeypatch's, which undoes it."""
    from p2smt.run.training import measured_device  # here, as it loads torch

    replace(measured_device, "_SECONDS", 0.0)
    replace(measured_device, "few_operation_cases", lambda *, cuda: FEW)
