"""The words that a command was given, for pages that say what made them."""

import click

from p2smt.cli.options.help_page import HelpPage

_WORDS = "p2smt.cli.words"


class Remembering(HelpPage):
    """A command whose context knows the words that it was given."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Remember, then parse."""
        ctx.meta[_WORDS] = ("p2smt", str(self.name), *args)
        return super().parse_args(ctx, args)


def words() -> tuple[str, ...]:
    """The words of the command that runs, which is a `Remembering` one."""
    found: tuple[str, ...] = click.get_current_context().meta[_WORDS]
    return found
