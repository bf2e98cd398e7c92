"""Clusters: levels, links, presets, files."""
