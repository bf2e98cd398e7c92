"""Shard the training of a PyTorch model over ranks: capture, shard, emit, and start it. The entry point is `shard`.

Rank 0 captures the module and searches; all ranks start from its module's values, on the module's device. A
module on `meta` is initialised piecewise. The devices' speed, if the system does not give it, and the whole
system, if it is omitted, are measured on the ranks. The default of `batches` is "whole" if all ranks initially
give the same batch, otherwise "own".

- optimizer: any whose steps are uniform and consist of tensor operations (SGD, Adam, RMSprop, or custom); by default
  AdamW with its defaults. For SGD, Adam and AdamW, every step reads the parameter groups' learning rates.
- max_norm: clips gradients to this global norm, which is also returned; inf only returns it.
- accumulate: number of micro-batches, each a call of `step`, over which gradients are averaged.
- ema: decay per step of the moving averages of the trained parameters.
- shares, conditions, programs, precision, checkpoints: as for `p2smt shard`.
- like: a training of the same module on batches of another size, whose layouts, shares and conditions are reused
  without a search.
- compile: apply torch.compile to the code between collectives.
- verbose: rank 0 prints a line for every step.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TYPE_CHECKING

from p2smt.cost.network.backend import Backend, Gloo, Nccl
from p2smt.emit.torch.program.indices import index_limits
from p2smt.emit.torch.program.source import emit_program
from p2smt.errors import P2Error, ProblemError, RunError
from p2smt.frontend.torch_graph.graph import Additions
from p2smt.job.micro_batches import gradients_alone, with_late_sums, without_accumulation
from p2smt.problem.system.network import System
from p2smt.problem.system.text import find_system
from p2smt.spmd.account.ways import carried
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.like import shard_beside, shard_like
from p2smt.spmd.model.batch import batch_of, first_input
from p2smt.spmd.model.checkpoint_treatment import parse_checkpoints
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.precision import parse_precision
from p2smt.spmd.reading.step_time_line import step_picoseconds
from p2smt.spmd.request import ShardingRequest, shard_program
from p2smt.tensor.printer import print_program
from p2smt.tensor.program import Program
from p2smt.tensor.text.parser import parse_program

if TYPE_CHECKING:
    from p2smt.frontend.torch_graph.live import Batch, Device, LiveProgram, Loss, Module, Optimizer
    from p2smt.frontend.torch_graph.training import Training
    from p2smt.run.training.emitted_step import StepSource, Tensors
    from p2smt.run.training.joining import RankPlace
    from p2smt.run.training.sharded import ShardedTraining

_PICO = 1e-12
_SHARES = ShardingRequest().shares


def shard(
    module: "Module",
    loss: "Loss",
    batch: "Batch",
    system: System | str | None = None,
    *,
    optimizer: "Optimizer | None" = None,
    max_norm: float | None = None,
    batches: str | None = None,
    accumulate: int = 1,
    ema: float | None = None,
    shares: str = "vertices",
    conditions: Sequence[str] = (),
    programs: bool = False,
    precision: str | None = None,
    checkpoints: str = "keep",
    like: "ShardedTraining | None" = None,
    compile: bool = False,
    verbose: bool = False,
    timeout_s: float = 300.0,
) -> "ShardedTraining":
    """Return the sharded training of a module on all joined ranks of torch.distributed.

    `loss(module, *batch)`, or `loss(module, batch)` for a mapping, returns a scalar tensor. `batch` has the
    shapes of all later batches: each rank gives its own part (`batches="own"`), or all give the same batch
    ("whole"). The devices of `system` are the ranks, in order. A collective that takes longer than `timeout_s`
    fails. The module docstring and the README of run/ explain the other options.

    Raises RunError if ranks have not joined, if their number differs from the system's devices, or if rank 0
    cannot shard the model, with the reason. Raises ValueError for invalid options.
    """
    from p2smt.frontend.torch_graph.live import live_training
    from p2smt.run.training.batches import Batches, of_all_ranks, parse_batches, recognised, shared_names
    from p2smt.run.training.joining import device_for, joined
    from p2smt.run.training.measured import measured_system
    from p2smt.run.training.sharded import ShardedTraining

    place = joined()
    _refuse_numbers(accumulate, ema, max_norm)
    device, cluster = device_for(module, place), _of_ranks(system, place.ranks)
    training = live_training(module, batch, loss, optimizer, None if max_norm == inf else max_norm)
    kind = recognised(training.batch, device) if batches is None else parse_batches(batches)
    captured = training if kind is Batches.WHOLE else replace(training, batch=of_all_ranks(training.batch, place.ranks))
    choices = _Choices(
        shares=shares,
        conditions=tuple(conditions),
        programs=programs,
        precision=precision,
        checkpoints=checkpoints,
        like="" if like is None else like.sharding,
        compile=compile,
        added=Additions(rates=True, accumulate=accumulate, norm=max_norm is not None, ema=ema),
    )
    source = _StepMaker(captured, choices, measured_system(cluster, place, device), place, device)
    emitted = source.first()
    shared = shared_names(training.batch)
    return ShardedTraining(
        emitted, training, device, timeout_s, make=source.beside(emitted), batches=kind, shared=shared, verbose=verbose
    )


def _of_ranks(system: System | str | None, ranks: int) -> System | None:
    """Return the system, given itself or by name. Raises RunError unless it has a device for each rank."""
    found = find_system(system) if isinstance(system, str) else system
    if found is not None and found.devices != ranks:
        what = found.name or "the system"
        raise RunError(f"{what} has {found.devices} devices, one for each rank, but {ranks} ranks have joined")
    return found


def _refuse_numbers(accumulate: int, ema: float | None, max_norm: float | None) -> None:
    """Raise ValueError for numbers out of range."""
    if accumulate < 1 or (ema is not None and not 0 <= ema < 1):
        raise ValueError(
            f"accumulate={accumulate} and ema={ema}: gradients are of 1 micro-batch or more, and averages "
            "keep a part from 0 to below 1 of themselves"
        )
    if max_norm is not None and not max_norm > 0:
        raise ValueError(
            f"max_norm={max_norm}: the norm to which gradients are clipped is above 0; inf clips none, "
            "and the norm is a result"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choices:
    """A user's options for the step of `shard`, as text.

    `like` is a sharding to reuse, and `beside` a sharding whose shards of parameters and states are kept.
    `late` maps the states in which ranks accumulate their own gradients to the gradients' names; None selects
    all that allow it.
    """

    shares: str
    conditions: tuple[str, ...]
    programs: bool
    precision: str | None
    checkpoints: str
    like: str
    beside: str = ""
    late: Mapping[str, str] | None = None
    compile: bool
    added: Additions


@dataclass(frozen=True, slots=True)
class _StepMaker:
    """Distributes steps emitted by rank 0 to all ranks. Raises RunError on all ranks if rank 0 fails."""

    training: "Training"
    choices: _Choices
    system: System
    place: "RankPlace"
    device: "Device"

    def first(self) -> "StepSource":
        """Return the step for the user's options."""
        return self._made(self.training, self.choices)

    def beside(self, first: "StepSource") -> Callable[["Tensors"], "StepSource"]:
        """Return a function that emits steps for other batches with the same shards of parameters and states."""
        choices = replace(self.choices, shares=_SHARES, conditions=(), like="", beside=first.sharding, late=first.late)
        return lambda batch: self._made(replace(self.training, batch=batch), choices)

    def _made(self, training: "Training", choices: _Choices) -> "StepSource":
        from p2smt.frontend.torch_graph.live import live_program
        from p2smt.run.training.joining import agreed

        made: StepSource | str = ""
        failure: Exception | None = None
        if self.place.rank == 0:
            try:
                request = self._request(choices)
                made = _emitted(live_program(training, choices.added), choices, self.system, request)
            except Exception as cause:  # the others wait for what is made
                what = "" if isinstance(cause, P2Error) else f"{type(cause).__name__}: "
                made, failure = f"the model cannot be sharded: {what}{cause}", cause
        try:
            return agreed(made, self.device)
        except RunError as error:
            raise error from failure

    def _request(self, choices: _Choices) -> ShardingRequest:
        backend: Backend = Nccl() if self.place.backend == "nccl" else Gloo()
        return ShardingRequest(
            shares=choices.shares,
            conditions=choices.conditions,
            programs=choices.programs,
            backend=backend,
            precision=None if choices.precision is None else parse_precision(choices.precision),
            checkpoints=parse_checkpoints(choices.checkpoints),
        )


