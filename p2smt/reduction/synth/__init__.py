"""All placements and all programs, by engines that must agree."""
