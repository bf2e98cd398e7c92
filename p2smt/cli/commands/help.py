"""`p2smt help`."""

import click

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.options.help_page import HelpPage, full_help


@click.command("help", cls=HelpPage)
@click.argument("names", nargs=-1, metavar="[COMMAND]...")
@click.pass_context
def command(context: click.Context, names: tuple[str, ...]) -> ExitCode:
    """Print all of a command's help: what it does, every option, all examples.

    \b
    Example:
      p2smt help shard
      p2smt help study query
    """  # noqa: D301
    at = context.find_root()
    for name in names:
        group = at.command
        if not isinstance(group, click.Group):
            raise click.UsageError(f"{at.command_path} has no commands; see p2smt help {' '.join(names[:-1])}")
        _, found, _ = group.resolve_command(at, [name])
        assert found is not None
        at = click.Context(found, info_name=name, parent=at)
    click.echo(full_help(at, at.command))
    return ExitCode.FOUND
