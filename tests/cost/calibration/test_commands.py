"""The commands that measure a system: golden, without repetition, and their groups read back."""

import json
import re
import shlex
from dataclasses import replace
from math import prod

import pytest
from command_line import golden
from looped import looped

from p2smt.cost.calibration.commands import nccl_tests_commands
from p2smt.cost.calibration.fit import fit_system
from p2smt.cost.calibration.measurement import Transfer
from p2smt.cost.calibration.nccl_groups import GroupSplit, SplitKind, split_pattern
from p2smt.cost.calibration.nccl_tests import read_nccl_json
from p2smt.cost.calibration.parameters import parameters, with_parameters
from p2smt.cost.network.backend import cost_of
from p2smt.cost.network.neighbour_send import neighbour_send_cost
from p2smt.errors import ProblemError
from p2smt.problem.system.build import default_system
from p2smt.problem.system.file import preset, preset_names, resized
from p2smt.problem.system.network import Level


def commands(system):
    return [line for line in nccl_tests_commands(system) if not line.startswith("#")]


def split_in(command):
    found = re.search(r'NCCL_TESTS_SPLIT="(DIV|MOD) (\d+)"', command)
    return GroupSplit(SplitKind(found[1]), int(found[2])) if found else None


def output_of(command, system):
    """What -J would write for a command, were the times those of the system."""
    words = shlex.split(command)
    test = next(word for word in words if word.endswith("_perf"))
    split = split_in(command)
    ranks = range(int(words[words.index("-np") + 1]))
    groups = [
        0 if split is None else rank // split.k if split.cut is SplitKind.DIV else rank % split.k for rank in ranks
    ]
    return {
        "version": 3,
        "args": [test],
        "env": [word for word in words if word.startswith("NCCL_ALGO=")],
        "config": {"devices": [{"rank": rank, "group": groups[rank], "hostname": "h"} for rank in ranks]},
        "results": [{"size": size, "out_of_place": {"time": 1.0}} for size in (1 << 13, 1 << 28)],
    }


def priced(work, cost):
    """Seconds of a call, or of a send to the next rank."""
    if isinstance(work, Transfer):
        return neighbour_send_cost(work.goal, work.pattern, work.held, cost.system).seconds
    return cost.work_cost(work).seconds


def measured(command, system):
    """The measurements that are read from a command's output, with the times of the system's own model."""
    document = output_of(command, system)
    guessed = read_nccl_json(json.dumps(document).encode(), "a.json", system, None).measurements
    for result, one in zip(document["results"], guessed, strict=True):
        result["out_of_place"]["time"] = 1e6 * sum(priced(work, cost_of(system, one.backend)) for work in one.works)
    return read_nccl_json(json.dumps(document).encode(), "a.json", system, None).measurements


def test_commands_of_the_v100_cluster():
    golden("nccl_commands.txt", "\n".join(nccl_tests_commands(preset("p2-v100"))) + "\n")


@looped("name", [name for name in preset_names() if preset(name).tree is None])
def test_every_command_measures_what_its_file_name_says(name):
    system = preset(name)
    lines = commands(system)
    files = [shlex.split(line)[-1] for line in lines]
    assert len(set(files)) == len(files) > 0
    for line, file in zip(lines, files, strict=True):
        one = read_nccl_json(json.dumps(output_of(line, system)).encode(), file, system, None).measurements[0]
        collective, _, groups = one.group.partition(" ")
        assert file == f"{collective}_{one.backend}_{groups.replace(' ', '').lower()}.json"
        (work,) = one.works
        assert work.pattern == split_pattern(split_in(line), system, file)


def test_no_command_measures_units_of_unlike_size():
    unlike = [name for name in preset_names() if preset(name).tree is not None]
    assert unlike
    for name in unlike:
        with pytest.raises(ProblemError, match="is an irregular hierarchy"):
            nccl_tests_commands(preset(name))


def test_a_level_without_a_ring_is_not_cut_inside():
    assert {str(split_in(line)) for line in commands(preset("p2-a100"))} == {"None", "DIV 16", "MOD 16"}
    assert {str(split_in(line)) for line in commands(preset("p2-v100"))} == {
        "None",
        "DIV 8",
        "MOD 8",
        "DIV 2",
        "MOD 2",
        "DIV 4",
        "MOD 4",
    }


def test_levels_of_one_unit_add_no_commands():
    with_ones = default_system([Level("rack", 1), Level("node", 2), Level("gpu", 4), Level("core", 1)])
    assert {str(split_in(line)) for line in commands(with_ones)} == {"None", "DIV 4", "MOD 4"}
    assert all("NCCL_ALGO=Ring" in line for line in commands(default_system([Level("gpu", 4)])))


@pytest.mark.parametrize("sizes", [(2, 2), (2, 4), (3, 2, 2), (2, 2, 2, 2), (4, 1, 2)])
def test_all_boundaries_are_cut_both_ways_and_trees_are_measured_where_devices_of_two_machines_meet(sizes):
    system = default_system([Level(f"l{number}", size) for number, size in enumerate(sizes)])
    devices, inside = prod(sizes), prod(sizes[system.machine + 1 :])
    units = {prod(sizes[level:]) for level in range(1, len(sizes))} - {1, devices}
    groups = {"None": [range(devices)]}
    for k in units:
        groups[f"DIV {k}"] = [range(first, first + k) for first in range(0, devices, k)]
        groups[f"MOD {k}"] = [range(first, devices, k) for first in range(k)]
    assert {str(split_in(line)) for line in commands(system)} == groups.keys()
    spanning = {name for name, all_of in groups.items() if len({rank // inside for rank in all_of[0]}) > 1}
    assert {str(split_in(line)) for line in commands(system) if "NCCL_ALGO=Tree" in line} == spanning


def test_trees_where_groups_span_machines():
    trees = [line for line in commands(preset("p2-a100")) if "NCCL_ALGO=Tree" in line]
    assert [str(split_in(line)) for line in trees] == ["None", "MOD 16"]
    assert all(" all_reduce_perf " in line for line in trees)


def test_one_device_is_refused():
    with pytest.raises(ProblemError) as error:
        nccl_tests_commands(default_system([Level("gpu", 1)]))
    assert str(error.value) == "the system has one device, so there is no link to measure; give its levels larger sizes"


@pytest.mark.parametrize("name", ["p2-a100", "p2-v100", "dgx-h100"])
def test_the_commands_tell_bandwidths_latencies_and_flows(name):
    system = resized(preset(name), (4, 8))
    slow = {what: 2e8 for what in parameters(system.network) if what.endswith("_flow")}  # elsewhere none is a limit
    system = replace(system, network=with_parameters(system.network, slow))
    fit = fit_system(system, [one for line in commands(system) for one in measured(line, system)], leave_out=False)
    assert [figure.name for figure in fit.figures if not figure.identified and figure.name != "overlap"] == []
