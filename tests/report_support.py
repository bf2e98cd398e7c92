"""Reports of small problems, and pages read back."""

import tomllib
from collections import Counter
from functools import cache, lru_cache
from html.parser import HTMLParser

from support import problem as problem_of

from p2smt.cost.network.backend import Backend, Nccl, cost_of
from p2smt.errors import ProblemError
from p2smt.job.optimize import Optimum, Progress, optimize
from p2smt.job.step.job_step import JobStep
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.file import ProblemFile, job_example_text
from p2smt.problem.job_file import build_job
from p2smt.problem.model import Problem, Search
from p2smt.problem.system.text import find_system
from p2smt.problem.typed import convert_checked
from p2smt.problem.workload import Workload
from p2smt.reduction.language.hierarchy import read_program
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import Plan
from p2smt.reduction.synth.session import Synthesizer
from p2smt.report.content.collect import collect
from p2smt.report.content.collect_job import collect_job
from p2smt.report.content.content import JobReport, Report

VOID = {"meta", "link", "br", "input", "hr", "img"}
_SYNTHESIZER = Synthesizer()
_RINGS = Nccl()


def report_on(problem: Problem, backend: Backend = _RINGS, **more: object) -> Report:
    return collect(_SYNTHESIZER.synthesize(problem), backend, **more)


@lru_cache(maxsize=32)
def report(sizes: tuple[int, ...], axes: tuple[int, ...], reduce: tuple[int, ...] = (0,), **search: object) -> Report:
    """The report of a small problem; one that was made before is the same one."""
    return report_on(problem_of(sizes, axes, reduce, **search))


def optimum(workload: Workload, deadline: float | None = None, on_progress: Progress | None = None) -> Optimum:
    found = optimize(workload, cost_of(workload.system, Nccl()), deadline, on_progress)
    assert isinstance(found, Optimum)
    return found


@cache
def example_optimum(name: str) -> Optimum:
    """The optimum of a packaged example, made once."""
    return optimum(example_job(name))


def job_report_of(found: Optimum, also: ParallelismMatrix | None = None, step: JobStep | None = None) -> JobReport:
    return collect_job(found, cost_of(found.workload.system, Nccl()), Nccl(), also, step)


@cache
def example_report(name: str) -> JobReport:
    """The report on it, made once."""
    return job_report_of(example_optimum(name))


def example_job(name: str) -> Workload:
    """The job of a packaged example."""
    entry = convert_checked(tomllib.loads(job_example_text(name)), ProblemFile, name, ProblemError)
    return build_job(entry, name, find_system(entry.system), entry.conditions, Search())


def plan_of(found: Report, number: int, text: str) -> Plan:
    """The plan of the program that reads `text`, on a placement of a report."""
    lowering = Lowering(found.problem, found.placements[number].matrix)
    return lowering.plan(read_program(lowering.hierarchy, text))


class Page(HTMLParser):
    """Tags with their attributes in order, the text of the page, and of its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.words: list[str] = []
        self.raw: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        assert len(dict(attrs)) == len(attrs)
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        (self.raw if self.open and self.open[-1] in ("script", "style") else self.words).append(data)

    @property
    def text(self) -> str:
        return "".join(self.words)

    @property
    def counts(self) -> Counter[str]:
        return Counter(tag for tag, _ in self.tags)

    def attributes(self, tag: str) -> list[dict[str, str | None]]:
        return [found for name, found in self.tags if name == tag]
