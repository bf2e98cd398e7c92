"""Placements that share a ranking are each ranked as they are alone, by every backend and algorithm."""

import pytest
from support import problem
from tiers import sample

from p2smt.cost.network.backend import BACKENDS, cost_of
from p2smt.cost.price_key import price_key
from p2smt.cost.ranking import Ranker, rank
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.text import find_system
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.synth.session import Synthesizer


def asked(system, sizes, reduce):
    axes = [Axis(f"axis{number}", size) for number, size in enumerate(sizes)]
    return build_problem(find_system(system), axes, reduce, Payload(1 << 22, "float32"), Search(limit=3))


CASES = [
    problem([4, 4, 4], [4, 4, 4], [0, 2], limit=3),
    asked("dgx-h100:4x8", [2, 2, 2, 4], [3]),
    asked("p2-v100:4x8", [2, 2, 2, 4], [3]),
    asked("gcp-a3-mega:4x8", [4, 2, 4], [0, 1]),
    asked("dgx-h100-sharp:4x8", [2, 2, 8], [0, 1]),
    asked("aws-p4d:4x8", [2, 4, 4], [0, 1]),
]


@pytest.mark.parametrize("problem_of", sample(CASES, 2), ids=lambda each: each.system.name or "plain")
def test_placements_ranked_together_are_ranked_as_alone(problem_of):
    found = Synthesizer().synthesize(problem_of)
    keys = [price_key(Lowering(problem_of, placed.matrix)) for placed in found.placements]
    assert len({*keys}) < len(keys), "some share a ranking"
    for backend in sample(BACKENDS, 1):
        cost = cost_of(problem_of.system, backend)
        for together, placed in zip(rank(found, cost), found.placements, strict=True):
            assert together == Ranker(cost).placement(problem_of, placed), (str(backend), str(placed.matrix))
