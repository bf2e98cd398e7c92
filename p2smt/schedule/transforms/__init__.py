"""The transforms, one per file; each checks a guard, lists proof obligations, and rebuilds the program."""
