"""The semantics of programs as solver constraints, and queries over programs."""
