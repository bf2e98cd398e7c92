"""Trees of unlike sizes: texts and files of such systems, their devices against a walk through the units."""

import tomllib
from dataclasses import replace
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import refused

from p2smt.cost.calibration.commands import nccl_tests_commands
from p2smt.errors import ProblemError
from p2smt.problem.build import build_workload
from p2smt.problem.system.build import build_system, default_system
from p2smt.problem.system.devices import DeviceKind
from p2smt.problem.system.file import SystemFile, system_of, system_text
from p2smt.problem.system.network import Level
from p2smt.problem.system.text import find_system, levels_text
from p2smt.problem.system.tree import MAX_HULL, MAX_TREE_DEVICES, Tree, check_tree, machine_tree
from p2smt.problem.typed import convert_checked


@st.composite
def trees(draw):
    children, units = [], 1
    for _ in range(draw(st.integers(1, 3))):
        counts = tuple(draw(st.lists(st.integers(1, 4), min_size=units, max_size=units)))
        children.append(counts)
        units = sum(counts)
    return Tree(tuple(children))


def walked(tree):
    """The path of every device, by going from unit to unit."""
    paths = [()]
    for counts in tree.children:
        paths = [(*path, unit) for path, count in zip(paths, counts, strict=True) for unit in range(count)]
    return paths


@given(trees())
def test_a_tree_has_the_devices_that_a_walk_comes_to(tree):
    check_tree(tree, tree.hull)
    numbers = []
    for path in walked(tree):
        number = 0
        for digit, size in zip(path, tree.hull, strict=True):
            number = number * size + digit
        numbers.append(number)
    assert tree.present == tuple(numbers) == tuple(sorted(numbers))
    assert tree.devices == len(numbers)
    assert tree.is_uniform == (len(numbers) == prod(tree.hull))
    for level in range(-1, len(tree.children)):
        units = [path[: level + 1] for path in walked(tree)]
        assert tree.inside(level) == tuple(units.count(unit) for unit in dict.fromkeys(units))


@given(st.lists(st.integers(1, 12), min_size=1, max_size=5))
def test_machines_have_the_first_devices_of_their_levels(machines):
    inside = (3, 4)
    tree = machine_tree((len(machines),), machines, inside)
    expected = [machine * 12 + number for machine, count in enumerate(machines) for number in range(count)]
    paths = [[*path] for path in walked(tree)]
    assert [(m * 3 + socket) * 4 + gpu for m, socket, gpu in paths] == expected


@pytest.mark.parametrize(
    ("text", "sizes", "levels"),
    [
        ("node:[8,8,5]", (8, 8, 5), "node:3,gpu:[8,8,5]"),
        ("node:3,gpu:[8, 8, 5]", (8, 8, 5), "node:3,gpu:[8,8,5]"),
        ("2x[4,3]", (4, 3), "level0:2,level1:[4,3]"),
        ("[4,3]", (4, 3), "level0:2,level1:[4,3]"),
        ("rack:2,node:[2,1],gpu:4", (4, 4, 4), "rack:2,node:[2,1],gpu:4"),
        ("rack:2,node:[2,1],gpu:[4,4,3]", (4, 4, 3), "rack:2,node:[2,1],gpu:[4,4,3]"),
        ("dgx-h100:[8,8,5]", (8, 8, 5), "node:3,gpu:[8,8,5]"),
        ("dgx-h100:2x[8,5]", (8, 5), "node:2,gpu:[8,5]"),
        ("lab-unlike", (1, 2), "host:2,rank:[1,2]"),
        ("node:[3,3]", (3, 3), "node:2,gpu:3"),
    ],
)
def test_texts_name_unlike_units_and_files_keep_them(text, sizes, levels):
    system = find_system(text)
    assert system.machine_sizes == sizes
    assert system.devices == sum(sizes) == len(system.present)
    assert system.is_uneven == (len({*sizes}) > 1 or "[2,1]" in text)
    assert levels_text(system) == levels
    assert find_system(levels).tree == system.tree
    entry = convert_checked(tomllib.loads(system_text(system)), SystemFile, "x", ProblemError)
    assert system_of(entry, "x") == system


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("node:2,gpu:[8,8,5]", "level 1 has 3 sizes for"),
        ("node:2,gpu:[4,4,4]", "level 1 has 3 sizes for"),
        ("4x[2,2]", "level 1 has 2 sizes for"),
        ("node:[8,0]", "level 1 has a unit with 0 children"),
        ("node:[]", "do not parse"),
        ("[1,2", "do not parse"),
        ("node:2,gpu:[a]", "do not parse"),
        ("node:[70000,1]", f"the limit is {MAX_TREE_DEVICES}"),
        (f"node:[40000{',1' * 40}]", f"the limit is {MAX_HULL}"),
        ("gpu:[2,1]", "gpu"),
    ],
)
def test_texts_of_no_tree_are_refused(text, said):
    assert said in refused(lambda: find_system(text), ProblemError)


