"""Plans as JAX source."""
