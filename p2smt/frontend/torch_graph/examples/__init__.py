"""Packaged models, as training steps in the configurations of the papers and in small ones."""
