"""Reading of single operations of a file, with every name resolved."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from p2smt.errors import VerifyError
from p2smt.frontend.mscclpp.entry import BufferEntry, OperationEntry
from p2smt.frontend.mscclpp.schedule import (
    ChannelEnd,
    ChannelType,
    MscclppKind,
    MscclppOperation,
    Region,
    SummedTransfer,
)
from p2smt.verify.plan import BufferRange

MOST_CHANNELS = 8
MOST_BUFFERS = MOST_CHANNELS + 2
MOST_BARRIERS = 16
MOST_SHARES = 64
"""The most shares of an operation, and of a GPU, that the executor supports."""


@dataclass(frozen=True, slots=True)
class BlockResources:
    """The resources that a threadblock's operations may name: lengths of its buffers, channels, remote buffers by type.

    A remote buffer is a GPU, a name and a length. Every chunk of the file is `parts` chunks of the schedule; an
    operation takes share number `share[0]` of `share[1]`.
    """

    gpu: int
    sizes: Mapping[str, int]
    channels: Mapping[ChannelType, Sequence[ChannelEnd]]
    remote: Mapping[ChannelType, Sequence[tuple[int, str, int]]]
    semaphores: int
    blocks: int
    parts: int = 1
    share: tuple[int, int] = (0, 1)


def read_operation(entry: OperationEntry, reach: BlockResources, place: str) -> MscclppOperation:
    """The operation of an entry; raises VerifyError for an unsupported one or an unknown name."""
    if entry.name not in list(MscclppKind):
        raise VerifyError(
            f"{place}: {entry.name[:40]!r} is not supported; supported operations are {', '.join(MscclppKind)}"
        )
    kind = MscclppKind(entry.name)
    place = f"{place}, {kind}"
    if entry.iter_context is not None:
        raise VerifyError(f"{place}: iterations are not supported; write the operations out")
    reach = replace(reach, share=share_of(entry, place))
    if entry.reduce_op != "sum":
        raise VerifyError(f"{place}: reduce_op {entry.reduce_op[:40]!r} is not supported; use sum")
    match kind:
        case (
            MscclppKind.COPY
            | MscclppKind.REDUCE
            | MscclppKind.REDUCE_SEND
            | MscclppKind.READ_REDUCE
            | MscclppKind.READ_REDUCE_SEND
        ):
            return MscclppOperation(kind=kind, transfers=(_sum(kind, entry, reach, place),))
        case MscclppKind.GET:
            return MscclppOperation(kind=kind, transfers=tuple(_gets(entry, reach, place)))
        case MscclppKind.PUT | MscclppKind.PUT_WITH_SIGNAL | MscclppKind.PUT_WITH_SIGNAL_AND_FLUSH:
            return _puts(kind, entry, reach, place)
        case _:
            return _synchronization(kind, entry, reach, place)


def share_of(entry: OperationEntry, place: str) -> tuple[int, int]:
    """The index of this threadblock among those that share an operation, and their number."""
    if entry.tbg_info is None:
        return 0, 1
    number, count = entry.tbg_info.get("tb_id", -1), entry.tbg_info.get("tbg_size", 0)
    if not 0 <= number < count <= MOST_SHARES:
        raise VerifyError(
            f"{place}: tb_id {number} of tbg_size {count}; tbg_size is 1 to {MOST_SHARES}, and "
            "tb_id is from 0 to tbg_size - 1"
        )
    return number, count


def _synchronization(kind: MscclppKind, entry: OperationEntry, reach: BlockResources, place: str) -> MscclppOperation:
    """A synchronization operation, which touches no buffer."""
    if kind is MscclppKind.BARRIER:
        return MscclppOperation(kind=kind, barrier=_barrier(entry, reach, place))
    if kind in (MscclppKind.ACQUIRE, MscclppKind.RELEASE):
        return MscclppOperation(kind=kind, semaphores=_semaphores(entry, reach, place))
    return MscclppOperation(kind=kind, channels=() if kind is MscclppKind.NOP else _channels(entry, reach, place))


def _barrier(entry: OperationEntry, reach: BlockResources, place: str) -> tuple[int, int]:
    number, members = entry.barrier_id, entry.num_threadblocks
    if number is None or not 0 <= number < MOST_BARRIERS or not 1 <= members <= reach.blocks:
        raise VerifyError(
            f"{place}: barrier_id {number} of {members} threadblocks; there are barriers 0 to {MOST_BARRIERS - 1}, and "
            f"{reach.blocks} threadblocks on the GPU"
        )
    return number, members


def _semaphores(entry: OperationEntry, reach: BlockResources, place: str) -> tuple[int, ...]:
    if wrong := [number for number in entry.semaphore_ids if not 0 <= number < reach.semaphores]:
        raise VerifyError(f"{place}: semaphore {wrong[0]}; the GPU has {reach.semaphores}, counted from 0")
    return _distinct(entry.semaphore_ids, "semaphore_ids", place)


def _channels(entry: OperationEntry, reach: BlockResources, place: str) -> tuple[ChannelEnd, ...]:
    channels = reach.channels[_type(entry, place)]
    if wrong := [number for number in entry.channel_ids if not 0 <= number < len(channels)]:
        raise VerifyError(f"{place}: channel_ids {wrong[0]}; the threadblock has {len(channels)}, counted from 0")
    numbers = _distinct(entry.channel_ids, "channel_ids", place)
    return tuple(channels[number] for number in numbers)


def _distinct(numbers: tuple[int, ...], what: str, place: str) -> tuple[int, ...]:
    if not numbers or len(set(numbers)) < len(numbers) or len(numbers) > MOST_CHANNELS:
        raise VerifyError(f"{place}: {what} {list(numbers)}; give 1 to {MOST_CHANNELS} different numbers")
    return numbers


def _type(entry: OperationEntry, place: str) -> ChannelType:
    if entry.channel_type not in list(ChannelType):
        raise VerifyError(f"{place}: channel_type {entry.channel_type[:40]!r}; it is memory or port")
    return ChannelType(entry.channel_type)


def _sum(kind: MscclppKind, entry: OperationEntry, reach: BlockResources, place: str) -> SummedTransfer:
    """A reduction of all sources into all targets; the first of each is the GPU's own buffer."""
    reads_others = kind in (MscclppKind.READ_REDUCE, MscclppKind.READ_REDUCE_SEND)
    sends = kind in (MscclppKind.REDUCE_SEND, MscclppKind.READ_REDUCE_SEND)
    remote = _memory(entry, reach, place) if reads_others or sends else ()
    least, most = (1, 1) if kind is MscclppKind.COPY else (2, MOST_BUFFERS)
    _check_count("src_buff", entry.src_buff, least, most, place)
    _check_count("dst_buff", entry.dst_buff, 2 if sends else 1, most if sends else 1, place)
    sources = [_own(entry.src_buff[0], reach, place)]
    sources += [
        _there(one, remote, reach, place) if reads_others else _own(one, reach, place) for one in entry.src_buff[1:]
    ]
    targets = [
        _own(entry.dst_buff[0], reach, place),
        *(_there(one, remote, reach, place) for one in entry.dst_buff[1:]),
    ]
    _check_lengths([*sources, *targets], place)
    return SummedTransfer(tuple(sources), tuple(targets))


