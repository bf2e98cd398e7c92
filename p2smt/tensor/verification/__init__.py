"""Is a distributed program equal to that of a single device? Proved, refuted by a small counter-example, or unknown."""
