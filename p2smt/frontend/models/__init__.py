"""Models that users describe in files of their own: Hugging Face's config.json, a `[transformer]` table."""
