"""Plans as schedules of MSCCL's runtimes."""
