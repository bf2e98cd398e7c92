"""Training steps of PyTorch models as tensor programs: traced in a separate process, lowered without torch."""
