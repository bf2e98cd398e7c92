"""Theorem 3.2 of the paper on small systems: hierarchy (d) >= (c) >= (b) >= (a).

A program is lowered to what devices see: per step a collective and the groups of real devices, members in
group order. The lowered programs of (a), (b) and (c) come from brute force over the whole system: every
grouping of every level, also those on which no reduction axis lies, with the goal taken from real coordinates.

(d) offers everything, as the paper says; two of its lemmas have exceptions, both with Master forms:
- B.7, (c) >= (b): where a row follows that of the reduction axis, masters of rows are masters of the first
  reduction group only, so (c) has no programs with masters and (b) may have some.
- B.6, in grammar `full`: a Broadcast among the masters of some reduction groups only, before a Broadcast to
  everyone, changes something, so it is allowed, but nothing depends on it. p2smt leaves such programs out.
"""

from functools import cache
from itertools import product
from math import prod

import pytest
from looped import looped
from support import problem, solved
from tiers import sample

from p2smt.collective import Collective
from p2smt.placement.digits import DeviceMap, join, split
from p2smt.placement.enumeration import all_placements
from p2smt.placement.hierarchy import synthesis_hierarchy
from p2smt.placement.matrix import parse_matrix
from p2smt.problem.model import Grammar, HierarchyKind
from p2smt.reduction.language.hierarchy import language_of, written
from p2smt.reduction.language.instruction import Grouping, grouping_of
from p2smt.reduction.language.language import full_language
from p2smt.reduction.semantics.collectives import Violation
from p2smt.reduction.semantics.execution import MatrixMachine, machine
from p2smt.reduction.semantics.goal import MatrixGoal
from p2smt.reduction.semantics.groups import groups_of
from p2smt.reduction.semantics.state import start_state

ONE_AXIS = [  # sizes, axes, reduction axes, longest program
    ((2, 2), (2, 2), (0,), 4),
    ((2, 2), (2, 2), (1,), 4),
    ((2, 4), (4, 2), (0,), 4),
    ((2, 4), (4, 2), (1,), 4),
    ((4, 4), (4, 4), (0,), 3),
    ((4, 2), (2, 4), (1,), 4),
    ((2, 2, 2), (4, 2), (0,), 4),
    ((2, 2, 2), (2, 4), (1,), 4),
    ((2, 6), (3, 4), (0,), 3),
    ((2, 6), (3, 4), (1,), 3),
]
SEVERAL_AXES = [
    ((2, 4), (2, 2, 2), (0, 2), 4),
    ((4, 4), (2, 4, 2), (0, 2), 3),
    ((2, 2, 2), (2, 2, 2), (0, 2), 4),
    ((2, 2), (2, 2), (0, 1), 4),
]


WHOLE_SYSTEM = [HierarchyKind.SYSTEM, HierarchyKind.COLUMNS, HierarchyKind.ROWS]


def placed(case):
    sizes, axes, reduce, _ = case
    return [str(matrix) for matrix in all_placements(problem(sizes, axes, reduce)).items]


def hierarchy_of(case, matrix, kind, **search):
    sizes, axes, reduce, _ = case
    return synthesis_hierarchy(problem(sizes, axes, reduce, hierarchy=kind, **search), parse_matrix(matrix))


def real_devices(levels, digits, elsewhere=None):
    """The real device of every device of a hierarchy, in the hierarchy's order; other digits as given."""
    found = []
    for values in product(*(range(level.size) for level in levels)):
        real = dict(elsewhere or {})
        for level, value in zip(levels, values, strict=True):
            places = level.digits
            real |= dict(zip(places, split(value, [digits[p].size for p in places]), strict=True))
        found.append(join([real.get(place, 0) for place in range(len(digits))], [digit.size for digit in digits]))
    return found


def walked(concrete, grammar, limit):
    """All programs of at most `limit` steps from the start to the goal, by trying every step."""
    steps = list(full_language(len(concrete.shape), grammar).steps())

    @cache
    def successors(state):
        results = ((step, concrete.apply(state, step)) for step in steps)
        return [(step, new) for step, new in results if not isinstance(new, Violation)]

    @cache
    def endings(state, left):
        if concrete.goal.is_reached(state):
            return [()]
        return [(step, *rest) for step, new in successors(state) for rest in endings(new, left - 1)] if left else []

    return endings(concrete.goal.start, limit)


def lowered(programs, groups):
    return {tuple((collective, groups(grouping)) for grouping, collective in steps) for steps in programs}


