"""Lowering of torch's operations to the language of tensor programs, by kind of operation."""
