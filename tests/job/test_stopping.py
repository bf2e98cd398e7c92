"""A search for programs that ended early is said to have ended so, and never taken for all programs."""

import pytest

from p2smt.cli.main import run
from p2smt.collective import Collective
from p2smt.cost.any_length import Cheaper, Reach
from p2smt.cost.network.nccl import NetworkCost
from p2smt.job.infeasible import explain_infeasible
from p2smt.job.optimize import Optimum, Unfinished, optimize
from p2smt.job.possible import Possible
from p2smt.placement.conditioned import ConditionedPlacements
from p2smt.problem.build import build_workload
from p2smt.problem.file import job_example_text
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.text import find_system
from p2smt.problem.workload import Reduction
from p2smt.reduction.synth import session
from p2smt.smt.answer import Enumeration, NoAnswer, Stop, Unsat

ENDINGS = [Stop.INTERRUPTED, Stop.UNKNOWN, Stop.DEADLINE]


def job(*conditions, goal=Collective.ALL_REDUCE):
    reductions = [Reduction(name="r", axes=(0,), payload=Payload(1 << 20, "float32"), goal=goal)]
    return build_workload(find_system("4x8"), [Axis("a", 8), Axis("b", 4)], reductions, conditions)


@pytest.fixture
def ending(request, monkeypatch):
    """Every search for programs ends in this way, with nothing found."""
    searched = []

    def search(*_):
        searched.append(1)
        return Enumeration((), request.param, "gave up" * (request.param is Stop.UNKNOWN))

    monkeypatch.setattr("p2smt.reduction.synth.session.find_programs", search)
    monkeypatch.setattr("p2smt.reduction.rules.completion.completions", search)
    return request.param, searched


SEARCHED = [Collective.ALL_REDUCE, Collective.REDUCE_SCATTER, Collective.ALL_GATHER]


@pytest.fixture(scope="module")
def fastest():
    """Seconds of the fastest placement per goal, from searches that nothing ends."""
    found = {goal: optimize(job(goal=goal), NetworkCost(job().system)) for goal in SEARCHED}
    assert all(isinstance(optimum, Optimum) and optimum.proved for optimum in found.values())
    return {goal: optimum.best.seconds for goal, optimum in found.items()}


@pytest.mark.parametrize("ending", ENDINGS, indirect=True)
@pytest.mark.parametrize("goal", SEARCHED)
def test_the_ending_is_told(fastest, ending, goal):
    stop, searched = ending
    asked = job(goal=goal)
    found = optimize(asked, NetworkCost(asked.system))
    assert isinstance(found, Optimum)  # the best of any length needs no solver, and is all that is known
    assert (found.stop, found.proved) == (stop, False)
    assert 0 < found.lower_bound_s <= fastest[goal]  # what has to cross the wires, whatever the programs
    assert found.reason == ("gave up" if stop is Stop.UNKNOWN else "")
    if stop is Stop.INTERRUPTED:
        assert len(searched) == len(found.placements) == 1


@pytest.mark.parametrize("ending", ENDINGS, indirect=True)
def test_conditions_are_not_said_to_clash(ending):
    stop, _ = ending
    asked = job("at most 1 communicators")
    possible = Possible(asked, NetworkCost(asked.system), None)
    if stop is Stop.INTERRUPTED:
        with pytest.raises(KeyboardInterrupt):
            possible.ask([0])
    else:
        assert possible.ask([0]) == NoAnswer("gave up" if stop is Stop.UNKNOWN else "deadline", stop)


@pytest.fixture(scope="module")
def whole():
    """The optimum of the job without conditions."""
    found = optimize(job(), NetworkCost(job().system))
    assert isinstance(found, Optimum)
    return found


@pytest.mark.parametrize("stop", ENDINGS)
def test_placements_that_were_not_all_found_are_no_proof(whole, stop, monkeypatch):
    asked = job()
    part = Enumeration(tuple(one.matrix for one in whole.placements[:2]), stop, "why")
    monkeypatch.setattr("p2smt.job.optimize.placements_of", lambda *_: part)
    found = optimize(asked, NetworkCost(asked.system))
    assert found.stop is stop
    if stop is Stop.INTERRUPTED:
        assert isinstance(found, Unfinished)
    else:
        assert not found.proved
        assert found.lower_bound_s == 0


def test_placements_that_were_not_all_found_are_no_clash(monkeypatch):
    asked = job("at most 0 communicators")
    possible = Possible(asked, NetworkCost(asked.system), None)
    assert possible.ask([0]) == Unsat(frozenset({0}))
    every = ConditionedPlacements.all
    for stop in ENDINGS:

        def some(*given, stop=stop):
            return Enumeration(every(*given).items[:2], stop, "why")

        monkeypatch.setattr(ConditionedPlacements, "all", some)
        for question in (lambda: possible.ask([0]), lambda: possible.first([0]), lambda: possible.least_limit(0)):
            if stop is Stop.INTERRUPTED:
                with pytest.raises(KeyboardInterrupt):
                    question()
            else:
                assert question() == NoAnswer("why", stop)


