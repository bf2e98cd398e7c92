"""What a rank does in a campaign of trainings; loaded in processes of its own."""

import hashlib

import torch

from p2smt.run.rank.modules import load_module


def trains(path, other, state, batches, real):
    """Losses and the checkpoint after the last step, a digest of it, and whether another sharding gives back its bits.

    Ranks but the first keep the checkpoint to themselves.
    """
    step = load_module(path).Step(state, real=real)
    losses = [step(batch)["loss"].item() for batch in batches]
    checkpoint = step.state_dict()
    reread = load_module(other).Step(checkpoint, real=real).state_dict()
    mine, again = digest(checkpoint), digest(reread)
    return losses, checkpoint if torch.distributed.get_rank() == 0 else None, mine, mine == again


def digest(checkpoint):
    """Of all bits, names and types of a checkpoint."""
    hashed = hashlib.sha256(str(checkpoint["step"]).encode())
    moments = {f"{name} {key}": each for name, many in checkpoint["optimizer"].items() for key, each in many.items()}
    for name, each in sorted({**checkpoint["module"], **moments}.items()):
        hashed.update(f"{name} {each.dtype} {tuple(each.shape)}".encode())
        hashed.update(each.contiguous().numpy().tobytes())
    return hashed.hexdigest()
