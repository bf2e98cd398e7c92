"""What a sweep file stands for, against a brute-force reading; keys; files that are refused."""

import json
import tomllib
from dataclasses import fields, replace
from itertools import combinations, product
from math import prod

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from study_support import expanded
from support import problem

from p2smt.collective import Collective
from p2smt.cost.network.backend import Nccl
from p2smt.errors import P2Error, StudyError
from p2smt.problem.model import Axis, Engine, Grammar, HierarchyKind, Payload, Search
from p2smt.problem.system.algorithm import Algorithm, PerAlgorithm
from p2smt.problem.system.file import preset, preset_text
from p2smt.problem.system.link import Duplex, Link, Wiring
from p2smt.problem.system.network import Level, Network
from p2smt.problem.system.processors import Processors
from p2smt.problem.system.text import find_system
from p2smt.problem.typed import json_schema
from p2smt.sweep import sweep as sweep_module
from p2smt.sweep.digest import task_key, task_text
from p2smt.sweep.factorisation import factorisations
from p2smt.sweep.sweep_file import SweepFile, read_sweep, sweep_example_text


@given(st.integers(1, 36), st.integers(1, 3))
def test_factorisations_are_all_there_are(number, parts):
    sizes = range(2, number + 1)
    assert list(factorisations(number, parts)) == [one for one in product(sizes, repeat=parts) if prod(one) == number]


@pytest.mark.parametrize(("number", "divisors"), [(2**31 - 1, 2), (2**30, 31), (6**11, 144), (7919 * 104729, 4)])
def test_factorisations_of_large_numbers(number, divisors):
    found = list(factorisations(number, 2))
    assert all(prod(one) == number for one in found)
    assert len(set(found)) == len(found) == divisors - 2


def test_a_grid_is_every_combination_that_agrees(tmp_path):
    text = """
    [[grid]]
    systems = ["2x4", "4x4", "p2-a100:2x16", "3x5"]
    axes = ["8", "data:4,model:4", "every a,b"]
    reduce = ["each", "every", "model"]
    bytes = ["1MiB", 4096]
    dtypes = ["float32", "int8"]
    algorithms = ["ring", "gloo"]
    grammars = ["full", "paper"]
    limits = [2, 3]
    """
    systems = [find_system(name) for name in ("2x4", "4x4", "p2-a100:2x16", "3x5")]
    wanted, left_out, there = set(), 0, 0
    for system in systems:
        pairs = [(a, b) for a in range(2, 33) for b in range(2, 33) if a * b == system.devices]
        choices = [
            [(("axis0", 8),)] if system.devices == 8 else [],
            [(("data", 4), ("model", 4))] if system.devices == 16 else [],
            [(("a", one), ("b", other)) for one, other in pairs],
        ]
        for fitting in choices:
            if not fitting:
                left_out += 3
            for axes in fitting:
                places = range(len(axes))
                sets = [(place,) for place in places]
                sets += [some for size in (1, 2) for some in combinations(places, size)]
                if axes[-1][0] == "model":
                    sets.append((1,))
                else:
                    left_out += 1
                for reduce in sets:
                    there += 2 * 2 * 2 * 2 * 2
                    for size, dtype, algorithm, grammar, limit in product(
                        (2**20, 4096), ("float32", "int8"), ("ring", "gloo"), ("full", "paper"), (2, 3)
                    ):
                        wanted.add((system, axes, reduce, size, dtype, algorithm, grammar, limit))
    found = expanded(tmp_path, text)
    assert {described(task) for task in found.tasks.values()} == wanted
    assert (found.left_out, found.repeated) == (left_out, there - len(wanted))
    assert len(found.tasks) == len(wanted)


def described(task):
    problem = task.problem
    axes = tuple((axis.name, axis.size) for axis in problem.axes)
    payload, search = problem.payload, problem.search
    return (
        problem.system,
        axes,
        problem.reduce,
        payload.bytes,
        payload.dtype,
        str(task.backend),
        str(search.grammar),
        search.limit,
    )


def test_the_example_reads_and_keeps_its_schema(tmp_path):
    found = expanded(tmp_path, sweep_example_text())
    assert 0 < found.jobs < len(found.tasks)
    assert {task.timeout_s for task in found.tasks.values()} == {60.0}
    assert len(found.tasks) > 100
    jsonschema.validate(tomllib.loads(sweep_example_text()), json_schema(SweepFile, "sweep"))


