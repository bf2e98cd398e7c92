from itertools import combinations

from hypothesis import given, settings
from job.by_force import every_matrix, keeps_by_devices
from job.jobs import jobs

from p2smt.placement.condition import keeps
from p2smt.placement.conditioned import ConditionedPlacements
from p2smt.problem.condition import PlacementCondition
from p2smt.smt.answer import Sat, Stop, Unknown, Unsat


@settings(max_examples=60)
@given(jobs(conditions=True))
def test_the_solver_keeps_every_set_of_conditions_as_their_meaning_does(job):
    conditions = [one for one in job.conditions if isinstance(one, PlacementCondition)]
    asked = ConditionedPlacements(job, conditions)
    kept = {m: [keeps_by_devices(job, m, one) for one in conditions] for m in every_matrix(job)}
    assert kept == {m: [keeps(m, one) for one in conditions] for m in kept}
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
                case Unknown(reason):
                    raise AssertionError(reason)
