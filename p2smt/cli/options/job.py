"""The options that describe a training job, the same for every command that takes one."""

from dataclasses import dataclass
from functools import wraps
from pathlib import Path

import click

from p2smt.cli.options.search import FIGURE_OPTIONS, SEARCH_OPTIONS, SearchOptions, SystemOptions
from p2smt.cli.options.values import Command, take, with_options
from p2smt.errors import ProblemError
from p2smt.problem.file import read_problem_file
from p2smt.problem.job_file import build_job
from p2smt.problem.problem_file import search_of
from p2smt.problem.system.text import SYSTEM_FORMS
from p2smt.problem.workload import Workload

_OPTIONS = (
    click.argument("job_file", type=click.Path(path_type=Path), metavar="JOB.toml"),
    click.option("--system", metavar="SYSTEM", help=f"{SYSTEM_FORMS}. [the file's]"),
    click.option("--condition", "conditions", metavar="TEXT", multiple=True, help="One more condition; repeatable."),
    *FIGURE_OPTIONS,
    *SEARCH_OPTIONS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOptions:
    """A job file, what wins over it, and conditions that come to the file's."""

    job_file: Path
    conditions: tuple[str, ...] = ()
    system: SystemOptions
    search: SearchOptions

    def workload(self) -> Workload:
        """The job; raises ProblemError where something is missing or wrong."""
        entry = read_problem_file(self.job_file)
        system = self.system.over(entry, self.job_file)
        if system is None:
            raise ProblemError("--system is missing; give it, or `system` or [[level]] tables in the job file")
        conditions, search = (*entry.conditions, *self.conditions), search_of(self.search.over(entry.search))
        return build_job(entry, str(self.job_file), system, conditions, search)


def job_options(command: Command) -> Command:
    """Give a command the options of a job; it gets them as `given`, which is `JobOptions`."""

    @wraps(command)
    def with_given(**values: object) -> int:
        system, search = take(SystemOptions, values), take(SearchOptions, values)
        return command(given=take(JobOptions, values, system=system, search=search), **values)

    return with_options(with_given, _OPTIONS)
