"""Where each axis goes: parallelism matrices, device numbers, synthesis hierarchies."""