@cache
def brute_force(case, matrix, kind, grammar):
    """The lowered programs of hierarchy (a), (b) or (c) on all devices of the system, by definition."""
    devices = DeviceMap(parse_matrix(matrix))
    levels = hierarchy_of(case, matrix, kind).levels
    sizes = tuple(level.size for level in levels)
    real = real_devices(levels, devices.digits)
    assert sorted(real) == list(range(devices.devices))
    stays = [tuple(c for axis, c in enumerate(devices.coordinates(d)) if axis not in case[2]) for d in real]
    bits = [sum(1 << i for i, other in enumerate(stays) if other == own) for own in stays]
    concrete = MatrixMachine(
        sizes, MatrixGoal(start_state(len(real)), tuple((row,) * len(real) for row in bits), tuple(range(len(real))))
    )
    if all(level.reduces == level.reduces_some for level in levels):
        assert concrete.goal == machine(sizes, [level.reduces for level in levels]).goal
    found = walked(concrete, grammar, case[3])

    @cache
    def groups(grouping):
        return frozenset(tuple(real[d] for d in group) for group in groups_of(sizes, grouping))

    return lowered(found, groups)


def repeated(case, matrix, hierarchy):
    """From a grouping of the reduction_levels levels to real groups: repeated for all digits that carry nothing."""
    digits = DeviceMap(parse_matrix(matrix)).digits
    reduction_levels = hierarchy.reduction_levels
    sizes = tuple(level.size for level in reduction_levels)
    idle = [place for place in range(len(digits)) if not any(place in level.digits for level in reduction_levels)]
    copies = [
        real_devices(reduction_levels, digits, dict(zip(idle, values, strict=True)))
        for values in product(*(range(digits[place].size) for place in idle))
    ]

    @cache
    def groups(grouping):
        return frozenset(tuple(real[d] for d in group) for real in copies for group in groups_of(sizes, grouping))

    return groups


@cache
def by_engine(case, matrix, kind, grammar=Grammar.FULL, collapse=True):
    """The lowered programs that p2smt finds: its language of the hierarchy, solved over the level algebra."""
    hierarchy = hierarchy_of(case, matrix, kind, collapse=collapse)
    language = language_of(hierarchy, grammar)
    return lowered(solved(language, case[3]), repeated(case, matrix, hierarchy))


def has_masters(steps, devices):
    return any(sum(map(len, groups)) < devices for _, groups in steps)


@pytest.mark.parametrize("case", sample(ONE_AXIS, 4), ids=str)
def test_reduction_hierarchy_offers_every_program_of_rows_columns_and_system(case):
    for matrix in placed(case):
        a, b, c = (brute_force(case, matrix, kind, Grammar.PAPER) for kind in WHOLE_SYSTEM)
        d = by_engine(case, matrix, HierarchyKind.REDUCTION, Grammar.PAPER)
        assert a <= b <= d, matrix
        assert c <= d, matrix
        assert all(has_masters(steps, prod(case[0])) for steps in b - c), matrix
        if case[2] == (len(case[1]) - 1,):  # no row after the reduction axis, so masters of rows leave no group out
            assert b <= c, matrix


@pytest.mark.parametrize("case", sample(ONE_AXIS, 4), ids=str)
def test_the_inclusions_hold_for_what_p2smt_finds_in_the_full_grammar(case):
    for matrix in placed(case):
        a, b, c, d = (by_engine(case, matrix, kind) for kind in HierarchyKind)
        assert a <= b <= d, matrix
        assert c <= d, matrix
        assert all(has_masters(steps, prod(case[0])) for steps in b - c), matrix


def test_lemma_b7_does_not_hold_for_masters_when_a_row_follows_the_reduction_axis():
    case, matrix = ((2, 2, 2), (4, 2), (0,), 4), "1x2x2/2x1x1"
    inside, masters = frozenset({(0, 1), (2, 3), (4, 5), (6, 7)}), frozenset({(0, 2), (4, 6)})
    program = ((Collective.REDUCE, inside), (Collective.ALL_REDUCE, masters), (Collective.BROADCAST, inside))
    a, b, c = (brute_force(case, matrix, kind, Grammar.PAPER) for kind in WHOLE_SYSTEM)
    assert program in (a & b) - c
    assert program in by_engine(case, matrix, HierarchyKind.REDUCTION, Grammar.PAPER)


@looped("kind", WHOLE_SYSTEM)
@looped("case", sample(ONE_AXIS, 4) + sample(SEVERAL_AXES, 2))
def test_programs_over_the_whole_system_are_those_of_brute_force(case, kind):
    for matrix in placed(case):
        assert by_engine(case, matrix, kind, Grammar.PAPER) == brute_force(case, matrix, kind, Grammar.PAPER), matrix


