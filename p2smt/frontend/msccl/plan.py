"""MSCCL schedules (XML) as verification plans.

The steps of all threadblocks are sorted into one order in which they can run; a plan step has its position in
that order as number, from 1, and a label such as `gpu 0 threadblock 1 step 2, rrc`. Since no two steps race,
every other order that the dependencies allow has the same result. Chunks keep their numbers from the file. For an
in-place ReduceScatter or AllGather, the shard is part of the whole buffer; it is copied there before the first
step, or from there after the last.

A payload is cut into rounds, each of which runs the whole schedule. A message left in a connection would reach
the next round, so such schedules are refused.
"""

from bisect import insort
from dataclasses import replace

from p2smt.collective import Exchange
from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AS_WRITTEN, AskedGoal
from p2smt.frontend.builder import DATA
from p2smt.frontend.chunk_plan import RELAY, SHARD, WIRE, buffers_of, chunk_plan
from p2smt.frontend.msccl.capacity import StepOrder, ordered
from p2smt.frontend.msccl.order import CompletedStep
from p2smt.frontend.msccl.races import check_races, race_of
from p2smt.frontend.msccl.schedule import INPUT, OUTPUT, SCRATCH, BlockStep, MscclKind, MscclSchedule
from p2smt.frontend.msccl.xml_file import read_schedule
from p2smt.verify.judge import judge
from p2smt.verify.limits import check_size
from p2smt.verify.operation import LocalOperation
from p2smt.verify.plan import BufferRange, VerificationPlan, VerificationStep
from p2smt.verify.plan_verdict import NoPlan, Place, PlanMistake, PlanRule, mistake_of


def parse_msccl(
    data: bytes, path: str, asked: AskedGoal = AS_WRITTEN, per_machine: int | None = None
) -> VerificationPlan | NoPlan:
    """Return the plan of a schedule, or the mistake that stops it; `path` names the file in messages.

    `per_machine` is the number of GPUs per machine; without it, the result is Unknown if completion depends on
    it. A schedule with inplace="1" and outofplace="1" has to be correct both ways: a mistake with separate
    buffers is returned as such, otherwise the plan is the in-place one. Raises VerifyError with the place of the
    mistake.
    """
    try:
        schedule = read_schedule(data, asked)
        sizes = {DATA: max(schedule.inputs, schedule.outputs), SCRATCH: schedule.scratch}
        check_size(schedule.gpus, sizes, 0)
        check_races(schedule)
        order = ordered(schedule, per_machine)
        if not isinstance(order, StepOrder):
            return order
        if not schedule.in_place:
            return _plan(schedule, order, asked, in_place=False)
        if schedule.out_of_place and (mistake := _mistake(schedule, order, asked)):
            return replace(mistake, message=f"out of place, {mistake.message}")
        return _plan(schedule, order, asked, in_place=True)
    except VerifyError as cause:
        raise VerifyError(f"{path}: {cause}") from cause


def _mistake(schedule: MscclSchedule, order: StepOrder, asked: AskedGoal) -> PlanMistake | None:
    """The mistake of a schedule with separate input and output buffers that overwrites its input, if any."""
    plan = _plan(schedule, order, asked, in_place=False)
    return plan if isinstance(plan, PlanMistake) else mistake_of(judge(plan))


def _plan(
    schedule: MscclSchedule, order: StepOrder, asked: AskedGoal, in_place: bool
) -> VerificationPlan | PlanMistake:
    spoiled = None if in_place else _spoiled_input(schedule, order.order)
    wrong = spoiled or race_of(schedule, order.order, in_place)
    return wrong or _Steps(schedule, order, in_place).plan(asked)


def _spoiled_input(schedule: MscclSchedule, order: tuple[CompletedStep, ...]) -> PlanMistake | None:
    """The first step that writes the input, which belongs to the caller unless the collective is in place."""
    for number, done in enumerate(order, start=1):
        block = schedule.blocks[done.block]
        step = block.steps[done.place]
        if step.kind.writes_target and step.target.buffer == INPUT:
            what = (
                f"step {number} ({schedule.said(done.block, done.place)}): writes i[{step.target.start}], but "
                "the input of a schedule out of place has to stay as it is; write o or s"
            )
            return PlanMistake(PlanRule.INPUT, Place(number, None, block.gpu, step.target.start), what)
    return None


