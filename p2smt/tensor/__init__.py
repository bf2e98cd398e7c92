"""Tensor programs: operations, layouts per mesh axis, a text format, layout inference, and interpreters."""
