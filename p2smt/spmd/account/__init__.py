"""The account of a distributed program: instructions, time and memory, read off the program alone."""
