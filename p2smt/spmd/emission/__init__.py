"""Emit distributed programs from search results: conversions, replicated outputs, and fused sums."""
