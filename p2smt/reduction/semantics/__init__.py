"""What a program means: groups, state matrices, one rule per collective, and the level algebra."""
