"""Lowering of torch's operations to the language of tensor programs; one module per kind of operation."""