def _gets(entry: OperationEntry, reach: BlockResources, place: str) -> list[SummedTransfer]:
    remote = _memory(entry, reach, place)
    found = []
    for source, target in _pairs(entry, place):
        if source.index != target.index:
            raise VerifyError(
                f"{place}: from index {source.index} to {target.index}; the executor swaps the two indices, so "
                "they have to be equal"
            )
        found.append(_transfer(_there(source, remote, reach, place), _own(target, reach, place), None, place))
    return found


def _puts(kind: MscclppKind, entry: OperationEntry, reach: BlockResources, place: str) -> MscclppOperation:
    by = _type(entry, place)
    pairs, remote = _pairs(entry, place), reach.remote[by]
    if by is ChannelType.MEMORY:
        if kind is not MscclppKind.PUT:
            raise VerifyError(f"{place}: puts with a signal are for ports; write put, nop, signal")
        if len({source.type for source, _ in pairs}) > 1:
            raise VerifyError(
                f"{place}: sources in several buffers; the executor reads all from the buffer of the first, so use one"
            )
        channels: tuple[ChannelEnd | None, ...] = (None,) * len(pairs)
    else:
        channels = _channels(entry, reach, place)
        if len(channels) != len(pairs):
            raise VerifyError(
                f"{place}: {len(channels)} channel_ids for {len(pairs)} targets; give one for every target"
            )
    transfers = []
    for (source, target), channel in zip(pairs, channels, strict=True):
        there = _there(target, remote, reach, place)
        if channel is not None and channel.peer != there.gpu:
            raise VerifyError(
                f"{place}: a channel to gpu {channel.peer} for a buffer of gpu {there.gpu}; the two have to be the same"
            )
        transfers.append(_transfer(_own(source, reach, place), there, channel, place))
    signalled = tuple(one for one in channels if one is not None) if kind is not MscclppKind.PUT else ()
    return MscclppOperation(kind=kind, transfers=tuple(transfers), channels=signalled)


