"""Models that users describe in files: Hugging Face's config.json, or a `[transformer]` table."""
