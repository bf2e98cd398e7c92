"""Verify plans independently of how they were made, and locate their mistakes."""
