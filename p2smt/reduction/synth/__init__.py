"""Synthesis of all programs on all placements, by several engines that must agree."""
