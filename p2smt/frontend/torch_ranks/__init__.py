"""PyTorch functions that every rank runs, on plain collectives or on DTensor, as programs of all ranks."""
