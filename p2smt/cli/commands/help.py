"""`p2smt help`."""

import click

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.options.help_page import HelpPage, full_help, help_document
from p2smt.cli.options.shared import JSON


@click.command("help", cls=HelpPage)
@click.argument("names", nargs=-1, metavar="[COMMAND]...")
@JSON
@click.pass_context
def command(context: click.Context, names: tuple[str, ...], as_json: bool) -> ExitCode:
    """Print all of a command's help: what it does, every option, all examples.

    \b
    Example:
      p2smt help shard
      p2smt help study query
    """  # noqa: D301
    from p2smt.cli.output.document import print_json

    at = context.find_root()
    for name in names:
        group = at.command
        if not isinstance(group, click.Group):
            raise click.UsageError(f"{at.command_path} has no commands; see p2smt help {' '.join(names[:-1])}")
        _, found, _ = group.resolve_command(at, [name])
        assert found is not None
        at = click.Context(found, info_name=name, parent=at)
    if as_json:
        print_json(help_document(at, at.command))
    else:
        click.echo(full_help(at, at.command))
    return ExitCode.FOUND
