"""Plans as schedules for MSCCL's runtimes."""
