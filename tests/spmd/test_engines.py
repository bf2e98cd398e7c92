"""Elimination finds what trying out every assignment finds, and its certificate says so to a checker apart."""

import random
from dataclasses import replace

import pytest
from spmd.joint_problems import random_problem
from tiers import is_full

from p2smt.errors import EngineError
from p2smt.spmd.engines import certificate_check, elimination, simplification
from p2smt.spmd.engines.brute import brute
from p2smt.spmd.engines.certificate_check import check_certificate
from p2smt.spmd.engines.elimination import Message, eliminate
from p2smt.spmd.engines.elimination_order import by_fill, by_weight
from p2smt.spmd.engines.ilp import solve
from p2smt.spmd.engines.partial_assignments import PartialAssignments, partial_assignments
from p2smt.spmd.engines.problem import Best, Choice, Compatibility, Impossible, JointProblem, Limit
from p2smt.spmd.engines.simplification import Removal, simplify
from p2smt.spmd.engines.table import Table

CASES = 250 if is_full() else 120


def test_elimination_is_brute_force_on_random_problems():
    rng = random.Random(1)
    answers = {Best: 0, Impossible: 0}
    for _ in range(CASES):
        problem = random_problem(rng, rng.randint(2, 8), 4, rng.choice((0.4, 0.6, 0.9)), rng.choice((0.8, 1.6, 2.5)))
        expected, eliminated = brute(problem), eliminate(problem)
        answers[type(expected)] += 1
        assert type(eliminated.answer) is type(expected)
        if isinstance(expected, Best):
            assert eliminated.answer.cost == expected.cost == problem.cost(eliminated.answer.assignment)
            assert problem.allows(eliminated.answer.assignment)
            assert check_certificate(problem, eliminated.certificate, eliminated.answer.assignment) is None
        else:
            assert eliminated.certificate is None
    assert min(answers.values()) > CASES / 10


def test_many_sets_are_compared_at_once_as_few_are_one_by_one(monkeypatch):
    rng = random.Random(2)
    replaced = 0
    monkeypatch.setattr(simplification, "_ROWS", 7)
    for width in (5, 64, 65, 130):
        options = list(range(20))
        rng.shuffle(options)
        sets = [rng.getrandbits(width) & rng.getrandbits(width) | rng.getrandbits(width) for _ in options]
        sets[10:] = [each & rng.choice(sets[:10]) for each in sets[10:]]
        firsts = dict(zip(sets, options, strict=True))
        monkeypatch.setattr(simplification, "_MANY_OPTIONS", 100)
        one_by_one = simplification._replacements(firsts, width)
        monkeypatch.setattr(simplification, "_MANY_OPTIONS", 0)
        assert simplification._replacements(firsts, width) == one_by_one
        replaced += sum(one_by_one[each] != option for each, option in firsts.items())
    assert replaced > 20


def test_messages_are_checked_option_by_option_where_sums_are_large(monkeypatch):
    monkeypatch.setattr(certificate_check, "_AT_ONCE", 0)
    rng, checked = random.Random(3), 0
    for _ in range(12):
        problem = random_problem(rng, 6, 4, 0.8, 1.6)
        answer, certificate = eliminate(problem).answer, eliminate(problem).certificate
        if isinstance(answer, Best) and any(isinstance(each, Message) for each in certificate.messages):
            assert check_certificate(problem, certificate, answer.assignment) is None
            at = next(number for number, each in enumerate(certificate.messages) if isinstance(each, Message))
            more = list(certificate.messages)
            more[at] = more[at]._replace(shift=more[at].shift + 1)
            spoilt = replace(certificate, messages=tuple(more))
            assert "costs less than its message claims" in check_certificate(problem, spoilt, answer.assignment)
            checked += 1
    assert checked > 5


