"""Find the fewest conditions that no program satisfies together.

Method: the smallest unsatisfiable core of the conditions (`smt/cores.py`). The oracle for a subset is not z3 but the
search itself: a joint problem with these conditions, solved by elimination, is impossible or not. Answers are cached.

    core = a smallest set S of conditions such that  joint problem under S  is impossible.

Complexity: as many searches as the core search asks for, at least one for each condition.
Reference: Liffiton and Sakallah, "Algorithms for computing minimal unsatisfiable subsets of constraints", 2008.

Example: `w1 replicated` and `w1 sliced(0)` clash, whatever else is demanded.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from p2smt.errors import ProblemError
from p2smt.smt.answer import Answer, Sat, Unsat
from p2smt.smt.cores import CoreSearch, Minimality
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.shares import Shares
from p2smt.spmd.engines.engine import EngineOptions
from p2smt.spmd.engines.problem import Impossible
from p2smt.spmd.engines.solving import JointSolver
from p2smt.spmd.model.build import build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.conditions import parse_conditions
from p2smt.spmd.model.gradient_sums import ANYWHERE, GradientSums, marked
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import on_one_axis
from p2smt.tensor.program import Program


@dataclass(frozen=True, slots=True)
class Clash:
    """Conditions that no program satisfies together, and the proof status of their minimality."""

    conditions: tuple[str, ...]
    minimality: Minimality


def clashing(
    program: Program,
    cluster: Cluster,
    shares: Shares,
    conditions: Sequence[str],
    search: EngineOptions | None = None,
    sums: GradientSums = ANYWHERE,
) -> Clash | None:
    """Return the smallest set of conditions that clash, the first of several; None if all can be satisfied.

    Memory limits are ignored. Raises ProblemError for conditions that do not parse.
    """
    graph = marked(graph_of(program), sums)
    known, solver = (
        OptionCache(on_one_axis(graph, classes_of(graph), cluster, shares)),
        JointSolver.aside(search or EngineOptions()),
    )
    distinct = list(dict.fromkeys(conditions))

    @cache
    def answer(numbers: tuple[int, ...]) -> Answer[None]:
        read = parse_conditions([distinct[number] for number in numbers], graph)
        try:
            sharding = build(known, read)
        except ProblemError:
            return Unsat(frozenset(numbers))
        impossible = isinstance(solver.solve(sharding.problem).answer, Impossible)
        return Unsat(frozenset(numbers)) if impossible else Sat(None)

    if isinstance(answer(tuple(range(len(distinct)))), Sat):
        return None
    cores = CoreSearch[None](lambda numbers: answer(tuple(numbers)), len(distinct))
    cores.run()
    core = range(len(distinct)) if cores.core is None else cores.core
    return Clash(tuple(distinct[number] for number in core), cores.minimality)
