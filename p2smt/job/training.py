"""The training of a PyTorch model spread over ranks: captured, sharded for a system, emitted, begun. `p2smt.shard`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from p2smt.cost.network.backend import Backend, Gloo, Nccl
from p2smt.emit.torch.program.source import emit_program
from p2smt.errors import P2Error, ProblemError, RunError
from p2smt.problem.system.network import System
from p2smt.problem.system.text import find_system
from p2smt.spmd.account.ways import carried
from p2smt.spmd.like import shard_like
from p2smt.spmd.model.batch import batch_of, first_input
from p2smt.spmd.model.checkpoints import parse_checkpoints
from p2smt.spmd.model.precision import parse_precision
from p2smt.spmd.request import ShardingRequest, shard_program
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.text.printer import print_program

if TYPE_CHECKING:
    from p2smt.frontend.torch_graph.live import Batch, LiveProgram, Loss, Module, Optimizer
    from p2smt.run.training.sharded import Emitted, ShardedTraining


def shard(
    module: "Module",
    loss: "Loss",
    batch: "Batch",
    system: System | str,
    *,
    optimizer: "Optimizer | None" = None,
    max_norm: float | None = None,
    shares: str = "vertices",
    conditions: Sequence[str] = (),
    programs: bool = False,
    precision: str | None = None,
    checkpoints: str = "keep",
    like: "ShardedTraining | None" = None,
    timeout_s: float = 300.0,
) -> "ShardedTraining":
    """The training of a module on all ranks of torch.distributed, which have joined: each keeps and computes its part.

    `loss(module, *batch)` is a tensor without dimensions; `batch` has the shapes that all batches will have. The
    devices of `system` are the ranks, in their order. The optimizer is any whose steps are alike and made of tensor
    operations (SGD, Adam, RMSprop, a user's own), AdamW with its defaults where there is none; `max_norm` clips
    gradients by their global norm. `shares`, `conditions`, `programs`, `precision` and `checkpoints` are those of
    `p2smt shard`. Rank 0 captures and searches; all begin as its module is, on the device where that is. With `like`,
    the training of the same module on batches of another size, its layouts are taken and nothing is searched: `shares`
    and `conditions` are its own then. A collective that takes longer than `timeout_s` fails.

    RunError where ranks have not joined, are not as many as the system has devices, or rank 0 cannot shard the model,
    and says why.
    """
    from p2smt.frontend.torch_graph.live import live_program, live_training
    from p2smt.run.training.joining import agreed, device_of, joined
    from p2smt.run.training.sharded import ShardedTraining

    place = joined()
    if isinstance(system, str):
        system = find_system(system)
    if system.devices != place.ranks:
        what = system.name or "the system"
        raise RunError(f"{what} has {system.devices} devices, one for each rank, but {place.ranks} ranks have joined")
    training = live_training(module, batch, loss, optimizer, max_norm)
    made: Emitted | str = ""
    failure: Exception | None = None
    if place.rank == 0:
        backend: Backend = Nccl() if place.backend == "nccl" else Gloo()
        try:
            types = None if precision is None else parse_precision(precision)
            request = ShardingRequest(shares=shares, conditions=tuple(conditions), programs=programs, backend=backend,
                                      precision=types, checkpoints=parse_checkpoints(checkpoints))  # fmt: skip
            made = _emitted(live_program(training), system, request, "" if like is None else like.sharding)
        except Exception as cause:  # the others wait for what is made
            what = "" if isinstance(cause, P2Error) else f"{type(cause).__name__}: "
            made, failure = f"the model cannot be sharded: {what}{cause}", cause
    device = device_of(module)
    try:
        emitted = agreed(made, device)
    except RunError as error:
        raise error from failure
    assert training.optimizer is not None
    return ShardedTraining(emitted, training.module, training.optimizer, device, timeout_s)


def _emitted(live: "LiveProgram", system: System, request: ShardingRequest, like: str) -> "Emitted":
    """The step of the sharding that is fastest as it is emitted, or of the one that is `like` another."""
    from p2smt.run.training.sharded import Emitted

    if like:
        if request.shares != ShardingRequest().shares or request.conditions:
            raise ProblemError("like has shares and conditions of its own; drop shares, conditions, or like")
        found = shard_like(live.program, system, parse_program(like), request)
        program, how = found.answer.program, carried(found.answer.program, found.cluster)
    else:
        made = shard_program(live.program, system, request)
        program, how = made.program, carried(made.program, made.cluster, made.buckets)
    source = emit_program(program, how.ways, buckets=how.buckets, programs=how.programs, library=how.library)
    batch, first = batch_of(program), first_input(program)
    return Emitted(
        source=source, loss=live.program.outputs[0].name, inputs=live.inputs, keys=live.keys,
        sharding=print_program(program), first_input="" if first is None else first.name,
        samples=0 if batch is None else batch.size, divisor=1 if batch is None else batch.divisor,
    )  # fmt: skip
