"""The cost of computing: rooflines of kernels, kernel launches on the host, time lines of steps."""
