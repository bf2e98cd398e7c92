"""The same meaning for the solver; the only room that knows z3."""
