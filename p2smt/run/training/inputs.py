"""Convert the batch provided by a rank to a step's inputs: rename, check, and shard or gather."""

from collections.abc import Mapping
from dataclasses import dataclass

import torch
import torch.distributed as dist

from p2smt.frontend.torch_graph.live import Batch
from p2smt.run.training.batches import Batches, gathered
from p2smt.run.training.emitted_step import EmittedStep, StepSource, Tensors


@dataclass(frozen=True, slots=True)
class StepInputs:
    """Converts batches to the inputs of a step; `samples` are the batch's names of tensors that hold samples."""

    emitted: StepSource
    step: EmittedStep
    kind: Batches
    samples: frozenset[str]
    device: torch.device

    @property
    def shared(self) -> frozenset[str]:
        """The step's inputs that hold a rank's samples."""
        return frozenset(text for name, text in self.emitted.inputs.items() if name in self.samples)

    def named(self, batch: Batch) -> Tensors:
        """Return the tensors of a batch under the step's names."""
        inputs = self.emitted.inputs
        if isinstance(batch, Mapping):
            return {text: batch[name] for name, text in inputs.items() if name in batch}
        tensors = [batch] if isinstance(batch, torch.Tensor) else list(batch)
        if len(tensors) != len(inputs):
            raise ValueError(
                f"the batch has {len(tensors)} tensors, but the step takes {len(inputs)}: {', '.join(inputs)}"
            )
        return dict(zip(inputs.values(), tensors, strict=True))

    def count(self, inputs: Tensors) -> int:
        """Return the number of samples of all ranks; the step's own number if no input holds samples."""
        first = inputs.get(self.emitted.first_input)
        return first.shape[0] * self._ranks if first is not None and first.ndim else self.emitted.samples

    def of_length(self, inputs: Tensors) -> dict[str, torch.Tensor]:
        """Return the batch on `meta`, under its own names, as long as the samples of all ranks.

        Raises ValueError if inputs that hold samples differ in length.
        """
        made: dict[str, torch.Tensor] = {}
        lengths = {name: inputs[name].shape[0] for name in sorted(self.shared & inputs.keys())}
        if len(set(lengths.values())) > 1:
            said = ", ".join(f"{length} of {name}" for name, length in lengths.items())
            raise ValueError(f"the batch has {said}; all tensors need the same number of samples")
        for name, text in self.emitted.inputs.items():
            if text not in inputs:
                raise KeyError(f"the batch lacks {name!r}; it has {', '.join(map(repr, inputs))}")
            each = inputs[text]
            shape = (each.shape[0] * self._ranks, *each.shape[1:]) if name in self.samples else each.shape
            made[name] = torch.empty(shape, dtype=each.dtype, device="meta")
        return made

    def check(self, inputs: Tensors) -> None:
        """Raise ValueError if the shape of a rank's own part does not match the step's."""
        ranks = self._ranks
        for name in self.shared & inputs.keys() & self.step.tensors.keys() if ranks > 1 else ():
            length, *rest = self.step.tensors[name].shape
            if tuple(inputs[name].shape) != (length // ranks, *rest):
                raise ValueError(
                    f"{name} has shape {list(inputs[name].shape)}, but this rank's part must be "
                    f"{[length // ranks, *rest]}"
                )

    def placed(self, inputs: Tensors) -> Tensors:
        """Return the inputs as the step takes them: unsharded, or this rank's shard."""
        if self.kind is Batches.WHOLE:
            return inputs
        rank, shared = dist.get_rank(), self.shared
        placed = {}
        for name, given in inputs.items():
            each = given.to(self.device)
            if name in shared and name in self.step.tensors:
                begins, lengths = self.step.interval(name)
                is_part = begins[0] == rank * each.shape[0] and tuple(lengths) == tuple(each.shape)
                each = each if is_part else gathered(each)
            placed[name] = each
        return placed

    @property
    def _ranks(self) -> int:
        return dist.get_world_size() if self.kind is Batches.OWN else 1
