"""Clusters: levels, links, presets, and system files."""
