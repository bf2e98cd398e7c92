"""The short forms of the command line."""

import pytest

from p2smt.errors import ProblemError
from p2smt.problem.quantity import parse_bandwidth
from p2smt.problem.system.figures import with_figures
from p2smt.problem.system.text import find_system
from p2smt.problem.text import parse_axis_names, parse_per_name, parse_sizes


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("4", [("level0", 4)]),
        ("4x16", [("level0", 4), ("level1", 16)]),
        ("4, 16", [("level0", 4), ("level1", 16)]),
        ("box:2, x86:8", [("box", 2), ("x86", 8)]),
        ("-1", [("level0", -1)]),
        ("data=4,model=16", [("data", 4), ("model", 16)]),
        ("data=4, model:16", [("data", 4), ("model", 16)]),
    ],
)
def test_sizes(text, pairs):
    assert parse_sizes(text, "level") == pairs


@pytest.mark.parametrize(
    ("text", "part"), [("", ""), ("4x", ""), ("4xa", "a"), ("node:", "node:"), ("n:4x2", "n:4x2"), ("n=4x2", "n=4x2")]
)
def test_sizes_that_do_not_parse(text, part):
    with pytest.raises(ProblemError) as error:
        parse_sizes(text, "level")
    assert str(error.value) == (
        f"level sizes {text!r} do not parse at {part!r}; "
        "write name:size pairs such as node:4,gpu:16 or bare sizes such as 4x16"
    )


def test_axis_names():
    assert parse_axis_names(" 0, model,,2 ") == [0, "model", 2]
    assert parse_axis_names("") == []


def test_values_per_link():
    assert parse_per_name("gpu=3GB/s, node = 2GB/s", ["node", "gpu"], parse_bandwidth, "--bandwidth") == {
        "gpu": 3e9,
        "node": 2e9,
    }


@pytest.mark.parametrize(("text", "part"), [("", ""), ("gpu", "gpu"), ("rack=1", "rack=1"), ("gpu=1,gpu=2", "gpu=2")])
def test_values_that_name_no_link_once(text, part):
    with pytest.raises(ProblemError) as error:
        parse_per_name(text, ["node", "gpu"], int, "--bandwidth")
    assert str(error.value) == (
        f"--bandwidth {part!r} does not name one link; write LINK=VALUE pairs, each link once; the links are node, gpu"
    )


def test_links_go_by_their_levels_too_and_by_nic():
    default, preset = find_system("node:2,gpu:4"), find_system("dgx-h100:2x8")
    assert with_figures(default, "nic=12GB/s") == with_figures(default, "node=12GB/s")
    assert with_figures(preset, "node=12GB/s,gpu=1GB/s") == with_figures(preset, "nic=12GB/s,nvswitch=1GB/s")
    assert preset.with_bandwidth(node="12GB/s") == preset.with_bandwidth(nic="12GB/s")
    with pytest.raises(ProblemError, match="does not name one link"):
        with_figures(preset, "node=12GB/s,nic=1GB/s")
