"""Schedules from the entries of a file: resolves the numbers of channels and buffers, and checks everything.

The n-th channel of a type from GPU a to GPU b is the n-th channel of that type from b to a.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import lcm
from typing import TypeVar

from p2smt.collective import Collective, Exchange
from p2smt.errors import VerifyError
from p2smt.frontend.asked_goal import AskedGoal
from p2smt.frontend.mscclpp.entry import BlockEntry, GpuEntry, PlanEntry
from p2smt.frontend.mscclpp.operations import BlockResources, read_operation, share_of
from p2smt.frontend.mscclpp.schedule import (
    INPUT,
    OUTPUT,
    SCRATCH,
    ChannelEnd,
    ChannelType,
    MscclppBlock,
    MscclppSchedule,
)
from p2smt.verify.limits import MAX_DEVICES
from p2smt.verify.operation import GOAL_COLLECTIVES, GoalCollective, blocks_of, has_root
from p2smt.wording import counted

_T = TypeVar("_T")

MAX_BLOCKS = 2**12
MAX_OPERATIONS = 2**15
MAX_MOVES = 2**20
MOST_IN_BLOCK = 64
MOST_PARTS = 2**10
MOST_VALUE = 2**31 - 1
"""Largest initial value of a semaphore, which the executor keeps in 32 bits."""
MOST_OF_GPU = 16
"""Limits of the executor: channels of a type per threadblock, barriers and semaphores per GPU."""

_COLLECTIVES: Mapping[str, GoalCollective] = {  # lacks SEND: a message is not a goal
    "allreduce": Collective.ALL_REDUCE,
    "allgather": Collective.ALL_GATHER,
    "reducescatter": Collective.REDUCE_SCATTER,
    "reduce_scatter": Collective.REDUCE_SCATTER,
    "alltoall": Exchange.ALL_TO_ALL,
    "broadcast": Collective.BROADCAST,
    "reduce": Collective.REDUCE,
}


def schedule_of(entry: PlanEntry, asked: AskedGoal) -> MscclppSchedule:
    """Return the schedule of a file, for the requested collective or else the one that it names; raises VerifyError."""
    gpus = len(entry.gpus)
    if not 1 <= gpus <= MAX_DEVICES:
        raise VerifyError(f"{counted(gpus, 'GPU')}; a plan has 1 to {MAX_DEVICES}")
    for at, gpu in enumerate(entry.gpus):
        if gpu.id != at:
            raise VerifyError(f"gpu {gpu.id} is in position {at}; the executor takes GPU n from position n")
    collective, root, note = _goal(entry, asked)
    inputs, outputs = _lengths(entry, collective)
    blocks: list[MscclppBlock] = []
    parts = _parts(entry)
    for gpu in entry.gpus:
        blocks += _blocks(gpu, gpus, {INPUT: inputs, OUTPUT: outputs, SCRATCH: gpu.scratch_chunks}, entry, parts)
        _check_size(blocks)
    return MscclppSchedule(
        gpus=gpus,
        collective=collective,
        root=root,
        inputs=inputs * parts,
        outputs=outputs * parts,
        scratch=max(gpu.scratch_chunks for gpu in entry.gpus) * parts,
        in_place=entry.inplace,
        blocks=tuple(blocks),
        semaphores=tuple(tuple(one.init_value for one in gpu.semaphores) for gpu in entry.gpus),
        notes=(note, *([] if parts == 1 else [f"chunks: {parts} for every one of the file, shared by threadblocks"])),
    )


def _parts(entry: PlanEntry) -> int:
    """Return the number of parts per chunk such that every cooperating threadblock gets whole parts."""
    parts = 1
    for gpu in entry.gpus:
        for block in gpu.threadblocks:
            for number, one in enumerate(block.ops):
                parts = lcm(parts, share_of(one, f"gpu {gpu.id} threadblock {block.id} op {number}")[1])
    if parts > MOST_PARTS:
        raise VerifyError(f"threadblocks share chunks in {parts} parts; at most {MOST_PARTS} are checked")
    return parts


def _goal(entry: PlanEntry, asked: AskedGoal) -> tuple[GoalCollective, int, str]:
    collective = asked.collective or _COLLECTIVES.get(entry.collective)
    if collective is None:
        names = ", ".join(one.hyphenated for one in GOAL_COLLECTIVES)
        raise VerifyError(f"collective {entry.collective[:40]!r} is unknown; say what the plan does (--goal {names})")
    whose = f'"{entry.collective[:40]}" says' if asked.collective is None else "asked for"
    note = f"goal: {collective} among {counted(len(entry.gpus), 'GPU')}, as {whose}"
    if has_root(collective):
        note += f"; root {asked.root or 0}" + ("" if asked.root is not None else ", because none is given (--root)")
    return collective, asked.root or 0, note


def _lengths(entry: PlanEntry, collective: GoalCollective) -> tuple[int, int]:
    """Return the lengths of i and o on every GPU in chunks; a file may give 0 for an unused buffer."""
    scattered, gathered = blocks_of(collective)
    gpus = len(entry.gpus)
    both = {(gpu.input_chunks, gpu.output_chunks) for gpu in entry.gpus}
    if len(both) > 1:
        first, second = sorted(both)[:2]
        raise VerifyError(f"GPUs have {first} and {second} chunks of i and o; it must be the same on all")
    ((given, left),) = both
    shards = scattered != gathered
    # `whole` is the payload, of which a buffer on a scattered side holds one block.
    whole = max(given * (gpus if shards and gathered else 1), left * (gpus if shards and scattered else 1))
    wanted = (whole // gpus if shards and gathered else whole, whole // gpus if shards and scattered else whole)
    if whole < 1 or ((scattered or gathered) and whole % gpus):
        raise VerifyError(f"{counted(whole, 'chunk')} do not divide into equal blocks for {counted(gpus, 'GPU')}")
    for name, has, needs in (("input_chunks", given, wanted[0]), ("output_chunks", left, wanted[1])):
        if has not in (0, needs):
            raise VerifyError(f"{name} is {has}; a {collective.hyphenated} of {counted(whole, 'chunk')} has {needs}")
    return wanted


def _blocks(gpu: GpuEntry, gpus: int, sizes: Mapping[str, int], plan: PlanEntry, parts: int) -> list[MscclppBlock]:
    channels = _channels(gpu, gpus)
    if len(gpu.semaphores) > MOST_OF_GPU:
        raise VerifyError(f"gpu {gpu.id} has {len(gpu.semaphores)} semaphores; the executor has {MOST_OF_GPU}")
    for number, semaphore in enumerate(gpu.semaphores):
        if not 0 <= semaphore.init_value <= MOST_VALUE:
            value = semaphore.init_value
            raise VerifyError(f"gpu {gpu.id} semaphore {number} begins at {value}; it is 0 to {MOST_VALUE}")
    blocks = []
    for at, block in enumerate(gpu.threadblocks):
        place = f"gpu {gpu.id} threadblock {block.id}"
        if block.id != at:
            raise VerifyError(f"{place} is in position {at}; the executor takes threadblock n from position n")
        if len(block.ops) > MOST_IN_BLOCK:
            raise VerifyError(f"{place} has {len(block.ops)} operations; the executor has room for {MOST_IN_BLOCK}")
        reach = replace(_reach(gpu, block, channels, plan, sizes, place), parts=parts)
        operations = tuple(read_operation(one, reach, f"{place} op {number}") for number, one in enumerate(block.ops))
        blocks.append(MscclppBlock(gpu.id, block.id, operations))
    return blocks


def _channels(gpu: GpuEntry, gpus: int) -> dict[ChannelType, list[ChannelEnd]]:
    """All channels of a GPU by their numbers in the file."""
    channels: dict[ChannelType, list[ChannelEnd]] = {kind: [] for kind in ChannelType}
    seen: Counter[tuple[str, int]] = Counter()
    for entry in gpu.channels:
        kind = channel_type(entry.channel_type, f"gpu {gpu.id} channels")
        for peer in entry.connected_to:
            if not 0 <= peer < gpus or peer == gpu.id:
                raise VerifyError(
                    f"gpu {gpu.id}: a channel is connected to {peer}, which is not another GPU of the plan"
                )
            channels[kind].append(ChannelEnd(gpu.id, peer, kind, seen[kind, peer]))
            seen[kind, peer] += 1
    return channels


def channel_type(name: str, place: str) -> ChannelType:
    """Return the channel type with this name; raises VerifyError if it is not supported."""
    if name not in list(ChannelType):
        raise VerifyError(f"{place}: channel type {name[:40]!r} is not supported; use memory or port")
    return ChannelType(name)


def _reach(
    gpu: GpuEntry,
    block: BlockEntry,
    channels: Mapping[ChannelType, Sequence[ChannelEnd]],
    plan: PlanEntry,
    sizes: Mapping[str, int],
    place: str,
) -> BlockResources:
    """The resources that a threadblock's operations can name."""
    used: dict[ChannelType, list[ChannelEnd]] = {kind: [] for kind in ChannelType}
    for entry in block.channels:
        kind = channel_type(entry.channel_type, place)
        used[kind] += [_at(channels[kind], number, f"{place}: {kind} channel") for number in entry.channel_ids]
        if len(used[kind]) > MOST_OF_GPU:
            raise VerifyError(
                f"{place} uses {len(used[kind])} {kind} channels; the executor has room for {MOST_OF_GPU}"
            )
    remote: dict[ChannelType, list[tuple[int, str, int]]] = {kind: [] for kind in ChannelType}
    for refs in block.remote_buffer_refs:
        kind = channel_type(refs.access_channel_type, place)
        for number in refs.remote_buffer_ids:
            there = _at(gpu.remote_buffers, number, f"{place}: remote buffer")
            if kind not in there.access_channel_types:
                raise VerifyError(f"{place}: remote buffer {number} is not accessible through channels of type {kind}")
            of = _at(plan.gpus, there.rank, f"{place}: remote buffer {number}: rank")
            length = of.scratch_chunks if there.type == SCRATCH else sizes.get(there.type, 0)
            remote[kind].append((there.rank, there.type, length))
    return BlockResources(gpu.id, sizes, used, remote, len(gpu.semaphores), len(gpu.threadblocks))


def _at(values: Sequence[_T], number: int, what: str) -> _T:
    if not 0 <= number < len(values):
        raise VerifyError(f"{what} {number} does not exist; there are {len(values)}, counted from 0")
    return values[number]


def _check_size(blocks: Sequence[MscclppBlock]) -> None:
    operations = sum(len(block.operations) for block in blocks)
    moves = sum(operation.moves for block in blocks for operation in block.operations)
    if len(blocks) > MAX_BLOCKS or operations > MAX_OPERATIONS or moves > MAX_MOVES:
        raise VerifyError(
            f"{len(blocks)} threadblocks, {operations} operations and {moves} moves of a chunk; at most {MAX_BLOCKS}, "
            f"{MAX_OPERATIONS} and {MAX_MOVES} are checked"
        )
