"""Results to look at: one HTML file, and single figures."""
