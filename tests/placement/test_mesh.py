"""Meshes from elsewhere: recognised exactly where the definition of a placement says so."""

import json
import re
from itertools import permutations
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from looped import looped
from support import problem

from p2smt.errors import ProblemError
from p2smt.placement.enumeration import all_placements
from p2smt.placement.matrix import parse_matrix
from p2smt.placement.mesh import MeshMatch, NoMatch, ascends_along, order_of_mesh, recognise
from p2smt.placement.mesh_file import read_mesh
from p2smt.placement.mesh_reading import read_given, sorting_notes
from p2smt.placement.order import SplitAxis, matrix_of_order
from p2smt.placement.rank_tensor import rank_tensor
from p2smt.problem.build import build_workload
from p2smt.problem.model import Axis, Payload
from p2smt.problem.system.text import find_system
from p2smt.problem.workload import Reduction

CASES = [([2, 2, 2], [2, 4]), ([4, 4], [2, 4, 2]), ([6, 4], [3, 8]), ([2, 3, 2], [6, 2]), ([2, 1, 4], [1, 8])]


def own(matrix):
    return rank_tensor(matrix, tuple(range(len(matrix.rows)))).devices()


@pytest.mark.parametrize(("sizes", "shards"), CASES)
def test_the_mesh_of_every_matrix_is_that_matrix_exactly(sizes, shards):
    for matrix in all_placements(problem(sizes, shards)).items:
        assert recognise(own(matrix), sizes) == MeshMatch(matrix, True, ())


@pytest.mark.parametrize(("sizes", "shards"), CASES)
def test_the_mesh_of_an_order_is_the_matrix_of_the_order_or_none(sizes, shards):
    for order in permutations(range(len(shards))):
        laid = np.arange(prod(shards)).reshape([shards[axis] for axis in order])
        same = order_of_mesh(laid.transpose(np.argsort(order)))
        assert [axis for axis in same if shards[axis] > 1] == [axis for axis in order if shards[axis] > 1]
        found, expected = recognise(laid.transpose(np.argsort(order)), sizes), matrix_of_order(order, shards, sizes)
        if isinstance(expected, SplitAxis):
            assert isinstance(found, NoMatch)
            assert found.level == expected.level
        else:
            assert isinstance(found, MeshMatch)
            assert (found.matrix, found.mixed) == (expected, ())
            assert all(ascends_along(laid.transpose(np.argsort(order)), [axis]) for axis in order)
            assert ascends_along(laid.transpose(np.argsort(order)), order)


@given(st.sampled_from(CASES), st.data())
def test_renumbering_inside_units_and_renaming_coordinates_keep_the_matrix(case, data):
    sizes, shards = case
    matrix = data.draw(st.sampled_from(all_placements(problem(sizes, shards)).items))
    moved = renumbered(own(matrix), sizes, data)
    found = recognise(moved, sizes)
    assert isinstance(found, MeshMatch)
    assert (found.matrix, found.mixed) == (matrix, ())
    assert found.exact == bool((moved == own(matrix)).all())
    for axis, size in enumerate(shards):
        moved = np.take(moved, data.draw(st.permutations(range(size))), axis=axis)
    found = recognise(moved, sizes)
    assert isinstance(found, MeshMatch)
    assert found.matrix == matrix


def renumbered(devices, sizes, data):
    """Units of every level exchanged inside their parents, at random."""
    numbers = np.arange(prod(sizes)).reshape(sizes)
    for level, size in enumerate(sizes):
        for parent in np.ndindex(tuple(sizes[:level])):
            numbers[parent] = numbers[parent][data.draw(st.permutations(range(size)))]
    return numbers.reshape(-1)[devices]


@given(st.sampled_from([([2, 2], [2, 2]), ([2, 3], [3, 2]), ([2, 2, 2], [2, 4])]), st.data())
def test_any_mesh_is_recognised_exactly_when_some_matrix_has_its_groups(case, data):
    """By definition: in some sequence of the coordinates on every axis, the units hold what those of a matrix hold."""
    sizes, shards = case
    devices = np.array(data.draw(st.permutations(range(prod(sizes))))).reshape(shards)
    same = {matrix for matrix in all_placements(problem(sizes, shards)).items if alike(devices, own(matrix), sizes)}
    found = recognise(devices, sizes)
    assert ({found.matrix} if isinstance(found, MeshMatch) else set()) == same


def alike(devices, wanted, sizes):
    target = unit_sets(wanted, sizes)
    sequences = [list(permutations(range(size))) for size in devices.shape]
    candidates = [devices]
    for axis, choices in enumerate(sequences):
        candidates = [np.take(one, choice, axis=axis) for one in candidates for choice in choices]
    return any(unit_sets(one, sizes) == target for one in candidates)


