"""Proved rewrites of distributed tensor programs that schedule communication and computation together."""
