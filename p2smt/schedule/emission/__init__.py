"""Scheduled programs as torch source."""
