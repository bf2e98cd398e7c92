"""Steps for batches whose length differs from the captured one, sharing the shards of parameters and states.

Each is captured, searched and emitted when its first batch arrives, on all ranks at the same point, and then
cached.
"""

import sys
from collections.abc import Callable
from dataclasses import replace

import torch.distributed as dist

from p2smt.errors import RunError
from p2smt.run.training.emitted_step import StepSource, Tensors
from p2smt.run.training.inputs import StepInputs

Make = Callable[[Tensors], StepSource]
"""A function that emits the step for a batch on `meta`, keeping the first step's shards; every rank must call it."""
_MOST = 4
"""Maximum number of further lengths; a short last batch causes one or two."""


class Variants:
    """The steps of a training by number of samples, beginning with the captured one."""

    def __init__(self, first: StepInputs, make: Make, timeout_s: float) -> None:
        self._first, self._make, self._timeout_s = first, make, timeout_s
        self._known = {first.emitted.samples: first}

    def of(self, inputs: Tensors) -> StepInputs:
        """Return the step for the inputs. Raises ValueError on all ranks if there is none and none can be made."""
        count = self._first.count(inputs)
        if count not in self._known:
            self._known[count] = self._made(inputs, count)
        return self._known[count]

    def close(self) -> None:
        """Destroy the process groups."""
        for each in self._known.values():
            each.step.close()

    def _made(self, inputs: Tensors, count: int) -> StepInputs:
        first = self._first
        said = f"the batch has {count} samples, and this step is for {first.emitted.samples}"
        way = "drop_last=True of a DataLoader leaves a shorter last batch out"
        if len(self._known) > _MOST:
            known = ", ".join(map(str, sorted(self._known)))
            raise ValueError(f"{said}; steps for {known} were made already, and more are not: {way}")
        try:
            emitted = self._make(first.of_length(inputs))
        except RunError as cause:
            raise ValueError(f"{said}; {cause}; {way}") from cause
        if dist.get_rank() == 0:
            print(f"p2smt.shard: a step for batches of {count} samples was made", file=sys.stderr)
        return replace(first, emitted=emitted, step=first.step.beside(emitted, first.device, self._timeout_s))
