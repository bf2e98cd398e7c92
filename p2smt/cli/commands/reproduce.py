"""`p2smt reproduce`: commands with the options that only comparisons with published searches need."""

from copy import copy

import click

from p2smt.cli.commands import explain, shard
from p2smt.cli.options.words import RememberingCommand


@click.group("reproduce")
def command() -> None:
    """Run searches as papers describe them, for comparisons: HAP's restrictions, engines, segments, virtual devices.

    \b
    Example:
      p2smt reproduce shard step.tp --system hap-v100-p100 --virtual node
    """  # noqa: D301


def _with_papers(plain: click.Command, help: str) -> click.Command:
    """Return a command like another one, which shows all of its options."""
    name = str(plain.name)
    options = [_shown(each) for each in plain.params if "--quiet" not in each.opts]
    return RememberingCommand(name, params=options, callback=plain.callback, help=help)


def _shown(parameter: click.Parameter) -> click.Parameter:
    shown = copy(parameter)
    if isinstance(shown, click.Option):
        shown.hidden = False
    return shown


command.add_command(
    _with_papers(
        shard.command,
        """Shard a tensor program like `p2smt shard`, with the options of published searches.

        \b
        Example:
          p2smt reproduce shard step.tp --system hap-a100-p100 --segments layers
          p2smt reproduce shard step.tp --system hap-v100-p100 --virtual node
          p2smt reproduce shard step.tp --system hap-a100-p100 --engine astar --without dominance
          p2smt reproduce shard step.tp --system hap-a100-p100 --published one-collective --published sources-stay
        """,
    )
)
command.add_command(
    _with_papers(
        explain.command,
        """Explain a sharding like `p2smt explain`, with the options of published searches.

        \b
        Example:
          p2smt reproduce explain step.tp --system hap-a100-p100 --published no-linear-sums
        """,
    )
)
