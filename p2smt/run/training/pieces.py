"""Shards in the checkpoints of torch.distributed.checkpoint, where every rank writes and reads its own."""

from collections.abc import Sequence

import torch
from torch.distributed.checkpoint.metadata import ChunkStorageMetadata, MetadataIndex, TensorProperties
from torch.distributed.checkpoint.planner import TensorWriteData, WriteItem, WriteItemType


class Piece(torch.Tensor):
    """A rank's shard that starts at `begins` in the unsharded tensor of shape `whole`; torch calls the methods.

    The protocol is `torch.distributed._checkpointable`. It leaves no trace in the files, so that DTensor can
    read them.
    """

    whole: tuple[int, ...]
    begins: tuple[int, ...]

    @staticmethod
    def of(tensor: torch.Tensor, whole: Sequence[int], begins: Sequence[int]) -> "Piece":
        """Return a shard that shares the tensor's memory."""
        made = tensor.detach().as_subclass(Piece)
        made.whole, made.begins = tuple(whole), tuple(begins)
        return made

    def size(self, dim: int | None = None) -> torch.Size | int:  # type: ignore[override]
        """Return the unsharded shape, which torch compares with the saved one."""
        return torch.Size(self.whole) if dim is None else self.whole[dim]

    def __create_write_items__(self, fqn: str, of: object) -> list[WriteItem]:
        """Return the items to write."""
        return [
            WriteItem(
                index=MetadataIndex(fqn, torch.Size(self.begins)),
                type=WriteItemType.SHARD,
                tensor_data=TensorWriteData(
                    chunk=self._chunk(),
                    properties=TensorProperties.create_from_tensor(self.as_subclass(torch.Tensor)),
                    size=torch.Size(self.whole),
                ),
            )
        ]

    def __create_chunk_list__(self) -> list[ChunkStorageMetadata]:
        """Return the chunks to read."""
        return [self._chunk()]

    def __get_tensor_shard__(self, index: MetadataIndex) -> torch.Tensor:
        """Return the shard's memory as a plain tensor."""
        return self.as_subclass(torch.Tensor)

    def _chunk(self) -> ChunkStorageMetadata:
        return ChunkStorageMetadata(offsets=torch.Size(self.begins), sizes=torch.Size(self.shape))
