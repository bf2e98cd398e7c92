"""Code generation: plans, placements and distributed programs as source text for other frameworks."""