def unit_sets(devices, sizes):
    places = sorted(np.ndindex(devices.shape), key=lambda place: devices[place])
    units = [prod(sizes[level + 1 :]) for level in range(len(sizes))]
    return [{frozenset(places[at : at + unit]) for at in range(0, len(places), unit)} for unit in units]


def test_an_axis_counted_inside_out_has_the_groups_but_not_the_coordinates():
    inside_out = own(parse_matrix("2x2"))[[0, 2, 1, 3]]
    assert recognise(inside_out, (2, 2)) == MeshMatch(parse_matrix("2x2"), False, (0,))


def test_an_axis_is_mixed_wherever_its_units_are_and_not_in_the_first_alone():
    """The first unit of three holds coordinates 0, 1; the others 2, 4 and 3, 5."""
    assert recognise(np.array([0, 1, 2, 4, 3, 5]), (3, 2)) == MeshMatch(parse_matrix("3x2"), False, (0,))


@given(st.sampled_from(CASES), st.data())
def test_whether_numbers_ascend_is_what_walking_every_line_shows(case, data):
    shards = case[1]
    devices = np.array(data.draw(st.permutations(range(prod(shards))))).reshape(shards)
    if data.draw(st.booleans()):
        devices = own(data.draw(st.sampled_from(all_placements(problem(*case)).items)))
    axes = data.draw(st.permutations(range(len(shards))))[: data.draw(st.integers(1, len(shards)))]
    lines = {}
    for place in sorted(np.ndindex(devices.shape), key=lambda place: [place[axis] for axis in axes]):
        rest = tuple(c for axis, c in enumerate(place) if axis not in axes)
        lines.setdefault(rest, []).append(int(devices[place]))
    assert ascends_along(devices, axes) == all(line == sorted(line) for line in lines.values())


def test_a_mesh_that_no_order_numbers():
    assert order_of_mesh(own(parse_matrix("2x2/2x2"))) is None
    assert order_of_mesh(np.array([[3, 2], [1, 0]])) is None


def test_why_a_mesh_is_none():
    half = recognise(np.array([[0, 1], [3, 4], [2, 5]]), (2, 3))
    assert isinstance(half, NoMatch)
    assert (half.level, half.units) == (0, (0,))
    assert half.coordinates == ((frozenset({0, 2}), frozenset({0, 1})),)
    both = recognise(np.array([[0, 1], [2, 4], [3, 5], [6, 7]]).reshape(4, 2), (4, 2))
    assert isinstance(both, NoMatch)
    assert (both.level, both.units) == (0, (0, 1))


AXES = (Axis("dp", 2), Axis("tp", 2), Axis("cp", 1))


def written(tmp_path, document):
    path = tmp_path / "mesh.json"
    path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
    return path


def test_dimensions_of_a_file_are_put_in_the_order_of_the_axes(tmp_path):
    path = written(tmp_path, {"mesh_dim_names": ["tp", "dp"], "mesh": [[0, 1], [2, 3]]})
    assert read_mesh(path, AXES)[0].tolist() == [[[0], [2]], [[1], [3]]]
    assert read_mesh(path, AXES)[1] == (1, 0)


NAMES = ["dp", "tp"]
BAD = [
    ("[" * 5000, "is not a JSON document"),
    ('{"mesh_dim_names": ["dp"', "is not a JSON document"),
    ("[1]", "top level: expected object, got array"),
    ({"mesh_dim_names": NAMES, "mesh": [[0, 1], [2, 3]], "device": "cpu"}, "unknown key 'device'"),
    ({"mesh_dim_names": NAMES, "mesh": [[0, 1], [2]]}, "mesh is not a rectangular nested list of 2 dimensions"),
    ({"mesh_dim_names": NAMES, "mesh": [0, 1, 2, 3]}, "mesh is not a rectangular nested list of 2 dimensions"),
    ({"mesh_dim_names": NAMES, "mesh": []}, "mesh is not a rectangular nested list of 2 dimensions"),
    (
        {"mesh_dim_names": NAMES, "mesh": [[0, 1], [2, 2]]},
        ": the ranks are not a permutation of 0 to 3; list each rank once",
    ),
    (
        {"mesh_dim_names": NAMES, "mesh": [[0, 1], [2, 9]]},
        ": the ranks are not a permutation of 0 to 3; list each rank once",
    ),
    ({"mesh_dim_names": NAMES, "mesh": [[0, 1], [2, True]]}, "an entry that is not a rank"),
    ({"mesh_dim_names": NAMES, "mesh": [[0, 1], [2, -1]]}, "an entry that is not a rank"),
    ({"mesh_dim_names": NAMES, "mesh": [[0, 1], [2, 1e400]]}, "is not a JSON document"),
    ({"mesh_dim_names": ["dp", "<b>\n"], "mesh": [[0, 1], [2, 3]]}, "'dp'=2 x '<b>\\n'=2 are not the axes"),
    ({"mesh_dim_names": ["dp", "dp"], "mesh": [[0, 1], [2, 3]]}, "are not the axes dp=2 x tp=2 x cp=1"),
    ({"mesh_dim_names": ["tp"], "mesh": [0, 1]}, "are not the axes"),
    ({"mesh_dim_names": NAMES * 9, "mesh": []}, "dimensions; it may have at most"),
    ({"mesh_dim_names": ["dp"], "mesh": list(range(70_000))}, "more than 65536 ranks"),
]


