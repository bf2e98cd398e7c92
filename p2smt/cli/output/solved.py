"""The optimum of a job, or the printed reason and the exit code if there is none."""

from typing import assert_never

import click

from p2smt.cli.exit_code import ExitCode, of_search
from p2smt.cli.output.document import VERSION, Document, print_json
from p2smt.cli.output.infeasible import infeasible_document, infeasible_text
from p2smt.cli.output.progress import progress
from p2smt.cost.network.cost import Cost
from p2smt.job.infeasible import Infeasible
from p2smt.job.optimize import Optimum, Unfinished, optimize
from p2smt.problem.workload import Workload
from p2smt.smt.answer import Stop


def solved(
    workload: Workload,
    cost: Cost,
    deadline: float | None = None,
    *,
    as_json: bool = False,
    err: bool = False,
) -> Optimum | ExitCode:
    """Return the optimal placements of a job, or print why there are none and return the exit code.

    The reason goes to stdout, with `as_json` as a document; with `err`, because stdout receives a file, to stderr.
    """
    with progress("placements") as on_progress:
        result = optimize(workload, cost, deadline, on_progress)
    return result if isinstance(result, Optimum) else unfinished(result, as_json=as_json, err=err)


def unfinished(result: Infeasible | Unfinished, *, as_json: bool, err: bool = False) -> ExitCode:
    """Print why a job has no optimum, and return the exit code."""
    match result:
        case Infeasible():
            _say(infeasible_text(result), infeasible_document(result), as_json=as_json, err=err)
            return of_search(found=False, complete=True)
        case Unfinished():
            _say(_unfinished_text(result), _unfinished_document(result), as_json=as_json, err=err)
            return of_search(found=False, complete=False)
        case _:
            assert_never(result)


def _say(text: str, document: Document, *, as_json: bool, err: bool) -> None:
    if as_json:
        print_json(document)
    else:
        click.echo(text, err=err)


def _unfinished_text(unfinished: Unfinished) -> str:
    why = f": {unfinished.reason}" if unfinished.reason else ""
    way_out = "; allow a longer --timeout" if unfinished.stop is Stop.DEADLINE else ""
    return f"stopped ({unfinished.stop}) before any placement was priced{why}{way_out}"


def _unfinished_document(unfinished: Unfinished) -> Document:
    return {
        "version": VERSION,
        "proved": False,
        "stopped": str(unfinished.stop),
        "reason": unfinished.reason,
        "placements": [],
    }