def _pairs(entry: OperationEntry, place: str) -> list[tuple[BufferEntry, BufferEntry]]:
    _check_count("src_buff", entry.src_buff, 1, MOST_CHANNELS, place)
    if len(entry.src_buff) != len(entry.dst_buff):
        raise VerifyError(f"{place}: {len(entry.src_buff)} sources for {len(entry.dst_buff)} targets")
    return list(zip(entry.src_buff, entry.dst_buff, strict=True))


def _transfer(source: Region, target: Region, port: ChannelEnd | None, place: str) -> SummedTransfer:
    _check_lengths([source, target], place)
    return SummedTransfer((source,), (target,), port)


def _memory(entry: OperationEntry, reach: BlockResources, place: str) -> Sequence[tuple[int, str, int]]:
    if _type(entry, place) is not ChannelType.MEMORY:
        raise VerifyError(
            f"{place}: channel_type port does not reach the memory of other GPUs; use channels of type memory"
        )
    return reach.remote[ChannelType.MEMORY]


def _own(entry: BufferEntry, reach: BlockResources, place: str) -> Region:
    if entry.type is None or entry.type not in reach.sizes or entry.buffer_id is not None:
        raise VerifyError(f"{place}: type {entry.type!r}; a buffer of the GPU itself is i, o or s")
    return _region(reach.gpu, entry.type, reach.sizes[entry.type], entry, reach, place)


def _there(entry: BufferEntry, remote: Sequence[tuple[int, str, int]], reach: BlockResources, place: str) -> Region:
    if entry.buffer_id is None or not 0 <= entry.buffer_id < len(remote):
        raise VerifyError(f"{place}: buffer_id {entry.buffer_id}; the threadblock has {len(remote)}, counted from 0")
    return _region(*remote[entry.buffer_id], entry, reach, place)


def _region(gpu: int, buffer: str, length: int, entry: BufferEntry, reach: BlockResources, place: str) -> Region:
    if entry.index < 0 or entry.size < 1 or entry.index + entry.size > length:
        raise VerifyError(
            f"{place}: {entry.size} chunks from {entry.index} of {buffer} of gpu {gpu}, which has {length} chunks"
        )
    # Threadblocks that do an operation together take equal shares of each chunk.
    number, count = reach.share
    length = entry.size * reach.parts // count
    return Region(gpu, BufferRange(buffer, entry.index * reach.parts + number * length, length))


def _check_count(what: str, entries: Sequence[BufferEntry], least: int, most: int, place: str) -> None:
    if not least <= len(entries) <= most:
        raise VerifyError(f"{place}: {len(entries)} {what}; there are {least} to {most}")


def _check_lengths(regions: Sequence[Region], place: str) -> None:
    if len(lengths := sorted({region.part.length for region in regions})) > 1:
        raise VerifyError(
            f"{place}: sources and targets of {lengths[0]} and {lengths[-1]} chunks; all need the same size"
        )
