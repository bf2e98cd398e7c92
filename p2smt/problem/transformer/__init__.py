"""A transformer's description, and the reductions that follow from it."""