FILE = """
[[level]]
name = "node"
size = 2
[[level]]
name = "gpu"
size = {size}
[[kind]]
name = "fast"
machines = 1
speed = "1Tflop/s"
[[kind]]
name = "slow"
machines = 1
speed = "1Tflop/s"
devices = {devices}
"""


def read(size, devices):
    text = FILE.format(size=size, devices=devices)
    return system_of(convert_checked(tomllib.loads(text), SystemFile, "x", ProblemError), "x")


def test_kinds_and_levels_say_the_same_or_are_refused():
    assert read("[4, 2]", 2).tree == read("4", 2).tree == Tree(((2,), (4, 2)))
    assert read("4", 4).tree is None
    assert "machine 1 has 2 devices by its kind, but 3" in refused(lambda: read("[4, 3]", 2), ProblemError)
    assert "machine 1 has 3 devices by its kind, but 2" in refused(lambda: read("[4, 2]", 3), ProblemError)
    assert "has no sizes" in refused(lambda: read("[]", 2), ProblemError)


def test_kinds_that_leave_the_sizes_to_the_levels_keep_them_in_files():
    system = read("[4, 2]", 2)
    open_kinds = tuple(replace(kind, devices=None) for kind in system.kinds)
    for kinds in (system.kinds, open_kinds, ()):
        given = replace(system, kinds=kinds)
        entry = convert_checked(tomllib.loads(system_text(given)), SystemFile, "x", ProblemError)
        assert system_of(entry, "x") == given
        assert given.tree == Tree(((2,), (4, 2)))


@given(trees().filter(lambda tree: len(tree.children) > 1), st.integers(0, 7))
def test_files_keep_trees_whatever_the_kinds_say_of_their_machines(tree, silent):
    levels = tuple(Level(f"l{number}", size) for number, size in enumerate(tree.hull))
    system = build_system(replace(default_system(levels), tree=tree))
    kinds = tuple(
        DeviceKind(name=f"k{number}", machines=1, speed=1e12, devices=None if silent >> number & 1 else size)
        for number, size in enumerate(system.machine_sizes)
    )
    kept = build_system(replace(system, kinds=kinds))
    entry = convert_checked(tomllib.loads(system_text(kept)), SystemFile, "x", ProblemError)
    assert system_of(entry, "x") == kept
    assert kept.tree == (None if tree.is_uniform else tree)


@pytest.mark.parametrize("made", [nccl_tests_commands, lambda system: build_workload(system, [], [])])
def test_what_is_for_units_of_one_size_alone_says_so(made):
    said = refused(lambda: made(find_system("dgx-h100:[8,5]")), ProblemError)
    assert said.startswith("system dgx-h100 is an irregular hierarchy, 2x[8,5];")
    assert said.endswith(", which needs units of equal size")
