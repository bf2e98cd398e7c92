"""`p2smt schema`."""

from enum import StrEnum
from importlib import import_module

import click

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.values import one_of
from p2smt.problem.typed import json_schema


class SchemaKind(StrEnum):
    """The file formats that have a JSON Schema: all in JSON or TOML that p2smt reads and that are its own."""

    PROBLEM = "problem"
    SYSTEM = "system"
    PLAN = "plan"
    EXCHANGE = "exchange"
    HAND_WRITTEN = "hand-written"
    STUDY = "study"
    MODEL = "model"
    MESH = "mesh"
    RATES = "rates"


_CONTENTS = {
    SchemaKind.PROBLEM: ("problem.file", "ProblemFile", "problem"),
    SchemaKind.SYSTEM: ("problem.system.file", "SystemFile", "system"),
    SchemaKind.PLAN: ("reduction.plan.file", "PlanRecord", "plan"),
    SchemaKind.EXCHANGE: ("reduction.plan.exchange_file", "ExchangeFile", "plan of an exchange"),
    SchemaKind.HAND_WRITTEN: ("frontend.plan_file", "PlanFile", "hand-written plan"),
    SchemaKind.STUDY: ("sweep.sweep_file", "SweepFile", "sweep"),
    SchemaKind.MODEL: ("frontend.models.reading", "ModelFile", "model"),
    SchemaKind.MESH: ("placement.mesh_file", "MeshFile", "mesh"),
    SchemaKind.RATES: ("schedule.cost.rates_file", "RatesFile", "rates of collectives"),
}
"""For each kind of file: the module and name of the type that reads it, which is imported on demand, and a title."""


@click.command("schema", cls=HelpPage)
@click.argument("kind", type=one_of([kind.value for kind in SchemaKind]))
@click.option("--json", is_flag=True, expose_value=False, help="One JSON document on stdout, as without it.")
def command(kind: str) -> ExitCode:
    """Print the JSON Schema of a kind of file; of TOML, that of the JSON that it stands for.

    Job files are of kind problem, with [[reduction]] tables or a model. Kind exchange is the plan of an all-to-all or a
    send, hand-written a plan for p2smt verify, and rates what scripts/measure_rates.py writes.

    \b
    Example:
      p2smt schema plan > plan.schema.json
    """  # noqa: D301
    from p2smt.cli.output.document import print_json

    module, name, title = _CONTENTS[SchemaKind(kind)]
    print_json(json_schema(getattr(import_module(f"p2smt.{module}"), name), title))
    return ExitCode.FOUND
