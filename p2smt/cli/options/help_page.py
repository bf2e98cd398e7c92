"""Help texts: --help prints a page of at most 40 lines, `p2smt help COMMAND` the full text; options are in groups.

The page mentions every option. If the descriptions do not all fit, rows are removed one at a time, the last row of the
longest group first, and the option is only named at the end of its group. Rows of the main options are never removed.
"""

import re
from collections.abc import Mapping, Sequence
from textwrap import wrap

import click

from p2smt.cli.options.merged import expanded
from p2smt.cli.output.aside import quiet_option

MOST_LINES = 40
_MOST_EXAMPLES = 3
_MOST_NAMES = 26
"""The maximum width of the column of option names."""

_FULL = "p2smt.cli.full_help"
ARGUMENTS = "p2smt.cli.arguments"
"""The key of a context's `meta` that holds the command's arguments as typed."""

_GROUPS = (
    (
        "System",
        (
            "--system",
            "--bandwidth",
            "--latency",
            "--backend",
            "--algorithm",
            "--speed",
            "--rates",
            "--protocols",
            "--memory",
            "--mfu",
            "--tf32",
        ),
    ),
    (
        "Search",
        (
            "--timeout",
            "--limit",
            "--grammar",
            "--engine",
            "--hierarchy",
            "--collapse",
            "--depth",
            "--search",
            "--certify",
            "--search-memory",
            "--top",
        ),
    ),
    (
        "Papers",
        (
            "--segments",
            "--virtual",
            "--without",
            "--published",
        ),
    ),
    (
        "Output",
        (
            "--out",
            "--steps-out",
            "--plan",
            "--plans",
            "--report",
            "--trace",
            "--svg",
            "--figure",
            "--export",
            "--json",
            "--csv",
            "--all",
            "--maps",
            "--force",
            "--obligation",
            "--quiet",
            "--help",
        ),
    ),
)
"""Titles of groups and their options; all other options are in the first group."""

_MAIN = frozenset(
    {
        "--system",
        "--axes",
        "--reduce",
        "--bytes",
        "--model",
        "--steps",
        "--against",
        "--target",
        "--to",
        "--out",
        "--json",
        "--report",
        "--top",
        "--goal",
        "--mesh",
        "--run-python",
        "--condition",
        "--segments",
        "--virtual",
        "--without",
        "--published",
        "--help",
    }
)
"""Options whose rows are never removed."""


class HelpPage(click.Command):
    """A click command with a help page, and the option --quiet."""

    def __init__(self, *arguments: object, most_options: int | None = None, **settings: object) -> None:
        """Create the command, whose page describes at most `most_options`; the other arguments are click's."""
        super().__init__(*arguments, **settings)  # type: ignore[arg-type]
        self.most_options = most_options
        self.params.append(quiet_option())
        self.context_settings.setdefault("help_option_names", ["-h", "--help"])  # without a parent, too

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Record the arguments for output files, which state the command that wrote them; then parse as click does."""
        ctx.meta[ARGUMENTS] = tuple(args)
        return super().parse_args(ctx, expanded(self, args))

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the page, or the full help."""
        if ctx.meta.get(_FULL):
            super().format_help(ctx, formatter)
        else:
            formatter.write("\n".join(page(self, ctx, formatter.width, self.most_options)) + "\n")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write all options by group."""
        for title, records in _records(self, ctx):
            with formatter.section(title):
                formatter.write_dl(records)


def full_help(ctx: click.Context, command: click.Command) -> str:
    """Return the full help of a command."""
    ctx.meta[_FULL] = True
    return command.get_help(ctx)


def help_document(ctx: click.Context, command: click.Command) -> Mapping[str, object]:
    """Return a command's help as a JSON document: usage, text, arguments, options by group, and commands of a group."""
    shown = [param for param in command.get_params(ctx) if not getattr(param, "hidden", False)]
    document: dict[str, object] = {
        "version": 1,
        "command": ctx.command_path,
        "usage": command.get_usage(ctx).removeprefix("Usage: "),
        "help": " ".join((command.help or "").partition("\b")[0].split()),
        "arguments": [
            {"name": param.make_metavar(ctx), "required": param.required, "repeatable": param.nargs == -1}
            for param in shown
            if isinstance(param, click.Argument)
        ],
        "options": [_option_document(param, ctx) for param in shown if isinstance(param, click.Option)],
        "examples": _examples(command.help or ""),
    }
    if isinstance(command, click.Group):
        names = command.list_commands(ctx)
        document["commands"] = {name: _summary(command.get_command(ctx, name)) for name in names}
    return document


def _option_document(option: click.Option, ctx: click.Context) -> Mapping[str, object]:
    names = [*option.opts, *option.secondary_opts]
    choices = list(option.type.choices) if isinstance(option.type, click.Choice) else None
    return {
        "names": names,
        "group": _title(frozenset(names)),
        "value": None if option.is_flag else option.make_metavar(ctx),
        "choices": None if choices is None else [str(choice) for choice in choices],
        "repeatable": option.multiple,
        "help": option.help or "",
    }


