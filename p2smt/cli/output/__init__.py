"""What commands print: text, JSON, progress."""
