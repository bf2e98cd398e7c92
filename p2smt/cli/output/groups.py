"""The rank groups of a split, such as its tensor-parallel groups."""

import click

from p2smt.cli.output.prose import labelled
from p2smt.emit.frameworks.groups import rank_groups
from p2smt.problem.transformer.split import Split

_MOST = 8


def print_groups(split: Split, *, experts: bool) -> None:
    """Print the first rank groups of each kind; --json lists all of them."""
    click.echo("\ngroups of ranks (stages outermost, tensor parallelism innermost; --json prints all)")
    for name, groups in rank_groups(split, experts=experts).items():
        if len(groups[0]) == 1:
            continue
        shown = ", ".join(_span(group) for group in groups[:_MOST])
        more = f", ... {len(groups)} groups" if len(groups) > _MOST else ""
        click.echo("\n".join(labelled(f"  {name:<10}", f"{shown}{more}")))


def _span(group: list[int]) -> str:
    """List the ranks of a group; a long list is shortened to the first, the step and the last."""
    if len(group) <= _MOST:
        return " ".join(map(str, group))
    return f"{group[0]} {group[1]} ... {group[-1]}"
