"""Emission of scheduled programs as torch source."""
