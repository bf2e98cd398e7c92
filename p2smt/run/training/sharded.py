"""The sharded training that `p2smt.shard` returns. Imports torch, only in the processes of ranks."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from weakref import WeakMethod, WeakSet

import torch
import torch.distributed as dist

from p2smt.frontend.torch_graph.live import Batch
from p2smt.frontend.torch_graph.training import Training, loss_of, named_batch
from p2smt.run.training.batches import CHECKED, Batches, StepAgreement, check_batches, check_indices, joined_samples
from p2smt.run.training.checkpoints import Checkpoint, Checkpoints
from p2smt.run.training.emitted_step import State, StepSource, begin_step
from p2smt.run.training.gathered import with_gathered_weights
from p2smt.run.training.groups import ParameterGroups
from p2smt.run.training.initial import begun_of, materialise
from p2smt.run.training.inputs import StepInputs
from p2smt.run.training.progress import Progress
from p2smt.run.training.unchanged import ChangeGuard, refuse_two_optimizers
from p2smt.run.training.variants import Make, Variants
from p2smt.run.training.whole_module import StaleWarning, moved, observed, with_weights

Tensors = dict[str, torch.Tensor]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The loss over the samples of all ranks, and the module's outputs for this rank's samples."""

    loss: torch.Tensor
    outputs: object


_EVERY = 10
"""Interval in steps between thorough checks of changes and of agreement among ranks, which take about 1 ms."""
_OPEN: "WeakSet[ShardedTraining]" = WeakSet()
"""Trainings that are not closed."""