def test_a_placement_whose_search_was_cut_off_is_not_refused(monkeypatch):
    """Two of the three placements reduce over two levels, and there the search finds nothing in time."""
    asked = job("at most 1 communicators")
    whole = optimize(asked, NetworkCost(asked.system))
    assert isinstance(whole, Optimum)
    assert (len(whole.placements), whole.refused) == (3, 0)
    every = session.find_programs

    def search(engine, language, *given):
        return Enumeration((), Stop.UNKNOWN, "gave up") if language.levels == 2 else every(engine, language, *given)

    monkeypatch.setattr(session, "find_programs", search)
    found = optimize(asked, NetworkCost(asked.system))  # the best for every set of communicators needs no solver
    assert isinstance(found, Optimum)
    assert (len(found.placements), found.found, found.refused, found.proved) == (3, 3, 0, False)
    monkeypatch.setattr("p2smt.job.job_pricer.programs_by_communicators", lambda *_: Enumeration((), Stop.DEADLINE))
    found = optimize(asked, NetworkCost(asked.system))
    assert isinstance(found, Optimum)
    assert (len(found.placements), found.found, found.refused) == (1, 3, 0)
    assert (found.stop, found.reason, found.proved) == (Stop.UNKNOWN, "gave up", False)


@pytest.mark.parametrize("ending", [Stop.INTERRUPTED, Stop.UNKNOWN], indirect=True)
@pytest.mark.parametrize("command", ["optimize", "explain"])
def test_commands_say_that_they_stopped(ending, command, tmp_path, capsys, monkeypatch):
    path = tmp_path / "job.toml"
    path.write_text(job_example_text("job"), encoding="utf-8")
    monkeypatch.setattr("p2smt.job.job_pricer.programs_by_communicators", lambda *_: Enumeration((), Stop.DEADLINE))
    assert run([command, str(path)]) == 3
    out, err = capsys.readouterr()
    assert f"stopped ({ending[0]}) before any placement was priced" in out + err


def test_longer_programs_that_were_not_looked_for_in_time_are_no_proof(monkeypatch):
    asked = job()
    monkeypatch.setattr("p2smt.job.candidate.cheaper_program", lambda *_: Cheaper(None, Reach.LATE))
    found = optimize(asked, NetworkCost(asked.system))
    assert isinstance(found, Optimum)
    assert (found.stop, found.proved, found.refused) == (Stop.DEADLINE, False, 0)
    assert len(found.placements) == found.found


def test_sets_of_communicators_that_were_not_all_looked_at_are_no_proof(monkeypatch):
    asked = build_workload(
        find_system("2x2x2"),
        [Axis("a", 8)],
        [Reduction(name="r", axes=(0,), payload=Payload(1 << 20, "float32"))],
        ["at most 2 communicators"],
        Search(limit=3),
    )
    assert optimize(asked, NetworkCost(asked.system)).proved
    monkeypatch.setattr("p2smt.job.job_pricer.programs_by_communicators", lambda *_: Enumeration((), Stop.DEADLINE))
    found = optimize(asked, NetworkCost(asked.system))
    assert isinstance(found, Optimum)
    assert (found.stop, found.proved, found.refused) == (Stop.DEADLINE, False, 0)


def test_sizes_behind_an_undecided_one_are_not_called_the_nearest(monkeypatch):
    level = find_system("4x8").levels[0].name
    asked = job(f"a on {level}")  # eight of four
    whole = explain_infeasible(asked, NetworkCost(asked.system))
    sizes = [tuple(axis.size for axis in axes) for axes in whole.sizes]
    assert (sizes[0], len(sizes)) == ((4, 8), 2)
    everything = Possible.everything

    def undecided(possible, but=()):
        nearest = tuple(axis.size for axis in possible.workload.axes) == (4, 8)
        return NoAnswer("gave up") if nearest else everything(possible, but)

    monkeypatch.setattr(Possible, "everything", undecided)
    assert explain_infeasible(asked, NetworkCost(asked.system)).sizes == ()


def test_larger_sets_than_an_undecided_one_are_not_called_the_smallest(monkeypatch):
    outer = find_system("4x8").levels[0].name
    asked = job(f"a on {outer}", f"b on {outer}")  # eight of four
    assert explain_infeasible(asked, NetworkCost(asked.system)).dropped == (asked.conditions[:1],)
    everything = Possible.everything

    def undecided(possible, but=()):
        return NoAnswer("gave up") if tuple(but) == (0,) else everything(possible, but)

    monkeypatch.setattr(Possible, "everything", undecided)
    assert explain_infeasible(asked, NetworkCost(asked.system)).dropped == ()
