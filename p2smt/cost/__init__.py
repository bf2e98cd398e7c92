"""Cost models: times of collectives, plans and training steps, and the ranking of programs by predicted time."""
