"""The commands that measure a system: golden, without repetition, and their groups read back."""

import re

import pytest
from command_line import golden

from p2smt.cost.calibration.commands import nccl_tests_commands, splits
from p2smt.cost.calibration.nccl_groups import Cut, split_of, split_pattern
from p2smt.problem.system_file import preset, preset_names


def test_commands_of_the_v100_cluster():
    golden("nccl_commands.txt", "\n".join(nccl_tests_commands(preset("p2-v100"))) + "\n")


@pytest.mark.parametrize("name", preset_names())
def test_every_command_writes_a_file_of_its_own(name):
    commands = [line for line in nccl_tests_commands(preset(name)) if not line.startswith("#")]
    files = [re.search(r"-J (\S+\.json)$", line)[1] for line in commands]
    assert len(set(files)) == len(files) > 0


@pytest.mark.parametrize("name", preset_names())
def test_the_groups_are_patterns_of_the_system(name):
    system = preset(name)
    for split in splits(system):
        ranks = range(system.devices)
        groups = [rank // split.k if split.cut is Cut.DIV else rank % split.k for rank in ranks]
        assert split_of(groups, "") == split
        assert split_pattern(split, system, "").group_size * len(set(groups)) == system.devices
