"""Distributed programs from answers of a search: conversions, outputs made whole, sums that are whole in one call."""
