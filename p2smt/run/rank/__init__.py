"""The work of a rank, wherever its process runs: on this machine, in a laboratory, under torchrun."""
