"""What computing costs: rooflines of kernels, launches on the host, time lines of steps."""
