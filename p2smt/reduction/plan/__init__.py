"""The lowered plan: steps with concrete groups and buffer layout, its file format, in-process execution."""
