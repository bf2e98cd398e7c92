"""The user's question: systems, axes, problems, and reading them from text and files."""
