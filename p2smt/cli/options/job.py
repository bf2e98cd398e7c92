"""The options that describe a training job, the same for every command that takes one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from p2smt.cli.options.problem import FIGURE_OPTIONS, SEARCH_OPTIONS, chosen_search, chosen_system
from p2smt.errors import ProblemError
from p2smt.problem.file import read_problem_file
from p2smt.problem.job_file import build_job
from p2smt.problem.system.text import SYSTEM_FORMS
from p2smt.problem.workload import Workload

_OPTIONS = [
    click.argument("job_file", type=click.Path(path_type=Path), metavar="JOB.toml"),
    click.option("--system", metavar="SYSTEM", help=f"{SYSTEM_FORMS}. [the file's]"),
    click.option("--condition", "conditions", metavar="TEXT", multiple=True, help="One more condition; repeatable."),
]


def job_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command everything that `read_job` takes."""
    for option in reversed([*_OPTIONS, *FIGURE_OPTIONS, *SEARCH_OPTIONS]):
        command = option(command)
    return command


def read_job(given: dict[str, Any]) -> Workload:
    """The job of a file, with flags that win over it and conditions added; removes them from `given`."""
    path, more = given.pop("job_file"), given.pop("conditions")
    entry = read_problem_file(path)
    system = chosen_system(entry, path, given)
    if system is None:
        raise ProblemError("--system is missing; give it, or `system` or [[level]] tables in the job file")
    return build_job(entry, str(path), system, (*entry.conditions, *more), chosen_search(entry, given))
