"""The cost of computing: rooflines of kernels, launches on the host, time lines of steps."""
