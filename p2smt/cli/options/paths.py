"""Parameter types for paths: input files (- is standard input) and output files.

A command must not overwrite its input, nor write two results to one file; paths are compared as given.
"""

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from p2smt.cli.file_kind import JOB, MEASUREMENTS, MODEL, PYTHON, SYSTEM, FileKind, another_kind
from p2smt.problem.typed import STDIN, names_file

if TYPE_CHECKING:
    _PathType = click.ParamType[Path]
    _TextType = click.ParamType[str]
else:  # it is not generic before click 8.5
    _PathType = _TextType = click.ParamType

_INPUTS = "p2smt.cli.inputs"
_OUTPUTS = "p2smt.cli.outputs"
_MOST_COMPLETIONS = 200
_MOST_NAME = 255
_NO_STDIN = "standard input is not read here; name a file"


class InputPath(_PathType):
    """The path of an input file of the given kinds; of any kind if none is given. `stdin`: whether - is allowed."""

    name = "file"

    def __init__(self, *kinds: FileKind, stdin: bool = True) -> None:
        """Create a type for these kinds of file."""
        self.kinds = kinds
        self.stdin = stdin

    def convert(self, value: str | Path, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path; raises UsageError if a result is written there too, or if - is not allowed."""
        path = _possible(value, ctx)
        if str(path) == STDIN and not self.stdin:
            self.fail(_NO_STDIN, param, ctx)
        if ctx is not None:
            remember_input(ctx, path, self.kinds)
        return path

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete folders, and files with a suffix of these kinds."""
        return _completions(incomplete, tuple(ending for kind in self.kinds for ending in kind.endings))


class InputText(_TextType):
    """A text that may name an input file: a preset or FILE.toml, FILE or FILE:COLLECTIVE, FILE.py:FUNCTION.

    Shell completion offers `names` in addition to the files.
    """

    name = "text"

    def __init__(self, *kinds: FileKind, names: Callable[[], Iterable[str]] = tuple, stdin: bool = True) -> None:
        """Create a type for these kinds of file and these names."""
        self.kinds = kinds
        self.names = names
        self.stdin = stdin
        self.endings = tuple(ending for kind in kinds for ending in kind.endings)

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the text; raises UsageError like `InputPath`."""
        path = Path(value if names_file(value) else value.split(":", maxsplit=1)[0])
        if path.suffix in self.endings:
            _possible(path, ctx)
        if value == STDIN and not self.stdin:
            self.fail(_NO_STDIN, param, ctx)
        if ctx is not None and (value == STDIN or path.suffix in self.endings or names_file(path)):
            remember_input(ctx, path, self.kinds)
        return value

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete names and files."""
        known = [CompletionItem(name) for name in self.names() if name.startswith(incomplete)]
        return [*known, *_completions(incomplete, self.endings)]


class OutputPath(_PathType):
    """The path of an output file; - is standard output."""

    name = "file"

    def convert(self, value: str | Path, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path; raises UsageError if the command also reads that file, or writes another result to it."""
        path = _possible(value, ctx)
        if ctx is None or str(path) == STDIN:
            return path
        outputs: dict[Path, str] = ctx.meta.setdefault(_OUTPUTS, {})
        option = param.opts[0] if param is not None else "output"
        if _whole(path) in outputs:
            raise click.UsageError(f"{outputs[_whole(path)]} and {option} are both {path}; give two files", ctx)
        outputs[_whole(path)] = option
        if any(_whole(path) == _whole(read) for read, _ in _inputs(ctx)):
            raise _overwritten(path, ctx)
        return path

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Complete all files and folders."""
        return _completions(incomplete, ())


def _possible(value: str | Path, ctx: click.Context | None) -> Path:
    """Return the path; raises UsageError for one that no file can have."""
    path = Path(value)
    longest = max((len(os.fsencode(part)) for part in path.parts), default=0)
    if longest > _MOST_NAME:
        shown = f"{str(path)[:40]}..."
        raise click.UsageError(
            f"{shown} has a name of {longest} bytes; a file's has at most {_MOST_NAME}, so choose a shorter one", ctx
        )
    return path


def remember_input(ctx: click.Context, path: Path, kinds: tuple[FileKind, ...] = ()) -> None:
    """Record that the command reads this file, which should be of one of these kinds.

    Raises UsageError if the command also writes the file, or reads standard input twice.
    """
    outputs: dict[Path, str] = ctx.meta.get(_OUTPUTS, {})
    if str(path) != STDIN and _whole(path) in outputs:
        raise _overwritten(path, ctx)
    if str(path) == STDIN and any(str(read) == STDIN for read, _ in _inputs(ctx)):
        raise click.UsageError("only one file can be standard input; name the others", ctx)
    _inputs(ctx).append((path, kinds))


def wrong_kind(ctx: click.Context) -> str | None:
    """Return a message about the first input file of an unexpected kind; None if there is none."""
    return next((text for path, kinds in _inputs(ctx) if (text := another_kind(path, kinds)) is not None), None)


def _inputs(ctx: click.Context) -> list[tuple[Path, tuple[FileKind, ...]]]:
    found: list[tuple[Path, tuple[FileKind, ...]]] = ctx.meta.setdefault(_INPUTS, [])
    return found


def _whole(path: Path) -> Path:
    name, is_function, _ = str(path).partition(".py:")
    # Unlike `Path.resolve`, `realpath` returns the links that lead round in a circle; reading them is refused later.
    try:
        return Path(os.path.realpath(f"{name}.py" if is_function else path))
    except FileNotFoundError as cause:  # the only one, raised for relative paths
        raise click.UsageError("the current folder was deleted; change into another one") from cause


def _overwritten(path: Path, ctx: click.Context) -> click.UsageError:
    return click.UsageError(f"{path} is read by this command, which does not overwrite it; write to another file", ctx)


def _completions(incomplete: str, endings: tuple[str, ...]) -> list[CompletionItem]:
    """Return folders and files that begin with `incomplete`; `endings`, if any, restricts the suffixes of files."""
    folder, _, begin = incomplete.rpartition("/")
    place = Path(folder or ("/" if incomplete.startswith("/") else "."))
    try:
        found = sorted(one for one in place.iterdir() if one.name.startswith(begin))
    except OSError:
        return []
    head = incomplete[: len(incomplete) - len(begin)]
    shown = [
        f"{head}{one.name}{'/' if one.is_dir() else ''}"
        for one in found
        if one.is_dir() or not endings or one.suffix in endings
    ]
    return [CompletionItem(text) for text in shown if begin or not text.startswith(".")][:_MOST_COMPLETIONS]


def _presets() -> Iterable[str]:
    from p2smt.problem.system.file import preset_names

    return preset_names()


def _models() -> Iterable[str]:
    from p2smt.problem.transformer.named import named_models

    return named_models()


SYSTEM_TEXT = InputText(SYSTEM, names=_presets)
MODEL_TEXT = InputText(MODEL, JOB, names=_models)
DATA_TEXT = InputText(MEASUREMENTS)
FUNCTION_TEXT = InputText(PYTHON, stdin=False)
