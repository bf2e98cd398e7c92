"""Options that stand for several rarely used ones: `--search certify,memory=8GB`.

Expansion before parsing: a part is a key, or a key and its value, and each key is the short spelling of a hidden
option,
    --search certify,memory=8GB   ->   --certify --search-memory 8GB,
so values are checked, and named in errors, as those of the hidden options. Parts end at commas that a key follows,
since values may have commas of their own.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

import click


class MergedOption(click.Option):
    """An option with parts; `keys` maps each key to the option that it stands for."""

    def __init__(self, name: str, keys: Mapping[str, str], help: str) -> None:
        """Create the option; it may be given several times."""
        super().__init__([name], multiple=True, expose_value=False, metavar="WHAT", help=help)
        self.keys = keys

    def expanded(self, text: str, command: click.Command) -> Iterator[str]:
        """Yield the arguments that a value stands for. Raises UsageError for an unknown key or a missing value."""
        options = {opt: each for each in command.params if isinstance(each, click.Option) for opt in each.opts}
        # A comma separates parts only where a key follows: precision=compute=bf16,reduce=f32 is one part.
        for part in re.split(rf",(?=(?:{'|'.join(map(re.escape, self.keys))})(?:[=,]|$))", text):
            key, equals, value = part.partition("=")
            if key not in self.keys:
                raise click.UsageError(f"{self.opts[0]} has no {key[:40]!r}; it takes {', '.join(self.keys)}")
            option = options[self.keys[key]]
            if option.is_flag and equals:
                raise click.UsageError(f"{self.opts[0]} {key} takes no value; write {key} alone")
            if not (option.is_flag or value):
                raise click.UsageError(f"{self.opts[0]} {key} lacks its value; write {key}=VALUE")
            yield self.keys[key]
            if not option.is_flag:
                yield value


def merge_options(command: click.Command, options: Sequence[MergedOption]) -> None:
    """Add merged options to a command, and hide the options that they stand for."""
    names = {target for each in options for target in each.keys.values()}
    for each in command.params:
        if isinstance(each, click.Option) and names & set(each.opts):
            each.hidden = True
    command.params.extend(options)


def expanded(command: click.Command, arguments: Sequence[str]) -> list[str]:
    """Return the arguments with merged options replaced by those that they stand for."""
    options = {each.opts[0]: each for each in command.params if isinstance(each, MergedOption)}
    found: list[str] = []
    words = iter(arguments)
    for word in words:
        name, equals, value = word.partition("=")
        if word == "--":
            found += [word, *words]
        elif name not in options:
            found.append(word)
        elif equals:
            found += options[name].expanded(value, command)
        elif (following := next(words, None)) is not None:
            found += options[name].expanded(following, command)
        else:
            found.append(word)
    return found
