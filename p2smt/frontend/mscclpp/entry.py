"""MSCCL++'s JSON files: the entries as they are on disk, before names are resolved."""

import msgspec

from p2smt.errors import VerifyError
from p2smt.problem.typed import convert_checked, why_malformed


class BufferEntry(msgspec.Struct, frozen=True):
    """Chunks of a buffer of the GPU (`type`), of a remote one (`buffer_id`), or of several (`switch_channel_id`)."""

    index: int
    size: int
    type: str | None = None
    buffer_id: int | None = None
    switch_channel_id: int | None = None


class OperationEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An element of `ops`; its keys depend on its name."""

    name: str
    src_buff: tuple[BufferEntry, ...] = ()
    dst_buff: tuple[BufferEntry, ...] = ()
    channel_ids: tuple[int, ...] = ()
    channel_type: str = "none"
    reduce_op: str = "sum"
    barrier_id: int | None = None
    num_threadblocks: int = 0
    semaphore_ids: tuple[int, ...] = ()
    tbg_info: dict[str, int] | None = None
    iter_context: dict[str, int] | None = None
    ops: tuple[dict[str, object], ...] = ()


class UsedChannels(msgspec.Struct, frozen=True):
    """Channels of one type that a threadblock uses, by their numbers among the GPU's channels of that type."""

    channel_type: str
    channel_ids: tuple[int, ...]
    buff: str | None = None


class UsedBuffers(msgspec.Struct, frozen=True):
    """Remote buffers that a threadblock uses over channels of a type."""

    access_channel_type: str
    remote_buffer_ids: tuple[int, ...]


class BlockEntry(msgspec.Struct, frozen=True):
    """One of `threadblocks`."""

    id: int
    ops: tuple[OperationEntry, ...] = ()
    channels: tuple[UsedChannels, ...] = ()
    remote_buffer_refs: tuple[UsedBuffers, ...] = ()


class ChannelEntry(msgspec.Struct, frozen=True):
    """Remote buffers that a threadblock accesses through channels of one type."""

    channel_type: str
    connected_to: tuple[int, ...] = ()
    buff: str | None = None
    buffer_type: str | None = None
    rank_groups: tuple[dict[str, object], ...] = ()


class RemoteEntry(msgspec.Struct, frozen=True):
    """An element of `threadblocks`."""

    rank: int
    type: str
    access_channel_types: tuple[str, ...] = ()


class SemaphoreEntry(msgspec.Struct, frozen=True):
    """A semaphore that threadblocks of a GPU share."""

    init_value: int


class GpuEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An element of `gpus`."""

    id: int
    input_chunks: int
    output_chunks: int
    scratch_chunks: int
    threadblocks: tuple[BlockEntry, ...] = ()
    channels: tuple[ChannelEntry, ...] = ()
    remote_buffers: tuple[RemoteEntry, ...] = ()
    semaphores: tuple[SemaphoreEntry, ...] = ()


class PlanEntry(msgspec.Struct, frozen=True, kw_only=True):
    """The entries of a whole file."""

    name: str
    collective: str
    protocol: str
    inplace: bool
    gpus: tuple[GpuEntry, ...]
    reuse_resources: bool = False
    num_threads_per_block: int = 1024
    use_double_scratch_buffer: bool = False
    buffer_alignment: int = 16
    min_message_size: int = 0
    max_message_size: int = 2**64 - 1


def decode(data: bytes) -> PlanEntry:
    """Return the entries in a file's text; VerifyError names the place of a missing, unknown or ill-typed entry."""
    try:
        table = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError, msgspec.DecodeError) as cause:
        raise VerifyError(f"not valid JSON: {why_malformed(cause)}") from cause
    return convert_checked(table, PlanEntry, "execution plan", VerifyError)
