"""Real processes that run an emitted plan and check its numbers."""
