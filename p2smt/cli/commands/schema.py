"""`p2smt schema`."""

from enum import StrEnum
from typing import TYPE_CHECKING, assert_never

import click

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.values import one_of

if TYPE_CHECKING:
    from p2smt.cli.output.document import Document


class SchemaKind(StrEnum):
    """The file formats that have a JSON Schema."""

    PROBLEM = "problem"
    SYSTEM = "system"
    PLAN = "plan"
    STUDY = "study"


@click.command("schema", cls=HelpPage)
@click.argument("kind", type=one_of([kind.value for kind in SchemaKind]))
@click.option("--json", is_flag=True, expose_value=False, help="One JSON document on stdout, as without it.")
def command(kind: str) -> ExitCode:
    """Print the JSON Schema of problem, system or sweep files (the JSON that the TOML stands for) or of plan files.

    \b
    Example:
      p2smt schema plan > plan.schema.json
    """  # noqa: D301
    from p2smt.cli.output.document import print_json

    print_json(_schema(SchemaKind(kind)))
    return ExitCode.FOUND


def _schema(kind: SchemaKind) -> "Document":
    match kind:
        case SchemaKind.PROBLEM:
            from p2smt.problem.file import problem_schema

            return problem_schema()
        case SchemaKind.SYSTEM:
            from p2smt.problem.system.file import system_schema

            return system_schema()
        case SchemaKind.PLAN:
            from p2smt.reduction.plan.file import plan_schema

            return plan_schema()
        case SchemaKind.STUDY:
            from p2smt.sweep.sweep_file import sweep_schema

            return sweep_schema()
        case _:
            assert_never(kind)
