"""Plans as execution plans of MSCCL++."""
