from itertools import combinations

from hypothesis import given, settings
from job.by_force import every_matrix, keeps_by_devices
from job.jobs import jobs
from support import problem
from tiers import examples

from p2smt.placement.condition import clashing, keeps
from p2smt.placement.conditioned import ConditionedPlacements
from p2smt.placement.enumeration import all_placements
from p2smt.problem.condition import PlacementCondition, Unsplit
from p2smt.smt.answer import NoAnswer, Sat, Stop, Unsat


@settings(max_examples=examples(10))
@given(jobs(conditions=True))
def test_the_solver_keeps_every_set_of_conditions_as_their_meaning_does(job):
    conditions = [one for one in job.conditions if isinstance(one, PlacementCondition)]
    asked = ConditionedPlacements(job, conditions)
    kept = {m: [keeps_by_devices(job, m, one) for one in conditions] for m in every_matrix(job)}
    assert kept == {m: [keeps(m, one) for one in conditions] for m in kept}
    core = clashing(list(kept), conditions)
    assert bool(core) == (not any(all(flags) for flags in kept.values()))
    for left_out in core:
        without = [conditions.index(one) for one in core if one != left_out]
        assert any(all(flags[n] for n in without) for flags in kept.values())
    for count in range(len(conditions) + 1):
        for some in combinations(range(len(conditions)), count):
            wanted = sorted(m for m, flags in kept.items() if all(flags[n] for n in some))
            found = asked.all(some)
            assert (list(found.items), found.stop) == (wanted, Stop.EXHAUSTED)
            answer = asked.ask(some)
            match answer:
                case Unsat(core):
                    assert not wanted
                    assert core <= {*some}
                    assert not any(all(flags[n] for n in core) for flags in kept.values())
                case Sat(matrix):
                    assert matrix in wanted
                case NoAnswer(reason):
                    raise AssertionError(reason)


def test_an_axis_may_be_split_between_other_levels_than_those_named():
    """By definition: of the levels named, or else of all, at most one has a part of the axis."""
    asked = problem([2, 2, 2], [4, 2])
    matrices = all_placements(asked).items
    between = [(), *(some for count in (1, 2, 3) for some in combinations(range(3), count))]
    conditions = [Unsplit(0, levels) for levels in between]
    placements = ConditionedPlacements(asked, conditions)
    for number, levels in enumerate(between):
        wanted = [m for m in matrices if sum(m.rows[0][level] > 1 for level in levels or (0, 1, 2)) <= 1]
        assert [matrix for matrix in matrices if keeps(matrix, conditions[number])] == wanted
        assert list(placements.all([number]).items) == wanted
