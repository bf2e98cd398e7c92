"""What ranks are asked for, and what is refused before they are asked; the time that they are given."""

import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from support import problem

from p2smt.collective import Collective
from p2smt.errors import RunError
from p2smt.placement.enumeration import all_placements
from p2smt.reduction.plan.lower import Lowering
from p2smt.run.local.cluster import LocalCluster, _written
from p2smt.run.local.processes import Processes
from p2smt.run.rank.message import RankTimes


@dataclass
class ProcessRequest:
    """What processes are asked, with how much time."""

    ended: bool = False
    limits: list = field(default_factory=list)
    folder: Path | None = None
    wrong: tuple[int, int] = (0, 0)

    def ask(self, message, answer, timeout_s):
        self.limits.append((timeout_s, message.timeout_s))
        compared, seconds = message.source is not None and message.check, (1.0, 2.0)[message.source is None]
        return [RankTimes(rank, self.wrong[rank] if compared else None, 0.0, (seconds,)) for rank in range(2)]


@pytest.mark.parametrize(("own", "wanted"), [(None, 30.0), (2.5, 2.5), (90.0, 90.0)])
def test_a_run_is_asked_for_within_its_own_time(own, wanted):
    cluster = LocalCluster(2, timeout_s=30.0)
    cluster._processes = asked = ProcessRequest()
    cluster.time(None, Collective.ALL_REDUCE, ((0, 1),), 8, timeout_s=own)
    assert asked.limits == [(wanted, wanted)]


def test_what_is_wrong_is_refused_before_ranks_are_asked():
    cluster = LocalCluster(2)
    cluster._processes = asked = ProcessRequest()
    groups = "the groups to reduce over must contain each of the ranks 0 to 1 once"
    for ranks in (((0,),), ((0, 1), (1,)), ((0, 1, 2),), ((0, 2),), ()):
        with pytest.raises(RunError, match=groups):
            cluster.time(None, Collective.ALL_REDUCE, ranks, 8)
    counts = "elements .*, warm-ups .* and repeats .*; give at least 0, 0 and 1"
    for elements, warmups, repeats in ((-1, 0, 1), (0, -1, 1), (0, 0, 0)):
        with pytest.raises(RunError, match=counts):
            cluster.time(None, Collective.ALL_REDUCE, ((0, 1),), elements, warmups=warmups, repeats=repeats)
    for devices in (1, 3, 4):
        plan = Lowering(asked_of(devices), all_placements(asked_of(devices)).items[0]).direct
        with pytest.raises(RunError, match=f"the plan needs {devices} devices, but the cluster has 2"):
            cluster.run(plan)
    assert asked.limits == []
    assert cluster.time(None, Collective.ALL_REDUCE, ((1,), (0,)), 0, warmups=0, repeats=1).ok
    assert len(asked.limits) == 1


def asked_of(devices):
    return problem([devices], [devices])


def test_a_text_has_a_file_of_its_own_and_the_same_text_the_same(tmp_path):
    texts = ["a = 1", "a = 2", "b = 1", "a = 1\n", ""]
    paths = [_written(tmp_path, text) for text in texts]
    assert len({*paths}) == len({*texts})
    assert [path.read_text(encoding="utf-8") for path in paths] == texts
    assert [_written(tmp_path, text) for text in texts] == paths


@pytest.mark.parametrize("wrong", [(0, 0), (0, 1), (7, 0), (2, 3)])
def test_a_run_is_as_wrong_as_its_plan_is_on_all_ranks_and_has_the_times_of_both(wrong, tmp_path):
    cluster = LocalCluster(2)
    cluster._processes = ProcessRequest(folder=tmp_path, wrong=wrong)
    cluster._processes.torch_version = "2"
    report = cluster.run(Lowering(asked_of(2), all_placements(asked_of(2)).items[0]).direct, repeats=1)
    assert ([rank.mismatches for rank in report.ranks], report.ok) == ([*wrong], wrong == (0, 0))
    assert [(rank.plan_seconds, rank.plain_seconds) for rank in report.ranks] == [((1.0,), (2.0,))] * 2
    assert (report.plan_seconds, report.plain_seconds) == (1.0, 2.0)


class Said(Processes):
    """Ranks that have said a text each, one after the other in this order."""

    def __init__(self, order):
        self.order, self._pipes, self._processes = iter(order), [], []

    def _ready(self, seconds):
        return [next(self.order)]

    def _message(self, rank):
        return f"rank {rank}"


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_answers_are_in_the_order_of_ranks_whoever_answers_first(order):
    assert Said(order)._answers(range(3), time.monotonic() + 60, str) == ["rank 0", "rank 1", "rank 2"]