def test_system_files_are_looked_for_beside_the_sweep(tmp_path):
    (tmp_path / "own.toml").write_text(preset_text("dgx-h100").replace('"dgx-h100"', '"own"', 1), encoding="utf-8")
    grid = '[[grid]]\nsystems = ["own.toml", "own.toml:2x8"]\naxes = ["every 1"]\nreduce = [0]\n'
    tasks = expanded(tmp_path, grid).tasks.values()
    assert [(task.problem.system.name, task.problem.devices) for task in tasks] == [("own", 32), ("own", 16)]


def test_equal_problems_have_equal_keys_and_others_do_not(tmp_path):
    grid = '[[grid]]\nsystems = ["dgx-h100:2x8"]\naxes = ["data:4,model:4"]\nreduce = [{}]\n'
    tasks = [
        *expanded(tmp_path, grid.format('"model"')).tasks.values(),
        *expanded(tmp_path, grid.format(1)).tasks.values(),
    ]
    assert tasks[0].key == tasks[1].key
    problem = tasks[0].problem
    system, network = problem.system, problem.system.network
    assert replace(tasks[0], timeout_s=1.0).key == tasks[0].key
    assert replace(tasks[0], problem=replace(problem, system=replace(system, source="elsewhere"))).key == tasks[0].key
    link = replace(network.links[0], latency=network.links[0].latency * (1 + 1e-15))
    changed = [
        replace(problem, system=replace(system, name="other")),
        replace(problem, system=replace(system, network=replace(network, overlap=0.5))),
        replace(problem, system=replace(system, network=replace(network, links=(link, *network.links[1:])))),
        replace(problem, axes=problem.axes[::-1]),
        replace(problem, reduce=(0,)),
        replace(problem, payload=replace(problem.payload, dtype="int32")),
        replace(problem, search=replace(problem.search, limit=4)),
        *(replace(problem, goal=goal) for goal in Collective if goal is not problem.goal),
    ]
    assert {
        field.name
        for one in changed
        for field in fields(one)
        if getattr(one, field.name) != getattr(problem, field.name)
    } == {field.name for field in fields(problem)}
    keys = {
        tasks[0].key,
        replace(tasks[0], backend=Nccl(Algorithm.TREE)).key,
        *(replace(tasks[0], problem=p).key for p in changed),
    }
    assert len(keys) == 2 + len(changed)


OTHERS = {
    Network: {
        "links": (),
        "memory_bandwidth": 1.0,
        "overlap": 0.125,
        "machine": "elsewhere",
        "launch": 1.0,
        "processors": Processors(1, 1.0, 1.0),
        "all_to_all_launch": 1.0,
        "protocols": True,
    },
    Processors: {"cores": 3, "call_s": 1.0, "message_s": 2.0, "port_s": 3.0},
    Link: {
        "name": "other",
        "level": "other",
        "wiring": Wiring.BUS,
        "bandwidth": 1.0,
        "latency": 1.0,
        "duplex": Duplex.HALF,
        "uplink": False,
        "count": 7,
        "oversubscription": 3.0,
        "rails": True,
        "flow": PerAlgorithm({Algorithm.TREE: 1.0}),
        "neighbours": ((0, 1),),
        "burst": 1,
        "send_flow": 1e9,
    },
    Level: {"name": "other", "size": 1000},
    Axis: {"name": "other", "size": 1000},
    Payload: {"bytes": 12, "dtype": "int32"},
    Search: {
        "limit": 1,
        "grammar": Grammar.PAPER,
        "engine": Engine.BITVEC,
        "hierarchy": HierarchyKind.ROWS,
        "collapse": False,
    },
}


DECIDES_NOTHING = {"memory"}
"""Of reductions: what a device holds."""


def test_every_part_of_a_problem_is_in_its_key():
    """One figure changed, another key; the rules of problems are not asked."""
    base = problem((2, 4), (8,))
    system, network, backend = base.system, base.system.network, Nccl()
    within = {
        Network: (network, lambda new: replace(base, system=replace(system, network=new))),
        Processors: (
            Processors(2, 0.0, 0.0),
            lambda new: replace(base, system=replace(system, network=replace(network, processors=new))),
        ),
        Link: (
            network.links[0],
            lambda new: replace(
                base, system=replace(system, network=replace(network, links=(new, *network.links[1:])))
            ),
        ),
        Level: (system.levels[0], lambda new: replace(base, system=replace(system, levels=(new, *system.levels[1:])))),
        Axis: (base.axes[0], lambda new: replace(base, axes=(new, *base.axes[1:]))),
        Payload: (base.payload, lambda new: replace(base, payload=new)),
        Search: (base.search, lambda new: replace(base, search=new)),
    }
    keys = [task_key(base, backend)]
    for kind, (part, put) in within.items():
        assert {one.name for one in fields(kind)} - DECIDES_NOTHING == OTHERS[kind].keys()
        keys += [task_key(put(replace(part, **{name: value})), backend) for name, value in OTHERS[kind].items()]
    assert len(set(keys)) == len(keys) == 1 + sum(map(len, OTHERS.values()))


