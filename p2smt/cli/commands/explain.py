"""`p2smt explain`."""

from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

import click

from p2smt.cli.exit_code import ExitCode, of_search
from p2smt.cli.file_kind import JOB, PLAN, PROBLEM, PROGRAM, SYSTEM, ending_of
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.job import JobOptions
from p2smt.cli.options.paths import SYSTEM_TEXT, InputPath
from p2smt.cli.options.plan import PlanOptions
from p2smt.cli.options.plan_file import UNCHECKED, given_plan, system_of_plan
from p2smt.cli.options.problem import ProblemOptions
from p2smt.cli.options.search import SearchOptions, SystemOptions
from p2smt.cli.options.sharding import (
    SHARDING_NAMES,
    ShardingExplanationOptions,
    refuse_given,
    sharding_explanation_options,
)
from p2smt.cli.options.shared import JSON, TIMEOUT, backend_options, deadline_after
from p2smt.cli.options.values import Command, choice, take, with_options
from p2smt.cost.network.backend import Backend, Gloo, Nccl, asked_cost
from p2smt.placement.matrix import parse_matrix
from p2smt.problem.file import SearchEntry
from p2smt.problem.model import Grammar
from p2smt.problem.problem_file import search_of
from p2smt.problem.system.text import find_system

if TYPE_CHECKING:
    from p2smt.cost.network.hop_cost import HopCost
    from p2smt.problem.system.network import System
    from p2smt.reduction.plan.model import Plan


_PROBLEM_OPTIONS = (
    click.option("--axes", metavar="AXES", help="Without a file: as for plan, whose best program is explained."),
    click.option("--reduce", metavar="AXES", help="Then the axes to reduce over."),
    click.option("--bytes", "size", metavar="SIZE", help="Then the payload of every device [1GiB]."),
    click.option("--dtype", metavar="TYPE", help="Then its element type [float32]."),
)


@dataclass(frozen=True, slots=True)
class _UnfiledProblem:
    """The options that take the place of a file; None if an option is not given."""

    axes: str | None
    reduce: str | None
    size: str | None
    dtype: str | None

    def given(self, system: SystemOptions, search: SearchOptions) -> ProblemOptions:
        """Return the problem as `p2smt plan` gets it."""
        return ProblemOptions(
            problem_file=None,
            axes=self.axes,
            reduce=self.reduce,
            goal=None,
            size=self.size,
            dtype=self.dtype,
            system=system,
            search=search,
        )


def _problem_options(command: Command) -> Command:
    @wraps(command)
    def with_problem(**values: object) -> int:
        return command(unfiled=take(_UnfiledProblem, values), **values)

    return with_options(with_problem, _PROBLEM_OPTIONS)


@click.command("explain", cls=HelpPage)
@click.argument(
    "file",
    required=False,
    type=InputPath(PLAN, JOB, PROBLEM, SYSTEM, PROGRAM),
    metavar="[PLAN.json|JOB.toml|PROGRAM.tp]",
)
@click.option(
    "--system",
    type=SYSTEM_TEXT,
    metavar="SYSTEM",
    help="As for synth [the plan's, or the job's]; of a program required.",
)
@backend_options
@click.option("--limit", type=int, help="Longest program to look for [5, or the job's].")
@choice("--grammar", Grammar, help="Grammar of the programs to look for [full, or the job's].")
@click.option("--by-hop", is_flag=True, help="Count the bytes of every hop, up to 4096 devices, instead of by level.")
@click.option(
    "--matrix",
    "matrices",
    multiple=True,
    help="Of a job: one more placement to compare, repeatable; without a file: the placement.",
)
@_problem_options
@UNCHECKED
@TIMEOUT
@sharding_explanation_options
@JSON
def command(
    file: Path | None,
    system: str | None,
    backend: Backend,
    limit: int | None,
    grammar: Grammar | None,
    by_hop: bool,
    matrices: tuple[str, ...],
    unfiled: _UnfiledProblem,
    unchecked: bool,
    timeout: float | None,
    explained: ShardingExplanationOptions,
    as_json: bool,
) -> ExitCode:
    """Say where a plan's time goes: beside one collective, per step, per link, what is next best and why it loses.

    The system is the one that the plan was made for, unless --system names another. With --axes and --reduce instead
    of a file, it is the plan of the best program, as `p2smt plan` makes it.
    Of a job: why its best placement is the best, beside the next one and those with each axis innermost.
    Of a tensor program: what other layouts of a tensor would cost than those that p2smt shard chooses, all else
    searched again with each, or where two programs differ, and which collectives explain the difference in time.

    \b
    Example:
      p2smt explain --system dgx-h100:2x8 --axes 16 --reduce 0
      p2smt explain plan.json
      p2smt explain plan.json --system dgx-a100:2x8
      p2smt example long-context --out job.toml && p2smt explain job.toml
      p2smt explain step.tp --system dgx-h100:1x8 --tensor w1
      p2smt explain step.tp --system dgx-h100:8x8 --mesh data=8,tensor=8 --instead "layers.*.weight replicated"
      p2smt explain sharded.tp --against other.tp --system dgx-h100:1x8
    """  # noqa: D301
    search = SearchOptions(limit=limit, grammar=grammar)
    if file is None:
        refuse_given((*SHARDING_NAMES, "unchecked"), "the best program of a problem")
        given = unfiled.given(SystemOptions(system), search)
        return _explain_best(given, backend, matrices, deadline_after(timeout), by_hop=by_hop, as_json=as_json)
    refuse_given(("axes", "reduce", "size", "dtype"), "a file")
    ending = ending_of(file)
    if ending == ".tp":
        refuse_given(("limit", "grammar", "by_hop", "matrices", "unchecked", "timeout"), "a tensor program")
        return _explain_program(file, system, backend, explained, as_json=as_json)
    refuse_given(SHARDING_NAMES, "a plan or a job")
    if ending == ".toml":
        if unchecked:
            raise click.UsageError("--unchecked is for plans; leave it out for a job")
        if by_hop:
            raise click.UsageError("--by-hop counts the hops of a plan; leave it out for a job")
        job = JobOptions(job_file=file, system=SystemOptions(system), search=search)
        return _explain_job(job, backend, matrices, deadline_after(timeout), as_json=as_json)
    if matrices:
        raise click.UsageError("--matrix is for jobs; leave it out, as a plan has its placement")
    plan = given_plan(file, unchecked=unchecked)
    chosen = system_of_plan(plan, file, system)
    counting = _by_hop(chosen, backend) if by_hop else None
    return _explain_plan(plan, chosen, backend, search, counting, deadline_after(timeout), as_json=as_json)


