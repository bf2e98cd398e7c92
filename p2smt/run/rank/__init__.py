"""What a rank does, wherever its process runs: on this machine, in a laboratory, under torchrun."""
