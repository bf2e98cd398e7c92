"""What a scheduled program takes: collectives on a network, kernels by their roofline, stages beside each other."""
