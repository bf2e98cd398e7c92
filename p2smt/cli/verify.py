"""`p2smt verify`."""

from pathlib import Path
from typing import Any

import click

from p2smt.cli.problem_options import JSON, TIMEOUT, deadline_after


@click.command("verify")
@click.argument("plan_file", type=click.Path(path_type=Path), metavar="PLAN")
@click.option(
    "--groups", metavar="GROUPS", help='Devices that reduce together: "0,1,2,3;4,5,6,7" [the file\'s, or all].'
)
@click.option("--format", "form", type=click.Choice(["hand", "p2smt"]), help="Kind of file [by its content].")
@TIMEOUT
@JSON
def command(plan_file: Path, groups: str | None, form: str | None, timeout: float | None, as_json: bool) -> int:
    """Prove a hand-written plan right, or name the step that is wrong, with numbers that show it.

    PLAN is hand-written TOML or JSON (devices, chunks, buffers, steps with their groups), or what `p2smt plan` wrote.

    \b
    Example:
      p2smt verify plan.toml
      p2smt verify plan.toml --groups "0,1,2,3;4,5,6,7" --json

    Exit codes: 0 valid, 1 invalid or vacuous, 2 bad input, 3 undecided.
    """  # noqa: D301
    from p2smt.cli.main import FOUND, NEGATIVE, PARTIAL
    from p2smt.cli.report import print_json
    from p2smt.verify.check import verify
    from p2smt.verify.importers import Format, read_any
    from p2smt.verify.verdict import Undecided, Valid

    wanted = None if groups is None else _groups(groups)
    plan = read_any(plan_file, None if form is None else Format(form), wanted)
    verdict = verify(plan, deadline_after(timeout))
    if as_json:
        print_json(_document(verdict))
    else:
        click.echo(_text(verdict))
    if isinstance(verdict, Undecided):
        return PARTIAL
    return FOUND if isinstance(verdict, Valid) else NEGATIVE


def _groups(text: str) -> tuple[tuple[int, ...], ...]:
    from p2smt.errors import VerifyError

    try:
        return tuple(tuple(int(device) for device in group.split(",")) for group in text.split(";"))
    except ValueError as cause:
        raise VerifyError(f"--groups {text[:80]!r} does not parse; write groups such as 0,1,2,3;4,5,6,7") from cause


def _text(verdict: Any) -> str:
    from p2smt.verify.verdict import Invalid, Undecided, Vacuous, Valid

    match verdict:
        case Valid(checked):
            return f"valid: {checked} chunks on devices checked, by execution and by the solver"
        case Vacuous(reason):
            return f"vacuous: {reason}"
        case Undecided(reason):
            return f"undecided: {reason}"
        case Invalid(rule, _, message, example):
            return "\n".join([f"invalid: {rule}", f"  {message}", *([] if example is None else [_shown(example)])])
        case _:
            raise AssertionError(verdict)


def _shown(example: Any) -> str:
    return (
        f"  try it: let device {example.contributor} contribute 1 to chunk {example.chunk} and all else be 0; "
        f"device {example.device} ends with {example.got} in chunk {example.at} instead of {example.wanted}"
    )


def _document(verdict: Any) -> dict[str, Any]:
    from dataclasses import asdict

    from p2smt.cli.report import VERSION
    from p2smt.verify.verdict import Invalid, Valid

    document: dict[str, Any] = {"version": VERSION, "verdict": type(verdict).__name__.lower()}
    if isinstance(verdict, Invalid):
        place = asdict(verdict.place)
        example = None if verdict.example is None else asdict(verdict.example)
        return document | {"rule": verdict.rule.name.lower(), "message": verdict.message, **place, "example": example}
    if isinstance(verdict, Valid):
        return document | {"step": None, "rule": None, "message": None, "checked": verdict.checked}
    return document | {"step": None, "rule": None, "message": verdict.reason}
