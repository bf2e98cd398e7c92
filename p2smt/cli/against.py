"""`p2smt verify --against`: a distributed tensor program, or a Python function that every rank runs."""

from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from p2smt.cli.exit_code import ExitCode
from p2smt.errors import VerifyError
from p2smt.frontend.format import Format

if TYPE_CHECKING:
    from p2smt.cli.commands.verify import PythonOptions
    from p2smt.frontend.asked_goal import AskedGoal
    from p2smt.tensor.program import Axis
    from p2smt.tensor.verification.verdict import ProgramVerdict

PlansAlone = tuple["AskedGoal", Format | None, Path | None, int | None]
"""What is asked for of a plan, and means nothing of a program: goal, format, example, devices per machine."""

DEFAULT_TIMEOUT_S = 300


def verify_against(
    path: Path,
    against: Path | None,
    mesh: str | None,
    python: "PythonOptions",
    plans: PlansAlone,
    timeout: float | None,
    *,
    as_json: bool,
) -> ExitCode:
    """Judge, and print the verdict."""
    from p2smt.cli.options.shared import deadline_after
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.program_verdict import program_verdict_document, program_verdict_text
    from p2smt.cli.output.screen import say
    from p2smt.tensor.text.file import read_program
    from p2smt.tensor.verification.check import verify_program

    if against is None:
        raise VerifyError("--mesh is that of a Python function beside --against; give --against FILE too")
    _plans_alone(plans, runs=python.run_python)
    seconds = DEFAULT_TIMEOUT_S if timeout is None else timeout
    deadline = deadline_after(seconds)
    if python.run_python:
        verdict, name = _function(path, against, mesh, python, seconds, deadline)
    else:
        if path.suffix == ".py" or ".py:" in path.name:
            raise VerifyError(f"{path} is Python, which is run only if that is asked for; give --run-python")
        if mesh is not None:
            raise VerifyError("--mesh is that of a Python function; a tensor program says its own")
        program = read_program(path)
        verdict, name = verify_program(program, read_program(against), python.devices, deadline), program.name
    if as_json:
        print_json(program_verdict_document(verdict))
    else:
        say(program_verdict_text(verdict, name, read_program(against).name), whole_in_pipes=True)
    return _exit_code(verdict)


def _plans_alone(plans: PlansAlone, *, runs: bool) -> None:
    """What is asked for of a plan means nothing beside --against."""
    from p2smt.frontend.asked_goal import AS_WRITTEN

    goal, format, example, per_machine = plans
    asked = goal != AS_WRITTEN or format not in (None, Format.TENSOR)
    if asked or example is not None or per_machine is not None:
        what = "a function with a tensor program" if runs else "tensor programs"
        more = "--function, --mesh, " if runs else ""
        raise VerifyError(f"--against compares {what}; beside it stand --devices, {more}--timeout and --json alone")


def _function(
    path: Path, against: Path, mesh: str | None, python: "PythonOptions", seconds: float, deadline: float | None
) -> tuple["ProgramVerdict", str]:
    from p2smt.cli.output.progress import working
    from p2smt.frontend.torch_ranks.ranks import verify_function
    from p2smt.tensor.text.file import read_program

    file, _, function = str(path).rpartition(":")
    if python.function is not None or not file:
        file, function = str(path), python.function or ""
    if not function:
        raise VerifyError(f"{path} names no function; give FILE.py:FUNCTION")
    if python.elements is not None:
        raise VerifyError("--elements is for a function that reduces one tensor; the other program says all shapes")
    with working("running the function on all ranks"):
        single = read_program(against)
        found = verify_function(Path(file), function, _axes(mesh, python.devices), single, seconds, deadline)
    return found.verdict, function


def _axes(mesh: str | None, devices: int | None) -> tuple["Axis", ...]:
    from math import prod

    from p2smt.frontend.torch_ranks.annotations import mesh_of
    from p2smt.tensor.program import Axis

    if mesh is None:
        if devices is None:
            raise VerifyError("--run-python needs --devices, or --mesh: which ranks run the function")
        return (Axis("ranks", devices),)
    axes = mesh_of(mesh)
    if devices is not None and devices != prod(axis.size for axis in axes):
        raise VerifyError(f"--mesh {mesh} is of {prod(axis.size for axis in axes)} ranks, and --devices of {devices}")
    return axes


def _exit_code(verdict: "ProgramVerdict") -> ExitCode:
    from p2smt.tensor.verification.verdict import Mistake, NotProved, Right

    match verdict:
        case Right():
            return ExitCode.FOUND
        case Mistake():
            return ExitCode.NEGATIVE
        case NotProved():
            return ExitCode.PARTIAL
        case _:
            assert_never(verdict)
