"""The options that describe a problem, shared by all commands that read one."""

from dataclasses import dataclass
from functools import wraps
from pathlib import Path

import click
import msgspec

from p2smt.cli.file_kind import JOB, PLAN, PROBLEM, SYSTEM, FileKind
from p2smt.cli.options.paths import SYSTEM_TEXT, InputPath
from p2smt.cli.options.search import FIGURE_OPTIONS, SEARCH_OPTIONS, SearchOptions, SystemOptions, given_or
from p2smt.cli.options.values import Command, choice, take, with_options
from p2smt.collective import Collective
from p2smt.errors import ProblemError
from p2smt.problem.build import parse_goal
from p2smt.problem.file import AxisEntry, PayloadEntry, ProblemFile, read_problem_file
from p2smt.problem.job_file import build_job, is_job
from p2smt.problem.model import Problem
from p2smt.problem.problem_file import build_problem_of, search_of
from p2smt.problem.system.network import System
from p2smt.problem.system.text import SYSTEM_FORMS
from p2smt.problem.text import parse_axis_names, parse_sizes
from p2smt.problem.workload import GOALS, Goal, Workload

_OPTIONS = (
    click.option("--system", type=SYSTEM_TEXT, metavar="SYSTEM", help=f"{SYSTEM_FORMS}."),
    click.option("--axes", metavar="AXES", help="Parallelism axes: data:4,model:16 or 4,16."),
    click.option("--reduce", metavar="AXES", help="Axes to reduce over, by name or number: model or 0,2."),
    choice(
        "--goal",
        GOALS,
        spelled=lambda goal: goal.hyphenated,
        metavar="GOAL",
        help="What programs bring about among the devices that differ on these axes: "
        f"{', '.join(goal.hyphenated for goal in GOALS)} [all-reduce].",
    ),
    click.option("--bytes", "size", metavar="SIZE", help="Payload of every device [1GiB]."),
    click.option("--dtype", metavar="TYPE", help="Element type of the payload [float32]."),
    *FIGURE_OPTIONS,
    *SEARCH_OPTIONS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemOptions:
    """A problem file, and options that override its entries; None if an option is not given."""

    problem_file: Path | None
    axes: str | None
    reduce: str | None
    goal: Goal | None
    size: str | None
    dtype: str | None
    system: SystemOptions
    search: SearchOptions

    def entry(self) -> ProblemFile:
        """Return the file's entries, overridden by the given options."""
        entry = ProblemFile() if self.problem_file is None else read_problem_file(self.problem_file)
        # Options win over the file, entry by entry.
        return msgspec.structs.replace(
            entry,
            axis=entry.axis if self.axes is None else _axes(self.axes),
            reduce=entry.reduce if self.reduce is None else tuple(parse_axis_names(self.reduce)),
            goal=entry.goal if self.goal is None else self.goal.hyphenated,
            payload=PayloadEntry(
                given_or(self.size, entry.payload.bytes), entry.payload.dtype if self.dtype is None else self.dtype
            ),
            search=self.search.over(entry.search),
        )

    def exchange(self) -> Workload | None:
        """Return the job of a single all-to-all or send; None for other goals. Raises ProblemError like `problem`."""
        entry = self.entry()
        if is_job(entry) or isinstance(parse_goal(entry.goal, GOALS), Collective):
            return None
        return build_job(entry, str(self.problem_file or "--goal"), self._system(entry), (), search_of(entry.search))

    def problem(self) -> Problem:
        """Return the problem; raises ProblemError if an entry is missing or invalid."""
        entry = self.entry()
        if is_job(entry):
            raise ProblemError(
                f"{self.problem_file} is a job of several reductions; run p2smt optimize {self.problem_file}"
            )
        return build_problem_of(entry, self._system(entry))

    def _system(self, entry: ProblemFile) -> System:
        """Return the system; raises ProblemError if an entry that a problem needs is missing."""
        system = self.system.over(entry, self.problem_file)
        for option, value in (("--system", system), ("--axes", entry.axis), ("--reduce", entry.reduce)):
            if not value:
                raise ProblemError(f"{option} is missing; give it, or a problem file (`p2smt example` prints one)")
        assert system is not None
        return system


def problem_options(command: Command) -> Command:
    """Add the options of a problem to a command, which receives them as the `ProblemOptions` argument `given`."""
    return _with_problem(command, PROBLEM, SYSTEM)


def problem_job_or_plan_options(command: Command) -> Command:
    """Add the options of a problem to a command that also accepts a job or a plan file."""
    return _with_problem(command, PROBLEM, SYSTEM, JOB, PLAN)


def _with_problem(command: Command, *kinds: FileKind) -> Command:
    """Add the options of a problem, whose input file may be of these kinds."""

    @wraps(command)
    def with_given(**values: object) -> int:
        system, search = take(SystemOptions, values), take(SearchOptions, values)
        given = take(ProblemOptions, values, system=system, search=search)
        return command(given=given, **values)

    file = click.argument("problem_file", required=False, type=InputPath(*kinds), metavar="[PROBLEM.toml]")
    return with_options(with_given, (file, *_OPTIONS))


def _axes(text: str) -> tuple[AxisEntry, ...]:
    return tuple(AxisEntry(name, size) for name, size in parse_sizes(text, "axis"))
