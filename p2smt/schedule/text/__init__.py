"""The text of schedules."""
