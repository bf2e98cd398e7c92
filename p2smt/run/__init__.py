"""Run emitted plans on real processes and check their results."""
