"""What a plan costs: links, the time of a step, ranking."""
