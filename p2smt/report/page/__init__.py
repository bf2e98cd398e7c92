"""How a report is laid out."""