def _summary(command: click.Command | None) -> str:
    return " ".join(((command.help if command else "") or "").split("\n\n")[0].split())


def _examples(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip().startswith("p2smt ")]


def page(command: click.Command, ctx: click.Context, width: int, most: int | None = None) -> list[str]:
    """Return the lines of the help page, at most 40, which describe at most `most` options and name the others."""
    text = command.help or ""
    begin = [*command.get_usage(ctx).splitlines(), ""]
    begin += [f"  {line}" for line in wrap(" ".join(text.split("\n\n")[0].split()), width - 2)]
    examples = _examples(text)[:_MOST_EXAMPLES]
    end = ["", "Example:", *(line for each in examples for line in _broken(each, width))] if examples else []
    end += ["", f"{ctx.command_path.replace('p2smt', 'p2smt help', 1)} explains all of it."]
    groups = [_Group(title, records, width) for title, records in _records(command, ctx)]
    # Give up rows where most are left, until the page fits; every option is still named.
    while len(begin) + len(end) + sum(len(group.lines()) for group in groups) > MOST_LINES or (
        most is not None and sum(group.described for group in groups) > most
    ):
        longest = max(groups, key=lambda group: len(group.spare()))
        if not longest.spare():
            break
        longest.name_alone(longest.spare()[-1])
    return [*begin, *(line for group in groups for line in group.lines()), *end]


class _Group:
    """A titled group of options: rows with descriptions, and options that are only named."""

    def __init__(self, title: str, records: Sequence[tuple[str, str]], width: int) -> None:
        self._title = title
        self._rows = list(records)
        self._names: list[str] = []
        self._width = width

    @property
    def described(self) -> int:
        """The number of options with a description."""
        return len(self._rows)

    def lines(self) -> list[str]:
        """Return the group's lines: a blank line, the title, the rows, and the options that are only named."""
        column = min(_MOST_NAMES, max((len(_short(names)) for names, _ in self._rows), default=0)) + 4
        rows = [_cut(f"  {_short(names):<{column - 2}}{text}", self._width) for names, text in self._rows]
        also = wrap(f"also {', '.join(self._names)}", self._width - 2) if self._names else []
        return ["", f"{self._title}:", *rows, *(f"  {line}" for line in also)]

    def spare(self) -> list[tuple[str, str]]:
        """Return the rows that may be removed."""
        return [row for row in self._rows if not _words(row[0]) & _MAIN]

    def name_alone(self, row: tuple[str, str]) -> None:
        """Remove a row, and only name its option."""
        self._rows.remove(row)
        self._names.insert(0, next(word for word in row[0].replace(",", " ").split() if word.startswith("-")))


def _records(command: click.Command, ctx: click.Context) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the non-empty groups: the title, and for each option its names and description."""
    found: dict[str, list[tuple[str, str]]] = {"Options": [], **{title: [] for title, _ in _GROUPS}}
    for option in command.get_params(ctx):
        record = option.get_help_record(ctx) if isinstance(option, click.Option) else None
        if record is not None:
            found[_title(_words(record[0]))].append(record)
    return [(title, records) for title, records in found.items() if records]


def _title(names: frozenset[str]) -> str:
    """Return the title of the group of an option with these names."""
    return next((title for title, own in _GROUPS if names & set(own)), "Options")


def _words(names: str) -> frozenset[str]:
    return frozenset(names.replace(",", " ").replace("/", " ").split())


def _short(names: str) -> str:
    """Return an option's names; a long list of choices is replaced by a placeholder.

    >>> _short("--engine [levels|bitvec|explicit]")
    '--engine NAME'
    """
    return names if len(names) <= _MOST_NAMES else f"{names.partition(' [')[0]} NAME"[:_MOST_NAMES]


def _broken(command: str, width: int) -> list[str]:
    r"""Return an indented command on lines of at most `width` columns, broken before options, with backslashes.

    >>> print(*_broken('p2smt shard step.tp --condition "w1 replicated" --json', 34), sep="\n")
      p2smt shard step.tp \
          --condition "w1 replicated" \
          --json
    """
    lines, line = [], " "
    for part in re.split(" (?=-)", command):
        if len(line) + len(part) > width - 3:  # a space before the part, a space and a backslash behind it
            lines.append(f"{line} \\")
            line = " " * 5
        line += f" {part}"
    return [*lines, line]


def _cut(line: str, width: int) -> str:
    """Cut a line to a number of columns; a longer line is cut after a whole word and ends with dots."""
    if len(line) <= width:
        return line
    return f"{line[: width - 3].rpartition(' ')[0]} ..."[:width]
