"""p2smt: parallelism placement and reduction programs, synthesised, ranked, checked and emitted."""
