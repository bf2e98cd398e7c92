"""XLA programs that every device runs, compared with the program for one device."""
