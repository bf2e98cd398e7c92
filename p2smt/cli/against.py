"""`p2smt verify --against`: compare a distributed program, function or XLA text with a single-device program."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from p2smt.cli.exit_code import ExitCode, of_verdict
from p2smt.cli.file_kind import FOREIGN, PROGRAM, PYTHON, another_kind
from p2smt.errors import VerifyError
from p2smt.frontend.format import Format
from p2smt.verify.verdict import Unknown

if TYPE_CHECKING:
    from p2smt.cli.options.python_file import PythonOptions
    from p2smt.frontend.asked_goal import AskedGoal
    from p2smt.tensor.program import Program
    from p2smt.tensor.verification.verdict import ProgramVerdict

PlansAlone = tuple["AskedGoal", Format | None, Path | None, int | None]
"""The options that apply to a plan and not to a program: goal, format, example, devices per machine."""

DEFAULT_TIMEOUT_S = 300


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """The reference program, and the user's mesh and layouts for a function or XLA text that every rank runs."""

    against: Path | None
    mesh: str | None
    layouts: tuple[str, ...]
    rounding: bool = False


def verify_against(
    path: Path,
    beside: ComparisonRequest,
    python: "PythonOptions",
    plans: PlansAlone,
    timeout: float | None,
    *,
    as_json: bool,
) -> ExitCode:
    """Compare the file at `path` with the reference program, print the verdict, and return its exit code."""
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.program_verdict import program_verdict_document, program_verdict_text
    from p2smt.cli.output.screen import say

    against = beside.against
    if against is None:
        raise VerifyError("--mesh, --layout and --up-to-rounding apply to a comparison; give --against FILE too")
    _plans_alone(plans, runs=python.run_python)
    if (other := another_kind(path, (PROGRAM, FOREIGN, PYTHON))) is not None:
        raise VerifyError(f"{other}; --against compares tensor programs, texts for XLA and functions")
    seconds = DEFAULT_TIMEOUT_S if timeout is None else timeout
    single = _single(against)
    if isinstance(single, Unknown):
        found: tuple[ProgramVerdict, str] = single, path.name
    else:
        found = _judged(path, single, beside, python, seconds)
    verdict, name = found
    if as_json:
        print_json(program_verdict_document(verdict))
    else:
        other = against.name if isinstance(single, Unknown) else single.name
        say(program_verdict_text(verdict, name, other), whole_in_pipes=True)
    return of_verdict(verdict)


def _single(against: Path) -> "Program | Unknown":
    """Read the reference program: a tensor program, or HLO or StableHLO text for one device.

    Returns Unknown if the XLA text contains an operation that p2smt does not cover.
    """
    from p2smt.frontend.xla_ranks.module import is_text, single_program
    from p2smt.frontend.xla_ranks.tilings import UncoveredError
    from p2smt.tensor.text.file import read_program

    if not is_text(against):
        return read_program(against)
    try:
        return single_program(against)
    except UncoveredError as cause:
        return Unknown(str(cause))


def _plans_alone(plans: PlansAlone, *, runs: bool) -> None:
    """Raise VerifyError if an option that applies only to plans is given together with --against."""
    from p2smt.frontend.asked_goal import AS_WRITTEN

    goal, format, example, per_machine = plans
    asked = goal != AS_WRITTEN or format not in (None, Format.TENSOR)  # only: tensor programs are not plans
    if asked or example is not None or per_machine is not None:
        what = "a function with a tensor program" if runs else "tensor programs"
        more = "--function, --mesh, " if runs else ""
        raise VerifyError(f"--against compares {what}; it goes only with --devices, {more}--timeout and --json")


def _judged(
    path: Path, single: "Program", beside: ComparisonRequest, python: "PythonOptions", seconds: float
) -> tuple["ProgramVerdict", str]:
    """Return the verdict, and the name by which its message calls the file."""
    from p2smt.cli.options.shared import deadline_after
    from p2smt.frontend.xla_ranks.module import is_text
    from p2smt.tensor.text.file import read_program
    from p2smt.tensor.verification.check import verify_program
    from p2smt.tensor.verification.rounding import verify_up_to_rounding

    if beside.rounding and (python.run_python or is_text(path)):
        raise VerifyError("--up-to-rounding compares tensor programs; leave it out for a function or a text for XLA")
    deadline = deadline_after(seconds)
    if python.run_python:
        if beside.layouts:
            raise VerifyError(
                "--layout is for parameters of a text for XLA; annotate the parameters of a function instead"
            )
        return _function(path, single, beside.mesh, python, seconds, deadline)
    if is_text(path):
        return _text(path, single, beside, python.devices, deadline)
    if path.suffix == ".py" or ".py:" in path.name:
        raise VerifyError(f"{path} is Python code, which is not run by default; give --run-python if you trust it")
    if beside.mesh is not None or beside.layouts:
        raise VerifyError(
            "--mesh and --layout are for a function or a text for XLA; a tensor program has its own, so leave them out"
        )
    program = read_program(path)
    judge = verify_up_to_rounding if beside.rounding else verify_program
    return judge(program, single, python.devices, deadline), program.name


def _function(
    path: Path, single: "Program", mesh: str | None, python: "PythonOptions", seconds: float, deadline: float | None
) -> tuple["ProgramVerdict", str]:
    from p2smt.cli.output.progress import working
    from p2smt.frontend.torch_ranks.annotations import ranks_of
    from p2smt.frontend.torch_ranks.ranks import verify_function

    file, named = python.of_file(path)
    if not named.function:
        raise VerifyError(f"{path} names no function; give FILE.py:FUNCTION")
    if python.elements is not None:
        raise VerifyError(
            "--elements is for a function that reduces one tensor; leave it out, the other program has all shapes"
        )
    with working("running the function on all ranks"):
        found = verify_function(file, named.function, ranks_of(mesh, python.devices), single, seconds, deadline)
    return found.verdict, named.function


def _text(
    path: Path, single: "Program", beside: ComparisonRequest, devices: int | None, deadline: float | None
) -> tuple["ProgramVerdict", str]:
    from p2smt.cli.output.progress import working
    from p2smt.frontend.torch_ranks.annotations import layouts_of, ranks_of
    from p2smt.frontend.xla_ranks.ranks import UserStatements, verify_text

    layouts = {}
    for text in beside.layouts:
        name, sign, layout = text.partition("=")
        if not sign or not (found := layouts_of(name.strip(), layout.strip())):
            raise VerifyError(f"--layout {text[:80]!r} does not parse; write --layout 'x=sliced(0)'")
        layouts[name.strip()] = found
    mesh = None if beside.mesh is None else ranks_of(beside.mesh, devices)
    with working("reading what every device runs"):
        found_verdict = verify_text(path, single, UserStatements(mesh=mesh, devices=devices, layouts=layouts), deadline)
    return found_verdict.verdict, path.name
