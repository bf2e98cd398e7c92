"""What is said where there is no plan."""

import click


def say_no_plan() -> None:
    """Say on stderr, since stdout is for the plan, that there is none."""
    click.echo("p2smt: no program does this reduction on this hierarchy within the limit", err=True)
