"""The text form of programs: reading and writing; parse after print is the identity."""