def test_of_many_options_those_are_left_that_no_other_covers_for_less():
    """Sets of more than a word, and more options than are compared one by one."""
    rng = random.Random(5)
    sizes = (90, 80, 90)
    cost = [rng.randrange(40) for _ in range(sizes[0])]
    blocks = [1 << 10 * number for number in range(8)]
    masks = [tuple([sum(rng.sample(blocks, rng.randint(1, 4))) for _ in cost]) for _ in sizes[1:]]
    links = tuple([Compatibility(0, number, mine) for number, mine in enumerate(masks, start=1)])
    others = tuple([Choice(str(size), (0,) * size) for size in sizes[1:]])
    removals = simplify(JointProblem((Choice("first", tuple(cost)), *others), links)).removals
    # the first choice is looked at first
    mine = [removal for removal in removals if removal.choice == 0]
    assert mine == list(removals[: len(mine)])
    has = [one | other << sizes[1] for one, other in zip(*masks, strict=True)]
    rank = [(each, -own.bit_count(), option) for option, (each, own) in enumerate(zip(cost, has, strict=True))]
    dominated = {
        one
        for one in range(sizes[0])
        if any(not has[one] & ~has[other] and rank[other] < rank[one] for other in range(sizes[0]))
    }
    assert {removal.option for removal in mine} == dominated
    assert 24 < sizes[0] - len(dominated) < sizes[0]
    for removal in mine:
        assert not has[removal.option] & ~has[removal.instead]
        assert cost[removal.instead] <= cost[removal.option]


def test_the_order_for_large_sums_leads_to_the_same_optimum(monkeypatch):
    """As if all sums were large: choices go by the pairs that become neighbours, where that is better."""
    monkeypatch.setattr(elimination, "LARGE", 0)
    monkeypatch.setattr(elimination, "_STAGES", (2,))
    rng = random.Random(11)
    other = 0
    for _ in range(60):
        problem = random_problem(rng, 8, 4, 0.9, 1.6)
        near = [set() for _ in problem.choices]
        for link in problem.links:
            near[link.left].add(link.right)
            near[link.right].add(link.left)
        sizes = [len(choice.costs) for choice in problem.choices]
        orders = [order(sizes, near, range(len(sizes))) for order in (by_weight, by_fill)]
        for each in orders:
            assert sorted(choice for choice, _ in each.steps) == list(range(len(sizes)))
        other += orders[1].largest < orders[0].largest
        expected, eliminated = brute(problem), eliminate(problem)
        if isinstance(expected, Best):
            assert eliminated.answer.cost == expected.cost
            assert check_certificate(problem, eliminated.certificate, eliminated.answer.assignment) is None
    assert other > 1


def test_parts_that_are_alike_are_added_up_once():
    """A chain of n layers takes sums of a number that grows with the logarithm of n."""
    counts = []
    for layers in (32, 64, 128):
        choices = tuple(Choice(f"c{number}", (3, 1, 2)) for number in range(layers))
        links = tuple(Compatibility(number, number + 1, (5, 3, 6)) for number in range(layers - 1))
        certificate = eliminate(JointProblem(choices, links)).certificate
        assert len(certificate.messages) == layers
        counts.append(len(certificate.tables))
    assert counts[2] - counts[1] == counts[1] - counts[0] <= 4


def test_one_option_more_or_one_link_less_never_costs_more():
    rng = random.Random(2)
    fell = 0
    for _ in range(120):
        problem = random_problem(rng, 6, 3, 0.8)
        before = eliminate(problem).answer
        after = eliminate(replace(problem, links=problem.links[1:])).answer
        if isinstance(before, Best):
            assert after.cost <= before.cost
            fell += after.cost < before.cost
    assert fell > 5


def test_identical_layers_give_the_same_as_different_names():
    layer = [Choice("a", (3, 1, 2)), Choice("b", (0, 5)), Choice("c", (2, 2, 7))]
    choices, links = [], []
    for number in range(30):
        start = len(choices)
        choices += layer
        links += [Compatibility(start, start + 1, (1, 2, 3)), Compatibility(start + 2, start + 1, (3, 2, 1))]
        if number:
            links.append(Compatibility(start - 1, start, (5, 2, 6)))
    problem = JointProblem(tuple(choices), tuple(links))
    eliminated = eliminate(problem)
    assert eliminated.width <= 3
    assert check_certificate(problem, eliminated.certificate, eliminated.answer.assignment) is None


def test_a_removal_that_would_cost_something_is_refused():
    problem = JointProblem((Choice("a", (3, 1)), Choice("b", (0, 5))), (Compatibility(0, 1, (3, 2)),))
    eliminated = eliminate(problem)
    certificate, best = eliminated.certificate, eliminated.answer.assignment
    assert eliminated.answer.cost == 3
    for removal, said in (
        (Removal(0, 0, instead=1), "goes with more"),
        (Removal(0, 0, link=0), "not left without support"),
        (Removal(1, 0, instead=0), "cheaper than"),
        (Removal(1, 1, instead=0), "goes with more"),
    ):
        fault = check_certificate(problem, replace(certificate, removals=(removal,)), best)
        assert said in fault
    twice = replace(certificate, removals=(Removal(1, 0, instead=1),))
    assert "cheaper than" in check_certificate(problem, twice, best)


