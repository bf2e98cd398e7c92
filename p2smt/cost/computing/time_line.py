"""The time line of a step: a host that launches in order, and two queues per device, computing and communication.

    launched(i) = launched(i - 1) + launch(i)
    start(i)    = max(launched(i), end of the previous task in the same queue, ends of all tasks that i depends on)
    end(i)      = start(i) + duration(i)

The step takes its makespan. A contraction that begins while the other queue is busy takes `overlap_loss` longer. Times
are whole picoseconds; one pass over the tasks. This is list scheduling in program order, as CUDA streams execute it
(Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17, 1969).

Example: kernels of 3 and 4 with a launch of 1 each, and between them a collective of 5 on which nothing depends.
Launches end at 1, 2 and 3; the kernels run from 1 to 4 and 4 to 8, the collective from 4 to 9, of which 4 are hidden.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum


class Queue(StrEnum):
    """A device's two queues."""

    COMPUTING = "computing"
    COMMUNICATION = "communication"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTask:
    """A kernel or a collective: its picoseconds on its queue and on the host, and the earlier tasks it waits for."""

    name: str
    queue: Queue
    duration: int
    launch: int = 0
    after: tuple[int, ...] = ()
    is_contraction: bool = False


@dataclass(frozen=True, slots=True)
class TaskSpan:
    """The launch, start and end of a task, in picoseconds."""

    task: StepTask
    launched: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CollectiveOverlap:
    """A collective, the time that computation hides, and the kernel that hides most of it (None if none does)."""

    span: TaskSpan
    beside: int
    behind: TaskSpan | None

    @property
    def exposed(self) -> int:
        """The time of the collective that no computation hides."""
        return self.span.end - self.span.start - self.beside


@dataclass(frozen=True, slots=True)
class StepTimeLine:
    """The spans of all tasks, in order."""

    spans: tuple[TaskSpan, ...]

    @property
    def makespan(self) -> int:
        """The end of the last task, or of the host's launches if that is later."""
        return max((max(span.end, span.launched) for span in self.spans), default=0)

    @property
    def host(self) -> int:
        """The time of the host's launches."""
        return self.spans[-1].launched if self.spans else 0

    def busy(self, queue: Queue) -> int:
        """Return the busy time of a queue."""
        return sum(span.end - span.start for span in self.spans if span.task.queue is queue)

    def hidden(self) -> tuple[CollectiveOverlap, ...]:
        """Return every collective with the computation that overlaps it."""
        computing = [span for span in self.spans if span.task.queue is Queue.COMPUTING and span.end > span.start]
        found, first = list[CollectiveOverlap](), 0
        for span in self.spans:
            if span.task.queue is Queue.COMPUTING:
                continue
            # Both lists ascend, so kernels that ended before this collective are passed over for good: linear in all.
            while first < len(computing) and computing[first].end <= span.start:
                first += 1
            parts, number = list[int](), first
            while number < len(computing) and computing[number].start < span.end:
                other = computing[number]
                parts.append(min(span.end, other.end) - max(span.start, other.start))
                number += 1
            longest = computing[first + parts.index(max(parts))] if any(parts) else None
            found.append(CollectiveOverlap(span, sum(parts), longest))
        return tuple(found)


def time_line(tasks: Sequence[StepTask], overlap_loss: float = 0.0) -> StepTimeLine:
    """Return the spans of tasks launched in this order."""
    free = dict.fromkeys(Queue, 0)
    spans, launched = list[TaskSpan](), 0
    for task in tasks:
        launched += task.launch
        ends = [spans[number].end for number in task.after]
        start = max(launched, free[task.queue], *ends) if ends else max(launched, free[task.queue])
        other = Queue.COMMUNICATION if task.queue is Queue.COMPUTING else Queue.COMPUTING
        # Both queues share the device; in this model only contractions are slowed down.
        slowed = task.is_contraction and free[other] > start
        end = start + (round(task.duration * (1 + overlap_loss)) if slowed else task.duration)
        free[task.queue] = end
        spans.append(TaskSpan(task, launched, start, end))
    return StepTimeLine(tuple(spans))


_TRACKS = ("host", *Queue)


def trace(line: StepTimeLine, name: str) -> dict[str, object]:
    """Return the time line as a Chrome trace (in microseconds), with one track for the host and one per queue."""
    events: list[dict[str, object]] = [
        {"name": "process_name", "ph": "M", "pid": 0, "args": {"name": name}},
        *(
            {"name": "thread_name", "ph": "M", "pid": 0, "tid": number, "args": {"name": track}}
            for number, track in enumerate(_TRACKS)
        ),
    ]
    for span in line.spans:
        if span.task.launch:
            events.append(_event(span.task.name, 0, span.launched - span.task.launch, span.task.launch))
        if span.end > span.start:
            events.append(_event(span.task.name, _TRACKS.index(span.task.queue), span.start, span.end - span.start))
    return {"traceEvents": events, "displayTimeUnit": "ms"}


def _event(name: str, track: int, start: int, duration: int) -> dict[str, object]:
    return {"name": name, "ph": "X", "pid": 0, "tid": track, "ts": start / 1e6, "dur": duration / 1e6}
