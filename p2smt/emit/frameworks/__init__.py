"""Settings of training frameworks for a parallelism split, and the splits that each framework does not support."""
