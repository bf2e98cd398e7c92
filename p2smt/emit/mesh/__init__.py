"""Placements as meshes and rank files."""
