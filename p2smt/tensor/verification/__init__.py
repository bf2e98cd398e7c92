"""Verification of a distributed program against a single-device program.

The verdict is proved, refuted by a small counterexample, or unknown.
"""
