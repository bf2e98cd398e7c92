"""Plans as torch.distributed source."""
