"""The transforms, one per file: guard, obligations, rebuild."""
