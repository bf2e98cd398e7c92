"""Statements that every rank of SPMD code runs on arrays of its own, and the distributed program that they make."""
