"""Check folders of torch.distributed.checkpoint by name and shape before reading.

For names that a folder lacks, torch raises CheckpointException, which is not an Exception; it ignores extra
names.
"""

from collections.abc import Mapping

from torch.distributed.checkpoint.filesystem import FileSystemReader
from torch.distributed.checkpoint.metadata import TensorStorageMetadata

_OURS = ("module.", "optimizer.")


def check_folder(path: str, wanted: Mapping[str, tuple[int, ...]]) -> None:
    """Raise KeyError or ValueError unless a folder has exactly these module and optimizer names and shapes."""
    try:
        # Only metadata is read: a mismatch must show before gigabytes are loaded.
        found = FileSystemReader(path).read_metadata().state_dict_metadata
    except FileNotFoundError as cause:
        raise ValueError(
            f"{path} has no checkpoint of torch.distributed.checkpoint: {cause.filename} is missing; give "
            "the folder that training.save wrote, on a file system of all ranks"
        ) from cause
    if not any(name.startswith(_OURS[0]) for name in found):
        some = ", ".join(sorted(found)[:3])
        raise KeyError(
            f"the checkpoint in {path} has {some}, and not module.NAME: load it with torch.distributed."
            "checkpoint.load, and give training.load_state_dict what it has"
        )
    own = {name: each for name, each in found.items() if name.startswith(_OURS)}
    if unknown := sorted(own.keys() - wanted.keys()):
        raise KeyError(
            f"the checkpoint in {path} has {unknown[0]}, which this training lacks: it belongs to another "
            f"{_other(unknown[0])}"
        )
    if missing := sorted(wanted.keys() - own.keys()):
        raise KeyError(f"the checkpoint in {path} lacks {missing[0]}: it belongs to another {_other(missing[0])}")
    for name, each in own.items():
        if isinstance(each, TensorStorageMetadata) and tuple(each.size) != wanted[name]:
            raise ValueError(
                f"{name} has shape {list(each.size)} in {path}, but {list(wanted[name])} in this "
                "training; it is a checkpoint of another model"
            )


def _other(name: str) -> str:
    if name.endswith(".ema"):
        return "training: give p2smt.shard the same ema"
    return "model" if name.startswith("module.") else "optimizer"
