"""Output of commands: text, JSON, progress."""
