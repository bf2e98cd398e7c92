"""A tensor program of one device as a JAX function."""
