"""`p2smt optimize`."""

from pathlib import Path

import click

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.options.job import JobOptions, job_options
from p2smt.cli.options.shared import JSON, TIMEOUT, backend_options, deadline_after
from p2smt.cost.network.backend import Backend


@click.command("optimize")
@job_options
@backend_options
@TIMEOUT
@click.option("--top", type=click.IntRange(min=1), default=5, show_default=True, help="Placements to print.")
@click.option(
    "--plans",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the plans of the best placement's reductions into this folder, reduction-0.json and so on.",
)
@JSON
def command(
    given: JobOptions, backend: Backend, timeout: float | None, top: int, plans: Path | None, as_json: bool
) -> ExitCode:
    """Find the placement on which all reductions of a training step together are fastest, and prove it.

    Every placement that keeps the conditions is priced, every reduction on it with its best program. Where nothing
    keeps them, the fewest conditions that clash are named, and the nearest ones and sizes that would work.

    \b
    Example:
      p2smt example dense-70b --out job.toml && p2smt optimize job.toml
      p2smt optimize job.toml --condition "cp inside node" --json
      p2smt explain job.toml
    """  # noqa: D301
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.files import write_folder
    from p2smt.cli.output.optimum import optimum_document, print_optimum
    from p2smt.cli.output.solved import solved
    from p2smt.cost.network.backend import cost_of
    from p2smt.job.plans import best_plans
    from p2smt.reduction.plan.file import plan_text

    workload = given.workload()
    cost = cost_of(workload.system, backend)
    optimum = solved(workload, cost, deadline_after(timeout), as_json=as_json)
    if isinstance(optimum, ExitCode):
        return optimum
    texts = {} if plans is None else best_plans(optimum, cost)
    files = {f"reduction-{number}.json": plan_text(plan) for number, plan in texts.items()}
    if plans is not None:
        write_folder(plans, files)
    if as_json:
        print_json(optimum_document(optimum, backend, top))
    else:
        print_optimum(optimum, backend, top, tuple(files))
    return ExitCode.FOUND if optimum.proved else ExitCode.PARTIAL