class _Steps:
    """Builder of the plan's steps; each message in flight occupies a slot in its receiver's wire buffer."""

    def __init__(self, schedule: MscclSchedule, order: StepOrder, in_place: bool) -> None:
        self._schedule, self._order, self._in_place = schedule, order, in_place
        self._names = {INPUT: DATA if in_place else "input", OUTPUT: "output", SCRATCH: "scratch"}
        self._buffers = buffers_of(schedule, in_place=in_place)
        self._steps: list[VerificationStep] = []
        self._under_way: dict[int, BufferRange] = {}
        self._taken: list[list[tuple[int, int]]] = [[] for _ in range(schedule.gpus)]

    def plan(self, asked: AskedGoal) -> VerificationPlan:
        """Return the finished plan for the requested goal."""
        schedule, order, labels = self._schedule, self._order.order, []
        source = self._end(BufferRange(INPUT, 0, schedule.inputs))
        for at, done in enumerate(order):
            labels.append((at + 1, schedule.said(done.block, done.place)))
            self._do(at, done, at + 1)
        target = self._end(BufferRange(OUTPUT, 0, schedule.outputs))
        return chunk_plan(
            schedule,
            asked,
            (source, target),
            self._buffers,
            self._steps,
            labels,
            (*schedule.notes, *filter(None, [self._order.note])),
        )

    def _end(self, part: BufferRange) -> BufferRange:
        """Return the part that holds the input or output; an in-place shard is copied from or to a separate part."""
        own = [self._schedule.located(gpu, part, self._in_place) for gpu in range(self._schedule.gpus)]
        if len(set(own)) == 1:
            return self._named(0, part)
        shard = BufferRange(SHARD, 0, part.length)
        self._buffers[SHARD] = part.length
        for gpu, block in enumerate(own):
            here = replace(block, buffer=DATA)
            source, target = (shard, here) if part.buffer == INPUT else (here, shard)
            self._copy(gpu, source, target, len(self._order.order) + 1)
        return shard

    def _do(self, at: int, done: CompletedStep, number: int) -> None:
        block = self._schedule.blocks[done.block]
        step = block.steps[done.place]
        source, target = self._named(block.gpu, step.source), self._named(block.gpu, step.target)
        wire = BufferRange(WIRE, 0, 0) if done.taken is None else self._under_way.pop(done.taken)
        held = target
        match step.kind:
            case MscclKind.SEND:
                held = source
            case MscclKind.RECEIVE | MscclKind.RECEIVE_COPY_SEND:
                self._copy(block.gpu, wire, target, number)
            case MscclKind.RECEIVE_REDUCE_SEND:
                held = BufferRange(RELAY, 0, step.count)
                self._buffers[RELAY] = max(held.length, self._buffers.get(RELAY, 0))
                self._copy(block.gpu, source, held, number)
                self._add(block.gpu, wire, held, number)
            case MscclKind.RECEIVE_REDUCE_COPY | MscclKind.RECEIVE_REDUCE_COPY_SEND:
                self._copy(block.gpu, source, target, number)
                self._add(block.gpu, wire, target, number)
            case MscclKind.COPY:
                self._copy(block.gpu, source, target, number)
            case MscclKind.REDUCE:
                self._add(block.gpu, source, target, number)
            case MscclKind.NOP:
                pass
        if done.taken is not None:
            self._taken[block.gpu].remove((wire.start, wire.end))
        if step.kind.sends:
            self._under_way[at] = self._free(block.send, step)
            self._steps.append(
                VerificationStep(Exchange.SEND, ((block.gpu, block.send),), held, self._under_way[at], number=number)
            )

    def _free(self, gpu: int, step: BlockStep) -> BufferRange:
        """The first free slot for a message in a GPU's wire buffer."""
        start = 0
        for begin, end in self._taken[gpu]:
            if start + step.count <= begin:
                break
            start = end
        insort(self._taken[gpu], (start, start + step.count))
        self._buffers[WIRE] = max(start + step.count, self._buffers.get(WIRE, 0))
        return BufferRange(WIRE, start, step.count)

    def _named(self, gpu: int, part: BufferRange) -> BufferRange:
        located = self._schedule.located(gpu, part, self._in_place)
        return replace(located, buffer=self._names[located.buffer])

    def _copy(self, gpu: int, source: BufferRange, target: BufferRange, number: int) -> None:
        if source != target:
            self._steps.append(VerificationStep(LocalOperation.COPY, ((gpu,),), source, target, number=number))

    def _add(self, gpu: int, source: BufferRange, target: BufferRange, number: int) -> None:
        self._steps.append(VerificationStep(LocalOperation.ADD, ((gpu,),), source, target, number=number))
