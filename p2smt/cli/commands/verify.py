"""`p2smt verify`."""

from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.against import DEFAULT_TIMEOUT_S, ComparisonRequest, verify_against
from p2smt.cli.exit_code import ExitCode, of_verdict
from p2smt.cli.file_kind import FOREIGN, HAND_WRITTEN, PLAN, PROGRAM, PYTHON
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.paths import InputPath, OutputPath
from p2smt.cli.options.python_file import PythonOptions, python_options
from p2smt.cli.options.shared import FORCE, JSON, deadline_after
from p2smt.cli.options.values import Command, choice, take, with_options
from p2smt.errors import VerifyError
from p2smt.frontend.format import Format
from p2smt.verify.operation import GOAL_COLLECTIVES, GoalCollective

if TYPE_CHECKING:
    from p2smt.frontend.asked_goal import AskedGoal
    from p2smt.frontend.verification import Verification

_GOAL_OPTIONS = (
    choice(
        "--goal",
        GOAL_COLLECTIVES,
        spelled=lambda one: one.hyphenated,
        help="What the plan has to do in every group [what the file says, or all-reduce].",
    ),
    click.option(
        "--groups", metavar="GROUPS", help='Devices that reduce together: "0,1,2,3;4,5,6,7" [the file\'s, or all].'
    ),
    click.option("--root", type=int, help="Which member of a group gets a reduce's sum, or is broadcast, from 0 [0]."),
    click.option("--average", is_flag=True, help="It has to give the average instead of the sum."),
)


def _goal_options(command: Command) -> Command:
    @wraps(command)
    def with_goal(
        goal: GoalCollective | None, groups: str | None, root: int | None, average: bool, **values: object
    ) -> int:
        from p2smt.frontend.asked_goal import AskedGoal

        named = None if groups is None else _groups(groups)
        return command(goal=AskedGoal(collective=goal, groups=named, root=root, average=average), **values)

    return with_options(with_goal, _GOAL_OPTIONS)


_BESIDE_OPTIONS = (
    click.option(
        "--against",
        type=InputPath(PROGRAM, FOREIGN),
        metavar="FILE",
        help="PLAN is a distributed program, and this the program for one device that it has to equal.",
    ),
    click.option(
        "--mesh", metavar="AXES", help="Axes of the ranks that run what is compared with --against: data=2,model=4."
    ),
    click.option(
        "--layout",
        "layouts",
        metavar="NAME=LAYOUT",
        multiple=True,
        help="How a text for XLA cuts a source, if it does not say it: x=sliced(0, data).",
    ),
    click.option(
        "--up-to-rounding",
        "rounding",
        is_flag=True,
        help="Take casts between floating-point types for rounding, as in mixed precision; the verdict says so.",
    ),
)


def _beside_options(command: Command) -> Command:
    @wraps(command)
    def with_beside(**values: object) -> int:
        return command(beside=take(ComparisonRequest, values), **values)

    return with_options(with_beside, _BESIDE_OPTIONS)


_TIMEOUT = click.option(
    "--timeout",
    type=float,
    metavar="SECONDS",
    help=f"Without the solver's answer after so long the verdict is unknown (exit 3) [{DEFAULT_TIMEOUT_S}].",
)


@click.command("verify", cls=HelpPage)
@click.argument("plan_file", type=InputPath(HAND_WRITTEN, PLAN, FOREIGN, PYTHON, PROGRAM), metavar="PLAN")
@_goal_options
@choice("--format", Format, help="Kind of file [by its content].")
@click.option("--example", type=OutputPath(), metavar="FILE", help="Write the smallest plan with the same mistake.")
@FORCE
@python_options
@click.option(
    "--devices-per-machine",
    "per_machine",
    type=int,
    metavar="N",
    help="For an MSCCL schedule: between machines connections hold more messages [at most 8, if it matters].",
)
@_beside_options
@_TIMEOUT
@JSON
def command(
    plan_file: Path,
    goal: "AskedGoal",
    format: Format | None,
    example: Path | None,
    force: bool,
    python: PythonOptions,
    per_machine: int | None,
    beside: ComparisonRequest,
    timeout: float | None,
    as_json: bool,
) -> ExitCode:
    """Prove a plan right, or name the step that is wrong, with numbers that show it.

    The same mistake is shown on the smallest part of the plan: the fewest devices, then chunks, that are found.

    PLAN is hand-written TOML or JSON (devices, chunks, buffers, steps with their groups), what `p2smt plan` wrote, HLO
    or StableHLO text, a file of MSCCL or MSCCL++, or, with --run-python, a Python function that takes a tensor and
    reduces it with torch.distributed: FILE.py, or FILE.py:FUNCTION. Shards are blocks of the payload in group order: a
    reduce-scatter leaves member i block i, where the result begins, and an all-gather puts them together again. With
    --against, it is a distributed tensor program, or HLO or StableHLO that every device runs: right if all that is
    observed is proved to be that of the other, wrong if a layout rule is broken or a value differs, which is shown on
    the fewest ranks and shortest dimensions. With --run-python too, PLAN is FILE.py:FUNCTION, which every rank runs on
    its parts of what the other is given: under the same names, with layouts as annotations (x: "sliced(0)"). It gives
    the outputs.

    \b
    Example:
      p2smt verify plan.toml
      p2smt verify plan.toml --groups "0,1,2,3;4,5,6,7" --example smallest.toml --json
      p2smt verify reduce.py:average --run-python --devices 8 --average
      p2smt verify distributed.tp --against single.tp
      p2smt verify mlp.py:forward --run-python --devices 4 --against single.tp
      p2smt verify sharded.mlir --against single.mlir

    Exit codes: 0 valid, 1 invalid or vacuous, 2 bad input, 3 unknown.
    """  # noqa: D301
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.progress import working
    from p2smt.cli.output.screen import say
    from p2smt.cli.output.verify import verdict_document, verdict_text
    from p2smt.frontend.verification import verify_file

    python.check_used()
    if beside != ComparisonRequest(None, None, ()):
        plans = goal, format, example, per_machine
        return verify_against(plan_file, beside, python, plans, timeout, as_json=as_json)
    plan_file, python = python.of_file(plan_file)
    deadline = deadline_after(DEFAULT_TIMEOUT_S if timeout is None else timeout)
    tracing = python.tracing(timeout)
    with working("running the function on all ranks" if tracing is not None else "checking the plan"):
        verification = verify_file(plan_file, format, goal, tracing, deadline, python.devices, per_machine)
    if example is not None:
        _write(example, plan_file, verification, force=force)
    if as_json:
        print_json(verdict_document(verification))
    else:
        say(verdict_text(verification), whole_in_pipes=True)
    return of_verdict(verification.verdict)


def _groups(text: str) -> tuple[tuple[int, ...], ...]:
    try:
        return tuple(tuple(int(device) for device in group.split(",")) for group in text.split(";"))
    except ValueError as cause:
        raise VerifyError(f"--groups {text[:80]!r} does not parse; write groups such as 0,1,2,3;4,5,6,7") from cause


def _write(example: Path, plan_file: Path, verification: "Verification", *, force: bool) -> None:
    from p2smt.cli.output.files import write_and_say
    from p2smt.cli.output.smallest import smallest_file
    from p2smt.verify.plan import VerificationPlan

    small = verification.counter_example
    if small is None or not isinstance(verification.plan, VerificationPlan):
        click.echo(f"{example} is not written: there is no mistake that a smaller plan could show", err=True)
    else:
        text = smallest_file(verification.plan, small, str(plan_file))
        write_and_say(example, text, "the smallest plan with this mistake", f"p2smt verify {example}", force=force)
