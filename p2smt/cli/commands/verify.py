"""`p2smt verify`."""

from pathlib import Path
from typing import Any

import click

from p2smt.cli.options.problem import JSON, TIMEOUT, deadline_after


@click.command("verify")
@click.argument("plan_file", type=click.Path(path_type=Path), metavar="PLAN")
@click.option(
    "--groups", metavar="GROUPS", help='Devices that reduce together: "0,1,2,3;4,5,6,7" [the file\'s, or all].'
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["hand", "p2smt", "hlo", "stablehlo", "msccl", "torch"]),
    help="Kind of file [by its content].",
)
@click.option(
    "--example", type=click.Path(path_type=Path), metavar="FILE", help="Write the smallest plan with the same mistake."
)
@click.option("--run-python", is_flag=True, help="Run a Python file's code, once per device, to see what it does.")
@click.option(
    "--function", metavar="NAME", help="Its function, or class to call an object of [the only one, or reduce]."
)
@click.option("--devices", type=int, help="How many ranks run it.")
@click.option("--elements", type=int, help="Length of the tensor it gets [one per device].")
@click.option(
    "--dtype", type=click.Choice(["float32", "float64", "int32", "int64"]), default="float32", help="Of this type."
)
@click.option("--average", is_flag=True, help="It has to give the average instead of the sum.")
@TIMEOUT
@JSON
def command(
    plan_file: Path,
    groups: str | None,
    form: str | None,
    example: Path | None,
    timeout: float | None,
    as_json: bool,
    **python: Any,
) -> int:
    """Prove a plan right, or name the step that is wrong, with numbers that show it.

    The same mistake is shown on the smallest part of the plan: the fewest devices, then chunks, that are found.

    PLAN is hand-written TOML or JSON (devices, chunks, buffers, steps with their groups), what `p2smt plan` wrote, XLA
    HLO or StableHLO text, an MSCCL schedule (XML), or, with --run-python, a Python function that takes a tensor and
    reduces it with torch.distributed.

    \b
    Example:
      p2smt verify plan.toml
      p2smt verify plan.toml --groups "0,1,2,3;4,5,6,7" --json
      p2smt verify plan.toml --example smallest.toml
      p2smt verify reduce.py --run-python --devices 8

    Exit codes: 0 valid, 1 invalid or vacuous, 2 bad input, 3 unknown.
    """  # noqa: D301
    from p2smt.cli.main import FOUND, NEGATIVE, PARTIAL
    from p2smt.cli.output.progress import print_json
    from p2smt.cli.output.verify import verdict_document, verdict_text
    from p2smt.frontend.importers import Format, read_any
    from p2smt.verify.check import verify
    from p2smt.verify.shrink import counter_example
    from p2smt.verify.verdict import Unknown, Valid

    wanted = None if groups is None else _groups(groups)
    deadline = deadline_after(timeout)
    plan = read_any(plan_file, None if form is None else Format(form), wanted, _tracing(timeout, **python))
    verdict = verify(plan, deadline)
    small = counter_example(plan, verdict)
    if example is not None:
        _write(example, plan_file, plan, small)
    if as_json:
        print_json(verdict_document(verdict, small))
    else:
        click.echo(verdict_text(verdict, plan, small))
    if isinstance(verdict, Unknown):
        return PARTIAL
    return FOUND if isinstance(verdict, Valid) else NEGATIVE


def _tracing(timeout: float | None, run_python: bool, devices: int | None, **how: Any) -> Any:
    from p2smt.errors import VerifyError
    from p2smt.frontend.torch_function.plan import TIMEOUT_S, Tracing

    if not run_python:
        return None
    if devices is None:
        raise VerifyError("--run-python needs --devices: on how many ranks the function runs")
    return Tracing(devices, timeout_s=TIMEOUT_S if timeout is None else timeout, **how)


def _groups(text: str) -> tuple[tuple[int, ...], ...]:
    from p2smt.errors import VerifyError

    try:
        return tuple(tuple(int(device) for device in group.split(",")) for group in text.split(";"))
    except ValueError as cause:
        raise VerifyError(f"--groups {text[:80]!r} does not parse; write groups such as 0,1,2,3;4,5,6,7") from cause


def _write(example: Path, plan_file: Path, plan: Any, small: Any) -> None:
    from p2smt.cli.output.files import write_result
    from p2smt.cli.output.smallest import smallest_file

    if small is None:
        click.echo(f"{example} is not written: there is no mistake that a smaller plan could show", err=True)
    else:
        write_result(example, smallest_file(plan, small, str(plan_file)))
