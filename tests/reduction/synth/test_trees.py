"""Programs on trees of unlike sizes: by definition, by the walk, and by the solver, the same."""

from collections.abc import Iterable

import pytest
from looped import looped
from tiers import sample
from tree_support import Path, groups_by_definition, paths_of, programs_by_definition, trees_of

from p2smt.collective import Collective
from p2smt.errors import EngineError
from p2smt.problem.model import Engine, Grammar
from p2smt.problem.system.tree import Tree, uniform_tree
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import Step, all_groupings, full_language, shape_language
from p2smt.reduction.semantics.groups import groups_of
from p2smt.reduction.synth.engines import find_programs

GOALS = tuple(Collective)


def found(engine: Engine, tree: Tree, goal: Collective, limit: int = 5) -> tuple[tuple[Step, ...], ...]:
    """All programs on a tree; the engine must say that these are all."""
    programs = find_programs(engine, shape_language(tree, goal=goal), tree, limit)
    assert programs.complete
    return programs.items


def spelled(tree: Tree, programs: tuple[tuple[Step, ...], ...]) -> list[tuple[object, ...]]:
    """Programs as sequences of (groups of paths, collective)."""
    paths = paths_of(tree)

    def groups(step: Step) -> frozenset[tuple[Path, ...]]:
        return frozenset(tuple(paths[device] for device in members) for members in groups_of(tree, step[0]))

    return [tuple((groups(step), step[1]) for step in steps) for steps in programs]


@looped("goal", GOALS)
@looped(
    ("tree", "limit"),
    sample(
        [
            (Tree(((2,), (2, 1))), 5),
            (Tree(((2,), (1, 2))), 5),
            (Tree(((2,), (3, 2))), 4),
            (Tree(((3,), (1, 2, 2))), 4),
            (Tree(((2,), (2, 1), (1, 1, 2))), 3),
            (Tree(((2,), (2, 1), (2, 2, 1))), 3),
        ],
        4,
    ),
)
def test_the_walk_finds_what_the_definition_says(tree: Tree, limit: int, goal: Collective) -> None:
    """No program twice, none missing, none too many; groups are compared, not how they are written."""
    walked = spelled(tree, found(Engine.EXPLICIT, tree, goal, limit))
    assert len(walked) == len(set(walked)) > 0
    assert set(walked) == programs_by_definition(tree, goal, limit)


@pytest.mark.thorough  # brute force is compared on sampled trees
@pytest.mark.parametrize("goal", GOALS)
def test_the_solver_finds_the_same_on_all_small_trees_of_two_levels(goal: Collective) -> None:
    """Trees of up to four devices, in every order of siblings."""
    trees = [tree for devices in range(2, 5) for tree in trees_of(devices, 2)]
    assert len(trees) == 8
    for tree in sample(trees, 4):
        assert found(Engine.BITVEC, tree, goal) == found(Engine.EXPLICIT, tree, goal)


@pytest.mark.thorough  # a larger grid
@pytest.mark.parametrize(("tree", "limit"), [(Tree(((2,), (5, 3))), 5), (Tree(((2,), (2, 1), (2, 1, 1))), 3)], ids=str)
def test_the_solver_finds_the_same_on_larger_trees(tree: Tree, limit: int) -> None:
    """Eight devices in two levels, four in three."""
    programs = found(Engine.EXPLICIT, tree, Collective.ALL_REDUCE, limit)
    assert found(Engine.BITVEC, tree, Collective.ALL_REDUCE, limit) == programs


@pytest.mark.parametrize("sizes", [(2, 2), (3, 2), (2, 2, 2)])
def test_a_tree_of_like_units_has_the_programs_of_its_sizes(sizes: tuple[int, ...]) -> None:
    """A uniform tree is no special case."""
    tree = uniform_tree(sizes)
    assert shape_language(tree) == full_language(len(sizes))
    assert found(Engine.EXPLICIT, tree, Collective.ALL_REDUCE, 4) == tuple(
        find_programs(Engine.LEVELS, full_language(len(sizes)), sizes, 4).items
    )


