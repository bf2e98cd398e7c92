"""Search of all schedules of a program, as far as the moves below reach, and their prices."""