def test_the_resolved_problem_is_canonical_json(tmp_path):
    (task,) = expanded(tmp_path, '[[grid]]\nsystems = ["lab"]\naxes = ["every 1"]\nreduce = [0]\n').tasks.values()
    text = task_text(task.problem, task.backend)
    document = json.loads(text)
    assert json.dumps(document, sort_keys=True, separators=(",", ":")) == text
    assert len(document["system"]["links"]) == len(preset("lab").network.links)


GRID = '[[grid]]\nsystems = ["4x4"]\naxes = ["16"]\nreduce = [0]\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no [[grid]] and no [[job]]; `p2smt example study` shows both"),
        ("x = [", "is not TOML"),
        (GRID + 'grammar = ["full"]', "unknown key 'grid[0].grammar'; did you mean grammars?"),
        (GRID + 'grammars = ["ful"]', "grid[0].grammars[0]: invalid enum value 'ful'"),
        (GRID + "limits = []", "grid[0].limits: expected array of length >= 1"),
        (GRID + "limits = [0]", "limit 0 is out of range; a program has 1 to 64 instructions"),
        (GRID + "bytes = [0]", "bytes 0 is not a whole number of float32 elements"),
        (GRID + 'dtypes = ["float31"]', "dtype 'float31' is unknown"),
        ("timeout = 0\n" + GRID, "timeout 0 is out of range"),
        ("timeout = nan\n" + GRID, "timeout nan is out of range"),
        (GRID.replace("[0]", '["modle"]'), "grid 1: reduce 'modle' names no axes of the grid; name axes that exist"),
        (GRID.replace("[0]", "[7]"), "grid 1: reduce '7' names no axes of the grid; name axes that exist"),
        (GRID.replace("[0]", "[-1]"), "reduce axis -1 does not exist"),
        (GRID.replace("[0]", '[""]'), "no axis to reduce over"),
        (GRID.replace('"16"', '"17"'), "grid 1 has no problem, because no axes fit a system; their product must be"),
        (GRID.replace('"16"', '"every 20"'), "20 axis entries; a problem has 1 to 16"),
        (GRID.replace('"16"', '"every root"'), "axis name 'root' is not allowed"),
        (GRID.replace('"16"', '"every a,a"'), "axis a is given twice"),
        (GRID.replace('"4x4"', '"nowhere"'), "grid 1: system 'nowhere' is unknown"),
        (GRID.replace('"4x4"', '"nowhere.toml"'), "No such file"),
        (GRID.replace('"4x4"', '"\\u001b[2J.toml"'), r"/\x1b[2J.toml: No such file"),
        (GRID + 'grammars = ["\\u001b[2J"]', r"grid[0].grammars[0]: invalid enum value '\x1b[2J'"),
        (
            GRID.replace('"4x4"', '"4x70000x70000"').replace('"16"', '"every 2"'),
            "a system has 19600000000 devices; ranks are 32-bit numbers",
        ),
    ],
)
def test_bad_sweeps_are_refused(tmp_path, text, message):
    with pytest.raises(P2Error) as error:
        expanded(tmp_path, text)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_long_name_is_refused(tmp_path):
    (tmp_path / "long.toml").write_text(
        preset_text("lab").replace('name = "lab"', f'name = "{"x" * 201}"', 1), encoding="utf-8"
    )
    with pytest.raises(P2Error, match="characters; the limit is 200, so give it a shorter one"):
        expanded(tmp_path, GRID.replace("4x4", "long.toml"))


