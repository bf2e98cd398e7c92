"""What a rank does to time torch's DistributedDataParallel beside emitted steps; loaded in processes of ranks."""

from collections.abc import Mapping, Sequence

import torch
import torch.distributed as dist
from shard_models import training_of
from torch.nn.parallel import DistributedDataParallel

from p2smt.frontend.torch_graph.training import Training
from p2smt.run.rank.message import Ends
from p2smt.run.rank.modules import load_module
from p2smt.run.rank.shared_groups import SharedGroups
from p2smt.run.rank.stepping import begun, compute_as_gpus_do, drawn, timed_by_turns


class DataParallel:
    """A model's step by DistributedDataParallel and its optimizer, each rank with so many rows of the batch.

    DDP averages gradients over ranks; a rank's loss, a mean over its rows, is weighed with the part of all rows that
    they are, so that the sum is the mean over the batch however it is cut. Buckets are as large as they are by default.
    """

    def __init__(self, training: Training, batch: Mapping[str, torch.Tensor], rows: Sequence[int]) -> None:
        """The same batch on all ranks. Every rank needs a row, for a mean over none is not a number."""
        rank = dist.get_rank()
        assert min(rows) > 0
        assert {len(each) for each in batch.values()} == {sum(rows)}
        self._own = tuple(each.narrow(0, sum(rows[:rank]), rows[rank]) for each in batch.values())
        self._weight = rows[rank] * len(rows) / sum(rows)
        self._optimizer, self._loss = training.optimizer, training.loss
        assert self._optimizer is not None
        self._module = DistributedDataParallel(training.module)
        self._told = False

    def __call__(self) -> dict[str, torch.Tensor]:
        """A step; the loss of the whole batch in the first, this rank's part of it from then on."""
        self._optimizer.zero_grad()
        loss = self._loss(self._module, *self._own) * self._weight
        loss.backward()
        self._optimizer.step()
        part = loss.detach() / dist.get_world_size()
        if not self._told:
            dist.all_reduce(part)
            self._told = True
        return {"loss": part}


def ends_by_turns(
    paths: Sequence[str], model: str, cuts: Sequence[Sequence[int]], rounds: int, counted: int, warmups: int
) -> list[Ends]:
    """When the steps of files ended, and behind them those of DDP, once for each cut of the batch into rows.

    DDP begins with the parameters of the last file's step, and has its batch.
    """
    with SharedGroups() as groups:
        steps = [*(begun(path, groups) for path in paths), *(_data_parallel(paths[-1], model, rows) for rows in cuts)]
        return timed_by_turns(steps, rounds, counted, warmups)


def _data_parallel(path: str, model: str, rows: Sequence[int]) -> DataParallel:
    compute_as_gpus_do()
    given, batch = drawn(load_module(path))
    training = training_of(model)
    training.module.load_state_dict({name.removeprefix("m."): each for name, each in given.items()})
    return DataParallel(training, batch, rows)