class ShardedTraining:
    """A module and its optimizer, sharded over all ranks; every rank calls the same methods in the same order.

    The original module is not modified; `state_dict` returns the trained one. Each step uses the learning rates
    of the optimizer's parameter groups at its start; other changes to groups, module or optimizer raise an
    error. Dropout uses a counter-based generator, so that its mask does not depend on the sharding.
    """

    def __init__(
        self,
        emitted: StepSource,
        training: Training,
        device: torch.device,
        timeout_s: float,
        *,
        make: Make,
        batches: Batches = Batches.WHOLE,
        shared: frozenset[str] = frozenset(),
        verbose: bool = False,
    ) -> None:
        """Start from the module and optimizer of rank 0; `make` emits steps for batches of other lengths."""
        assert training.optimizer is not None
        refuse_two_optimizers(training, [each.origin for each in _OPEN])
        module, optimizer = training.module, training.optimizer
        self._emitted, self._training, self._device = emitted, training, device
        self._batches, self._shared = batches, shared
        self._step = begin_step(
            emitted, lambda made: begun_of(made, emitted, module, optimizer, device), device, timeout_s
        )
        self._unset = materialise(self._step, emitted, module, device)
        self._inputs = StepInputs(emitted, self._step, batches, shared, device)
        self._variants = Variants(self._inputs, make, timeout_s)
        self._groups, self._agreement = ParameterGroups(optimizer, module, emitted.rates), StepAgreement()
        self._checkpoints = Checkpoints(self._step, emitted, module, self._groups)
        self._unchanged = ChangeGuard(training, self._is_trained)
        self._progress = Progress(device) if verbose else None
        self._calls, self._added, self._is_training, self._is_closed = 0, 0, True, False
        self._norm: torch.Tensor | None = None
        self._whole: Tensors | None = None
        self._stale = StaleWarning(module, WeakMethod(self._is_behind))
        _OPEN.add(self)

    @property
    def origin(self) -> Training:
        """The module, loss and optimizer that are trained."""
        return self._training

    @property
    def source(self) -> str:
        """The step as a stand-alone file, as written by `p2smt emit`."""
        return self._emitted.source

    @property
    def sharding(self) -> str:
        """The distributed program as text, as written by `p2smt shard`."""
        return self._emitted.sharding

    @property
    def number(self) -> int:
        """The number of steps taken; with gradient accumulation, the number of updates."""
        return self._step.step.number

    @property
    def gradient_norm(self) -> torch.Tensor | None:
        """The norm of all gradients in the last step before clipping; None without `max_norm`."""
        return self._norm

    def step(self, batch: Batch) -> torch.Tensor:
        """Train on a batch, unsharded or this rank's part, and return the loss of all samples before the update.

        With gradient accumulation, a call handles one micro-batch, and the last one of each group updates the
        parameters. Raises ValueError for a batch of unsupported shape, and for changes since the capture that
        the step would ignore.
        """
        if not self._is_training:
            raise ValueError("training.eval() was called: call training.train() before a step, or evaluate(batch)")
        self._refuse_unset()
        given, rates = self._inputs.named(batch), self._groups.rates()
        self._agreement.check(given, self._inputs.shared, rates)
        is_other = self._inputs.count(given) != self._emitted.samples
        is_first, is_thorough = self._calls < CHECKED, is_other or self._calls < CHECKED or self._calls % _EVERY == 0
        if is_thorough:
            self._check(given, rates, may_repeat=not is_first)
        self._unchanged.check(thorough=is_thorough)
        variant = self._variants.of(given)
        variant.check(given)
        if is_thorough or self._device.type == "cpu":
            check_indices(given, self._emitted.limits)
        inputs = variant.placed(given)
        self._calls, self._whole = self._calls + 1, None
        if self._progress is not None:
            self._progress.begin()
        outputs = self._made(variant, inputs, rates)
        loss = outputs[variant.emitted.loss]
        if self._progress is not None:
            part = f" + {self._added} of {self._emitted.accumulate} micro-batches" if self._added else ""
            self._progress.end(f"step {self.number}{part}", variant.emitted, loss, inputs, rates)
        return loss

    def _made(self, variant: StepInputs, inputs: Tensors, rates: Mapping[str, float]) -> Tensors:
        emitted, step = variant.emitted, variant.step
        step.go_on_from(self._step)
        if self._added + 1 < emitted.accumulate:
            self._added += 1
            return step.add(inputs, rates, (self._added << 32) + self.number + 1)
        self._added = 0
        outputs = step.train(inputs, rates)
        self._step.go_on_from(step)
        self._norm = outputs.get(emitted.norm)
        return outputs

    def _check(self, given: Tensors, rates: Mapping[str, float], *, may_repeat: bool = False) -> None:
        shared = self._inputs.shared
        check_batches(self._batches, given, shared, rates, self._device, may_repeat=may_repeat)

    def check(self, batch: Batch) -> None:
        """Raise ValueError, on all ranks, if batches are not as `batches` says; every rank must call it."""
        self._check(self._inputs.named(batch), self._groups.rates())

    def train(self, mode: bool = True) -> "ShardedTraining":
        """Make `forward` run the module in training mode, and allow `step`."""
        self._is_training = mode
        return self

    def eval(self) -> "ShardedTraining":
        """Make `forward` run the module in evaluation mode; `step` raises an error until `train` is called."""
        return self.train(False)

    def forward(self, *arguments: object, **named: object) -> object:
        """Return the module's result for this rank's arguments with the current weights, without gradients.

        Parameters are unsharded on every rank while the module runs, so that its code may do anything, with any
        shapes.
        """
        placed = [moved(each, self._device) for each in arguments]
        by_name = {key: moved(each, self._device) for key, each in named.items()}
        with self._trained_module(self._is_training):
            made: object = self._training.module(*placed, **by_name)
            return made

    __call__ = forward

    def evaluate(self, batch: Batch, *, by_layer: bool = False) -> Evaluation:
        """Return the loss of all ranks' samples as one batch, and this rank's outputs, in evaluation mode.

        Batches may have any length, and ranks may differ in it; outputs are None if this rank has no samples.
        Parameters are unsharded on every rank meanwhile, and all samples are gathered, since a loss need not be
        a mean over samples. With `by_layer`, parameters are gathered when a submodule reads them and freed when
        its forward ends, for models that are larger than a device; raises ValueError, on all ranks, where ranks
        do not read the same parameters in the same order.
        """
        named = {key: each.to(self._device) for key, each in named_batch(batch, self._training.loss).items()}
        is_own = self._batches is Batches.OWN and dist.get_world_size() > 1
        whole = joined_samples(named, self._shared) if is_own else named
        is_empty = any(not named[key].numel() for key in self._shared & named.keys())
        with self._gathered_module() if by_layer else self._trained_module(mode=False):
            # By layer, a rank without samples runs the module on one all the same, to take part in the gathers.
            own = {key: whole[key][:1] if key in self._shared else each for key, each in named.items()}
            skips = is_empty and not by_layer
            loss, outputs = observed(self._training, own if is_empty else named) if not skips else (None, None)
            if loss is None or is_own:
                loss = loss_of(self._training, whole)
        return Evaluation(loss.detach().clone(), None if is_empty else outputs)

    def state_dict(self) -> Checkpoint:
        """Return the checkpoint in host memory, on every rank: unsharded tensors in torch's format."""
        self._refuse_between("a checkpoint")
        return self._checkpoints.whole()

    def load_state_dict(self, state: State) -> None:
        """Continue from a checkpoint of any sharding or of plain PyTorch, or start from a module's state_dict.

        `module` is a module's state_dict, `optimizer` an optimizer's, `step` the number of steps (default: the
        optimizer's), and `ema` the moving averages. Raises KeyError or ValueError for a checkpoint of another
        model or optimizer, and for missing or unknown entries.
        """
        self._checkpoints.load(state)
        self._added, self._whole, self._unset = 0, None, frozenset()

    def save(self, path: str) -> None:
        """Write a checkpoint of torch.distributed.checkpoint; every rank writes its own shards."""
        self._refuse_between("a checkpoint")
        self._checkpoints.save(path)

    def load(self, path: str) -> None:
        """Read this rank's shards from a checkpoint by `save`, written with any number of ranks and any sharding."""
        self._checkpoints.read(path)
        self._added, self._whole, self._unset = 0, None, frozenset()

    def ema_state_dict(self) -> Tensors:
        """Return the moving averages of the trained parameters by name, unsharded, in host memory."""
        return self._checkpoints.averages()

    def close(self) -> None:
        """Destroy the process groups and their threads; every rank must do so after its last call."""
        self._is_closed = True
        self._variants.close()
        self._agreement.close()
        self._stale.remove()
        _OPEN.discard(self)

    def _refuse_between(self, what: str) -> None:
        if self._added:
            raise ValueError(
                f"{self._added} of {self._emitted.accumulate} micro-batches are accumulated, which {what} "
                "cannot contain; take one after an update"
            )

    def _refuse_unset(self) -> None:
        if self._is_closed:
            raise ValueError(
                "training.close() was called, which released the process groups; make another with p2smt.shard"
            )
        if self._unset:
            raise ValueError(
                f"{sorted(self._unset)[0]} was on the meta device and has no values, because its module has no "
                "reset_parameters(); write one, or call training.load or load_state_dict"
            )

    def _is_trained(self, key: str, tensor: torch.Tensor) -> bool:
        """True if a parameter or buffer of the module equals the step's current value."""
        names = self._checkpoints.names
        name = names.get(key, key)
        return name in self._step.tensors and self._step.is_same(name, tensor)

    def _is_behind(self) -> bool:
        """True if the module's parameters differ from the trained ones."""
        named = self._training.module.named_parameters()
        return self.number > 0 and not all(self._is_trained(name, each) for name, each in named)

    def _gathered_module(self) -> AbstractContextManager[None]:
        """Let the module gather the current weights as it reads them, in evaluation mode, in the context."""
        self._refuse_unset()
        known = self._checkpoints
        weights = with_gathered_weights(
            self._training.module, known.trained(), self._step.whole, known.untrained(), mode=False, device=self._device
        )
        return self._stale.silenced(weights)

    def _trained_module(self, mode: bool) -> AbstractContextManager[None]:
        """Give the module the current unsharded weights and a mode in the context, and restore it afterwards."""
        self._refuse_unset()
        if self._whole is None:
            self._whole = self._checkpoints.whole_module()
        return self._stale.silenced(with_weights(self._training.module, self._whole, mode))
