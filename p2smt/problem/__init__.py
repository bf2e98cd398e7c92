"""What the user asks: systems, axes, problems, and reading them from text and files."""
