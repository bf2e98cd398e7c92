"""Lowered plans: steps with concrete groups and buffer layouts, their file format, and execution in this process."""