@looped(("document", "message"), BAD)
def test_a_bad_file_is_refused(document, message, tmp_path):
    with pytest.raises(ProblemError) as error:
        read_mesh(written(tmp_path, document), AXES)
    assert message in str(error.value)


def test_an_axis_that_stands_twice_is_refused_though_no_other_is_missing(tmp_path):
    for mesh, axes in (([[0, 1], [2, 3]], (Axis("dp", 2),)), ([[0]], (Axis("dp", 1),))):
        with pytest.raises(ProblemError, match=r"are not the axes dp=[12]; name every axis once"):
            read_mesh(written(tmp_path, {"mesh_dim_names": ["dp", "dp"], "mesh": mesh}), axes)


def test_a_file_is_bounded(tmp_path):
    with pytest.raises(ProblemError, match="larger than 2000000 bytes"):
        read_mesh(written(tmp_path, " " * 2_000_001), AXES)
    with pytest.raises(ProblemError, match="cannot read"):
        read_mesh(tmp_path / "none.json", AXES)


@pytest.mark.thorough  # smaller meshes are read above
def test_65536_ranks_are_read(tmp_path):
    ranks = np.arange(65_536).reshape(256, 256)
    path = written(tmp_path, {"mesh_dim_names": ["a", "b"], "mesh": ranks.T.tolist()})
    found = recognise(read_mesh(path, (Axis("a", 256), Axis("b", 256)))[0], (64, 32, 32))
    assert isinstance(found, MeshMatch)
    assert str(found.matrix) == "1x8x32/64x4x1"


def test_what_a_reduction_takes_as_one_is_in_the_order_of_the_mesh():
    payload = Payload(64, "float32")
    axes = [Axis("a", 2), Axis("b", 2), Axis("c", 2)]
    reductions = [Reduction(name="one", axes=over, payload=payload) for over in ((0, 2), (1,))]
    job, asked = build_workload(find_system("2x4"), axes, reductions), []
    assert not list(sorting_notes(job, (2, 1, 0), lambda over: asked.append(over) or True))
    assert asked == [(2,), (1,), (0,), (2, 0)]
    notes = [note.partition(":")[0] for note in sorting_notes(job, (2, 1, 0), lambda over: over in {(2,), (0,)})]
    assert notes == ["along b ranks do not ascend", "along c, a taken as one ranks do not ascend"]


def job(system, **axes):
    reduction = Reduction(name="one", axes=(0,), payload=Payload(64, "float32"))
    return build_workload(find_system(system), [Axis(name, size) for name, size in axes.items()], [reduction])


def test_which_number_an_order_cuts_and_which_axis_of_a_mesh_overlaps_in_part(tmp_path):
    """Units of 6 in strides of 4, of 4 in a span of 6; and on c alike, a the same, b {0, 1} beside {1, 2}."""
    for system, sizes, why in (
        (
            "2x6",
            {"a": 3, "b": 4},
            "has 6 devices and ends inside a, .* 4 apart .* spans 12, but 6 is not a multiple of 4:",
        ),
        ("3x4", {"a": 2, "b": 6}, "has 4 devices and ends inside b, .* 1 apart .* spans 6, but 6 is none of 4:"),
    ):
        assert re.search(why, read_given("axes:a,b", job(system, **sizes)).why)
    mesh = np.zeros((2, 4, 2), dtype=int)
    for unit, (held, place) in enumerate([((0, 1), 0), ((2, 3), 0), ((1, 2), 1), ((0, 3), 1)]):
        mesh[:, list(held), place] = 4 * unit + np.arange(4).reshape(2, 2)
    path = tmp_path / "mesh.json"
    path.write_text(json.dumps({"mesh_dim_names": ["a", "b", "c"], "mesh": mesh.tolist()}), encoding="utf-8")
    why = read_given(str(path), job("4x4", a=2, b=4, c=2)).why
    assert why.startswith("units 0 and 2 of level level0 have coordinates {0, 1} and {1, 2} of b, which are neither")