def _emitted(live: "LiveProgram", choices: _Choices, system: System, request: ShardingRequest) -> "StepSource":
    """Return the step of the fastest sharding, or of a sharding that reuses `like` or `beside`."""
    from p2smt.run.training.emitted_step import StepSource

    added = choices.added
    if choices.beside:
        own = frozenset((choices.late or {}).values())
        given = shard_beside(live.program, system, parse_program(choices.beside), request, fixed=own)
        answer, cluster, buckets = given.candidate, given.cluster, None
    elif choices.like:
        if request.shares != _SHARES or request.conditions:
            raise ProblemError("like brings its own shares and conditions; drop shares and conditions, or like")
        found = shard_like(live.program, system, parse_program(choices.like), request)
        answer, cluster, buckets = found.answer, found.cluster, None
    else:
        made = shard_program(live.program, system, request)
        answer, cluster, buckets = made.answer, made.cluster, made.buckets
    program, time = answer.program, step_picoseconds(answer.program, answer.account, cluster)
    batch, first = batch_of(program), first_input(program)
    whole, micro, late = program, "", choices.late
    if added.accumulate > 1:
        summed, late = with_late_sums(program, choices.late)
        if choices.beside and late.keys() != (choices.late or {}).keys():
            raise ProblemError(
                f"the chosen places of gradient sums differ with accumulate={added.accumulate}; leave accumulate out"
            )
        whole = without_accumulation(summed)
        micro = _text(gradients_alone(summed), cluster, buckets, compile=choices.compile)
    return StepSource(
        source=_text(whole, cluster, buckets, compile=choices.compile),
        loss=live.program.outputs[0].name,
        inputs=live.inputs,
        keys=live.keys,
        sharding=print_program(program),
        first_input="" if first is None else first.name,
        samples=0 if batch is None else batch.size,
        divisor=1 if batch is None else batch.divisor,
        rates=live.rates,
        micro=micro,
        late=late or {},
        accumulate=added.accumulate,
        norm=live.program.outputs[1].name if added.norm else "",
        has_average=added.ema is not None,
        offsets=live.offsets,
        limits=index_limits(live.program, parts=False),
        seconds=time * _PICO,
        flops=sum(node.flops for node in graph_of(live.program).nodes),
        peak=float(sum(each.speed for each in cluster.devices)) if system.kinds else 0.0,
    )


def _text(program: Program, cluster: Cluster, buckets: int | None, *, compile: bool) -> str:
    """Return the emitted file, with each collective's fastest implementation on the cluster."""
    how = carried(program, cluster, buckets)
    return emit_program(
        program, how.ways, buckets=how.buckets, programs=how.programs, library=how.library, compile=compile
    )
