"""Data shown in reports, as plain values without layout."""
