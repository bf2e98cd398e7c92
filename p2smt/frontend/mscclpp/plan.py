"""MSCCL++ execution plans (JSON) as verification plans.

The operations of all threadblocks are sorted into one order in which they can run; a plan step has the position
of its operation in that order as number, from 1, and a label such as `gpu 0 threadblock 1 op 2, put`. Since no
two operations race, every other possible order has the same result. For an in-place ReduceScatter or AllGather,
the shard is part of the whole buffer; it is copied there before the first step, or from there after the last.
"""

from collections.abc import Sequence
from dataclasses import replace

from p2smt.collective import Exchange
from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AS_WRITTEN, AskedGoal
from p2smt.frontend.builder import DATA
from p2smt.frontend.chunk_plan import RELAY, SHARD, WIRE, buffers_of, chunk_plan
from p2smt.frontend.mscclpp.entry import decode
from p2smt.frontend.mscclpp.json_file import schedule_of
from p2smt.frontend.mscclpp.order import CompletedOperation, order_of
from p2smt.frontend.mscclpp.races import race_of
from p2smt.frontend.mscclpp.schedule import INPUT, OUTPUT, SCRATCH, MscclppSchedule, Region, SummedTransfer
from p2smt.verify.limits import check_size
from p2smt.verify.operation import LocalOperation
from p2smt.verify.plan import BufferRange, VerificationPlan, VerificationStep
from p2smt.verify.plan_verdict import Place, PlanMistake, PlanRule


def parse_mscclpp(data: bytes, path: str, asked: AskedGoal = AS_WRITTEN) -> VerificationPlan | PlanMistake:
    """The plan of a file, or the mistake that stops it from running; `path` names the file in messages.

    Raises VerifyError with the place of the mistake.
    """
    try:
        schedule = schedule_of(decode(data), asked)
        check_size(schedule.gpus, {DATA: max(schedule.inputs, schedule.outputs), SCRATCH: schedule.scratch}, 0)
        order = order_of(schedule)
        if isinstance(order, PlanMistake):
            return order
        wrong = _spoiled_input(schedule, order) or race_of(schedule, order)
        return wrong or _Steps(schedule).plan(order, asked)
    except VerifyError as cause:
        raise VerifyError(f"{path}: {cause}") from cause


def _spoiled_input(schedule: MscclppSchedule, order: Sequence[CompletedOperation]) -> PlanMistake | None:
    """The first operation that writes the input, which belongs to the caller unless the collective is in place."""
    if schedule.in_place:
        return None
    for number, done in enumerate(order, start=1):
        for transfer in schedule.blocks[done.block].operations[done.place].transfers:
            for target in transfer.targets:
                if target.part.buffer == INPUT:
                    what = (
                        f"step {number} ({schedule.said(done.block, done.place)}): writes i[{target.part.start}], but "
                        "the input of a plan out of place has to stay as it is; write o or s"
                    )
                    return PlanMistake(PlanRule.INPUT, Place(number, None, target.gpu, target.part.start), what)
    return None


class _Steps:
    """Builder of the plan's steps; remote operands of a sum are first copied to their reader's wire buffer."""

    def __init__(self, schedule: MscclppSchedule) -> None:
        self._schedule = schedule
        self._names = {INPUT: DATA if schedule.in_place else "input", OUTPUT: "output", SCRATCH: "scratch"}
        self._buffers = buffers_of(schedule, in_place=schedule.in_place)
        self._steps: list[VerificationStep] = []

    def plan(self, order: Sequence[CompletedOperation], asked: AskedGoal) -> VerificationPlan:
        schedule, labels = self._schedule, []
        last = len(order) + 1
        source = self._end(BufferRange(INPUT, 0, schedule.inputs), last)
        for number, done in enumerate(order, start=1):
            labels.append((number, schedule.said(done.block, done.place)))
            for transfer in schedule.blocks[done.block].operations[done.place].transfers:
                self._do(transfer, number)
        target = self._end(BufferRange(OUTPUT, 0, schedule.outputs), last)
        return chunk_plan(schedule, asked, (source, target), self._buffers, self._steps, labels, schedule.notes)

    def _end(self, part: BufferRange, number: int) -> BufferRange:
        """Return the part that holds the input or output; an in-place shard is copied from or to a separate part."""
        own = [self._named(Region(gpu, part)) for gpu in range(self._schedule.gpus)]
        if len(set(own)) == 1:
            return own[0]
        shard = BufferRange(SHARD, 0, part.length)
        self._buffers[SHARD] = part.length
        for gpu, block in enumerate(own):
            source, target = (shard, block) if part.buffer == INPUT else (block, shard)
            self._copy(gpu, gpu, source, target, number)
        return shard

    def _do(self, transfer: SummedTransfer, number: int) -> None:
        """Add a transfer; a sum is formed in its target if that is the first source, else in the relay buffer."""
        first, *added = transfer.sources
        if not added:
            for target in transfer.targets:
                self._copy(first.gpu, target.gpu, self._named(first), self._named(target), number)
            return
        gpu, held = first.gpu, self._named(first)
        if transfer.targets[0] != first:
            held = self._of(RELAY, first.part.length)
            self._copy(gpu, gpu, self._named(first), held, number)
        for source in added:
            brought = self._named(source)
            if source.gpu != gpu:
                brought = self._of(WIRE, source.part.length)
                self._copy(source.gpu, gpu, self._named(source), brought, number)
            self._steps.append(VerificationStep(LocalOperation.ADD, ((gpu,),), brought, held, number=number))
        for target in transfer.targets:
            self._copy(gpu, target.gpu, held, self._named(target), number)

    def _of(self, buffer: str, length: int) -> BufferRange:
        self._buffers[buffer] = max(length, self._buffers.get(buffer, 0))
        return BufferRange(buffer, 0, length)

    def _named(self, region: Region) -> BufferRange:
        part = self._schedule.located(region)
        return replace(part, buffer=self._names[part.buffer])

    def _copy(self, gpu: int, to: int, source: BufferRange, target: BufferRange, number: int) -> None:
        apart = gpu != to and source.buffer == target.buffer and source != target
        if apart and source.start < target.end and target.start < source.end:
            # Parts of one name that overlap are other chunks here, on another GPU; plans have them go by a third part.
            wire = self._of(WIRE, source.length)
            self._copy(gpu, to, source, wire, number)
            self._copy(to, to, wire, target, number)
        elif gpu != to:
            self._steps.append(VerificationStep(Exchange.SEND, ((gpu, to),), source, target, number=number))
        elif source != target:
            self._steps.append(VerificationStep(LocalOperation.COPY, ((gpu,),), source, target, number=number))
