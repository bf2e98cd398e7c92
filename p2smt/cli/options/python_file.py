"""Options of commands that trace a function of a Python file."""

from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.options.values import Command, one_of, take, with_options
from p2smt.errors import VerifyError
from p2smt.frontend.torch_function.dtypes import DTYPES

if TYPE_CHECKING:
    from p2smt.frontend.torch_function.plan import TraceOptions

_OPTIONS = (
    click.option("--run-python", is_flag=True, help="Run a Python file's code, once per device, to see what it does."),
    click.option(
        "--function", metavar="NAME", help="Its function, or class to call an object of [the only one, or reduce]."
    ),
    click.option(
        "--devices", "--ranks", type=int, help="How many ranks run it, or a text for XLA that does not say it."
    ),
    click.option("--elements", type=int, help="Length of the tensor it gets [several lengths]."),
    click.option("--dtype", type=one_of(DTYPES), default=DTYPES[0], help="Of this type."),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonOptions:
    """Options for tracing a Python function; nothing is run without --run-python."""

    run_python: bool
    function: str | None
    devices: int | None
    elements: int | None
    dtype: str

    def of_file(self, path: Path) -> "tuple[Path, PythonOptions]":
        """Split FILE.py:FUNCTION into the file and options that name its function; other paths stay as they are."""
        file, colon, function = str(path).rpartition(":")
        if not colon or not file.endswith(".py") or self.function is not None:
            return path, self
        return Path(file), replace(self, function=function)

    def check_used(self) -> None:
        """Raise VerifyError for options on a call that is never made, since --run-python is not given."""
        given = {
            "--function": self.function is not None,
            "--elements": self.elements is not None,
            "--dtype": self.dtype != DTYPES[0],
        }
        if not self.run_python and (unused := [name for name, is_given in given.items() if is_given]):
            raise VerifyError(
                f"{' and '.join(unused)} {'say' if len(unused) > 1 else 'says'} how a Python function is called; "
                "give --run-python to call it, or leave this out"
            )

    def tracing(self, timeout: float | None) -> "TraceOptions | None":
        """Return the options for tracing a function; None if no code may be run."""
        from p2smt.frontend.torch_function.plan import TIMEOUT_S, TraceOptions

        if not self.run_python:
            return None
        if self.devices is None:
            raise VerifyError("--run-python needs the number of ranks that run the function; give --devices N")
        return TraceOptions(
            self.devices,
            elements=self.elements,
            function=self.function,
            dtype=self.dtype,
            timeout_s=TIMEOUT_S if timeout is None else timeout,
        )


def python_options(command: Command) -> Command:
    """Add the options for Python functions to a command, which receives them as one `PythonOptions`, `python`."""

    @wraps(command)
    def with_python(**values: object) -> int:
        return command(python=take(PythonOptions, values), **values)

    return with_options(with_python, _OPTIONS)
