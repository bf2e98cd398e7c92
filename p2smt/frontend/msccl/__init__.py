"""MSCCL schedules: chunks sent, copied and added by the threadblocks of every GPU."""
