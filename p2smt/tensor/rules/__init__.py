"""The rules of layouts for the solver: each proved for all sizes, slicings and numbers of ranks."""
