"""Is a distributed program that of a single device? Right, wrong with the smallest counter-example, or not proved."""
