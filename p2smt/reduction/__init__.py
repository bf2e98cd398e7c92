"""Reduction programs (P2): syntax, semantics, solver encoding, synthesis, and lowering to plans."""
