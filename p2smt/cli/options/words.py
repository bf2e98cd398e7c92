"""The arguments of the command, for pages that state how they were made."""

import click

from p2smt.cli.options.help_page import HelpPage

_WORDS = "p2smt.cli.words"


class RememberingCommand(HelpPage):
    """A command whose context remembers its arguments."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Remember, then parse."""
        ctx.meta[_WORDS] = ("p2smt", str(self.name), *args)
        return super().parse_args(ctx, args)


def words() -> tuple[str, ...]:
    """The arguments of the running command, which must be a `RememberingCommand` one."""
    found: tuple[str, ...] = click.get_current_context().meta[_WORDS]
    return found
