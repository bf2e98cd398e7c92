"""The JSON of a plan for MSCCL++'s executor: for a communicator of one reduction group, in place."""

import json
from collections.abc import Sequence
from typing import assert_never

from p2smt.collective import Collective
from p2smt.emit.msccl.chunks import chunk_count, chunked_steps, communicator
from p2smt.emit.mscclpp.operation import ExecutorOperation, Link, LocalChunks, Name, Slot
from p2smt.emit.mscclpp.schedule import GpuSchedule, gpu_schedules
from p2smt.reduction.plan.model import Plan

Entry = dict[str, object]

MEMORY, PORT = "memory", "port"
_SCRATCH = "s"
_WIDTH = 200


def emit_mscclpp(plan: Plan) -> str:
    """Return the text of the JSON file; GPU i is the i-th rank of a reduction group, and all groups run the same file.

    Raises PlanError for a plan that does not reach its goal, for groups of one device, and if a GPU would exceed the
    executor's limits on threadblocks, barriers or semaphores.
    """
    gpus, chunks = len(communicator(plan)), chunk_count(plan)
    machines = _machines(plan)
    kinds: dict[bool, str] = {False: MEMORY, True: PORT}
    buffer = "o" if plan.goal.gathers else "i"
    schedules = gpu_schedules(
        chunked_steps(plan, chunks),
        gpus,
        buffer,
        # Peers in another machine are reached through a port, others by memory.
        lambda link: machines is None or machines[link[1]] != machines[link[2]],
    )
    # Sorted, so that channels have the same numbers in every run.
    links = sorted(
        {operation.link for gpu in schedules for block in gpu.blocks for operation in block if operation.link}
    )
    channels = {link: kinds[machines is None or machines[link[1]] != machines[link[2]]] for link in links}
    shard = chunks // gpus
    sizes: Entry = {
        "input_chunks": shard if plan.goal.gathers else chunks,
        "output_chunks": shard if plan.goal.scatters else chunks,
    }
    document: Entry = {
        "name": f"p2smt_{plan.goal.underscored}_{gpus}",
        "collective": _collective(plan.goal),
        "protocol": "Simple",
        "inplace": True,
        "reuse_resources": False,
        "gpus": [_Gpu(number, schedule, channels).entry(sizes) for number, schedule in enumerate(schedules)],
        "num_threads_per_block": 1024,
        "use_double_scratch_buffer": False,
        "buffer_alignment": 16,
        "min_message_size": 0,
        "max_message_size": 2**64 - 1,
    }
    return f"{_text(document)}\n"


def _text(value: object, indent: str = "") -> str:
    """Return JSON, with every value that fits on one line kept on one line."""
    line = json.dumps(value)
    if len(indent) + len(line) <= _WIDTH or not isinstance(value, dict | list):
        return line
    inner = f"{indent} "
    if isinstance(value, dict):
        lines = [f"{inner}{json.dumps(key)}: {_text(entry, inner)}" for key, entry in value.items()]
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    return "[\n" + ",\n".join(f"{inner}{_text(entry, inner)}" for entry in value) + f"\n{indent}]"


def _machines(plan: Plan) -> list[int] | None:
    """Return the machine of every rank of a reduction group; None if the plan has no system."""
    if plan.system is None:
        return None
    return [plan.system.present[device] // plan.system.inside for device in communicator(plan)]


def _collective(goal: Collective) -> str:
    """Return the name of a collective in these files."""
    match goal:
        case Collective.ALL_REDUCE | Collective.ALL_GATHER | Collective.REDUCE_SCATTER:
            return goal.underscored.replace("_", "")
        case Collective.REDUCE | Collective.BROADCAST:
            return goal.underscored
        case _:
            assert_never(goal)


class _Gpu:
    """The JSON entry of a GPU, which numbers its channels of each type and the remote scratch buffers it writes to."""

    def __init__(self, number: int, schedule: GpuSchedule, channels: dict[Link, str]) -> None:
        self._number, self._schedule, self._types = number, schedule, channels
        own = [link for link in channels if number in link[1:]]
        self._channels = {kind: [link for link in own if channels[link] == kind] for kind in (MEMORY, PORT)}
        buffers = sorted({(channels[link], link[2]) for link in own if link[1] == number})
        self._buffers = {buffer: at for at, buffer in enumerate(buffers)}

    def entry(self, sizes: Entry) -> Entry:
        """Return the GPU's entry for the list `gpus`, including the fields of `sizes`."""
        return {
            "id": self._number,
            **sizes,
            "scratch_chunks": self._schedule.scratch,
            "threadblocks": [self._block(number, block) for number, block in enumerate(self._schedule.blocks)],
            "channels": [
                {"channel_type": kind, "connected_to": [self._peer(link) for link in links]}
                for kind, links in self._channels.items()
                if links
            ],
            "remote_buffers": [
                {"rank": gpu, "type": _SCRATCH, "access_channel_types": [kind]} for kind, gpu in self._buffers
            ],
            "semaphores": [{"init_value": 0} for _ in range(self._schedule.semaphores)],
        }

    def _peer(self, link: Link) -> int:
        return link[1] if link[2] == self._number else link[2]

    def _block(self, number: int, operations: Sequence[ExecutorOperation]) -> Entry:
        links = list(dict.fromkeys(one.link for one in operations if one.link))
        targets = [(one.link, target) for one in operations for target in one.targets if isinstance(target, Slot)]
        buffers = list(dict.fromkeys((self._types[link], target.gpu) for link, target in targets if link))
        kinds = [kind for kind in (MEMORY, PORT) if any(self._types[link] == kind for link in links)]
        return {
            "id": number,
            "ops": [self._operation(one, links, buffers) for one in operations],
            "channels": [
                {
                    "channel_type": kind,
                    "channel_ids": [self._channels[kind].index(link) for link in links if self._types[link] == kind],
                }
                for kind in kinds
            ],
            "remote_buffer_refs": [
                {
                    "access_channel_type": kind,
                    "remote_buffer_ids": [self._buffers[buffer] for buffer in buffers if buffer[0] == kind],
                }
                for kind in kinds
                if any(buffer[0] == kind for buffer in buffers)
            ],
        }

    def _operation(self, one: ExecutorOperation, links: Sequence[Link], buffers: Sequence[tuple[str, int]]) -> Entry:
        entry: Entry = {"name": one.name.value}
        kind = None if one.link is None else self._types[one.link]
        if one.sources:
            entry["src_buff"] = [_local(source) for source in one.sources]
            entry["dst_buff"] = [
                _local(target)
                if isinstance(target, LocalChunks)
                else {
                    "buffer_id": [gpu for of, gpu in buffers if of == kind].index(target.gpu),
                    "index": target.start,
                    "size": target.count,
                }
                for target in one.targets
            ]
        if one.link is not None and kind is not None:
            if kind == PORT or not one.sources:
                entry["channel_ids"] = [[link for link in links if self._types[link] == kind].index(one.link)]
            entry["channel_type"] = kind
        if one.name in (Name.REDUCE, Name.REDUCE_SEND):
            entry["reduce_op"] = "sum"
        if one.barrier is not None:
            entry |= {"barrier_id": one.barrier, "num_threadblocks": 2}
        if one.semaphore is not None:
            entry["semaphore_ids"] = [one.semaphore]
        return entry


def _local(part: LocalChunks) -> Entry:
    return {"type": part.buffer, "index": part.start, "size": part.count}