def _explain_program(
    file: Path, system: str | None, backend: Backend, explained: ShardingExplanationOptions, *, as_json: bool
) -> ExitCode:
    from p2smt.cli.collection import rare_collections
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.explain_sharding import print_sharding_explained, sharding_explained_document
    from p2smt.cli.output.progress import working
    from p2smt.spmd.reading.explanation import explain_sharding
    from p2smt.tensor.text.file import read_program

    if system is None:
        raise click.UsageError("a tensor program does not name a system; give --system")
    program, chosen = read_program(file), find_system(system)
    against = None if explained.against is None else read_program(explained.against)
    with rare_collections(), working(f"explaining {program.name}"):
        explanation = explain_sharding(
            program,
            chosen,
            explained.request(backend),
            tensors=explained.tensors,
            instead=explained.instead,
            against=against,
        )
    if as_json:
        print_json(sharding_explained_document(explanation))
    else:
        print_sharding_explained(explanation)
    return of_search(found=not explanation.missing, complete=True)


def _explain_job(
    given: JobOptions, backend: Backend, matrices: tuple[str, ...], deadline: float | None, *, as_json: bool
) -> ExitCode:
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.explain_job import comparison_document, print_comparison
    from p2smt.cli.output.solved import solved
    from p2smt.job.comparison import compared
    from p2smt.job.optimize import check_priced
    from p2smt.placement.matrix_check import check_matrix

    workload = given.workload()
    also = [parse_matrix(text) for text in matrices]
    for matrix in also:
        check_matrix(matrix, workload)
    optimum = solved(workload, asked_cost(workload.system, backend), deadline, as_json=as_json)
    if isinstance(optimum, ExitCode):
        return optimum
    for matrix in also:
        check_priced(optimum, matrix)
    columns = compared(optimum, also)
    if as_json:
        print_json(comparison_document(optimum, backend, columns))
    else:
        print_comparison(optimum, backend, columns)
    return of_search(complete=optimum.proved)


def _explain_best(
    given: ProblemOptions,
    backend: Backend,
    matrices: tuple[str, ...],
    deadline: float | None,
    *,
    by_hop: bool,
    as_json: bool,
) -> ExitCode:
    """Explain the plan that `p2smt plan` writes with the same options."""
    from p2smt.cli.output.plan import no_plan

    if given.axes is None:
        raise click.UsageError("what to explain is missing; name a file, or give --system, --axes and --reduce")
    if len(matrices) > 1:
        raise click.UsageError("a plan has one placement; give one --matrix, or a job file to compare several")
    problem = given.problem()
    cheapest = PlanOptions(matrices[0] if matrices else None, None, 1).plan(
        problem, asked_cost(problem.system, backend), deadline
    )
    if cheapest.plan is None:
        return no_plan(complete=cheapest.complete)
    counting = _by_hop(problem.system, backend) if by_hop else None
    return _explain_plan(cheapest.plan, problem.system, backend, given.search, counting, deadline, as_json=as_json)


def _explain_plan(
    plan: "Plan",
    chosen: "System",
    backend: Backend,
    search: SearchOptions,
    by_hop: "HopCost | None",
    deadline: float | None,
    *,
    as_json: bool,
) -> ExitCode:
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.explain import explanation_document, print_explanation
    from p2smt.cli.output.progress import working
    from p2smt.cost.plan_explanation import explain_plan

    asked = search_of(search.over(SearchEntry()))
    with working("looking for other programs"):
        explanation = explain_plan(plan, asked_cost(chosen, backend), asked, by_hop, deadline)
    if as_json:
        print_json(explanation_document(explanation, chosen, backend))
    else:
        print_explanation(explanation, chosen, backend)
    return of_search(complete=explanation.complete)


def _by_hop(system: "System", backend: Backend) -> "HopCost":
    from p2smt.cost.network.hop_cost import HopCost

    match backend:
        case Nccl(algorithm):
            return HopCost(system, algorithm)
        case Gloo():
            raise click.UsageError("--by-hop is for NCCL; the hops of gloo are always counted one by one, leave it out")
        case _:
            assert_never(backend)
