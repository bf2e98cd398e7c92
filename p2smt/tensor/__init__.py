"""Tensor programs: operations by labels, layouts per mesh axis, text form, inference, and meanings that check it."""
