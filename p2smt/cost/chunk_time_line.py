"""Time lines of plans in chunks: the slots of `pipelining.py`, equal ones joined, with the step of every chunk."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from p2smt.cost.network.backend import Cost
from p2smt.cost.pipelining import ChunkStage, Pipelines, joining_seconds, slot_causes, stage_numbers
from p2smt.problem.quantity import format_seconds
from p2smt.reduction.plan.chunking import payload_chunks, slots
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, Plan
from p2smt.wording import counted

MEMORY = "memory"
CORES = "shared cores"


@dataclass(frozen=True, slots=True)
class ChunkWork:
    """A stage on a chunk, both from 0, from `start` seconds after its slot's begin on, for so many seconds."""

    stage: int
    chunk: int
    start: float
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotRange:
    """`count` slots in which the same stages are at work, from number `first` on, counted from 0.

    The first begins after `begin` seconds, and every one takes `seconds`, in which it waits for `waits_for`. `work` is
    that of the first slot; in each next one a stage is at work on the chunk after. `busy` are the seconds for which a
    slot keeps links, the device's memory, and shared cores busy.
    """

    first: int
    count: int
    begin: float
    seconds: float
    waits_for: str
    work: tuple[ChunkWork, ...]
    busy: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkTimeLine:
    """`chunks` going through stages: a collective each, with the local permutations before it; or those at the end.

    `numbers` are those of each stage's steps in the plan, from 1, and `stages` says what they do. `joining_s` is what
    it takes to put the results together after all slots.
    """

    chunks: int
    numbers: tuple[tuple[int, ...], ...]
    stages: tuple[str, ...]
    slots: tuple[SlotRange, ...]
    joining_s: float

    @property
    def seconds(self) -> float:
        """All slots, and what follows them."""
        return sum(run.count * run.seconds for run in self.slots) + self.joining_s

    @property
    def resources(self) -> dict[str, float]:
        """The seconds for which links, memory and shared cores are busy in all slots, the busiest first."""
        busy: defaultdict[str, float] = defaultdict(float)
        for run in self.slots:
            for resource, seconds in run.busy:
                busy[resource] += run.count * seconds
        return dict(sorted(busy.items(), key=lambda each: (-each[1], each[0])))


def chunk_time_line(plan: Plan, cost: Cost) -> ChunkTimeLine:
    """The time line of a plan in its chunks, of which a short payload has fewer; all are priced as the longest."""
    stages, chunks = Pipelines(cost).stages(plan), len(payload_chunks(plan))
    numbers = stage_numbers(plan)
    names = [str(own[-1]) for own in numbers]
    network, begin = cost.system.network, 0.0
    runs: list[SlotRange] = []
    every = enumerate(slots(chunks, len(stages)))
    for (first, last), alike in groupby(every, key=lambda one: (one[1][-1][1], one[1][0][1])):
        listed = list(alike)
        (number, slot), at_work = listed[0], stages[first : last + 1]
        causes = slot_causes(at_work, names[first : last + 1], network)
        waits_for = max(causes, key=lambda cause: causes[cause])
        # One entry for many slots alike: a plan of 256 chunks has as many rows as stages have windows.
        runs.append(
            SlotRange(
                first=number,
                count=len(listed),
                begin=begin,
                seconds=causes[waits_for],
                waits_for=waits_for,
                work=tuple(_work(slot, stages)),
                busy=_busy(at_work),
            )
        )
        begin += len(listed) * causes[waits_for]
    return ChunkTimeLine(
        chunks=chunks,
        numbers=numbers,
        stages=tuple(_stage_text(plan, own) for own in numbers),
        slots=tuple(runs),
        joining_s=joining_seconds(plan, network),
    )


