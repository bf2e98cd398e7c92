"""Packaged models as training steps, in the configurations of their papers and in small ones."""
