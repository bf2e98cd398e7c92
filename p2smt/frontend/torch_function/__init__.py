"""Functions that use torch.distributed, traced for all ranks in one process."""
