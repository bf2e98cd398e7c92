"""The semantics restated for the solver, and queries over programs."""
