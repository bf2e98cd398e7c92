"""Contents of reports, as values."""
