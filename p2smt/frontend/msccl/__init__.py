"""MSCCL schedules: threadblocks of every GPU that send, copy and reduce chunks."""
