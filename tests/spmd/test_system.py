"""The devices of a system file: machines of unlike size, speeds by type of number, the part that devices get done."""

from dataclasses import replace

import pytest
from support import refused

from p2smt.cost.network.backend import Gloo, Nccl
from p2smt.errors import ProblemError
from p2smt.placement.matrix import parse_matrix
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.devices import ComputingMethod
from p2smt.problem.system.file import preset, read_system
from p2smt.problem.system.text import find_system
from p2smt.spmd.devices.meshes import meshes
from p2smt.spmd.devices.shares import even, proportional
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.model.number_type import dtype_of
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.dtype import DType
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.text.parser import parse_program

UNLIKE = """machine = "node"
[[level]]
name = "node"
size = 3
bandwidth = "10GB/s"
latency = "10us"
[[level]]
name = "gpu"
size = 7
[[kind]]
name = "many"
machines = 1
speed = "10Tflop/s"
speeds = { bf16 = "40Tflop/s" }
efficiency = 0.5
memory = "2GB"
[[kind]]
name = "one"
machines = 1
devices = 1
speed = "1Tflop/s"
[[kind]]
name = "three"
machines = 1
devices = 3
speed = "2Tflop/s"
"""


@pytest.fixture
def unlike(tmp_path):
    path = tmp_path / "unlike.toml"
    path.write_text(UNLIKE, encoding="utf-8")
    return read_system(path)


def test_machines_of_seven_one_and_three_have_eleven_devices(unlike):
    assert unlike.machine_sizes == (7, 1, 3)
    assert unlike.present == (0, 1, 2, 3, 4, 5, 6, 7, 14, 15, 16)
    devices = cluster_of(unlike, Nccl()).devices
    assert [device.kind for device in devices] == ["many"] * 7 + ["one"] + ["three"] * 3
    assert [device.speed for device in devices] == [5 * 10**12] * 7 + [10**12] + [2 * 10**12] * 3
    assert [device.memory for device in devices] == [2 * 10**9] * 7 + [None] * 4


def test_a_type_of_number_has_its_own_speed_where_one_is_said(unlike):
    assert cluster_of(unlike, Nccl(), dtype=DType.BF16).speeds[:8] == (20 * 10**12,) * 7 + (10**12,)
    assert cluster_of(unlike, Nccl(), 1e9, DType.BF16).speeds == (10**9,) * 11


def test_the_type_of_most_work_counts():
    text = "program p\ninput x : bf16[8, 8]\ninput y : f32[64, 64]\nz = matmul(x, x)\n{more}output z\n"
    assert dtype_of(parse_program(text.format(more=""))) is DType.BF16
    assert dtype_of(parse_program(text.format(more="v = matmul(y, y)\noutput v\n"))) is DType.F32


def test_what_is_made_of_numbers_alone_takes_the_type_of_what_it_meets():
    """A mask of 0 and -inf, as models of Hugging Face have it, beside scores in 64 bits."""
    text = "program p\ninput x : f64[8, 8]\nmask = where(ge(x, 0), 0.0, -1 / 0)\ny = matmul(x, x) + mask\noutput y\n"
    assert dtype_of(parse_program(text)) is DType.F64


@pytest.mark.parametrize("backend", [Nccl(), Gloo()], ids=str)
def test_collectives_are_among_the_devices_that_there_are(unlike, backend):
    """As many of the same machines take longer, and the machines' sizes make a difference."""
    ours = cluster_of(unlike, backend).network
    full = cluster_of(replace(unlike, kinds=(), tree=None), backend).network
    for count in (10**4, 10**9):
        for shares in (even(11), proportional(cluster_of(unlike, backend).speeds)):
            assert ours.all_reduce(count).time < full.all_reduce(count).time
            assert ours.all_gather(count, shares.parts).time > 0
            assert ours.all_to_all(count, shares.parts, shares.parts).time > 0


def test_an_all_reduce_among_unlike_machines_by_hand(unlike):
    """A ring of 11: each card takes 2 * 10/11 of the bytes, at 10 GB/s."""
    took = cluster_of(unlike, Nccl(Algorithm.RING)).network.all_reduce(11 * 10**9).time / 10**12
    memory = 2 * 11e9 / unlike.network.memory_bandwidth
    assert took == pytest.approx(2.0 + memory, rel=1e-3)


def test_a_step_is_sharded_over_machines_of_unlike_size(unlike):
    program = parse_program(
        "program p\ninput x : f32[128, 64]\nparameter w : f32[64, 64]\ny = matmul(x, w)\noutput y\n"
    )
    machines = cluster_of(unlike, Nccl(), 1e6)
    sharded = shard(program, machines, (even(11),), beside=False)
    assert isinstance(infer(sharded.program), Inferred)
    assert len(sharded.account.memory) == 11


