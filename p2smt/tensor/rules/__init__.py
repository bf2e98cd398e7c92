"""Layout rules as proof obligations for the solver, proved for all sizes, slicings and numbers of ranks."""
