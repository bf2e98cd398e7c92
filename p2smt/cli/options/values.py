"""Helpers that group several options into one typed value, and options whose choices are the members of an enum."""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from inspect import signature
from typing import TypeVar

import click

Command = Callable[..., int]
"""The function that carries out a command and returns its exit code."""

Option = Callable[[Command], Command]
"""A decorator that adds one option to a command."""

Values = dict[str, object]
"""The values of a command's options, by name."""

Made = TypeVar("Made")
Member = TypeVar("Member", bound=StrEnum)


def take(kind: Callable[..., Made], values: Values, **known: object) -> Made:
    """Construct a `kind` from `known` and the values named like its parameters; removes used ones from `values`."""
    # `signature` of a dataclass lists its fields, so the options are named like them once and for
    # all.
    names = [name for name in signature(kind).parameters if name not in known]
    return kind(**known, **{name: values.pop(name) for name in names})


def with_options(command: Command, options: Sequence[Option]) -> Command:
    """Add options to a command, in the order in which its help lists them."""
    for option in reversed(options):
        command = option(command)
    return command


def one_of(names: Iterable[str]) -> "click.Choice[str]":
    """Return a case-insensitive choice of names."""
    return click.Choice(tuple(names), case_sensitive=False)


def choice(
    name: str,
    kinds: Iterable[Member],
    *,
    spelled: Callable[[Member], str] = str,
    default: Member | None = None,
    required: bool = False,
    but: Sequence[Member] = (),
    metavar: str | None = None,
    hidden: bool = False,
    help: str | None = None,
) -> Option:
    """Create an option whose value is a member of an enum, chosen by its spelling; None if it is not given.

    Members in `but` are not offered. With `metavar`, the help text should list the choices. A `hidden` option is
    in no help text.
    """
    members = {spelled(kind): kind for kind in kinds if kind not in but}

    def member(context: click.Context, option: click.Parameter, value: str | None) -> Member | None:
        return None if value is None else members[value]

    return click.option(
        name,
        type=one_of(tuple(members)),
        default=None if default is None else spelled(default),
        show_default=default is not None,
        required=required,
        callback=member,
        metavar=metavar,
        hidden=hidden,
        help=help,
    )


def several(name: str, kinds: Iterable[Member], *, hidden: bool = False, help: str) -> Option:
    """Create a repeatable option whose value is a tuple of enum members."""
    members = {str(kind): kind for kind in kinds}

    def chosen(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> tuple[Member, ...]:
        return tuple(members[value] for value in values)

    return click.option(name, type=one_of(tuple(members)), multiple=True, callback=chosen, hidden=hidden, help=help)
