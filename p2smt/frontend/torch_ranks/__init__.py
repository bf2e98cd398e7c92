"""PyTorch functions that every rank runs, with plain collectives or DTensor, as programs of all ranks."""
