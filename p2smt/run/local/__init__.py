"""Run plans on processes of this machine."""