def test_too_many_problems_are_refused_before_any_is_made(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(sweep_module, "MOST_PROBLEMS", 1000)
        with pytest.raises(P2Error, match="divide 1073741824 devices in more than 1000 ways, the limit; fix the size"):
            expanded(tmp_path, GRID.replace("4x4", "32768x32768").replace("16", "every 4"))
        with pytest.raises(P2Error, match="grid 1 has more than 1000 problems"):
            expanded(tmp_path, '[[grid]]\nsystems = ["1024x8", "64x64"]\naxes = ["every 4"]\nreduce = ["every"]\n')
    monkeypatch.setattr(sweep_module, "build_problem", None)  # is not reached
    sizes = ", ".join(map(str, range(4, 400_000, 4)))
    with pytest.raises(P2Error, match="problems; the limit is 1000000, so split the sweep"):
        expanded(
            tmp_path, GRID + f"bytes = [{sizes}]\nlimits = {list(range(1, 7))}\nalgorithms = ['ring', 'tree', 'gloo']"
        )
    systems = ", ".join(f'"{size}x1"' for size in range(2, 2000))
    with pytest.raises(P2Error, match="axes are too many; the limit is"):
        expanded(tmp_path, f"[[grid]]\nsystems = [{systems}]\naxes = [{systems}]\nreduce = [0]\n")


def test_a_file_that_is_too_large_is_refused(tmp_path):
    (tmp_path / "big.toml").write_text("#" * 1_000_001, encoding="utf-8")
    with pytest.raises(P2Error, match="larger than 1000000 bytes"):
        read_sweep(tmp_path / "big.toml")


def test_goals_are_a_list_like_the_others(tmp_path):
    goals = '["all-reduce", "reduce_scatter", "AllGather", "reduce", "broadcast"]'
    tasks = expanded(tmp_path, GRID + f"goals = {goals}\n").tasks.values()
    asked = (Collective.ALL_REDUCE, Collective.REDUCE_SCATTER, Collective.ALL_GATHER, Collective.REDUCE)
    assert tuple(task.problem.goal for task in tasks) == (*asked, Collective.BROADCAST)
    with pytest.raises(StudyError, match="goal 'all' is unknown; choose one of all-reduce"):
        expanded(tmp_path, GRID + 'goals = ["all"]\n')


def test_every_choice_of_a_search_is_combined_with_every_other(tmp_path):
    text = GRID.replace('"4x4"', '"2x2"').replace('"16"', '"4"') + (
        'limits = [2, 4]\ngrammars = ["full", "paper"]\nengines = ["levels", "explicit"]\n'
        'hierarchies = ["d", "a"]\ncollapse = [true, false]\n'
    )
    engines, hierarchies = (Engine.LEVELS, Engine.EXPLICIT), (HierarchyKind("d"), HierarchyKind("a"))
    wanted = set(product((2, 4), (Grammar.FULL, Grammar.PAPER), engines, hierarchies, (True, False)))
    found = [task.problem.search for task in expanded(tmp_path, text).tasks.values()]
    assert {(one.limit, one.grammar, one.engine, one.hierarchy, one.collapse) for one in found} == wanted
    assert len(found) == len(wanted) == 32


@pytest.mark.parametrize(("timeout", "refused"), [("1e-3", False), ("1_000_000", False), ("1_000_001", True)])
def test_the_longest_time_limit_is_still_one(tmp_path, timeout, refused):
    if refused:
        with pytest.raises(P2Error, match="timeout 1000001 is out of range; give seconds, at most 1000000"):
            expanded(tmp_path, f"timeout = {timeout}\n" + GRID)
    else:
        (task,) = expanded(tmp_path, f"timeout = {timeout}\n" + GRID).tasks.values()
        assert task.timeout_s == float(timeout)


def test_systems_of_one_hull_but_unlike_units_are_two_problems(tmp_path):
    """Three nodes of four devices and one, or nodes of four and of two: sixteen each, in a hull of 2x3x4."""
    systems = '"rack:2,node:[3,1],gpu:4", "rack:2,node:3,gpu:[4,4,2,2,2,2]"'
    found = expanded(tmp_path, f'[[grid]]\nsystems = [{systems}]\naxes = ["16"]\nreduce = [0]\n')
    assert (len(found.tasks), found.repeated) == (2, 0)


def test_the_resolved_problem_is_ascii_and_says_what_each_algorithm_takes(tmp_path):
    base = problem((2, 4), (8,))
    named = replace(base, system=replace(base.system, name="Zürich 東京"))
    text = task_text(named, Nccl())
    assert text.isascii()
    assert json.loads(text)["system"]["name"] == "Zürich 東京"
    network = base.system.network
    keys = {task_key(base, Nccl())}
    for algorithm in Algorithm:
        link = replace(network.links[0], flow=PerAlgorithm({algorithm: 1.0}))
        other = replace(base.system, network=replace(network, links=(link, *network.links[1:])))
        keys.add(task_key(replace(base, system=other), Nccl()))
    assert len(keys) == 1 + len(Algorithm)


def test_what_fits_once_is_enough_and_an_axis_of_a_number_that_is_not_there_is_left_out(tmp_path):
    grid = '[[grid]]\nsystems = ["4x4", "3x3"]\naxes = ["4,4", "16"]\nreduce = [1]\n'
    found = expanded(tmp_path, grid)
    assert [task.problem.reduce for task in found.tasks.values()] == [(1,)]
    assert (found.left_out, found.repeated) == (3, 0)