def test_the_mixed_preset_has_29_gpus_in_machines_of_8_8_7_3_2_1():
    system = preset("mixed-29")
    assert system.machine_sizes == (8, 8, 7, 3, 2, 1)
    machines = cluster_of(replace(system, computing=ComputingMethod.SPEEDS), Nccl())
    assert len(machines.devices) == 29
    assert machines.speeds[0] == round(0.45 * 19.5e12)
    in_f16 = cluster_of(replace(system, computing=ComputingMethod.SPEEDS), Nccl(), dtype=DType.F16)
    assert in_f16.speeds[23] == round(0.35 * 65e12)
    assert machines.models == ()
    assert [model.name for model in cluster_of(system, Nccl()).models[15:24]] == ["a100", *["v100"] * 7, "t4"]


def test_the_papers_clusters():
    assert find_system("hap-a100-p100").machine_sizes == (2, 2)
    assert len(cluster_of(preset("hap-v100-p100"), Nccl()).devices) == 64
    assert len(cluster_of(preset("lab-unlike"), Gloo()).devices) == 3


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "efficiency = 0.5",
            "efficiency = 1.5",
            "kind many: efficiency 1.5 is out of range; give a fraction above 0 and at most 1",
        ),
        ("efficiency = 0.5", "efficiency = 0.0", "kind many: efficiency 0.0 is out of range"),
        ("bf16 =", "bf61 =", "kind many: speeds: dtype 'bf61' is unknown; choose one of float16, bfloat16"),
        ('"40Tflop/s"', '"40"', "kind many: speeds: bf16: speed '40' is not a positive speed"),
        ("devices = 3", "devices = 8", "kind three: devices 8 is out of range; a machine has 1 to 7"),
    ],
)
def test_mistakes_are_named(old, new, said, tmp_path):
    path = tmp_path / "wrong.toml"
    path.write_text(UNLIKE.replace(old, new), encoding="utf-8")
    assert said in refused(lambda: read_system(path), ProblemError)


FOUR_KINDS = """machine = "node"
[[level]]
name = "node"
size = 4
bandwidth = "10GB/s"
latency = "10us"
[[level]]
name = "gpu"
size = 2
""" + "".join(f'[[kind]]\nname = "kind{number}"\nmachines = 1\nspeed = "{number}Tflop/s"\n' for number in range(1, 5))


@pytest.mark.parametrize(("sizes", "count"), [((4, 2), 2), ((2, 4), 2), ((8, 1), 1), ((1, 8), 1)])
def test_a_rank_of_a_mesh_is_the_device_on_which_its_placement_has_it(tmp_path, sizes, count):
    """Machines differ: a coordinate's more significant digit says which of an axis' machines, the rest which card."""
    path = tmp_path / "four.toml"
    path.write_text(FOUR_KINDS, encoding="utf-8")
    system = read_system(path)
    cluster = cluster_of(system, Nccl())
    made = list(meshes(system, cluster, Nccl(), sizes))
    assert len({mesh.placement for mesh in made}) == len(made) == count
    for mesh in made:
        (_, cards), (machines, others) = parse_matrix(mesh.placement).rows
        wanted = [
            f"kind{row // cards * machines + column // others + 1}"
            for row in range(sizes[0])
            for column in range(sizes[1])
        ]
        assert [device.kind for device in mesh.cluster.devices] == wanted
        assert mesh.cluster.speeds == tuple(int(kind[-1]) * 10**12 for kind in wanted)


@pytest.mark.parametrize(
    ("text", "sizes", "said"),
    [
        ("node:[3,1]", (2, 2), "has machines of unlike size"),
        ("rack:2,node:[2,1],gpu:2", (3, 2), "has machines of unlike size"),
        ("hap-v100-p100", (8, 8), "has measured collectives among all devices alone ([profile])"),
    ],
)
def test_a_mesh_needs_machines_of_one_size_and_links_of_levels(text, sizes, said):
    system = find_system(text)
    wrong = refused(lambda: list(meshes(system, cluster_of(system, Nccl()), Nccl(), sizes)), ProblemError)
    text = ",".join(map(str, sizes))
    assert "devices, leave --mesh out, or remove it from the system file" in wrong


@pytest.mark.parametrize(("said", "memory"), [("", None), ('[device]\nmemory = "3GB"\n', 3 * 10**9)])
def test_a_kind_of_which_no_memory_is_said_has_that_of_all_devices(said, memory, tmp_path):
    path = tmp_path / "memory.toml"
    path.write_text(UNLIKE.replace("[[kind]]", f"{said}[[kind]]", 1), encoding="utf-8")
    devices = cluster_of(read_system(path), Nccl()).devices
    assert [device.memory for device in devices] == [2 * 10**9] * 7 + [memory] * 4
