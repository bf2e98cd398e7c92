"""The `p2smt` command: imports a subcommand's module only when that is called, and prints each error as one line."""

import gc
import importlib
import io
import os
import re
import sys
import traceback
from typing import NoReturn

import click

from p2smt.cli.exit_code import LIMITS, ExitCode, of_error
from p2smt.cli.interrupt import hear_ctrl_c, leave_to_system
from p2smt.errors import P2Error, ProblemError

GROUPS = {
    "Ask": {
        "advise": "Say where a model's axes go on a cluster, what the usual order loses, what to type.",
        "synth": "Find all placements and reduction programs, best first.",
        "optimize": "Find the placement that is fastest for all reductions of a training job.",
        "rank": "Rank all programs on all placements in one list.",
        "explain": "Say where a plan's time goes and what would beat it.",
        "shard": "Find the fastest distributed program for a tensor program, on devices of unlike speed too.",
        "complete": "Fill the holes of a sketched program in every valid way.",
    },
    "Place": {
        "place": "List all placements of the axes on the system.",
        "mesh": "Write a placement in a framework's words, or read one and say what it costs.",
    },
    "Prove": {
        "verify": "Prove a plan or a distributed program right, or show where it goes wrong.",
        "show": "Show a tensor program: layouts, local shapes, operations, bytes and memory per device.",
        "schedule": "Rewrite a distributed tensor program step by step, each step proved.",
    },
    "Tensors": {
        "capture": "Write a training step of a PyTorch model as a tensor program.",
    },
    "Run": {
        "plan": "Lower the best program, or a given one, to a plan file.",
        "emit": "Write a plan as source text for a target.",
        "run": "Run a plan in local processes and check its numbers.",
        "lab": "Build hosts with shaped network cards on this machine and run plans there.",
    },
    "Measure": {
        "measure": "Time programs in a laboratory, and keep the times as a table.",
        "calibrate": "Fit a system's bandwidths and latencies to measured times.",
    },
    "Many": {
        "study": "Solve many problems, keep the results in a store, and query them.",
        "report": "Write one HTML file that shows a cluster, its placements and programs, or a whole job.",
        "reproduce": "Search as papers describe it, for comparisons.",
    },
    "Files": {
        "system": "List the clusters that come with p2smt, or print one as a file to edit.",
        "example": "Print an annotated problem or system file.",
        "schema": "Print the JSON Schema of a file format.",
        "help": "Print all of a command's help.",
    },
}
"""The commands by group, each with a one-sentence summary."""

COMPLETING = "_P2SMT_COMPLETE"
"""The environment variable with which a shell requests completions."""

COMMANDS = {name: text for group in GROUPS.values() for name, text in group.items()}


class _Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"p2smt.cli.commands.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            from p2smt.wording import did_you_mean

            raise click.UsageError(
                f"there is no command {name[:80]!r}{did_you_mean(name, COMMANDS)}",
                ctx,
            )
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; if it fails and its input is of another kind than expected, report that instead."""
        try:
            return super().invoke(ctx)
        except P2Error as error:
            from p2smt.cli.options.paths import wrong_kind

            message = wrong_kind(ctx)
            if message is None:
                raise
            raise ProblemError(message) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(f"{name:<{width}}", text) for name, text in group.items()])


def _install_completion(context: click.Context, _option: click.Parameter, shell: str | None) -> None:
    """Write the shell's completion file, and exit."""
    if shell is not None:
        from p2smt.cli.completion import install

        install(cli, shell)
        context.exit()


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(None, "-V", "--version", package_name="p2smt")
@click.option("--no-cache", is_flag=True, help="Find all programs anew; P2SMT_CACHE names the folder that keeps them.")
@click.option(
    "--install-completion",
    type=click.Choice(["bash", "zsh", "fish"], case_sensitive=False),
    is_eager=True,
    expose_value=False,
    callback=_install_completion,
    help="Let this shell complete commands, options, presets, models and files; says what it writes.",
)
def cli(*, no_cache: bool) -> None:
    """Place parallelism axes on a cluster and find the collectives that reduce them fastest.

    \b
    Example:
      p2smt synth --system node:4,gpu:16 --axes data:4,model:16 \\
          --reduce model --bytes 1GiB
      p2smt plan  --system 2x4 --axes 8 --reduce 0 --out plan.json
      p2smt run   plan.json

    Exit codes: 0 found, 1 no program or wrong numbers, 2 bad input, 3 stopped early with partial results.
    """  # noqa: D301
    if no_cache:
        os.environ["P2SMT_CACHE"] = ""


