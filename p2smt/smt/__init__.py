"""Solver terms and queries; the only package that imports z3."""
