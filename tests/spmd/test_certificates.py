"""What the checker of certificates accepts is an optimum, whichever options a certificate takes away."""

import random
import re
from dataclasses import replace
from itertools import product

import numpy as np
from spmd.joint_problems import random_problem
from tiers import is_full

from p2smt.spmd.engines import dense_check, elimination
from p2smt.spmd.engines.brute import brute
from p2smt.spmd.engines.certificate import Branch, Case, Certificate, DominatedOptions, Message, Shift
from p2smt.spmd.engines.certificate_check import NEVER, check_bound, check_certificate
from p2smt.spmd.engines.problem import Best, Choice, Compatibility, JointProblem, Limit
from p2smt.spmd.engines.simplification import Removal, SimplifiedProblem, restricted
from p2smt.spmd.engines.table import Table


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
    return SimplifiedProblem(restricted(problem, kept), tuple(removals), kept)


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


def spoiled(rng, certificate):
    """The same with one number changed: of a message, a table, or the bound, which then may be too high."""
    number = rng.randrange(len(certificate.messages))
    message, more = certificate.messages[number], rng.choice((-1, 1, 2))
    table = certificate.tables[message.table]
    row = rng.randrange(len(table.costs)) if len(table.costs) else 0
    costs = table.costs.copy()
    costs[row : row + 1] += more
    fewer = Table(table.codes[:-1], table.costs[:-1])
    messages = list(certificate.messages)
    match rng.randrange(5):
        case 0:
            messages[number] = message._replace(shift=message.shift + more)
            return replace(certificate, messages=tuple(messages), bound=certificate.bound + more)
        case 1 | 2 as kind:
            other = Table(table.codes, costs) if kind == 1 else fewer
            messages[number] = message._replace(table=len(certificate.tables))
            bound = certificate.bound + (0 if message.neighbours else more)
            return replace(certificate, tables=(*certificate.tables, other), messages=tuple(messages), bound=bound)
        case 3:
            messages[number] = message._replace(neighbours=message.neighbours[1:])
            return replace(certificate, messages=tuple(messages))
        case _:
            return replace(certificate, bound=certificate.bound + more)


def test_what_is_accepted_of_a_spoiled_certificate_is_an_optimum_still():
    rng = random.Random(23)
    refused_ = set()
    for _ in range(400 if is_full() else 200):
        problem = random_problem(rng, 4, 3, 0.85, 1.5)
        eliminated = elimination.eliminate(problem)
        if not isinstance(eliminated.answer, Best):
            continue
        certificate = spoiled(rng, eliminated.certificate)
        least = brute(problem).cost
        for assignment in product(*(range(len(choice.costs)) for choice in problem.choices)):
            fault = check_certificate(problem, certificate, assignment)
            if fault is None:
                assert (problem.allows(assignment), problem.cost(assignment)) == (True, least)
            else:
                refused_.add(re.sub(r"\d+", "N", fault))
    assert refused_ >= {
        "the assignment does not keep a link or a limit",
        "choice N costs less than its message claims",
        "the messages add up to N, the bound is N",
        "the assignment costs N, the bound is N",
        "choice N has more neighbours than its message",
    }


def test_what_no_checker_can_read_is_no_certificate(monkeypatch):
    problem = JointProblem((Choice("a", (3, 1)), Choice("b", (0, 5))), (Compatibility(0, 1, (3, 2)),))
    eliminated = elimination.eliminate(problem)
    certificate, best = eliminated.certificate, eliminated.answer.assignment

    def fault(changed=certificate, asked=problem):
        return check_certificate(asked, changed, best)

    def with_table(codes, costs):
        table = Table(np.array(codes, dtype=np.int64), np.array(costs, dtype=np.int64))
        message = next(each for each in certificate.messages if each.neighbours)
        messages = tuple(
            each._replace(table=each.table if each is not message else len(certificate.tables))
            for each in certificate.messages
        )
        return fault(replace(certificate, tables=(*certificate.tables, table), messages=messages))

    assert fault() is None
    for codes in ((-1, 0), (0, 2), (0,), (0, 1, 1)):
        assert "rows that are none" in with_table(codes, (0, 0))
    for costs in ((-1, 0), (0, NEVER)):
        assert "costs that are none" in with_table((0, 1), costs)
    free = Choice("c", (7, 7))
    wider = JointProblem((*problem.choices, free), problem.links)
    both = (Removal(2, 0, instead=1), Removal(2, 0, instead=1))
    assert "is taken away twice" in check_certificate(wider, replace(certificate, removals=both), (*best, 1))
    outside = (Removal(2, 0, link=0),)
    assert "for a link that it is not in" in check_certificate(
        wider, replace(certificate, removals=outside), (*best, 1)
    )
    dear = JointProblem((Choice("a", (NEVER // 4, NEVER // 4)), problem.choices[1]), problem.links)
    assert fault(asked=dear) == "costs are too large to be told from what is not allowed"
    limited = replace(problem, limits=(Limit("some", 0, ((0, (1, 1)),)),))
    assert fault(asked=limited) == "the assignment does not keep a link or a limit"
    monkeypatch.setattr(dense_check, "MOST_ENTRIES", 1)
    assert "too large to be checked" in fault()


def test_no_number_out_of_range_proves_a_bound():
    """Sums of 64 bits wrap around, and NEVER less something is a cost: either could prove that nothing is possible."""
    problem = JointProblem((Choice("a", (3, 1)), Choice("b", (0, 5))), (Compatibility(0, 1, (3, 2)),))
    nothing = Table(np.array([], dtype=np.int64), np.array([], dtype=np.int64))

    def fault(*messages, of=problem, bound=NEVER, **more):
        return check_bound(of, Certificate((), (nothing,), messages, bound, **more))

    for shift in (-1, -NEVER, NEVER, 2**63 - 1):
        found = fault(Message(0, (1,), 0, shift), Message(1, (), 0, 0))
        assert found == f"the message of choice 0 has a shift of {shift}"
    assert fault(Message(0, (), 1, 0)) == "the message of choice 0 has table 1, which there is not"
    for named in (
        fault(Message(-1, (), 0, 0)),
        fault(Message(0, (2,), 0, 0)),
        fault(DominatedOptions(2, (0,), 0)),
        fault(branch=Branch(2, ())),
        fault(branch=Branch(0, (Case((Message(2, (), 0, 0),)),))),
        fault(of=replace(problem, links=(Compatibility(0, 2, (3, 2)),))),
    ):
        assert re.fullmatch(r"choice (-1|2) is named, and there are 2", named)
    for removal in (Removal(2, 0), Removal(0, 2), Removal(0, -1, instead=1), Removal(0, 0, instead=2)):
        assert "has no option" in check_bound(problem, Certificate((removal,), (), (), 0))
    least = JointProblem((Choice("a", (-(2**63),)), Choice("b", (0,))), (Compatibility(0, 1, (0b1,)),))
    assert fault(of=least, bound=2**62, shifts=(Shift((0, 1), ((-1,), (0,))),)) == "a cost is below 0"