@pytest.mark.thorough  # a larger grammar
@looped("kind", WHOLE_SYSTEM)
@looped("case", sample(ONE_AXIS, 2) + sample(SEVERAL_AXES, 2))
def test_in_the_full_grammar_only_superfluous_broadcasts_of_some_groups_masters_are_left_out(case, kind):
    for matrix in placed(case):
        found, everything = by_engine(case, matrix, kind), brute_force(case, matrix, kind, Grammar.FULL)
        hierarchy = hierarchy_of(case, matrix, kind)
        groups = repeated(case, matrix, hierarchy)
        alike = {groups(grouping) for grouping in language_of(hierarchy, Grammar.FULL).groupings}
        assert found <= everything, matrix
        for steps in everything - found:
            others = {collective for collective, of_step in steps if of_step not in alike}
            assert others == {Collective.BROADCAST}, matrix
            assert tuple(step for step in steps if step[1] in alike) in found, matrix


def test_lemma_b6_does_not_hold_for_a_broadcast_of_masters():
    case, matrix = ((2, 4), (4, 2), (0,), 4), "2x2/1x2"
    everyone, masters = frozenset({(0, 2, 4, 6), (1, 3, 5, 7)}), frozenset({(0, 4)})
    reduced, shared = (Collective.REDUCE, everyone), (Collective.BROADCAST, everyone)
    program = (reduced, (Collective.BROADCAST, masters), shared)
    assert program in brute_force(case, matrix, HierarchyKind.ROWS, Grammar.FULL)
    assert program not in by_engine(case, matrix, HierarchyKind.REDUCTION)
    assert (reduced, shared) in by_engine(case, matrix, HierarchyKind.ROWS)


@looped("case", ONE_AXIS + SEVERAL_AXES)
def test_programs_of_the_reduction_hierarchy_are_those_of_brute_force_on_one_reduction_group(case):
    for matrix in placed(case):
        hierarchy = hierarchy_of(case, matrix, HierarchyKind.REDUCTION)
        found = lowered(walked(machine(hierarchy.sizes), Grammar.FULL, case[3]), repeated(case, matrix, hierarchy))
        assert by_engine(case, matrix, HierarchyKind.REDUCTION) == found, matrix


def test_the_inclusions_are_strict_somewhere():
    case, matrix = ((2, 2, 2), (4, 2), (0,), 4), "2x1x2/1x2x1"
    b, c, d = (by_engine(case, matrix, HierarchyKind(kind)) for kind in "bcd")
    assert b < c < d
    mixed = ((2, 4), (4, 2), (0,), 4)
    assert (
        by_engine(mixed, "2x2/1x2", HierarchyKind.SYSTEM) == set() < by_engine(mixed, "2x2/1x2", HierarchyKind.COLUMNS)
    )


def test_with_several_reduction_axes_columns_can_offer_what_rows_do_not():
    case, matrix = ((2, 2), (2, 2), (0, 1), 4), "1x2/2x1"  # columns: node, gpu; rows: gpu, node
    b, c = (brute_force(case, matrix, HierarchyKind(kind), Grammar.FULL) for kind in "bc")
    inside, nodes = frozenset({(0, 1), (2, 3)}), frozenset({(0, 2)})
    program = ((Collective.REDUCE, inside), (Collective.ALL_REDUCE, nodes), (Collective.BROADCAST, inside))
    assert program in b - c


def test_collapsing_gives_up_programs_that_rows_offer():
    case, matrix = ((4,), (2, 2), (0, 1), 4), "2/2"
    collapsed = by_engine(case, matrix, HierarchyKind.REDUCTION)
    split_up = by_engine(case, matrix, HierarchyKind.REDUCTION, collapse=False)
    assert len(collapsed) == 3
    assert collapsed < split_up == by_engine(case, matrix, HierarchyKind.ROWS)


@looped("kind", "abcd")
@looped("case", sample(ONE_AXIS, 5) + SEVERAL_AXES)
def test_an_instruction_written_over_all_levels_has_the_same_groups(case, kind):
    for matrix in placed(case):
        check_instructions(case, matrix, kind)


def check_instructions(case, matrix, kind):
    hierarchy = hierarchy_of(case, matrix, HierarchyKind(kind))
    language, sizes, digits = (
        language_of(hierarchy, Grammar.FULL),
        hierarchy.sizes,
        DeviceMap(parse_matrix(matrix)).digits,
    )
    groups = repeated(case, matrix, hierarchy)
    absent = [p for p in range(len(digits)) if not any(p in level.digits for level in hierarchy.levels)]
    copies = [
        real_devices(hierarchy.levels, digits, dict(zip(absent, values, strict=True)))
        for values in product(*(range(digits[place].size) for place in absent))
    ]
    assert set(language.groupings) <= set(full_language(len(hierarchy.reduction_levels)).groupings)
    for grouping in language.groupings:
        (instruction,) = written(hierarchy, language.program(((grouping, Collective.REDUCE),)))
        outward = grouping_of(instruction.slice, instruction.form, len(hierarchy.levels))
        assert isinstance(outward, Grouping)
        over_all = {tuple(real[d] for d in group) for real in copies for group in groups_of(sizes, outward)}
        assert over_all == groups(grouping), matrix