def main() -> NoReturn:
    """Run the command line and exit."""
    hear_ctrl_c()
    collect_rarely()
    _prepare_streams()
    try:
        code = run(sys.argv[1:])
    except Exception as error:  # Python itself would end with 1, which says that something is refuted
        traceback.print_exc()
        code = of_error(error)
    leave_to_system()
    sys.exit(code)


def collect_rarely() -> None:
    """Look for reference cycles rarely: searches keep millions of tuples, each of which looking visits."""
    # What was imported is never looked at. The thresholds of Python 3.11 are 700, 10 and 10.
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


def _prepare_streams() -> None:
    """Write UTF-8 to pipes and files, whatever the locale; a terminal shows characters it cannot encode as escapes.

    Streams that were closed by the caller are replaced: standard input is empty, stderr is dropped, and stdout fails as
    a pipe that nobody reads.
    """
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        read, write = os.pipe()
        os.close(read)
        sys.stdout = os.fdopen(write, "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; an error is printed on stderr as one line."""
    try:
        return _answered(arguments)
    except (KeyboardInterrupt, click.Abort) as error:
        print("p2smt: interrupted", file=sys.stderr)
        return of_error(error)
    except BrokenPipeError as error:
        _drop_output()
        return of_error(error)
    except OSError as error:
        if of_error(error) is ExitCode.DEFECT:
            raise
        if way_out := LIMITS.get(error.errno or 0):
            _complain(f"the system refuses more: {error.strerror}; {way_out}")
            return of_error(error)
        _drop_output()
        _complain(f"cannot write the output: {error.strerror}; make room, or send it elsewhere")
        return of_error(error)


def _answered(arguments: list[str]) -> int:
    """Return the exit code of a command after flushing its output."""
    try:
        code = cli.main(arguments, prog_name="p2smt", standalone_mode=False)
    except (click.ClickException, P2Error) as error:
        _refuse(error, arguments)
        code = of_error(error)
    except SystemExit as end:  # click's own way to end where nobody reads any more, and behind completions
        if COMPLETING in os.environ:
            return ExitCode.FOUND
        raise BrokenPipeError from end
    sys.stdout.flush()
    return code if isinstance(code, int) else ExitCode.FOUND


def _refuse(error: click.ClickException | P2Error, arguments: list[str]) -> None:
    """Print what is wrong with the arguments; for a command called without its required arguments, print its help."""
    match error:
        case click.exceptions.NoArgsIsHelpError():
            print(error.format_message())
        case click.ClickException():
            text = _words(error)
            _complain(f"{text}{' See' if text.endswith('?') else '; see'} {_helping(error, arguments)} --help")
        case P2Error():
            _complain(str(error))


def _drop_output() -> None:
    """Discard what is left in the buffer of stdout; otherwise Python tries to write it again on exit and fails."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str) -> None:
    from p2smt.problem.text import printable

    print(f"p2smt: {printable(' '.join(message.split()))}", file=sys.stderr)


def _number(found: re.Match[str]) -> str:
    return "a whole number" if found[1] == "integer" else "a number"


def _words(error: click.ClickException) -> str:
    """Return click's error message; for an unknown option, suggest similar ones."""
    if not isinstance(error, click.NoSuchOption):
        # click names its own types here: 'x' is not a valid integer range
        return re.sub("a valid (integer|float)( range)?$", _number, error.format_message().removesuffix("."))
    from p2smt.wording import did_you_mean

    return f"there is no option {error.option_name[:80]!r}{did_you_mean(error.option_name, error.possibilities or ())}"


def _helping(error: click.ClickException, arguments: list[str]) -> str:
    """Return the command to name in "see ... --help"; click does not record the command for every error."""
    context = getattr(error, "ctx", None)
    if context is not None:
        return str(context.command_path)
    return " ".join(["p2smt", *(arguments[:1] if arguments[0] in COMMANDS else ())])
