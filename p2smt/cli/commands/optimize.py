"""`p2smt optimize`."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.exit_code import ExitCode, of_search
from p2smt.cli.next_step import say_next
from p2smt.cli.optimized_files import (
    COMMUNICATION,
    MESH,
    SCHEDULED,
    SHARDED,
    STEP,
    STEPS,
    alone_files,
    job_files,
    joint_files,
    plan_files,
    plan_name,
)
from p2smt.cli.options.help_page import HelpPage
from p2smt.cli.options.job import JobOptions, job_options
from p2smt.cli.options.shared import FORCE, JSON, TIMEOUT, backend_options, deadline_after
from p2smt.cli.provenance import Facts, job_facts, signed, step_facts, system_facts
from p2smt.cost.network.backend import Backend, asked_cost
from p2smt.errors import ProblemError
from p2smt.problem.text import printable
from p2smt.schedule.tuner.request import DEEPEST

if TYPE_CHECKING:
    from p2smt.cost.network.cost import Cost
    from p2smt.job.infeasible import Infeasible
    from p2smt.job.job_pricer import PlacementTime
    from p2smt.job.joint import Joint
    from p2smt.job.optimize import Unfinished
    from p2smt.job.shardings import TriedSharding
    from p2smt.job.tuning_options import TuningOptions
    from p2smt.job.without_collectives import WithoutCollectives
    from p2smt.problem.system.network import System
    from p2smt.problem.workload import Workload
    from p2smt.tensor.program import Program


@click.command("optimize", cls=HelpPage)
@job_options
@backend_options
@TIMEOUT
@click.option("--top", type=click.IntRange(min=1), default=5, show_default=True, help="Placements to print.")
@click.option(
    "--plans",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write the plans of the best placement's reductions into this folder, reduction-0.json and so on.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write everything into this folder: plans, mesh.py and code; of a tensor program programs and steps as well.",
)
@click.option(
    "--depth",
    type=click.IntRange(0, DEEPEST),
    help="Of a tensor program, search schedules of up to so many moves; 0 leaves it as it is [as far as seconds go].",
)
@FORCE
@JSON
def command(
    given: JobOptions,
    backend: Backend,
    timeout: float | None,
    top: int,
    plans: Path | None,
    out: Path | None,
    depth: int | None,
    force: bool,
    as_json: bool,
) -> ExitCode:
    """Find the placement on which all reductions of a training step together are fastest, and prove it.

    Every placement that keeps the conditions is priced, every reduction on it with its best program. Where nothing
    keeps them, the fewest conditions that clash are named, and the nearest ones and sizes that would work.
    JOB can be a tensor program (step.tp): its schedules are searched (moves of computation and communication, each
    proved), and the fastest are placed; their collectives are the reductions. One for one device is sharded first, on
    one axis and on meshes of two, and the sharding that is fastest with its schedule and placement is taken.

    \b
    Example:
      p2smt example dense-70b --out job.toml && p2smt optimize job.toml
      p2smt optimize job.toml --condition "cp inside node" --json
      p2smt explain job.toml
      p2smt optimize step.tp --system dgx-h100:1x8 --out best
      p2smt optimize step.tp --system dgx-h100:1x8 --precision bf16
    """  # noqa: D301
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.files import refuse_missing
    from p2smt.cli.output.job_step import print_step, step_document
    from p2smt.cli.output.optimum import optimum_document, print_optimum
    from p2smt.cli.output.solved import solved

    deadline = deadline_after(timeout)
    refuse_missing(plans, out)
    folders = _Folders(plans, out, force)
    if given.is_program:
        return _scheduled(given, backend, deadline, depth, top, folders, as_json)
    if depth is not None:
        raise ProblemError("--depth is for a tensor program, such as step.tp; a job file has no statements to schedule")
    workload = given.workload()
    folders.refuse(len(workload.reductions), (MESH, COMMUNICATION))
    cost = asked_cost(workload.system, backend)
    optimum = solved(workload, cost, deadline, as_json=as_json)
    if isinstance(optimum, ExitCode):
        return optimum
    if as_json:
        print_json(
            {**optimum_document(optimum, backend, top), "step": step_document(partial(given.step, workload.system))}
        )
    else:
        print_optimum(optimum, backend, top)
        print_step(partial(given.step, workload.system))
    if plans is not None:
        _write_plans(plans, workload, optimum.best, cost, force=force)
    if out is not None:
        facts = tuple(job_facts(cost, optimum.best.seconds))
        _write_all(out, job_files(workload, optimum.best, cost), COMMUNICATION, workload.devices, facts, force=force)
    say_next("--out best", when=out is None and plans is None and not as_json)
    return of_search(complete=optimum.proved)


@dataclass(frozen=True, slots=True)
class _Folders:
    """The output folders."""

    plans: Path | None
    out: Path | None
    force: bool

    def refuse(self, reductions: int, names: tuple[str, ...]) -> None:
        """Raise OutputError if a file that would be written already exists."""
        from p2smt.cli.output.files import refuse_overwriting

        plans = [plan_name(number) for number in range(reductions)]
        for folder, files in ((self.plans, plans), (self.out, [*plans, *names])):
            if folder is not None:
                refuse_overwriting(*(folder / name for name in files), force=self.force)


def _scheduled(
    given: JobOptions,
    backend: Backend,
    deadline: float | None,
    depth: int | None,
    top: int,
    folders: _Folders,
    as_json: bool,
) -> ExitCode:
    """Optimise a tensor program: shard it if needed, search its schedules, and place the fastest of them."""
    from p2smt.cli.output.document import print_json
    from p2smt.cli.output.joint import (
        joint_document,
        print_joint,
        print_without_collectives,
        without_collectives_document,
    )
    from p2smt.cli.output.progress import working
    from p2smt.cli.output.screen import say
    from p2smt.cli.output.shardings import print_shardings, shardings_document
    from p2smt.cli.output.solved import unfinished
    from p2smt.job.joint import Joint
    from p2smt.job.tuning_options import TuningOptions
    from p2smt.job.without_collectives import WithoutCollectives
    from p2smt.problem.system.device_models import computing_text
    from p2smt.tensor.placing import world

    asked = TuningOptions(depth=depth, backend=backend, deadline=deadline)
    with working("sharding, scheduling and placing the program"):
        found = _optimized(given, asked, folders)
    program, system, result = found.program, found.system, found.result
    if isinstance(result, WithoutCollectives):
        if as_json:
            compared = shardings_document(found.tried, found.bound)
            print_json({**without_collectives_document(result, backend), **compared})
        else:
            say(f"computing: {computing_text(system)}")
            print_without_collectives(result)
            print_shardings(found.tried, found.bound)
        if folders.out is not None:
            files, about = alone_files(result), tuple(system_facts(system))
            _write_all(folders.out, files, STEP, world(program.mesh), about, force=folders.force)
        say_next("--out best", when=folders.out is None and not as_json)
        return of_search(complete=found.complete)
    if not isinstance(result, Joint):
        return unfinished(result, as_json=as_json)
    if as_json:
        print_json({**joint_document(result, backend, top), **shardings_document(found.tried, found.bound)})
    else:
        say(f"computing: {computing_text(system)}")
        print_joint(result, backend, top)
        print_shardings(found.tried, found.bound)
    best, cost = result.best, asked_cost(system, backend)
    if folders.plans is not None:
        _write_plans(folders.plans, best.optimum.workload, best.placement, cost, force=folders.force)
    if folders.out is not None:
        files, about = joint_files(program, result, cost), tuple(step_facts(system, best.estimate.seconds))
        _write_all(folders.out, files, STEP, world(program.mesh), about, force=folders.force)
    say_next("--out best", when=folders.out is None and folders.plans is None and not as_json)
    return of_search(complete=found.complete)


@dataclass(frozen=True, slots=True)
class _StepOptimum:
    """The distributed program that is best, what was found for it, and the shardings that were compared, if any.

    `complete` is False if a search of any of them ended early; `bound` is the least time of any program, in seconds.
    """

    program: "Program"
    system: "System"
    result: "Joint | WithoutCollectives | Infeasible | Unfinished"
    complete: bool
    tried: "tuple[TriedSharding, ...]" = ()
    bound: float | None = None


def _optimized(given: JobOptions, asked: "TuningOptions", folders: _Folders) -> _StepOptimum:
    """Schedule and place a distributed program, or a single-device one in several shardings."""
    from p2smt.job.joint import Joint, joint
    from p2smt.job.sharded import has_collectives, sharded_workload
    from p2smt.job.shardings import BestSharding, SingleDeviceStep, best_sharding
    from p2smt.job.without_collectives import WithoutCollectives

    step, system, search = given.tensor_step()
    names = (SHARDED, SCHEDULED, STEPS, MESH, STEP)
    if isinstance(step, SingleDeviceStep):
        folders.refuse(0, names)
        best = best_sharding(step, system, given.conditions, search, asked)
        if not isinstance(best, BestSharding):
            return _StepOptimum(step.program, system, best, complete=False)
        found = _StepOptimum(best.program, system, best.result, best.complete, best.tried, best.bound)
    else:
        if has_collectives(step):
            workload = sharded_workload(step, system, given.conditions, search)
            folders.refuse(len(workload.reductions), names)
        result = joint(step, system, given.conditions, search, asked)
        complete = isinstance(result, Joint | WithoutCollectives) and result.complete
        found = _StepOptimum(step, system, result, complete)
    if folders.plans is not None and not has_collectives(found.program):
        raise ProblemError(
            f"program {found.program.name} has no collectives, so there are no plans to write; leave --plans out"
        )
    return found


def _write_plans(folder: Path, workload: "Workload", placement: "PlacementTime", cost: "Cost", *, force: bool) -> None:
    """Write one plan per reduction for the best placement, and print which file belongs to which reduction."""
    from p2smt.cli.output.files import say_written, write_folder
    from p2smt.job.plans import plans_on

    files = plan_files(plans_on(workload, placement, cost))
    write_folder(folder, files, force=force)
    names = (f"{name} is {printable(one.name)}" for name, one in zip(files, workload.reductions, strict=True))
    say_written(folder, ", ".join(names), f"p2smt emit {folder / next(iter(files))} --out reduction.py")


def _write_all(folder: Path, files: dict[str, str], code: str, ranks: int, facts: Facts, *, force: bool) -> None:
    """Write all result files, and print how to check the emitted code."""
    from p2smt.cli.output.files import say_written, write_folder

    texts = {name: signed(text, facts) if name.endswith(".py") else text for name, text in files.items()}
    write_folder(folder, texts, force=force)
    check = f"torchrun --standalone --nproc-per-node {ranks} {folder / code} checks it"
    say_written(folder, ", ".join(files), check)
