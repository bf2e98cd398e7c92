"""A progress line per step on rank 0's stderr: loss, time, throughput, utilisation, predicted time."""

import sys
from collections.abc import Mapping
from time import perf_counter

import torch
import torch.distributed as dist

from p2smt.run.training.emitted_step import StepSource


class Progress:
    """Times steps; the device is synchronised before the clock is read."""

    def __init__(self, device: torch.device) -> None:
        self._device, self._begun = device, 0.0

    def begin(self) -> None:
        """Start timing a step."""
        self._wait()
        self._begun = perf_counter()

    def end(
        self,
        name: str,
        emitted: StepSource,
        loss: torch.Tensor,
        inputs: Mapping[str, torch.Tensor],
        rates: Mapping[str, float],
    ) -> None:
        """Stop timing a step and print its line, which begins with `name`."""
        self._wait()
        seconds = perf_counter() - self._begun
        if dist.get_rank() == 0:
            print(_line(name, emitted, float(loss), seconds, inputs, rates), file=sys.stderr, flush=True)

    def _wait(self) -> None:
        if self._device.type == "cuda":
            torch.cuda.synchronize(self._device)


def _line(
    name: str,
    emitted: StepSource,
    loss: float,
    seconds: float,
    inputs: Mapping[str, torch.Tensor],
    rates: Mapping[str, float],
) -> str:
    """Return the line of a step that took `seconds`."""
    # A two-dimensional tensor of integers is a batch of token ids.
    tokens = next((each.shape for each in inputs.values() if each.ndim == 2 and not each.is_floating_point()), None)
    count, what = (emitted.samples, "samples") if tokens is None else (emitted.samples * tokens[1], "tokens")
    words = [name, f"loss {loss:.6g}"]
    words += [f"lr {rate:.3g}" for rate in list(rates.values())[:1]]
    predicted = f" (predicted {_time(emitted.seconds)})" if emitted.seconds else ""
    words += [f"{_time(seconds)}{predicted}", f"{count / seconds:,.0f} {what}/s"]
    if emitted.peak:
        words.append(f"{emitted.flops / seconds / emitted.peak:.0%} of the devices' speed")
    return "  ".join(words)


def _time(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"
