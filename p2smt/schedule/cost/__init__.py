"""Costs of scheduled programs: collectives on a network, kernels by their roofline, stages beside each other."""
