"""What is kept of a sketch's programs is for one limit, and for placements whose units have the same sizes."""

from dataclasses import replace

from unlike_plans import unlike_problem

from p2smt.placement.matrix import parse_matrix
from p2smt.problem.model import Engine
from p2smt.problem.system.tree import Tree
from p2smt.reduction.language.language import shape_language
from p2smt.reduction.language.sketch import parse_sketch
from p2smt.reduction.synth.completion import Completer
from p2smt.reduction.synth.engines import find_programs
from p2smt.smt.answer import Stop


def test_units_of_unlike_size_are_not_given_the_programs_of_others():
    sketch, completer, counts = parse_sketch("..."), Completer(), set()
    for system, devices in (("node:2,gpu:3", 6), ("node:[3,2]", 5), ("node:[3,1]", 4)):
        asked = unlike_problem(system, (devices,))
        asked = replace(asked, search=replace(asked.search, limit=3))
        again, alone = (one.complete(asked, sketch).synthesis.placements for one in (completer, Completer()))
        assert [placed.programs for placed in again] == [placed.programs for placed in alone]
        counts.add(sum(len(placed.programs) for placed in alone))
    assert len(counts) > 1


def test_a_shorter_limit_is_not_given_the_programs_of_a_longer_one():
    sketch, completer, counts = parse_sketch("..."), Completer(), []
    asked = unlike_problem("node:2,gpu:2", (4,))
    for limit in (3, 2, 1):
        shorter = replace(asked, search=replace(asked.search, limit=limit))
        (placed,) = completer.complete(shorter, sketch, only=parse_matrix("2x2")).synthesis.placements
        assert max(map(len, placed.programs)) == limit
        counts.append(len(placed.programs))
    assert counts == sorted(set(counts), reverse=True)


def test_what_was_found_in_part_is_looked_for_anew():
    asked, sketch, matrix = unlike_problem("node:2,gpu:2", (4,)), parse_sketch("..."), parse_matrix("2x2")
    completer = Completer()
    late = completer.complete(asked, sketch, deadline=0.0, only=matrix).synthesis
    assert (late.stop, late.total_programs) == (Stop.DEADLINE, 0)
    whole = completer.complete(asked, sketch, only=matrix).synthesis
    assert whole.complete
    assert whole.placements == Completer().complete(asked, sketch, only=matrix).synthesis.placements
    assert whole.total_programs > 0


def test_sketches_on_a_tree_of_more_than_eight_devices_have_the_programs_of_a_walk():
    asked = unlike_problem("node:[6,3]", (9,))
    tree = Tree(((2,), (6, 3)))
    walked = find_programs(Engine.EXPLICIT, shape_language(tree), tree, 2)
    asked = replace(asked, search=replace(asked.search, limit=2))
    (placed,) = Completer().complete(asked, parse_sketch("...")).synthesis.placements
    language = shape_language(tree)
    assert placed.stop is Stop.EXHAUSTED
    assert set(placed.programs) == {language.program(steps) for steps in walked.items} != set()
