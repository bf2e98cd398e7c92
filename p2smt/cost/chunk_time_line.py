"""Time lines of plans in chunks: the slots of `network/pipelining.py`, with runs of equal slots merged.

In slot t chunk c is in stage t - c, so stages max(0, t - chunks + 1) ... min(t, stages - 1) are active, and slots with
the same active stages take equally long. There are at most 2 * stages - 1 such windows, whatever the number of chunks.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from p2smt.cost.network.cost import Cost
from p2smt.cost.network.pipelining import ChunkStage, Pipelines, joining_seconds, slot_causes, stage_numbers
from p2smt.problem.quantity import format_seconds
from p2smt.reduction.plan.chunking import payload_chunks, slots
from p2smt.reduction.plan.model import CollectiveStep, GroupRule, Plan
from p2smt.wording import counted

MEMORY = "memory"
CORES = "shared cores"


@dataclass(frozen=True, slots=True)
class ChunkWork:
    """A stage at work on a chunk (both numbered from 0): `start` seconds after its slot begins, for `seconds`."""

    stage: int
    chunk: int
    start: float
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotRange:
    """`count` consecutive slots with the same active stages; the first one has number `first`, from 0.

    The first slot begins at `begin` seconds. Every slot takes `seconds` and waits for `waits_for`, its slowest resource
    or step. `work` describes the first slot; in every next slot each stage works on the next chunk. `busy` lists the
    seconds for which one slot keeps links, the device memory and the shared cores busy.
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
    """The time line of `chunks` passing through stages.

    A stage is one collective with the local permutations before it, or the permutations at the end of the plan.
    `numbers` holds the numbers (from 1) of each stage's steps in the plan, and `stages` describes them. `joining_s` is
    the time to assemble the results after the last slot.
    """

    chunks: int
    numbers: tuple[tuple[int, ...], ...]
    stages: tuple[str, ...]
    slots: tuple[SlotRange, ...]
    joining_s: float

    @property
    def seconds(self) -> float:
        """The time of all slots, and of assembling the results."""
        return sum(run.count * run.seconds for run in self.slots) + self.joining_s

    @property
    def resources(self) -> dict[str, float]:
        """The seconds for which links, memory and shared cores are busy in all slots, in descending order."""
        busy: defaultdict[str, float] = defaultdict(float)
        for run in self.slots:
            for resource, seconds in run.busy:
                busy[resource] += run.count * seconds
        return dict(sorted(busy.items(), key=lambda each: (-each[1], each[0])))


def chunk_time_line(plan: Plan, cost: Cost) -> ChunkTimeLine:
    """Return the time line of a plan in chunks. A short payload has fewer chunks; all are priced as the longest one."""
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
    """Yield the active stages of a slot; stages of the same groups run one after the other, earlier chunks first."""
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
    """Return the text of consecutive step, chunk or slot numbers.

    >>> numbers_text((3,)), numbers_text((2, 3, 4))
    ('3', '2-4')
    """
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"


def time_line_columns(line: ChunkTimeLine) -> list[str]:
    """Return the headings of the table of slots: the slots, then one column per stage, then one per resource."""
    return ["slots", "begin", "takes", "waits for", *map(numbers_text, line.numbers), *line.resources]


def time_line_rows(line: ChunkTimeLine) -> Iterator[list[str]]:
    """Yield a row per range of equal slots: the chunks that stages work on, the utilisation of each resource."""
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
    """Return the time line as sentences, for screen readers."""
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
    """Return `count` numbers that start at `first`, shifted from counting from 0 to counting from 1."""
    return range(first + 1, first + count + 1)
