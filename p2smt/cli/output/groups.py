"""The rank groups of a split or of a mesh, such as its tensor-parallel groups."""

from collections.abc import Iterator, Mapping

import click

from p2smt.cli.output.prose import labelled
from p2smt.cli.output.screen import GLUE
from p2smt.emit.frameworks.groups import rank_groups
from p2smt.problem.transformer.split import Split

_MOST = 8


def print_groups(split: Split, *, experts: bool) -> None:
    """Print the first rank groups of each kind; --json lists all of them."""
    click.echo("\ngroups of ranks (stages outermost, tensor parallelism innermost; --json prints all)")
    click.echo("\n".join(group_lines(rank_groups(split, experts=experts))))


def group_lines(groups: Mapping[str, list[list[int]]]) -> Iterator[str]:
    """Yield a line per kind with its first groups; kinds whose groups have one rank are left out."""
    for name, some in groups.items():
        if len(some[0]) == 1:
            continue
        shown = ", ".join(_span(group).replace(" ", GLUE) for group in some[:_MOST])
        more = f", ... {len(some)} groups" if len(some) > _MOST else ""
        yield from labelled(f"  {name:<10}", f"{shown}{more}")


def _span(group: list[int]) -> str:
    """List the ranks of a group; a long list is shortened to the first, the step and the last."""
    if len(group) <= _MOST:
        return " ".join(map(str, group))
    return f"{group[0]} {group[1]} ... {group[-1]}"
