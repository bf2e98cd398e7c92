"""The text format of schedules: parser and printer."""
