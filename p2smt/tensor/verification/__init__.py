"""Is a distributed program that of a single device? Proved, refuted by the smallest counter-example, or unknown."""
