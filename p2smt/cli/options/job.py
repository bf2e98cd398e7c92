"""The options that describe a training job, shared by all commands that read one."""

from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.file_kind import JOB, PROBLEM, PROGRAM, SYSTEM, ending_of
from p2smt.cli.options.paths import SYSTEM_TEXT, InputPath
from p2smt.cli.options.search import FIGURE_OPTIONS, SEARCH_OPTIONS, SearchOptions, SystemOptions
from p2smt.cli.options.values import Command, take, with_options
from p2smt.errors import ProblemError
from p2smt.problem.file import ProblemFile, read_problem_file
from p2smt.problem.job_file import build_job
from p2smt.problem.problem_file import search_of
from p2smt.problem.system.text import SYSTEM_FORMS
from p2smt.problem.transformer.file import described
from p2smt.problem.workload import Workload

if TYPE_CHECKING:
    from p2smt.job.shardings import SingleDeviceStep
    from p2smt.job.step.job_step import JobStep
    from p2smt.problem.model import Search
    from p2smt.problem.system.network import System
    from p2smt.spmd.request import ShardingRequest
    from p2smt.tensor.program import Program

_OPTIONS = (
    click.argument("job_file", type=InputPath(JOB, PROBLEM, SYSTEM, PROGRAM), metavar="JOB.toml"),
    click.option("--system", type=SYSTEM_TEXT, metavar="SYSTEM", help=f"{SYSTEM_FORMS}. [the file's]"),
    click.option("--condition", "conditions", metavar="TEXT", multiple=True, help="One more condition; repeatable."),
    click.option("--precision", metavar="TYPES", help="Of a tensor program: mixed precision, as for shard."),
    *FIGURE_OPTIONS,
    *SEARCH_OPTIONS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOptions:
    """A job file, options that override its entries, and conditions in addition to the file's."""

    job_file: Path
    conditions: tuple[str, ...] = ()
    precision: str | None = None
    system: SystemOptions
    search: SearchOptions

    def workload(self) -> Workload:
        """Return the job; raises ProblemError if an entry is missing or invalid."""
        if self.is_program:
            from p2smt.job.sharded import sharded_workload

            program, devices, limits = self.program()
            return sharded_workload(program, devices, self.conditions, limits)
        if self.precision is not None:
            raise ProblemError(
                "--precision is for a tensor program; a job file gives the types of its tensors, so leave it out"
            )
        entry = read_problem_file(self.job_file)
        system = self.system.over(entry, self.job_file)
        if system is None:
            raise ProblemError("--system is missing; give it, or `system` or [[level]] tables in the job file")
        conditions, search = (*entry.conditions, *self.conditions), search_of(self.search.over(entry.search))
        return build_job(entry, str(self.job_file), system, conditions, search)

    def step(self, system: "System") -> "JobStep | None":
        """Return the step of the job, if its file describes a model; None for other jobs.

        Raises ProblemError for a system whose steps are not predicted.
        """
        from p2smt.job.step.job_step import job_step

        entry = None if self.is_program else read_problem_file(self.job_file)
        if entry is None or entry.transformer is None or entry.parallelism is None:
            return None
        return job_step(described(entry.transformer), entry.parallelism, system)

    @property
    def is_program(self) -> bool:
        """True if the job file is a tensor program, whose collectives are the reductions."""
        return ending_of(self.job_file) == ".tp"

    def program(self) -> "tuple[Program, System, Search]":
        """Return the tensor program, its system and the search options; shards a single-device program evenly first."""
        from p2smt.spmd.request import shard_program

        program, system, search = self._unsharded()
        if not program.is_distributed:
            request = replace(self._request(), shares="even", baselines=False, buckets=0)
            program = shard_program(program, system, request).program
        return program, system, search

    def tensor_step(self) -> "tuple[Program | SingleDeviceStep, System, Search]":
        """Return the tensor program, its system and the search options; a single-device program is still to be sharded.

        Conditions name axes, so with conditions it is sharded along one axis only.
        """
        from p2smt.job.shardings import SingleDeviceStep

        program, system, search = self._unsharded()
        if program.is_distributed:
            return program, system, search
        return SingleDeviceStep(program, self._request(), meshes=not self.conditions), system, search

    def _unsharded(self) -> "tuple[Program, System, Search]":
        from p2smt.tensor.text.file import read_program

        program, entry = read_program(self.job_file), ProblemFile()
        system = self.system.over(entry, self.job_file)
        if system is None:
            raise ProblemError(f"{self.job_file} is a program, which has no system; give --system")
        if program.is_distributed and self.precision is not None:
            raise ProblemError(
                f"program {program.name} is already distributed; leave --precision out, and choose the "
                "types with p2smt shard --precision"
            )
        return program, system, search_of(self.search.over(entry.search))

    def _request(self) -> "ShardingRequest":
        from p2smt.spmd.model.precision import parse_precision
        from p2smt.spmd.request import ShardingRequest

        return ShardingRequest(precision=None if self.precision is None else parse_precision(self.precision))


def job_options(command: Command) -> Command:
    """Add the options of a job to a command, which receives them as the `JobOptions` argument `given`."""

    @wraps(command)
    def with_given(**values: object) -> int:
        system, search = take(SystemOptions, values), take(SearchOptions, values)
        return command(given=take(JobOptions, values, system=system, search=search), **values)

    return with_options(with_given, _OPTIONS)
