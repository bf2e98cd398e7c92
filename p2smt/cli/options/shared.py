"""Single options shared by several commands."""

import time

import click

from p2smt.cli.options.values import Command, one_of, with_options
from p2smt.cost.network.backend import BACKENDS, LIBRARIES, Backend, chosen_backend
from p2smt.errors import ProblemError

MAX_TIMEOUT_S = 1_000_000

_LIBRARY = "p2smt.cli.library"

TIMEOUT = click.option("--timeout", type=float, metavar="SECONDS", help="Stop then, with partial results (exit 3).")
FORCE = click.option("--force", is_flag=True, help="Overwrite a file that already exists.")
JSON = click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")


def backend_options(command: Command) -> Command:
    """Add --backend and --algorithm to a command, which receives both as `backend`: library, and NCCL algorithm."""

    def keep(context: click.Context, option: click.Parameter, library: str | None) -> None:
        context.meta[_LIBRARY] = library

    def choose(context: click.Context, option: click.Parameter, name: str | None) -> Backend:
        library = context.meta[_LIBRARY]
        return chosen_backend(library, name)

    library = click.option(
        "--backend",
        "library",
        type=one_of(LIBRARIES),
        is_eager=True,
        expose_value=False,
        callback=keep,
        help="The library that carries collectives [nccl].",
    )
    algorithm = click.option(
        "--algorithm",
        "backend",
        type=one_of([str(backend) for backend in BACKENDS]),
        callback=choose,
        help="What carries NCCL's AllReduces [auto: the cheaper for every call]; gloo stands for --backend gloo.",
    )
    return with_options(command, (library, algorithm))


def deadline_after(timeout: float | None) -> float | None:
    """Return the deadline as a time of `time.monotonic`; None without a timeout."""
    if timeout is not None and not 0 < timeout <= MAX_TIMEOUT_S:
        raise ProblemError(
            f"timeout {timeout} is out of range; give the seconds of the search, more than 0 and at "
            f"most {MAX_TIMEOUT_S}"
        )
    return None if timeout is None else time.monotonic() + timeout