def _work(slot: Sequence[tuple[int, int]], stages: Sequence[ChunkStage]) -> Iterator[ChunkWork]:
    """The stages at work in a slot; those of the same groups one after the other, the earlier chunk first."""
    free: defaultdict[GroupRule | None, float] = defaultdict(float)
    for chunk, number in slot:
        stage = stages[number]
        # A communicator does one call at a time, in the order in which they are begun.
        yield ChunkWork(number, chunk, free[stage.rule], stage.seconds)
        free[stage.rule] += stage.seconds


def _busy(at_work: Sequence[ChunkStage]) -> tuple[tuple[str, float], ...]:
    busy: defaultdict[str, float] = defaultdict(float)
    for stage in at_work:
        for link, seconds in stage.busy:
            busy[link] += seconds
        busy[MEMORY] += stage.memory_s
        busy[CORES] += stage.processors_s
    return tuple((resource, seconds) for resource, seconds in busy.items() if seconds)


def _stage_text(plan: Plan, numbers: Sequence[int]) -> str:
    step = plan.steps[numbers[-1] - 1]
    if not isinstance(step, CollectiveStep):
        return "local permutation"
    levels = dict.fromkeys(plan.digits[index].level for index in step.groups.varying)
    return f"{step.collective} {', '.join(levels)}"


def numbers_text(numbers: Sequence[int]) -> str:
    """Steps, chunks or slots by their numbers.

    >>> numbers_text((3,)), numbers_text((2, 3, 4))
    ('3', '2-4')
    """
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"


def time_line_columns(line: ChunkTimeLine) -> list[str]:
    """The headings of a table of slots: after what a slot waits for, the numbers of steps; links, memory, cores."""
    return ["slots", "begin", "takes", "waits for", *map(numbers_text, line.numbers), *line.resources]


def time_line_rows(line: ChunkTimeLine) -> Iterator[list[str]]:
    """A row for slots alike: the chunks that steps are at work on, and for which part of them links are busy."""
    for run in line.slots:
        chunks = {work.stage: numbers_text(_numbers(work.chunk, run.count)) for work in run.work}
        busy = dict(run.busy)
        yield [
            numbers_text(_numbers(run.first, run.count)),
            format_seconds(run.begin),
            format_seconds(run.seconds),
            run.waits_for,
            *(chunks.get(stage, "") for stage in range(len(line.stages))),
            *(f"{busy[one] / run.seconds:.0%}" if busy.get(one) else "" for one in line.resources),
        ]
    if line.joining_s:
        blank = [""] * (len(line.stages) + len(line.resources))
        begin = line.seconds - line.joining_s
        yield ["then", format_seconds(begin), format_seconds(line.joining_s), "putting together", *blank]


def time_line_words(line: ChunkTimeLine) -> str:
    """The time line read aloud: slots alike with the chunks that steps are at work on, and what they wait for."""
    steps = ", ".join(f"{numbers_text(own)} {text}" for own, text in zip(line.numbers, line.stages, strict=True))
    sentences = [
        f"{counted(line.chunks, 'chunk')} in {format_seconds(line.seconds)}, through the steps {steps or 'none'}"
    ]
    for run in line.slots:
        work = ", ".join(
            f"step {numbers_text(line.numbers[one.stage])} on "
            f"chunk{'s' if run.count > 1 else ''} {numbers_text(_numbers(one.chunk, run.count))}"
            for one in sorted(run.work, key=lambda one: one.stage)
        )
        which = f"Slots {numbers_text(_numbers(run.first, run.count))}, {format_seconds(run.seconds)} each, from"
        if run.count == 1:
            which = f"Slot {run.first + 1}, {format_seconds(run.seconds)}, from"
        sentences.append(f"{which} {format_seconds(run.begin)} on: {work}; waits for {run.waits_for}")
    if line.joining_s:
        sentences.append(f"Then the results are put together, {format_seconds(line.joining_s)}")
    return f"{'. '.join(sentences)}."


def _numbers(first: int, count: int) -> range:
    """`count` numbers that are counted from 0 as they are printed, from 1."""
    return range(first + 1, first + count + 1)
