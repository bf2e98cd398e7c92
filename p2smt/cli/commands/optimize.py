"""`p2smt optimize`."""

from pathlib import Path
from typing import Any

import click

from p2smt.cli.options.job import job_options, read_job
from p2smt.cli.options.problem import JSON, TIMEOUT, backend_options, deadline_after
from p2smt.cost.network.backend import Backend


@click.command("optimize")
@job_options
@backend_options
@TIMEOUT
@click.option("--top", type=click.IntRange(min=1), default=5, show_default=True, help="Placements to print.")
@click.option(
    "--plans",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the plans of the best placement's all-reduces into this folder, reduction-0.json and so on.",
)
@JSON
def command(backend: Backend, timeout: float | None, top: int, plans: Path | None, as_json: bool, **given: Any) -> int:
    """Find the placement on which all reductions of a training step together are fastest, and prove it.

    Every placement that keeps the conditions is priced, every reduction on it with its best program. Where nothing
    keeps them, the fewest conditions that clash are named, and the nearest ones and sizes that would work.

    \b
    Example:
      p2smt example dense-70b --out job.toml && p2smt optimize job.toml
      p2smt optimize job.toml --condition "cp inside node" --json
      p2smt explain job.toml
    """  # noqa: D301
    from p2smt.cli.main import FOUND, NEGATIVE, PARTIAL
    from p2smt.cli.output.optimize import infeasible_document, optimum_document, print_infeasible, print_optimum
    from p2smt.cli.output.progress import placement_progress, print_json
    from p2smt.cost.network.backend import cost_of
    from p2smt.job.infeasible import Infeasible
    from p2smt.job.optimize import Optimum, Unfinished, optimize

    workload = read_job(given)
    cost = cost_of(workload.system, backend)
    with placement_progress() as progress:
        found = optimize(workload, cost, deadline_after(timeout), progress)
    match found:
        case Optimum():
            written = _write_plans(plans, found, cost) if plans is not None else []
            if as_json:
                print_json(optimum_document(found, backend, top))
            else:
                print_optimum(found, backend, top, written)
            return FOUND if found.proved else PARTIAL
        case Infeasible():
            if as_json:
                print_json(infeasible_document(found))
            else:
                print_infeasible(found)
            return NEGATIVE
        case Unfinished():
            if as_json:
                print_json({"proved": False, "stopped": str(found.stop), "reason": found.reason, "placements": []})
            else:
                click.echo(f"stopped ({found.stop}) before any placement was priced; allow a longer --timeout")
            return PARTIAL


def _write_plans(folder: Path, found: Any, cost: Any) -> list[str]:
    """The plans of the best placement; the names of the files that were written."""
    from p2smt.cli.output.files import write_result
    from p2smt.errors import OutputError
    from p2smt.job.job_pricer import JobPricer
    from p2smt.reduction.plan.file import plan_text

    try:
        folder.mkdir(exist_ok=True)
    except OSError as cause:
        raise OutputError(f"cannot make the folder {folder}: {cause.strerror}; choose another --plans") from cause
    pricer = JobPricer(found.workload, cost)
    written = []
    for one in found.best.reductions:
        plan = pricer.plan(found.best.matrix, one)
        if plan is not None:
            name = f"reduction-{found.workload.reductions.index(one.reduction)}.json"
            write_result(folder / name, plan_text(plan))
            written.append(name)
    return sorted(written)
