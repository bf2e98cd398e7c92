"""Input of p2smt: systems, axes, problems and jobs, as values, texts and files."""