def test_options_are_taken_away_and_the_optimum_stays():
    rng = random.Random(6)
    gone = {True: 0, False: 0}
    for _ in range(80):
        problem = random_problem(rng, 6, 4, 0.6)
        simple = simplify(problem)
        for removal in simple.removals:
            gone[removal.instead is None] += 1
        expected = brute(problem)
        if isinstance(expected, Best):
            assert brute(simple.problem).cost == expected.cost
        else:
            assert not all(simple.kept) or isinstance(brute(simple.problem), Impossible)
    assert min(gone.values()) > 20


def wrong(certificate, number, table):
    """The certificate with another table in one of its messages."""
    messages = list(certificate.messages)
    messages[number] = messages[number]._replace(table=len(certificate.tables))
    return replace(certificate, tables=(*certificate.tables, table), messages=tuple(messages))


def test_a_certificate_that_claims_more_is_refused():
    rng = random.Random(3)
    refused = 0
    for _ in range(40 if is_full() else 25):
        problem = random_problem(rng, 6, 3, 0.9)
        eliminated = eliminate(problem)
        if isinstance(eliminated.answer, Impossible):
            continue
        certificate, best = eliminated.certificate, eliminated.answer.assignment
        for number, message in enumerate(certificate.messages):
            claimed = certificate.tables[message.table]
            raised = Table(claimed.codes, claimed.costs + 1)
            fault = check_certificate(problem, wrong(certificate, number, raised), best)
            assert fault is not None
            refused += "costs less" in fault
            if claimed.rows > 1:
                fewer = Table(claimed.codes[1:], claimed.costs[1:])
                assert check_certificate(problem, wrong(certificate, number, fewer), best) is not None
            for senseless in (
                Table(claimed.codes - claimed.codes[0] - 1, claimed.costs),
                Table(claimed.codes, claimed.costs - 1),
            ):
                fault = check_certificate(problem, wrong(certificate, number, senseless), best)
                assert "that are none" in fault
        assert "the bound is" in check_certificate(problem, replace(certificate, bound=certificate.bound + 1), best)
        assert "no message" in check_certificate(
            problem, replace(certificate, messages=certificate.messages[:-1]), best
        )
    assert refused > (100 if is_full() else 60)


def test_a_certificate_of_another_order_or_a_worse_assignment_is_refused():
    problem = JointProblem((Choice("a", (0, 4)), Choice("b", (1, 2))), (Compatibility(0, 1, (2, 1)),))
    eliminated = eliminate(problem)
    assert eliminated.answer == Best((0, 1), 2)
    assert check_certificate(problem, eliminated.certificate, (1, 0)) == "the assignment costs 5, the bound is 2"
    assert "does not keep a link" in check_certificate(problem, eliminated.certificate, (0, 0))
    twice = eliminated.certificate.messages[:1] * 2
    assert "eliminated twice" in check_certificate(problem, replace(eliminated.certificate, messages=twice), (0, 1))
    first = eliminated.certificate.messages[0]
    lonely = Message(first.choice, (), first.table, first.shift)
    changed = replace(eliminated.certificate, messages=(lonely, *eliminated.certificate.messages[1:]))
    assert "more neighbours" in check_certificate(problem, changed, (0, 1))
    double = Message(first.choice, first.neighbours * 2, first.table, first.shift)
    changed = replace(eliminated.certificate, messages=(double, *eliminated.certificate.messages[1:]))
    assert "has a message to itself, or two to one neighbour" in check_certificate(problem, changed, (0, 1))


def test_brute_force_says_what_it_would_try_before_it_begins():
    """1 + 20 + 400 + 8,000 + 160,000 assignments, and 3,000^70 that nothing could try."""
    four = JointProblem((Choice("a", (0,) * 20),) * 4, ())
    with pytest.raises(EngineError, match=r"would try 168421 partial assignments of 4 choices, and tries at most 1000"):
        brute(four, 1000)
    assert brute(four, 168_421) == Best((0, 0, 0, 0), 0)
    with pytest.raises(EngineError, match=r"would try about 2.5e\+243 partial assignments of 70 choices"):
        brute(JointProblem((Choice("a", (0,) * 3000),) * 70, ()))


