"""Every rule that a problem must keep, by the text of its message."""

from dataclasses import replace
from math import inf, nan

import pytest
from problem.refusal import refusal
from support import problem, refused

from p2smt.collective import Collective
from p2smt.errors import ProblemError
from p2smt.problem.build import build_problem, build_workload
from p2smt.problem.condition import PinnedAxis
from p2smt.problem.dtype import DTYPE_BYTES
from p2smt.problem.model import Axis, HierarchyKind, Payload, Search
from p2smt.problem.names import check_names
from p2smt.problem.system.build import default_system
from p2smt.problem.system.network import Level
from p2smt.problem.workload import GOALS, Reduction

GOOD = {
    "levels": [Level("node", 2), Level("gpu", 4)],
    "axes": [Axis("data", 4), Axis("model", 2)],
    "reduce": ["model"],
    "payload": Payload(1024, "float32"),
    "search": Search(),
}
NOT_ALLOWED = "is not allowed; write a letter and up to 63 letters, digits, _ or -, and not 'root'"


def levels(**sizes):
    return [Level(name, size) for name, size in sizes.items()]


def built_from(parts):
    rest = {name: part for name, part in parts.items() if name != "levels"}
    return build_problem(default_system(parts["levels"]), **rest)


def axes(**sizes):
    return [Axis(name, size) for name, size in sizes.items()]


def test_a_good_problem_keeps_its_parts():
    built = built_from(GOOD)
    assert (built.devices, built.reduce, built.payload.elements) == (8, (1,), 256)
    assert built_from(GOOD | {"reduce": [1, "data"]}).reduce == (0, 1)


BROKEN = [
    (
        {"axes": axes(data=4, model=3)},
        "axes data=4 x model=3 need 12 devices, but node=2 x gpu=4 has 8; the two products must be equal",
    ),
    ({"levels": levels(node=0, gpu=4)}, "level node has size 0; a size is a whole number >= 1"),
    ({"axes": axes(data=-8, model=-1)}, "axis data has size -8; a size is a whole number >= 1"),
    ({"levels": []}, "0 level entries; a problem has 1 to 16 of them"),
    ({"axes": [Axis(f"a{i}", 1) for i in range(17)]}, "17 axis entries; a problem has 1 to 16 of them"),
    ({"levels": levels(root=8)}, f"level name 'root' {NOT_ALLOWED}"),
    ({"axes": axes(**{"a b": 8})}, f"axis name 'a b' {NOT_ALLOWED}"),
    ({"axes": axes(**{"": 8})}, f"axis name '' {NOT_ALLOWED}"),
    ({"axes": axes(**{"x" * 65: 8})}, f"axis name '{'x' * 65}' {NOT_ALLOWED}"),
    ({"axes": [Axis("a", 4), Axis("a", 2)]}, "axis a is given twice; names must differ"),
    (
        {"levels": levels(node=2**16, gpu=2**16)},
        "4294967296 devices are too many; ranks are 32-bit numbers, so the limit is 2147483647",
    ),
    (
        {"axes": axes(data=10**5000)},
        "about 10^5000 devices are too many; ranks are 32-bit numbers, so the limit is 2147483647",
    ),
    ({"reduce": []}, "no axis to reduce over; name at least one of 0=data, 1=model"),
    (
        {"reduce": ["modle"]},
        "reduce axis 'modle' does not exist; the axes are 0=data, 1=model; did you mean model?",
    ),
    ({"reduce": [2]}, "reduce axis 2 does not exist; the axes are 0=data, 1=model"),
    ({"reduce": [-1]}, "reduce axis -1 does not exist; the axes are 0=data, 1=model"),
    ({"reduce": [1, "model"]}, "reduce axis model is given twice; name every axis once"),
    (
        {"payload": Payload(1024, "float31")},
        f"dtype 'float31' is unknown; choose one of {', '.join(DTYPE_BYTES)}; did you mean float32?",
    ),
    (
        {"payload": Payload(1022, "float32")},
        "bytes 1022 is not a whole number of float32 elements; use a positive multiple of 4",
    ),
    (
        {"payload": Payload(0, "int8")},
        "bytes 0 is not a whole number of int8 elements; use a positive multiple of 1",
    ),
    ({"search": Search(limit=0)}, "limit 0 is out of range; a program has 1 to 64 instructions"),
    ({"search": Search(limit=65)}, "limit 65 is out of range; a program has 1 to 64 instructions"),
]


def test_a_broken_rule_is_named():
    for part, message in BROKEN:
        assert refusal(built_from, GOOD | part) == message


