"""Cost accounting of a distributed program, statement by statement, from the program and the cluster alone.

Layouts are inferred; work is counted from each device's local shapes. A stage begins with communication and ends
when its slowest device has computed all operations of the stage (HAP, section 3.2). Statements of one form that read
values of the same kinds take the same and are priced once (`statement_cost.py`).

    step = sum over stages of  (communication of the stage + max over devices of their computation in it)
A collective ends the stage before it, unless nothing was computed since the last one. Memory is that of a walk over the
statements: a value is kept from its statement to its last read, sources for the whole step, and the peak is the largest
sum.
Complexity: one pass over the statements; prices are cached by form.
Reference: Valiant, "A bridging model for parallel computation", 1990 (supersteps).

Example: matmul (3 on device 0, 5 on device 1), all-reduce 2, relu (1, 1): stages of 0 + 5 and 2 + 1, in all 8.
"""

from collections.abc import Sequence

import numpy as np

from p2smt.spmd.account.holding import DeviceBytes
from p2smt.spmd.account.instruction import INSIDE, Account, AccountedStep
from p2smt.spmd.account.last_reads import last_reads
from p2smt.spmd.account.statement_cost import ComputedStep, SentStep, StatementPricing, UpdateStep
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.network import CollectivePrice, NetworkModel
from p2smt.spmd.devices.parts import Numbers
from p2smt.tensor.buckets import bucketed
from p2smt.tensor.expression import Source, SourceKind
from p2smt.tensor.inference import JudgementTable, judge
from p2smt.tensor.judgement import JudgedProgram, Refused
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import Whole
from p2smt.tensor.way import Way


def account(
    program: Program, cluster: Cluster, networks: Sequence[NetworkModel] = (), buckets: Sequence[tuple[str, ...]] = ()
) -> Account:
    """Return the account of a distributed program on a cluster.

    `networks` prices the collectives of each mesh axis; without it there is one axis over all devices. The cluster's
    devices are in rank order. Each collective is one call, except that the adjacent statements of a bucket in `buckets`
    (see `bucketed`) are fused into one.
    """
    return Accounts(cluster, networks).of(program, buckets)


class Accounts:
    """Accounts of programs on one cluster; statements that programs have in common are judged and priced once."""

    def __init__(self, cluster: Cluster, networks: Sequence[NetworkModel] = ()) -> None:
        """Take the cluster and the networks as in `account`."""
        self.cluster = cluster
        self._networks = tuple(networks) or (cluster.network,)
        self._known: dict[tuple[int, ...], tuple[JudgementTable, StatementPricing]] = {}
        self._last: tuple[Program, JudgedProgram] | None = None

    def of(self, program: Program, buckets: Sequence[tuple[str, ...]] = ()) -> Account:
        """Return the account of a program; see `account`."""
        return _Accountant(program, self.judged(program), self.cluster, self._shared(program)[1], buckets).run()

    def judged(self, program: Program) -> JudgedProgram:
        """Return the layouts of a program; those of the last one are kept."""
        # The account and the outputs of a candidate are made one after the other, so one program is enough to keep.
        if self._last is None or self._last[0] is not program:
            judged = judge(program, self._shared(program)[0])
            if isinstance(judged, Refused):
                raise AssertionError(f"the search made an invalid program: {judged}")
            self._last = program, judged
        return self._last[1]

    def _shared(self, program: Program) -> tuple[JudgementTable, StatementPricing]:
        """Return the judgements and prices of statements for meshes of the program's sizes."""
        sizes = tuple([axis.size for axis in program.mesh])
        if sizes not in self._known:
            self._known[sizes] = JudgementTable(sizes), StatementPricing(self.cluster, self._networks, sizes)
        return self._known[sizes]

    def in_buckets(self, program: Program, most: int) -> Account:
        """Return the account of a program with collectives fused into buckets of at most `most` bytes; 0 fuses none."""
        judged = self.judged(program)
        made = bucketed(program, most, judged)
        if made.program.statements != program.statements:
            self._last = made.program, _reordered(judged, program, made.program)
        return self.of(made.program, made.buckets)


def _reordered(judged: JudgedProgram, before: Program, after: Program) -> JudgedProgram:
    """Return the layouts of a program with the same statements in another order, which changes no judgement."""
    position = {each.name: number for number, each in enumerate(before.statements)}
    order = [position[each.name] for each in after.statements]
    return JudgedProgram(
        judged.layouts,
        tuple([judged.statements[number] for number in order]),
        tuple([judged.reads[number] for number in order]),
    )


