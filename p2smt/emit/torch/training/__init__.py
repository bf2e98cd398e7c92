"""All communication of a training step as torch.distributed source."""
