"""Cost accounting of a distributed program: instructions, time and memory, derived from the program alone."""
