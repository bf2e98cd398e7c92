"""What the checker of certificates accepts is an optimum, whichever options a certificate takes away."""

import random
from dataclasses import replace

from spmd.joint_problems import random_problem

from p2smt.spmd import elimination
from p2smt.spmd.brute import brute
from p2smt.spmd.certificate_check import check_certificate
from p2smt.spmd.problem import Best
from p2smt.spmd.simplification import Removal, Simplified, restricted


def any_removals(rng, problem):
    """Options taken away for whatever reason is said: for another option of the choice, or for a link of it."""
    left = [list(range(len(choice.costs))) for choice in problem.choices]
    removals = []
    for _ in range(rng.randint(1, 4)):
        choice = rng.randrange(len(left))
        if len(left[choice]) < 2:
            continue
        option = left[choice].pop(rng.randrange(len(left[choice])))
        near = [number for number, link in enumerate(problem.links) if choice in (link.left, link.right)]
        if near and rng.random() < 0.3:
            removals.append(Removal(choice, option, link=rng.choice(near)))
        else:
            others = [each for each in range(len(problem.choices[choice].costs)) if each != option]
            removals.append(Removal(choice, option, instead=rng.choice(others)))
    kept = tuple(map(tuple, left))
    return Simplified(restricted(problem, kept), tuple(removals), kept)


def test_no_removal_is_accepted_that_raises_the_optimum(monkeypatch):
    """Every certificate is right but for its removals: it is the bound of what they leave."""
    rng = random.Random(21)
    accepted = raised = 0
    for _ in range(500):
        problem = random_problem(rng, 4, 3, 0.85, 1.5)
        taken = any_removals(rng, problem)
        monkeypatch.setattr(elimination, "simplify", lambda _, taken=taken: taken)
        eliminated = elimination.eliminate(problem)
        if not isinstance(eliminated.answer, Best):
            continue
        fault = check_certificate(problem, eliminated.certificate, eliminated.answer.assignment)
        worse = eliminated.answer.cost > brute(problem).cost
        assert not (worse and fault is None), (problem, taken.removals)
        accepted += fault is None and len(taken.removals) > 0
        raised += worse
    assert accepted > 20
    assert raised > 40


def test_a_certificate_without_some_of_its_messages_is_refused():
    rng = random.Random(22)
    left_out = 0
    for _ in range(60):
        problem = random_problem(rng, 5, 3, 0.9, 1.0)
        eliminated = elimination.eliminate(problem)
        if not isinstance(eliminated.answer, Best):
            continue
        whole = eliminated.certificate
        kept = tuple(message for message in whole.messages if rng.random() < 0.6)
        if len(kept) < len(whole.messages):
            bound = sum(message.shift for message in kept)
            fewer = replace(whole, messages=kept, bound=bound)
            assert check_certificate(problem, fewer, eliminated.answer.assignment) is not None
            left_out += 1
    assert left_out > 30
