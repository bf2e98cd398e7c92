"""The options for the system and for the search."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import click

from p2smt.cli.options.values import choice
from p2smt.problem.file import ProblemFile, SearchEntry
from p2smt.problem.model import Engine, Grammar, HierarchyKind
from p2smt.problem.problem_file import file_system
from p2smt.problem.system.figures import with_figures
from p2smt.problem.system.network import System
from p2smt.problem.system.text import find_system

Value = TypeVar("Value")

FIGURE_OPTIONS = (
    click.option("--bandwidth", metavar="PAIRS", help="Per link, over the system's: node=8GB/s,gpu=270GB/s."),
    click.option("--latency", metavar="PAIRS", help="Per link and hop, over the system's: node=14us,gpu=3.4us."),
)
SEARCH_OPTIONS = (
    click.option("--limit", type=int, help="Largest number of instructions [5]."),
    choice("--grammar", Grammar, help="paper: Master carries AllReduce only [full]."),
    choice("--engine", Engine, help="How programs are found [levels]."),
    choice("--hierarchy", HierarchyKind, help="Synthesis hierarchy [d]."),
    click.option("--collapse/--no-collapse", default=None, help="One level per hardware level in (d) [collapse]."),
)


@dataclass(frozen=True, slots=True)
class SystemOptions:
    """`--system`, and the options that override its links' parameters; None if an option is not given."""

    system: str | None
    bandwidth: str | None = None
    latency: str | None = None

    def over(self, entry: ProblemFile, path: Path | None) -> System | None:
        """Return the system of --system or else of the file, with overridden link parameters; None without one."""
        system = file_system(entry, str(path)) if self.system is None else find_system(self.system)
        return None if system is None else with_figures(system, self.bandwidth, self.latency)


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """Options of the search; None if an option is not given."""

    limit: int | None = None
    grammar: Grammar | None = None
    engine: Engine | None = None
    hierarchy: HierarchyKind | None = None
    collapse: bool | None = None

    def over(self, entry: SearchEntry) -> SearchEntry:
        """Return the file's search entries, overridden by the given options."""
        return SearchEntry(
            limit=given_or(self.limit, entry.limit),
            grammar=given_or(self.grammar, entry.grammar),
            engine=given_or(self.engine, entry.engine),
            hierarchy=given_or(self.hierarchy, entry.hierarchy),
            collapse=given_or(self.collapse, entry.collapse),
        )


def given_or(given: Value | None, other: Value) -> Value:
    """Return `given`, or `other` if `given` is None."""
    return other if given is None else given
