"""Shell completion: the files in which bash, zsh and fish look for the completions of a command."""

import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from p2smt.cli.output.files import whole_file
from p2smt.errors import OutputError


def completion_file(shell: str) -> Path:
    """Return the file that the shell loads by itself; for zsh this requires that the folder is on its `fpath`."""
    home = Path.home()
    data = Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share")
    config = Path(os.environ.get("XDG_CONFIG_HOME") or home / ".config")
    return {
        "bash": data / "bash-completion" / "completions" / "p2smt",
        "zsh": home / ".zfunc" / "_p2smt",
        "fish": config / "fish" / "completions" / "p2smt.fish",
    }[shell]


def install(command: click.Command, shell: str) -> None:
    """Write the completion file; print its path and when it takes effect. Raises OutputError if writing fails."""
    completer = get_completion_class(shell)
    assert completer is not None
    path = completion_file(shell)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as cause:
        raise OutputError(
            f"cannot make the folder {path.parent}: {cause.strerror}; choose a folder that you may write to"
        ) from cause
    with whole_file(path) as file:
        file.write(completer(command, {}, "p2smt", "_P2SMT_COMPLETE").source().encode())
    more = {
        "bash": "the package bash-completion reads it; open a new shell",
        "zsh": "put `fpath+=~/.zfunc; autoload -Uz compinit; compinit` into ~/.zshrc, and open a new shell",
        "fish": "open a new shell",
    }[shell]
    click.echo(f"{path} is written: {more}")