def visited(problem, options=()):
    """Count partial assignments by their definition: all extensions that satisfy the links among what is chosen."""
    depth = len(options)
    for link in problem.links:
        if max(link.left, link.right) < depth and not link.keeps(options[link.left], options[link.right]):
            return 0
    if depth == len(problem.choices):
        return 1
    return 1 + sum(visited(problem, (*options, each)) for each in range(len(problem.choices[depth].costs)))


def test_partial_assignments_are_counted_exactly_and_bounded_where_tables_are_large(monkeypatch):
    rng = random.Random(11)
    for _ in range(CASES // 2):
        problem = random_problem(rng, rng.randint(2, 6), 4, rng.choice((0.4, 0.6, 0.9)), rng.choice((0.8, 1.6, 2.5)))
        assert partial_assignments(problem) == PartialAssignments(visited(problem))
    dense = random_problem(random.Random(4), 7, 4, 0.9, 3)
    monkeypatch.setattr("p2smt.spmd.engines.partial_assignments._MOST_ENTRIES", 20)
    bounded = partial_assignments(dense)
    assert not bounded.is_complete
    assert 1 < bounded.count < visited(dense)
    with pytest.raises(EngineError, match="would try more than"):
        brute(dense)


def test_the_integer_program_is_brute_force_with_and_without_limits():
    pytest.importorskip("scipy")
    rng = random.Random(8)
    kinds = {Best: 0, Impossible: 0}
    binding = 0
    for _ in range(40):
        problem = random_problem(rng, 6, 3, 0.9, 1.0)
        weights = tuple((c, tuple(22 - cost for cost in each.costs)) for c, each in enumerate(problem.choices))
        limited = replace(problem, limits=(Limit("memory", rng.randint(40, 90), weights),))
        expected, solved = brute(limited), solve(limited)
        kinds[type(expected)] += 1
        assert type(solved.answer) is type(expected)
        free = brute(problem)
        if isinstance(expected, Best):
            assert solved.answer.cost == expected.cost >= free.cost
            assert solved.bound <= expected.cost
            assert limited.allows(solved.answer.assignment)
            binding += expected.cost > free.cost
        if isinstance(free, Best):
            assert solve(problem).answer.cost == free.cost
    assert min(kinds.values()) > 5
    assert binding > 10


def least_within(costs, weights, most):
    """The least cost of one option for each choice whose weights add up to no more, by a table over all weights."""
    least = {0: 0}
    for options, theirs in zip(costs, weights, strict=True):
        more = {}
        for held, cost in least.items():
            for option, weight in zip(options, theirs, strict=True):
                if held + weight <= most:
                    more[held + weight] = min(cost + option, more.get(held + weight, cost + option))
        least = more
    return min(least.values())


def test_the_integer_program_ends_with_the_best_and_not_with_what_is_within_a_hundredth_of_it():
    """Knapsacks of 20 choices: for half of them HiGHS has an answer that close before it has the best."""
    pytest.importorskip("scipy")
    rng = random.Random(0)
    for _ in range(12 if is_full() else 5):
        weights = [tuple(sorted(rng.sample(range(1, 200), 3))) for _ in range(20)]
        costs = [tuple(1000 - 4 * weight + rng.randrange(-30, 30) for weight in each) for each in weights]
        most = sum(sum(each) // 3 for each in weights)
        limit = Limit("memory", most, tuple(enumerate(weights)))
        problem = JointProblem(tuple(Choice(f"c{number}", each) for number, each in enumerate(costs)), (), (limit,))
        assert solve(problem).answer.cost == least_within(costs, weights, most)


def test_the_bound_of_highs_is_no_optimum_where_it_is_rounded():
    """Costs above a million are divided: in floating-point numbers a bound may lie below, and never above."""
    pytest.importorskip("scipy")
    rng, below = random.Random(3), 0
    for _ in range(20):
        problem, unit = random_problem(rng, 5, 3, 0.8, 1.5), 10**9 + 7
        costs = [tuple(cost * unit + rng.randrange(unit) for cost in each.costs) for each in problem.choices]
        choices = tuple(each._replace(costs=dear) for each, dear in zip(problem.choices, costs, strict=True))
        found = solve(replace(problem, choices=choices))
        if isinstance(found.answer, Best):
            assert 0 <= found.answer.cost - found.bound <= 1
            below += found.bound < found.answer.cost
    assert below > 0
