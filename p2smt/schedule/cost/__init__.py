"""Costs of scheduled programs: collectives on a network, kernels by the roofline model, overlapped stages."""
