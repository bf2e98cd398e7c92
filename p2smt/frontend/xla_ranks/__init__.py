"""XLA programs that every device runs, beside the program for one device."""
