"""Parts of tensors in the checkpoints of torch.distributed.checkpoint: every rank writes and reads its own."""

from collections.abc import Sequence

import torch
from torch.distributed.checkpoint.metadata import ChunkStorageMetadata, MetadataIndex, TensorProperties
from torch.distributed.checkpoint.planner import TensorWriteData, WriteItem, WriteItemType


class Piece(torch.Tensor):
    """A rank's part of a tensor, which begins at `begins` of the whole of shape `whole`; torch calls the methods.

    The protocol is `torch.distributed._checkpointable`; a file has no trace of it, so that DTensors read it too.
    """

    whole: tuple[int, ...]
    begins: tuple[int, ...]

    @staticmethod
    def of(tensor: torch.Tensor, whole: Sequence[int], begins: Sequence[int]) -> "Piece":
        """A piece that shares the tensor's memory."""
        made = tensor.detach().as_subclass(Piece)
        made.whole, made.begins = tuple(whole), tuple(begins)
        return made

    def size(self, dim: int | None = None) -> torch.Size | int:  # type: ignore[override]
        """The shape of the whole, which torch compares with that of what was saved."""
        return torch.Size(self.whole) if dim is None else self.whole[dim]

    def __create_write_items__(self, fqn: str, of: object) -> list[WriteItem]:
        """The items to write."""
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
        """The chunks to read."""
        return [self._chunk()]

    def __get_tensor_shard__(self, index: MetadataIndex) -> torch.Tensor:
        """The memory itself."""
        return self.as_subclass(torch.Tensor)

    def _chunk(self) -> ChunkStorageMetadata:
        return ChunkStorageMetadata(offsets=torch.Size(self.begins), sizes=torch.Size(self.shape))