class _Accountant:
    def __init__(
        self,
        program: Program,
        judged: JudgedProgram,
        cluster: Cluster,
        pricing: StatementPricing,
        buckets: Sequence[tuple[str, ...]],
    ) -> None:
        self._program = program
        self._judged = judged
        self._pricing = pricing
        self._inside = cluster.inside
        # Texts leave out the name of the only axis.
        self._axes = tuple([axis.name for axis in program.mesh]) if len(program.mesh) > 1 else ("",)
        self._parameters = {each.name for each in program.sources if each.kind is SourceKind.PARAMETER}
        self._count = len(cluster.devices)
        self._nothing = (0,) * self._count
        self._buckets = {name: bucket for bucket in buckets for name in bucket}
        self._waiting: list[SentStep] = []
        self._instructions: list[AccountedStep] = []
        self._sending = [0]
        self._computing = [np.zeros(self._count, dtype=np.int64)]
        self._is_computing = False
        self._holding = DeviceBytes(self._count, last_reads(program, judged.reads, buckets))

    def run(self) -> Account:
        for source in self._program.sources:
            self._holding.keep(self._stored(source))
        if self._program.statements:
            self._holding.hold(())
        judged = self._judged
        for statement, judgement, reads in zip(self._program.statements, judged.statements, judged.reads, strict=True):
            cost = self._pricing.cost(judgement)
            for step in cost.steps:
                match step:
                    case ComputedStep():
                        self._compute(statement.name, step)
                    case SentStep():
                        self._collect(statement.name, step)
                    case UpdateStep(position, held):
                        self._sum_inside(statement.name, reads[position], held)
            if cost.peak is not None:
                self._holding.hold((cost.peak,))
            self._holding.end(statement.name, cost.left)
        pairs = zip(self._sending, self._computing, strict=True)
        stages = tuple([sending + self._pricing.slowest(computing) for sending, computing in pairs])
        return Account(tuple(self._instructions), stages, self._memory())

    def _memory(self) -> tuple[int, ...]:
        """Return the peak bytes of each device; if devices are machines, those of one device inside each machine."""
        peak: list[int] = self._holding.peak.tolist()
        if self._inside is None:
            return tuple(peak)
        kept = self._all_stored(SourceKind.PARAMETER, SourceKind.STATE)
        return self._inside.held(kept=kept, gradients=self._all_stored(SourceKind.PARAMETER), peak=peak)

    def _stored(self, source: Source) -> Numbers:
        """Return the bytes of a source on each device."""
        return self._pricing.bytes(self._judged.layouts[source.name], Whole(source.shape, source.dtype))

    def _all_stored(self, *kinds: SourceKind) -> list[int]:
        """Return the bytes of all sources of these kinds on each device."""
        sizes = [self._stored(each) for each in self._program.sources if each.kind in kinds]
        total: list[int] = sum(sizes, np.zeros(self._count, dtype=np.int64)).tolist()
        return total

    def _compute(self, statement: str, step: ComputedStep) -> None:
        if step.takes_time:
            self._computing[-1] += step.devices
            self._is_computing = True
        self._instructions.append(
            AccountedStep(
                statement=statement,
                text=step.text,
                stage=len(self._sending) - 1,
                time=step.time,
                launch=step.launch,
                kernel=step.kernel,
                flops=step.flops,
                work=step.work,
            )
        )

    def _collect(self, statement: str, step: SentStep) -> None:
        """Send a tensor, alone or with the last one of its bucket."""
        bucket = self._buckets.get(statement)
        if bucket is None:
            self._send(statement, step.text, step.price, step.bytes, self._axes[step.axis])
            return
        self._waiting.append(step)
        if statement == bucket[-1]:
            price, sent = self._pricing.together(self._waiting), sum([each.bytes for each in self._waiting])
            self._send(statement, step.text, price, sent, self._axes[step.axis], bucket)
            self._waiting = []

    def _sum_inside(self, statement: str, updated: str, held: int) -> None:
        """Add the AllReduce inside each machine for a parameter's gradient, at the parameter's first update only."""
        if self._inside is not None and updated in self._parameters:
            price = CollectivePrice(self._inside.all_reduce(held), Way.PLAIN)
            self._send(statement, INSIDE, price, held, self._axes[0])

    def _send(
        self, name: str, text: str, price: CollectivePrice, size: int, axis: str, bucket: tuple[str, ...] = ()
    ) -> None:
        if self._is_computing:
            self._sending.append(0)
            self._computing.append(np.zeros(self._count, dtype=np.int64))
            self._is_computing = False
        self._sending[-1] += price.time
        self._instructions.append(
            AccountedStep(
                statement=name,
                text=text,
                stage=len(self._sending) - 1,
                time=price.time,
                flops=self._nothing,
                work=self._nothing,
                bytes=size,
                way=price.way,
                bucket=bucket,
                plan=price.plan,
                axis=axis,
            )
        )
