"""What a run came to, by hand: it is right where every rank is, and wrong elements of all ranks count."""

from p2smt.collective import Collective
from p2smt.run.local.report import RankReport, RunReport


def report(*mismatches):
    ranks = tuple(RankReport(rank, wrong, (1.0,), (2.0,)) for rank, wrong in enumerate(mismatches))
    return RunReport(
        program="p",
        goal=Collective.ALL_REDUCE,
        group=2,
        ranks=ranks,
        elements=4,
        dtype="float32",
        repeats=1,
        plan_seconds=1.0,
        plain_seconds=2.0,
        group_seconds=0.0,
        backend="gloo",
        torch_version="2",
        debug=False,
    )


def test_one_wrong_element_of_one_rank_is_wrong():
    assert [report(*wrong).ok for wrong in ((0, 0), (1, 0), (0, 1), (0, 0, 2), (3, 3))] == [True, *[False] * 4]
    assert [report(*wrong).mismatches for wrong in ((0, 0), (1, 0), (0, 2), (3, 4))] == [0, 1, 2, 7]
