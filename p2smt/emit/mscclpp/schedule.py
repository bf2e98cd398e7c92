"""The operations of every GPU of a reduction group, by threadblock.

Each collective of a GPU has its own threadblocks, which process one chunk of the plan after the other, so collectives
of different chunks run concurrently. A semaphore passes the chunks on in order.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from p2smt.emit.msccl.blocks import Threadblock, runs_of
from p2smt.emit.msccl.chunks import ChunkedStep
from p2smt.emit.mscclpp.operation import ExecutorOperation, Link
from p2smt.emit.mscclpp.stream import MessageSlots, OperationStream, Peers, receives
from p2smt.errors import PlanError
from p2smt.wording import counted

MAX_BARRIERS = MAX_SEMAPHORES = 16
"""The executor's limits on barriers and semaphores per GPU."""

MAX_BLOCKS = 64
"""The most threadblocks per GPU: all run concurrently, so the GPU needs as many multiprocessors."""

Runs = dict[int, tuple[Threadblock, ...]]
"""The threadblocks of a collective by GPU, one per chunk of the plan."""


@dataclass(frozen=True, slots=True)
class GpuSchedule:
    """The threadblocks of a GPU, and its numbers of scratch chunks and semaphores."""

    blocks: tuple[tuple[ExecutorOperation, ...], ...]
    scratch: int
    semaphores: int


def gpu_schedules(
    steps: Sequence[ChunkedStep], gpus: int, buffer: str, by_port: Callable[[Link], bool]
) -> list[GpuSchedule]:
    """Return the schedule of every GPU; `buffer` is the buffer with the payload.

    Raises PlanError if a GPU would exceed the executor's limits.
    """
    runs = [runs_of(step) for step in steps]
    slots = [_Slots(runs, gpu) for gpu in range(gpus)]
    return [_gpu_schedule(runs, slots, gpu, buffer, by_port) for gpu in range(gpus)]


class _Slots:
    """The allocation of a GPU's scratch chunks to messages: `of[step, chunk]` in the order of their arrival."""

    def __init__(self, runs: Sequence[Runs], gpu: int) -> None:
        self.of: dict[tuple[int, int], tuple[int, ...]] = {}
        self.length = 0
        for step, by_gpu in enumerate(runs):
            for chunk, block in enumerate(by_gpu.get(gpu, ())):
                starts = []
                for move in block.moves:
                    if receives(move.kind):
                        starts.append(self.length)
                        self.length += move.count
                self.of[step, chunk] = tuple(starts)


def _gpu_schedule(
    runs: Sequence[Runs], slots: Sequence[_Slots], gpu: int, buffer: str, by_port: Callable[[Link], bool]
) -> GpuSchedule:
    own = [step for step, by_gpu in enumerate(runs) if gpu in by_gpu]
    streams: list[OperationStream] = []
    for place, step in enumerate(own):
        chunks = runs[step][gpu]
        peers = _peers(step, gpu, chunks[0], by_port)
        stream = OperationStream(buffer, peers, streams[-1].next_barrier if streams else 0)
        for chunk, block in enumerate(chunks):
            there = () if peers.out is None else slots[peers.out[2]].of[step, chunk]
            # Semaphore i hands chunks from this GPU's collective i to its collective i + 1.
            before = place - 1 if place else None
            after = place if place + 1 < len(own) else None
            stream.run(block, MessageSlots(slots[gpu].of[step, chunk], there), before, after)
        streams.append(stream)
    blocks = tuple(tuple(operations) for stream in streams for operations in stream.blocks)
    found = GpuSchedule(blocks, slots[gpu].length, max(0, len(own) - 1))
    _check(found, streams[-1].next_barrier if streams else 0)
    return found


def _peers(step: int, gpu: int, block: Threadblock, by_port: Callable[[Link], bool]) -> Peers:
    into = None if block.receive is None else (step, block.receive, gpu)
    out = None if block.send is None else (step, gpu, block.send)
    return Peers(into, out, out is not None and by_port(out))


def _check(gpu: GpuSchedule, barriers: int) -> None:
    for what, count, most in (
        ("threadblock", len(gpu.blocks), MAX_BLOCKS),
        ("barrier", barriers, MAX_BARRIERS),
        ("semaphore", gpu.semaphores, MAX_SEMAPHORES),
    ):
        if count > most:
            raise PlanError(
                f"the execution plan needs {counted(count, what)} per GPU, but MSCCL++ has room for "
                f"{most}; use smaller groups or fewer chunks"
            )
