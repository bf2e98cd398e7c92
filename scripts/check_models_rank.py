"""What every rank of `check_models.py` does; loaded in the rank's own process."""

import time
from collections.abc import Mapping, Sequence
from types import ModuleType

import torch

from p2smt.frontend.torch_graph.live import LiveProgram

Tensors = Mapping[str, torch.Tensor]


def trained(
    text: str, names: LiveProgram, state: Tensors, batches: Sequence[Tensors], expected: tuple[list[float], Tensors]
) -> tuple[float, str, float]:
    """How far losses, parameters and buffers are from what is expected, which is furthest, and CPU seconds.

    Differences are relative to the largest element of a tensor, or to 1 if that is more.
    """
    began = time.process_time()
    losses, after = expected
    loaded = ModuleType("step")
    exec(compile(text, "<emitted step>", "exec"), loaded.__dict__)
    written = {key: name for name, key in names.keys.items()}
    distances: dict[str, float] = {}
    begun = {written.get(key, key): each for key, each in state.items()}
    with loaded.__dict__["Step"](begun, strict=False) as step, torch.no_grad():
        for number, (batch, loss) in enumerate(zip(batches, losses, strict=True), 1):
            outputs = step({names.inputs[name]: each for name, each in batch.items()})
            found = outputs[names.program.outputs[0].name]
            distances[f"loss {number}"] = far(found, torch.tensor(loss, dtype=torch.float64))
        for name, each in step.state_dict()["module"].items():
            distances[name] = far(each, after[names.keys.get(name, name)])
    furthest = max(distances, key=lambda name: distances[name])
    return distances[furthest], furthest, time.process_time() - began


def far(found: torch.Tensor, expected: torch.Tensor) -> float:
    """The largest difference, infinite where one is no number."""
    found, expected = found.double(), expected.double()
    apart = ((found - expected).abs() / expected.abs().max().clamp(min=1)).max()
    return float(apart.nan_to_num(torch.inf))
