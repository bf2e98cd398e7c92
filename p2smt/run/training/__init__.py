"""Training on the ranks of torch.distributed, each of which keeps its part."""
