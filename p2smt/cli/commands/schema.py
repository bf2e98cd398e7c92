"""`p2smt schema`."""

import click


@click.command("schema")
@click.argument("kind", type=click.Choice(["problem", "system", "plan", "study"]))
def command(kind: str) -> None:
    """Print the JSON Schema of problem, system or sweep files (the JSON that the TOML stands for) or of plan files.

    \b
    Example:
      p2smt schema plan > plan.schema.json
    """  # noqa: D301
    from p2smt.cli.output.progress import print_json
    from p2smt.problem.file import problem_schema
    from p2smt.problem.system.file import system_schema
    from p2smt.reduction.plan.file import plan_schema
    from p2smt.sweep.sweep_file import sweep_schema

    schemas = {"problem": problem_schema, "system": system_schema, "plan": plan_schema, "study": sweep_schema}
    print_json(schemas[kind]())
