"""Rewrites of distributed tensor programs, each proved: communication and computation scheduled together."""
