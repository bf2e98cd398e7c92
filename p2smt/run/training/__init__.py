"""Sharded training on the ranks of torch.distributed."""
