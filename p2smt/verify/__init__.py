"""Plans from outside: what they say, whether they are right, and where they go wrong."""
