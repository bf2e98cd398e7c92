"""The command line: one file per command, argument parsing and printing only."""
