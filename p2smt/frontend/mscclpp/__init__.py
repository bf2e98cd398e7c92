"""MSCCL++ execution plans: operations of threadblocks on buffers, channels and semaphores."""
