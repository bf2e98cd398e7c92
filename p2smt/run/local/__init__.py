"""Plans on processes of this machine."""
