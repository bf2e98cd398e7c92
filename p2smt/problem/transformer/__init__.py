"""Transformer models, and the reductions of their training steps."""
