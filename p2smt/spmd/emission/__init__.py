"""From an answer to the distributed program: conversions, outputs made whole, sums that are whole in one call."""
