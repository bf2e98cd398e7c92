"""The work of one rank, in processes on this machine, in a laboratory or under torchrun."""
