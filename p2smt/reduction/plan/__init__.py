"""Lowered plans: steps with concrete groups and buffer layouts, their file format, execution in this process."""
