"""Rows that a mask selects: `x[mask]`, and indices of `torch.where(mask)`."""
