"""Verification of XLA programs that every device runs against a single-device program."""
