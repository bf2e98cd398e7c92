"""Groups of devices: every spelling stands for the same lists, those of numpy and of what XLA itself compiles."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from looped import looped
from tiers import examples

from p2smt.errors import VerifyError
from p2smt.frontend.xla import replica_groups
from p2smt.frontend.xla.mesh import DeviceList
from p2smt.frontend.xla.replica_groups import GroupReader
from p2smt.frontend.xla.words import Words

MESHES = {"@mesh": DeviceList((('"a"', 2), ('"b"', 4)))}


def words(text):
    read = Words.of(text.encode(), "text")
    taken = []
    while read.peek():
        taken.append(read.take())
    return tuple(taken)


def hlo(text):
    return GroupReader().hlo(words(text))


def stablehlo(text):
    return GroupReader().stablehlo(words(text), MESHES)


def as_groups(table):
    return tuple(tuple(map(int, row)) for row in table)


def written(groups):
    return "{" + ",".join("{" + ",".join(map(str, group)) + "}" for group in groups) + "}"


def test_the_spellings_of_pairs_that_are_four_apart():
    pairs = ((0, 4), (1, 5), (2, 6), (3, 7))
    assert hlo("{{0,4},{1,5},{2,6},{3,7}}") == pairs
    assert hlo("[4,2]<=[2,4]T(1,0)") == pairs
    assert hlo("mesh['a'=2,'b'=4] {'a'}") == pairs
    assert hlo("mesh['a'=1,'b'=8], device_ids=([8]) {'a','b':(1)2}") == pairs
    assert hlo("mesh['a'=4,'b'=2], device_ids=([2,4]T(1,0)) {'b'}") == pairs
    assert hlo("mesh['a'=4,'b'=2], device_ids=(0,4,1,5,2,6,3,7) {'b'}") == pairs
    assert stablehlo("dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>") == pairs
    axes = 'axes = [#stablehlo.axis_ref<name = "a">]'
    assert stablehlo(f"#stablehlo.replica_group_mesh_axes<mesh = @mesh, {axes}>") == pairs


@settings(max_examples=examples(13))
@given(st.randoms(use_true_random=False))
def test_iota_and_meshes_are_those_of_numpy(rng):
    dims = [rng.choice([1, 2, 2, 3, 4]) for _ in range(rng.randint(1, 4))]
    order = rng.sample(range(len(dims)), len(dims))
    devices = np.arange(np.prod(dims)).reshape(dims).transpose(order)
    size = rng.choice([n for n in range(1, devices.size + 1) if devices.size % n == 0])
    turn = f"[{','.join(map(str, dims))}]T({','.join(map(str, order))})"
    groups = as_groups(devices.reshape(-1, size))
    assert hlo(f"[{devices.size // size},{size}]<={turn}") == groups
    assert hlo(written(groups)) == groups
    mesh = devices.reshape(rng.sample(dims, len(dims)))
    inside = rng.sample(range(len(dims)), rng.randint(1, len(dims)))
    outside = [axis for axis in range(len(dims)) if axis not in inside]
    wanted = mesh.transpose(outside + inside).reshape(-1, np.prod([mesh.shape[axis] for axis in inside]))
    axes = ",".join(f"'{place}'={length}" for place, length in enumerate(mesh.shape))
    along = ",".join(f"'{axis}'" for axis in inside)
    assert hlo(f"mesh[{axes}], device_ids=({turn}) {{{along}}}") == as_groups(wanted)


@looped(
    ("text", "groups"),
    [
        # all-gathers that JAX 0.10.2 compiles for arrays on a mesh a=2, b=2, c=2: dimension 0 over (b, a), (c, a),
        # and all three of c, b, a, so the order of the blocks is known.
        ("mesh['x'=4,'y'=1,'z'=2], device_ids=([2,2,2]T(1,0,2)) {'x'}", ((0, 4, 2, 6), (1, 5, 3, 7))),
        ("mesh['x'=4,'y'=2], device_ids=([4,2]T(1,0)) {'x'}", ((0, 4, 1, 5), (2, 6, 3, 7))),
        ("mesh['x'=8,'y'=1], device_ids=([2,2,2]T(2,1,0)) {'x'}", ((0, 4, 2, 6, 1, 5, 3, 7),)),
        # what its CPU backend gathers when all devices bring their numbers
        ("mesh['a'=2,'b'=2,'c'=2] {'c','a'}", ((0, 4, 1, 5), (2, 6, 3, 7))),
        ("mesh['a'=8] {'a':(1)4}", ((0, 2, 4, 6), (1, 3, 5, 7))),
        ("mesh['a'=8] {'a':(2)4}", ((0, 1, 2, 3), (4, 5, 6, 7))),
        ("[2,4]<=[2,2,2]T(2,1,0)", ((0, 4, 2, 6), (1, 5, 3, 7))),
    ],
)
def test_meshes_are_those_of_xla(text, groups):
    assert hlo(text) == groups


def test_none_short_and_hexadecimal_groups():
    assert hlo("{}") == ()
    assert stablehlo("dense<> : tensor<0x0xi64>") == ()
    assert stablehlo("dense<0> : tensor<1x1xi64>") == ((0,),)
    assert stablehlo("dense<[[0, 1, 2], [3, -1, -1]]> : tensor<2x3xi64>") == ((0, 1, 2), (3,))
    data = np.array([[0, 2], [1, 3]], dtype="<i8").tobytes().hex().upper()
    assert stablehlo(f'dense<"0x{data}"> : tensor<2x2xi64>') == ((0, 2), (1, 3))


@looped(
    ("text", "message"),
    [
        ("[4,2]<=[2,5]", "[4,2]<= of 10 devices; write [groups,size]<=[devices] with groups x size devices"),
        ("[8]<=[8]", "[8]<= of 8 devices; write [groups,size]"),
        ("[4,2]<=[2,4]T(1,1)", "T(1,1) is not a permutation of the 2 axes of [2,4]"),
        ("[1,4096]<=[4096,4096]", "devices [4096,4096] on 2 axes; at most 4096 devices and 32 axes"),
        ("[2,4]<=[99999]", "'99999' is not a whole number from 0 to 4096"),
        ("[2," + "9" * 5000 + "]<=[8]", "is not a whole number from 0 to 4096"),
        ("{{0,1},{2,x}}", "'x' is not a whole number from 0 to 4096"),
        ("{{0,1},{2", "the text ends where ',' is expected"),
        ("{{0,1}}{", "'{' is unexpected after the groups"),
        ("everyone", "groups begin with 'everyone'; write {{0,1},{2,3}}, [2,2]<=[4] or mesh['a'=2,'b'=2] {'a'}"),
        ("mesh['a'=2] {'b'}", "'b' is not an axis of the mesh 'a'"),
        ("mesh['a'=2] {'a','a'}", "groups along 'a', 'a' name an axis twice"),
        ("mesh['a'=6] {'a':(4)2}", "axis 'a' of size 6 has no sub-axis (1)4"),
        ("mesh['a'=6] {'a':(1)2,'a':(1)3}", "axis 'a' of size 6 has no sub-axis (2)1"),
        ("mesh['a'=2], device_ids=(0,0) {'a'}", "device_ids of a mesh of 2 devices must be 0 to 1, each once"),
        ("mesh['a'=4096,'b'=4096] {'a'}", "at most 4096 devices"),
    ],
)
def test_what_hlo_cannot_mean(text, message):
    with pytest.raises(VerifyError) as caught:
        hlo(text)
    assert message in str(caught.value)


@looped(
    ("text", "message"),
    [
        ("dense<[[0, 1]]> : tensor<2x2xi64>", "the table does not have the 2 rows of 2 numbers of tensor<2x2xi64>"),
        ("dense<0> : tensor<4096x4096xi64>", "it has two dimensions and at most 262144 numbers"),
        ("dense<0> : tensor<4xi64>", "a table of tensor<4xi64>; it has two dimensions"),
        ("dense<9999> : tensor<1x1xi64>", "'9999' is not a whole number from 0 to 4096"),
        ('dense<"0xAB"> : tensor<1x1xi64>', "are not numbers of 8 bytes from -1 to 4096"),
        ('dense<"0xQ"> : tensor<1x1xi64>', "are not hexadecimal digits"),
        ("#stablehlo.replica_group_mesh_axes<mesh = @other, axes = []>", "or axes of a mesh: @mesh"),
    ],
)
def test_what_stablehlo_cannot_mean(text, message):
    with pytest.raises(VerifyError) as caught:
        stablehlo(text)
    assert message in str(caught.value)


def test_all_groups_of_a_text_are_bounded(monkeypatch):
    monkeypatch.setattr(replica_groups, "MAX_CELLS", 8 * 4096)
    reader = GroupReader()
    texts = [words(f"mesh['a{place}'=4096] {{'a{place}'}}") for place in range(9)]
    for text in texts[:-1]:
        reader.hlo(text)
        reader.hlo(text)  # known already, so counted once
    with pytest.raises(VerifyError, match="all groups together name more than 32768 devices"):
        reader.hlo(texts[-1])
