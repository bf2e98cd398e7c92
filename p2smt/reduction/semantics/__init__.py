"""Semantics of programs: groups, state matrices, one rule per collective, and the level algebra."""
