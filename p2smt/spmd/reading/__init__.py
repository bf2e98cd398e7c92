"""What a sharding is in the words of the field, why it is so, and where two differ."""
