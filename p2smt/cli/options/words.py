"""The command line's arguments, for pages that state which command created them."""

import click

from p2smt.cli.options.help_page import HelpPage

_WORDS = "p2smt.cli.words"


class RememberingCommand(HelpPage):
    """A command that stores its arguments in its context."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Store the arguments, then parse them."""
        ctx.meta[_WORDS] = (*ctx.command_path.split(), *args)
        return super().parse_args(ctx, args)


def words() -> tuple[str, ...]:
    """Return the arguments of the running command, which must be a `RememberingCommand`."""
    found: tuple[str, ...] = click.get_current_context().meta[_WORDS]
    return found
