"""Emitted DeviceMesh files: golden text, hostile names, and their groups in real gloo processes."""

import ast
from itertools import product
from math import prod
from pathlib import Path

import numpy as np
import pytest
from command_line import golden
from emit.emitted import HOSTILE, check_style
from emit.mesh.mesh_files import constants, hostile, many_axes
from support import problem
from tiers import sample

from p2smt.emit.mesh.device_mesh import emit_device_mesh
from p2smt.placement.digits import DeviceMap
from p2smt.placement.matrix import parse_matrix
from p2smt.placement.rank_tensor import ascends, rank_tensor
from p2smt.reduction.plan.lower import Lowering
from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat

CASES = [
    ([4, 4], [8, 2], "4x2/1x2", (0, 1)),
    ([4, 4], [8, 2], "2x4/2x1", (1, 0)),
    ([4, 4], [4, 4], "2x2/2x2", (0, 1)),
    ([4, 4], [2, 4, 2], "1x2/2x2/2x1", (2, 0, 1)),
    ([2, 2, 4], [4, 4], "1x2x2/2x1x2", (1, 0)),
    ([2, 2, 4], [2, 2, 4], "1x1x2/2x1x1/1x2x2", (0, 1, 2)),
    ([2, 2, 4], [1, 16], "1x1x1/2x2x4", (0, 1)),
]


def text_of(case):
    sizes, shards, matrix, dims = case
    asked = problem(sizes, shards)
    return emit_device_mesh(asked.axes, asked.levels, parse_matrix(matrix), dims)


def plan_groups(case, axis):
    """The groups in which a plan reduces over an axis."""
    sizes, shards, matrix, _ = case
    plan = Lowering(problem(sizes, shards, (axis,)), parse_matrix(matrix)).direct
    return list(plan.groups(plan.reduction))


@pytest.mark.thorough  # groups are compared without processes
@pytest.mark.slow
def test_groups_of_real_processes_are_those_of_the_plans(tmp_path):
    paths, cases = [], sample(CASES, 3)
    for number, case in enumerate(cases):
        paths.append(str(tmp_path / f"mesh{number}.py"))
        Path(paths[-1]).write_text(text_of(case), encoding="utf-8")
    broken = str(tmp_path / "broken.py")
    places = constants(text_of(CASES[2]))["PLACES"]
    Path(broken).write_text(
        text_of(CASES[2]).replace(f"PLACES = {places}", f"PLACES = {places[::-1]}"), encoding="utf-8"
    )
    with CallRanks([Seat()] * 16, timeout_s=120) as ranks:
        answers = ranks.call(
            str(Path(__file__).with_name("mesh_rank.py")), "memberships", [*paths, broken], timeout_s=120
        )
    assert sum(answer[-1][-1] for answer in answers) > 0  # the file's own check sees what is wrong
    for (number, case), (rank, answer) in product(enumerate(cases), enumerate(answers)):
        groups, coordinate, flat, wrong = answer[number]
        coordinates = DeviceMap(parse_matrix(case[2])).coordinates(rank)
        assert wrong == 0
        assert list(coordinate) == [coordinates[axis] for axis in case[3]]
        for axis in case[3]:
            (mine,) = [group for group in plan_groups(case, axis) if rank in group]
            assert groups[f"axis{axis}"] == list(mine)
        for pair, ranks_in_order in flat.items():
            assert ranks_in_order == sorted(ranks_in_order)  # torch sorts, so along both dimensions:
            axes = [int(name.removeprefix("axis")) for name in pair]
            assert (by_coordinates(case, axes, coordinates) == ranks_in_order) == ascends(parse_matrix(case[2]), axes)


def by_coordinates(case, axes, coordinates):
    """The devices along some axes taken as one, in the order of coordinates."""
    place = list(coordinates)
    found = []
    for values in product(*(range(case[1][axis]) for axis in axes)):
        for axis, value in zip(axes, values, strict=True):
            place[axis] = value
        found.append(DeviceMap(parse_matrix(case[2])).device(place))
    return found


def test_golden_text():
    golden("device_mesh_4x4.py.txt", text_of(CASES[3]))


@pytest.mark.parametrize("case", CASES)
def test_the_constants_make_the_tensor_and_hold_the_matrix(case):
    said = constants(text_of(case))
    own = rank_tensor(parse_matrix(case[2]), case[3]).devices()
    ranks = np.arange(said["WORLD"]).reshape(said["FACTORS"]).transpose(said["PLACES"]).reshape(said["SHAPE"])
    assert (ranks == own).all()
    rows = zip(*(level.values() for level in said["LEVELS"].values()), strict=True)
    assert tuple(rows) == parse_matrix(case[2]).rows


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
def test_names_stay_names(name):
    text = hostile(name, emit_device_mesh)
    assert text.isascii()
    assert constants(text)["NAMES"] == (f"{name}2", name)
    assert list(constants(text)["LEVELS"]) == [f"{name}3", f"{name}4"]
    tame = ast.parse(hostile("tame", emit_device_mesh))
    assert [type(node) for node in ast.parse(text).body] == [type(node) for node in tame.body]


def test_emitted_files_are_clean(tmp_path):
    texts = [
        *map(text_of, CASES),
        *(hostile(name, emit_device_mesh) for name in HOSTILE if len(name) < 100),
        many_axes(emit_device_mesh),
    ]
    check_style(tmp_path, texts)


def test_the_file_is_small_for_any_number_of_devices():
    sizes = [64, 1024, 1024]
    asked = problem(sizes, [prod(sizes)])
    text = emit_device_mesh(asked.axes, asked.levels, parse_matrix("64x1024x1024"), (0,))
    assert "FACTORS = (64, 1024, 1024)\n" in text
    assert len(text) < 6000
