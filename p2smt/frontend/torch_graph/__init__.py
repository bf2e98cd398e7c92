"""Training steps of PyTorch models as tensor programs: traced in a process of its own, then lowered without torch."""
