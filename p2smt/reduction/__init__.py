"""The language of reduction programs (P2): syntax, semantics, solver rules, synthesis, plans."""