@pytest.mark.parametrize("count", [1, 2, 3, 5])
def test_default_links_get_no_worse_towards_the_inside(count):
    links = problem([2] * count, [2**count]).system.network.links
    assert [x.bandwidth for x in links] == sorted(x.bandwidth for x in links)
    assert [x.latency for x in links] == sorted((x.latency for x in links), reverse=True)


SUM = Reduction(name="sums", axes=(1,), payload=Payload(1024, "float32"))


def job_of(**parts):
    given = {"reductions": [SUM], "conditions": (), "search": Search()} | parts
    return build_workload(default_system(GOOD["levels"]), GOOD["axes"], **given)


@pytest.mark.parametrize(
    "parts",
    [
        {"reductions": [SUM] * 64},
        {"reductions": [replace(SUM, name="n" * 200, overlap="o" * 200)]},
        {"reductions": [replace(SUM, times=1e9)]},
        {"reductions": [replace(SUM, times=1e-9)]},
        {"conditions": ["data on node"] * 32},
        {"search": Search(limit=64)},
    ],
)
def test_a_job_may_have_as_much_as_it_may(parts):
    assert len(job_of(**parts).reductions) == len(parts.get("reductions", [SUM]))


BROKEN_JOBS = [
    ({"reductions": []}, "0 reductions; a job has 1 to 64, so split the job"),
    ({"reductions": [SUM] * 65}, "65 reductions; a job has 1 to 64, so split the job"),
    ({"reductions": [replace(SUM, name="n" * 201)]}, "longer than 200 characters"),
    ({"reductions": [replace(SUM, overlap="o" * 201)]}, "longer than 200 characters"),
    *(
        ({"reductions": [SUM, replace(SUM, times=times)]}, f"reduction 1 ('sums'): times {times} is out of range")
        for times in (0.0, -1.0, 1.1e9, inf, nan)
    ),
    ({"reductions": [replace(SUM, payload=Payload(1022, "float32"))]}, "bytes 1022 is not a whole number of float32"),
    ({"conditions": ["data on node"] * 33}, "33 conditions are too many; a job has at most 32"),
    ({"search": Search(collapse=False)}, "a job is searched on hierarchy d, collapsed, not on d, not collapsed"),
    ({"search": Search(hierarchy=HierarchyKind.ROWS)}, "a job is searched on hierarchy d, collapsed, not on c;"),
    ({"search": Search(limit=0)}, "limit 0 is out of range"),
]


def test_a_broken_rule_of_a_job_is_named():
    for parts, message in BROKEN_JOBS:
        assert message in refusal(job_of, **parts)


def test_the_longest_names_and_as_many_as_there_may_be_are_taken():
    names = [f"{number:02}".translate(str.maketrans("0123456789", "abcdefghij")) * 32 for number in range(16)]
    check_names("axis", names)
    check_names("axis", ["a"])
    check_names("axis", ["a-b_9", "A", "rooted", "Root"])
    for wrong, said in (
        ([], "0 axis entries; a problem has 1 to 16 of them"),
        ([*names, "x"], "17 axis entries"),
        (["b", names[0] + "x"], NOT_ALLOWED),
        (["b", "root"], "axis name 'root' is not allowed"),
        (["9a"], NOT_ALLOWED),
        (["a\n"], NOT_ALLOWED),
        (["a", "b", "a"], "axis a is given twice; names must differ"),
    ):
        assert said in refused(lambda wrong=wrong: check_names("axis", wrong), ProblemError)


def test_what_has_no_programs_is_asked_about_as_an_all_reduce():
    """Of the same axes and payload; a collective as itself."""
    system = default_system(levels(node=2, gpu=4))
    every = [Reduction(name=str(goal), axes=(1,), payload=Payload(4096, "float16"), goal=goal) for goal in GOALS]
    job = build_workload(system, axes(data=4, model=2), every)
    for reduction in job.reductions:
        asked = job.problem(reduction)
        assert asked.goal is (reduction.goal if isinstance(reduction.goal, Collective) else Collective.ALL_REDUCE)
        assert (asked.reduce, asked.payload, asked.system) == ((1,), Payload(4096, "float16"), system)


def test_a_condition_that_is_said_twice_is_one():
    job = job_of(conditions=["data on node", "model on gpu", "data  on  node"])
    assert job.conditions == (PinnedAxis(0, 0), PinnedAxis(1, 1))


def test_default_links_between_lie_on_a_geometric_scale():
    """Every level is by the same factor faster than the one around it, from the network card to the NVSwitch."""
    links = problem([2] * 4, [16]).system.network.links
    assert [link.bandwidth for link in links] == pytest.approx([8e9 * (270 / 8) ** (part / 3) for part in range(4)])
    assert [link.latency for link in links] == pytest.approx([14e-6 * (3.4 / 14) ** (part / 3) for part in range(4)])