@pytest.mark.parametrize("tree", [Tree(((2,), (3, 1))), Tree(((3,), (1, 2, 2), (1, 2, 1, 3, 1)))], ids=str)
def test_groupings_with_the_same_groups_are_offered_once(tree: Tree) -> None:
    """Every groups are there, none twice, and the plain one of two."""
    offered = shape_language(tree).groupings
    groups = [groups_by_definition(tree, grouping) for grouping in offered]
    every = {groups_by_definition(tree, grouping): grouping for grouping in reversed(all_groupings(len(tree.hull)))}
    assert len(set(groups)) == len(groups)
    assert set(groups) == set(every) - {frozenset()}
    assert [every[one] for one in groups] == list(offered)


def test_the_paper_lets_masters_reduce_only() -> None:
    """The grammar of the paper keeps the programs whose masters do AllReduce."""
    tree = Tree(((2,), (3, 2)))
    full, paper = (
        find_programs(Engine.EXPLICIT, shape_language(tree, grammar), tree, 5).items
        for grammar in (Grammar.FULL, Grammar.PAPER)
    )
    kept = [s for s in full if all(c is Collective.ALL_REDUCE for grouping, c in s if grouping.masters)]
    assert list(paper) == kept
    assert 0 < len(paper) < len(full)


@pytest.mark.parametrize(
    ("engine", "tree", "message"),
    [
        (
            Engine.LEVELS,
            Tree(((2,), (2, 1))),
            "engine levels needs a regular hierarchy; on irregular ones use --engine",
        ),
        (Engine.EXPLICIT, Tree(((2,), (100, 50))), "there is no engine for larger trees of unlike sizes"),
        (Engine.BITVEC, Tree(((2,), (10, 7))), "bits per device; it supports reduction groups of at most"),
    ],
)
def test_what_no_engine_takes(engine: Engine, tree: Tree, message: str) -> None:
    """The level algebra speaks of uniform hierarchies; matrices have their bound."""
    with pytest.raises(EngineError, match=message):
        find_programs(engine, shape_language(tree), tree, 1)


def masters_only(programs: Iterable[tuple[Step, ...]], levels: int) -> set[tuple[Step, ...]]:
    """The programs of InsideGroup and Master steps without scatters and gathers."""
    return {
        steps
        for steps in programs
        if all((g.masters or g.inner == levels) and not c.scatters and not c.gathers for g, c in steps)
    }


@pytest.mark.parametrize("goal", GOALS)
def test_what_is_stated_of_all_trees_of_two_levels(goal: Collective) -> None:
    """One step does it; scatters are over all devices only; where units have two children, masters do as ever."""
    uniform = masters_only(find_programs(Engine.EXPLICIT, full_language(2, goal=goal), (2, 2), 5).items, 2)
    trees = [tree for devices in range(3, 7) for tree in trees_of(devices, 2) if not tree.is_uniform]
    assert len(trees) == 49
    for tree in sample(trees, 17):
        programs = found(Engine.EXPLICIT, tree, goal)
        assert ((Grouping(0, 2), goal),) in programs
        scattered = {grouping for steps in programs for grouping, c in steps if c.scatters or c.gathers}
        assert scattered <= {Grouping(0, 2)}
        if min(tree.children[1]) > 1:
            assert masters_only(programs, 2) == uniform


def test_scatters_among_masters_of_equally_large_racks() -> None:
    """Two devices in each rack, whatever the nodes."""
    tree = Tree(((2,), (2, 1), (1, 1, 2)))
    inner, masters = Grouping(1, 3), Grouping(0, 1)
    steps = (
        (inner, Collective.ALL_REDUCE),
        (masters, Collective.REDUCE_SCATTER),
        (masters, Collective.ALL_GATHER),
        (inner, Collective.BROADCAST),
    )
    assert steps in found(Engine.EXPLICIT, tree, Collective.ALL_REDUCE, 4)
    unequal = Tree(((2,), (2, 1), (1, 1, 3)))
    assert steps not in found(Engine.EXPLICIT, unequal, Collective.ALL_REDUCE, 4)


def test_the_order_of_units_counts() -> None:
    """Masters are in the first unit."""
    counts = [len(found(Engine.EXPLICIT, Tree(((2,), units)), Collective.ALL_REDUCE)) for units in ((5, 3), (3, 5))]
    assert counts == [47, 28]
