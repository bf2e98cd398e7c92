"""Layout of reports."""
