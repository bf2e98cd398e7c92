"""Time lines: by hand, beside a simulation clock tick by clock tick, and as a trace."""

import json
from random import Random

from p2smt.cost.computing.time_line import Queue, StepTask, time_line, trace

COMPUTING, COMMUNICATION = Queue.COMPUTING, Queue.COMMUNICATION


def test_an_example_by_hand():
    tasks = [
        StepTask(name="a", queue=COMPUTING, duration=3, launch=1),
        StepTask(name="send", queue=COMMUNICATION, duration=5, launch=1, after=(0,)),
        StepTask(name="b", queue=COMPUTING, duration=4, launch=1),
    ]
    line = time_line(tasks)
    assert [(span.start, span.end) for span in line.spans] == [(1, 4), (4, 9), (4, 8)]
    assert (line.makespan, line.host, line.busy(COMPUTING)) == (9, 3, 7)
    (hiding,) = line.hidden()
    assert (hiding.beside, hiding.exposed, hiding.behind) == (4, 1, line.spans[2])
    late = time_line([*tasks, StepTask(name="c", queue=COMPUTING, duration=1, after=(1,))])
    assert late.makespan == 10
    host_bound = time_line([StepTask(name="view", queue=COMPUTING, duration=1, launch=10)] * 5)
    assert host_bound.makespan == 51


def test_contractions_lose_beside_communication():
    tasks = [
        StepTask(name="send", queue=COMMUNICATION, duration=100),
        StepTask(name="matmul", queue=COMPUTING, duration=50, is_contraction=True),
        StepTask(name="add", queue=COMPUTING, duration=50),
    ]
    assert [span.end for span in time_line(tasks, 0.1).spans] == [100, 55, 105]


def simulated(tasks):
    """Ends of tasks, one tick after the other: a queue runs its first task whose launch and dependencies are over."""
    launched, total = [], 0
    for task in tasks:
        total += task.launch
        launched.append(total)
    ends, running = {}, dict.fromkeys(Queue)
    waiting = {queue: [number for number, task in enumerate(tasks) if task.queue is queue] for queue in Queue}
    now = 0
    while len(ends) < len(tasks):
        for _ in tasks:
            for queue in Queue:
                if running[queue] is not None and now >= running[queue][1]:
                    ends[running[queue][0]] = running[queue][1]
                    running[queue] = None
                if running[queue] is None and waiting[queue]:
                    number = waiting[queue][0]
                    if launched[number] <= now and all(ends.get(each, now + 1) <= now for each in tasks[number].after):
                        waiting[queue].pop(0)
                        running[queue] = (number, now + tasks[number].duration)
        now += 1
    return [ends[number] for number in range(len(tasks))]


def test_a_time_line_is_a_simulation_by_ticks():
    rng = Random(3)
    for _ in range(60):
        tasks = [
            StepTask(
                name=str(number),
                queue=rng.choice(list(Queue)),
                duration=rng.randint(0, 6),
                launch=rng.randint(0, 3),
                after=tuple(sorted(rng.sample(range(number), min(number, rng.randint(0, 2))))),
            )
            for number in range(rng.randint(1, 9))
        ]
        line = time_line(tasks)
        assert [span.end for span in line.spans] == simulated(tasks)
        for hiding in line.hidden():
            ticks = set(range(hiding.span.start, hiding.span.end))
            computed = {
                tick for other in line.spans if other.task.queue is COMPUTING for tick in range(other.start, other.end)
            }
            assert hiding.beside == len(ticks & computed)
            assert hiding.exposed == len(ticks - computed)
            assert (hiding.behind is None) == (not hiding.beside)
            if hiding.behind is not None:
                own = [
                    len(ticks & set(range(other.start, other.end)))
                    for other in line.spans
                    if other.task.queue is COMPUTING
                ]
                assert len(ticks & set(range(hiding.behind.start, hiding.behind.end))) == max(own)
        assert line.makespan >= max(line.busy(queue) for queue in Queue)


def test_a_trace_has_a_track_for_the_host_and_each_queue():
    tasks = [
        StepTask(name="a", queue=COMPUTING, duration=3_000_000, launch=1_000_000),
        StepTask(name="send", queue=COMMUNICATION, duration=5_000_000, after=(0,)),
    ]
    document = json.loads(json.dumps(trace(time_line(tasks), "step")))
    spans = [
        (each["name"], each["tid"], each["ts"], each["dur"]) for each in document["traceEvents"] if each["ph"] == "X"
    ]
    assert spans == [("a", 0, 0.0, 1.0), ("a", 1, 1.0, 3.0), ("send", 2, 4.0, 5.0)]
