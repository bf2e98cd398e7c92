"""The time that ranks are given: a run's own, or the cluster's where it has none."""

from dataclasses import dataclass, field

import pytest

from p2smt.collective import Collective
from p2smt.run.local.cluster import Cluster
from p2smt.run.rank.message import RankTimes


@dataclass
class Asked:
    """What processes are asked, with how much time."""

    ended: bool = False
    limits: list = field(default_factory=list)

    def ask(self, message, answer, timeout_s):
        self.limits.append((timeout_s, message.timeout_s))
        return [RankTimes(rank, None, 0.0, (1.0,)) for rank in range(2)]


@pytest.mark.parametrize(("own", "wanted"), [(None, 30.0), (2.5, 2.5), (90.0, 90.0)])
def test_a_run_is_asked_for_within_its_own_time(own, wanted):
    cluster = Cluster(2, timeout_s=30.0)
    cluster._processes = asked = Asked()
    cluster.time(None, Collective.ALL_REDUCE, ((0, 1),), 8, timeout_s=own)
    assert asked.limits == [(wanted, wanted)]
