"""MSCCL schedules (XML) as verification plans.

The steps of all threadblocks are put into one order in which they can be done; a step of the plan has its position in
that order as number, from 1, and the label `gpu 0 threadblock 1 step 2, rrc`. Since no two steps race, every other
order that the dependencies allow ends with the same result. Chunks keep the numbers that they have in the file.

A payload is cut into rounds, which all go through the schedule; what one leaves behind in a connection would reach the
next, so it is refused.
"""

from bisect import insort
from dataclasses import replace

from p2smt.collective import Exchange
from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AS_WRITTEN, AskedGoal
from p2smt.frontend.builder import DATA
from p2smt.frontend.msccl.order import Done, order_of
from p2smt.frontend.msccl.races import race_of
from p2smt.frontend.msccl.schedule import INPUT, OUTPUT, SCRATCH, BlockStep, Kind, Schedule
from p2smt.frontend.msccl.xml_file import read_schedule
from p2smt.verify.goal import check_goal
from p2smt.verify.judge import judge
from p2smt.verify.limits import check_size
from p2smt.verify.operation import Local
from p2smt.verify.plan import Part, Step, VerificationPlan
from p2smt.verify.verdict import Invalid

WIRE, RELAY = "wire", "relay"


def parse_msccl(data: bytes, path: str, asked: AskedGoal = AS_WRITTEN) -> VerificationPlan | Invalid:
    """The plan that a schedule comes to, or why it cannot be carried out; `path` names it in messages.

    Of what is no all-reduce the goal has to be asked for, and input and output have to be two buffers if one is a
    shard. A schedule with inplace="1" and outofplace="1" has to be right both ways: a mistake with two buffers comes
    back as Invalid, and the plan is that with one. Raises VerifyError with the place of the mistake.
    """
    try:
        schedule = read_schedule(data, asked.collective)
        sizes = {DATA: max(schedule.inputs, schedule.outputs), SCRATCH: schedule.scratch}
        check_size(schedule.gpus, sizes, 0)
        if not schedule.in_place:
            return _plan(schedule, asked, in_place=False)
        if schedule.out_of_place and (mistake := _mistake(schedule, asked)):
            return replace(mistake, message=f"out of place, {mistake.message}")
        return _plan(schedule, asked, in_place=True)
    except VerifyError as cause:
        raise VerifyError(f"{path}: {cause}") from cause


def _mistake(schedule: Schedule, asked: AskedGoal) -> Invalid | None:
    """What is wrong where input and output are two buffers."""
    plan = _plan(schedule, asked, in_place=False)
    verdict = plan if isinstance(plan, Invalid) else judge(plan)
    return verdict if isinstance(verdict, Invalid) else None


def _plan(schedule: Schedule, asked: AskedGoal, in_place: bool) -> VerificationPlan | Invalid:
    order = order_of(schedule)
    if isinstance(order, Invalid):
        return order
    return race_of(schedule, order, in_place) or _Steps(schedule, order, in_place).plan(asked)


class _Steps:
    """The steps of the plan; what is under way lies in its receiver's wire buffer."""

    def __init__(self, schedule: Schedule, order: tuple[Done, ...], in_place: bool) -> None:
        self._schedule, self._order = schedule, order
        self._names = {INPUT: DATA, OUTPUT: DATA} if in_place else {INPUT: "input", OUTPUT: "output"}
        self._names[SCRATCH] = "scratch"
        self._buffers = {self._names[OUTPUT]: schedule.outputs, self._names[INPUT]: schedule.inputs}
        if schedule.scratch:
            self._buffers["scratch"] = schedule.scratch
        self._steps: list[Step] = []
        self._under_way: dict[int, Part] = {}
        self._taken: list[list[tuple[int, int]]] = [[] for _ in range(schedule.gpus)]

    def plan(self, asked: AskedGoal) -> VerificationPlan:
        """The plan."""
        schedule, labels = self._schedule, []
        for at, done in enumerate(self._order):
            labels.append((at + 1, schedule.said(done.block, done.place)))
            self._do(at, done, at + 1)
        check_size(schedule.gpus, self._buffers, len(self._steps))
        buffers = tuple(self._buffers.items())
        source, target = Part(self._names[INPUT], 0, schedule.inputs), Part(self._names[OUTPUT], 0, schedule.outputs)
        goal = asked.between(schedule.gpus, source, target)
        check_goal(goal, schedule.gpus, buffers)
        return VerificationPlan(
            devices=schedule.gpus, buffers=buffers, goal=goal, steps=tuple(self._steps), labels=tuple(labels)
        )

    def _do(self, at: int, done: Done, number: int) -> None:
        block = self._schedule.blocks[done.block]
        step = block.steps[done.place]
        source, target = self._named(step.source), self._named(step.target)
        wire = Part(WIRE, 0, 0) if done.taken is None else self._under_way.pop(done.taken)
        held = target
        match step.kind:
            case Kind.SEND:
                held = source
            case Kind.RECEIVE | Kind.RECEIVE_COPY_SEND:
                self._copy(block.gpu, wire, target, number)
            case Kind.RECEIVE_REDUCE_SEND:
                held = Part(RELAY, 0, step.count)
                self._buffers[RELAY] = max(held.length, self._buffers.get(RELAY, 0))
                self._copy(block.gpu, source, held, number)
                self._add(block.gpu, wire, held, number)
            case Kind.RECEIVE_REDUCE_COPY | Kind.RECEIVE_REDUCE_COPY_SEND:
                self._copy(block.gpu, source, target, number)
                self._add(block.gpu, wire, target, number)
            case Kind.COPY:
                self._copy(block.gpu, source, target, number)
            case Kind.REDUCE:
                self._add(block.gpu, source, target, number)
            case Kind.NOP:
                pass
        if done.taken is not None:
            self._taken[block.gpu].remove((wire.start, wire.end))
        if step.kind.sends:
            self._under_way[at] = self._free(block.send, step)
            self._steps.append(
                Step(Exchange.SEND, ((block.gpu, block.send),), held, self._under_way[at], number=number)
            )

    def _free(self, gpu: int, step: BlockStep) -> Part:
        """The first room for a message in a GPU's wire buffer."""
        start = 0
        for begin, end in self._taken[gpu]:
            if start + step.count <= begin:
                break
            start = end
        insort(self._taken[gpu], (start, start + step.count))
        self._buffers[WIRE] = max(start + step.count, self._buffers.get(WIRE, 0))
        return Part(WIRE, start, step.count)

    def _named(self, part: Part) -> Part:
        return replace(part, buffer=self._names[part.buffer])

    def _copy(self, gpu: int, source: Part, target: Part, number: int) -> None:
        if source != target:
            self._steps.append(Step(Local.COPY, ((gpu,),), source, target, number=number))

    def _add(self, gpu: int, source: Part, target: Part, number: int) -> None:
        self._steps.append(Step(Local.ADD, ((gpu,),), source, target, number=number))
