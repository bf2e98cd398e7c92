"""The `p2smt` command: finds the subcommand's file only when it is asked for, and turns errors into one line."""

import importlib
import io
import os
import sys
from typing import NoReturn

import click

from p2smt.cli.exit_code import ExitCode
from p2smt.errors import P2Error

COMMANDS = {
    "synth": "Find all placements and reduction programs, best first.",
    "optimize": "Find the placement that is fastest for all reductions of a training job.",
    "rank": "Rank all programs on all placements in one list.",
    "explain": "Say where a plan's time goes and what would beat it.",
    "calibrate": "Fit a system's bandwidths and latencies to measured times.",
    "verify": "Prove a hand-written plan right, or show where it goes wrong.",
    "measure": "Time programs in a laboratory, and keep the times as a table.",
    "complete": "Fill the holes of a sketched program in every valid way.",
    "place": "List all placements of the axes on the system.",
    "plan": "Lower the best program, or a given one, to a plan file.",
    "emit": "Write a plan as source text for a target.",
    "run": "Run a plan in local processes and check its numbers.",
    "lab": "Build hosts with shaped network cards on this machine and run plans there.",
    "mesh": "Write a placement in a framework's words, or read one and say what it costs.",
    "study": "Solve many problems, keep the results in a store, and query them.",
    "report": "Write one HTML file that shows a cluster, its placements and programs, or a whole job.",
    "example": "Print an annotated problem or system file.",
    "schema": "Print the JSON Schema of a file format.",
}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"p2smt.cli.commands.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="p2smt")
def cli() -> None:
    """Place parallelism axes on a cluster and find the collectives that reduce them fastest.

    \b
    Example:
      p2smt synth --system node:4,gpu:16 --axes data:4,model:16 --reduce model --bytes 1GiB
      p2smt plan  --system 2x4 --axes 8 --reduce 0 --out plan.json
      p2smt run   plan.json

    Exit codes: 0 found, 1 no program or wrong numbers, 2 bad input, 3 stopped early with partial results.
    """  # noqa: D301


def main() -> NoReturn:
    """Run the command line and exit."""
    _prepare_streams()
    sys.exit(run(sys.argv[1:]))


def _prepare_streams() -> None:
    """Whatever the locale, pipes and files get UTF-8; a terminal shows escaped what it has no sign for."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")


def run(arguments: list[str]) -> int:
    """Run one command; the exit code comes back, errors go to stderr as one line."""
    try:
        code = cli.main(arguments, prog_name="p2smt", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        return _complain(f"{error.format_message()}{_help_hint(error)}")
    except P2Error as error:
        return _complain(str(error))
    except (KeyboardInterrupt, click.Abort):
        print("p2smt: interrupted", file=sys.stderr)
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.FOUND
    return code if isinstance(code, int) else ExitCode.FOUND


def _complain(message: str) -> ExitCode:
    from p2smt.problem.text import printable

    print(f"p2smt: {printable(' '.join(message.split()))}", file=sys.stderr)
    return ExitCode.USAGE


def _help_hint(error: click.ClickException) -> str:
    context = getattr(error, "ctx", None)
    return f"; see {context.command_path} --help" if context is not None else ""
