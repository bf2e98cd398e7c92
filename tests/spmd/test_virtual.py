"""Machines as devices: what they are, what their collectives take, what each device inside holds, and the command."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from command_line import output, refused
from spmd.joint_problems import MOMENTUM, cluster
from spmd.test_programs import is_right
from tiers import sample

import p2smt.tensor
from p2smt.cli.main import run
from p2smt.collective import Collective
from p2smt.cost.network.backend import Nccl, cost_of
from p2smt.cost.network.cost import Work
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.errors import ProblemError
from p2smt.problem.system.file import preset, resized
from p2smt.problem.system.text import find_system
from p2smt.spmd.account.instruction import INSIDE
from p2smt.spmd.account.instructions import account
from p2smt.spmd.devices.cluster import Inside
from p2smt.spmd.devices.shares import even, vertices
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.devices.virtual import machines_of
from p2smt.spmd.emission.emission import emit
from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.inside_machines import for_all_devices
from p2smt.spmd.model.build import build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import on_one_axis
from p2smt.spmd.request import ShardingRequest, shard_program
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.expression import SourceKind
from p2smt.tensor.inference import infer
from p2smt.tensor.layout import Replicated, Sliced, chunk_sizes
from p2smt.tensor.text.parser import parse_program

STEP = Path(p2smt.tensor.__file__).parent / "examples" / "mlp_step.tp"


def of_system(system, level="node"):
    return machines_of(system, cluster_of(system, Nccl()), level, Nccl())


def test_a_machine_is_as_fast_as_its_devices_together_and_each_holds_what_it_did():
    system = resized(preset("hap-v100-p100"), [8, 4])
    flat, machines = cluster_of(system, Nccl()), of_system(system)
    assert [device.kind for device in machines.devices] == ["4xv100"] * 2 + ["4xp100"] * 6
    assert sum(machines.speeds) == sum(flat.speeds)
    assert machines.speeds[0] == 4 * flat.speeds[0]
    assert {device.memory for device in machines.devices} == {device.memory for device in flat.devices}
    assert machines.inside.counts == (4,) * 8


def test_machines_of_unlike_size_have_the_speed_of_what_is_in_them():
    flat, machines = cluster_of(preset("mixed-29"), Nccl()), of_system(preset("mixed-29"))
    assert sum(machines.inside.counts) == len(flat.devices)
    assert len(set(machines.inside.counts)) > 1
    assert sum(machines.speeds) == sum(flat.speeds)


def test_a_collective_takes_what_its_three_steps_take_level_by_level():
    """Priced by the patterns of the levels, where the other counts hops on the graph of the cluster."""
    system = preset("hap-p100")
    cost, machines, size = cost_of(system, Nccl()), of_system(system), 32 * 2**20
    inside = Pattern((((Role.FREE, 4),), ((Role.VARYING, 8),)))
    across = Pattern((((Role.VARYING, 4),), ((Role.ZERO, 8),)))

    def takes(collective, pattern, held):
        return cost.work_cost(Work(collective, pattern, held)).seconds

    parts, network = even(4).parts, machines.network
    reduce, spread = takes(Collective.REDUCE, inside, size), takes(Collective.BROADCAST, inside, size)
    expected = {
        "all_reduce": reduce + takes(Collective.ALL_REDUCE, across, size) + spread,
        "all_gather": takes(Collective.ALL_GATHER, inside, size / 4 / 8)
        + takes(Collective.ALL_GATHER, across, size / 4)
        + spread,
        "reduce_scatter": reduce
        + takes(Collective.REDUCE_SCATTER, across, size)
        + takes(Collective.BROADCAST, inside, size / 4),
    }
    made = {
        "all_reduce": network.all_reduce(size),
        "all_gather": network.all_gather(size, parts),
        "reduce_scatter": network.reduce_scatter(size, parts),
    }
    for name, seconds in expected.items():
        assert made[name].time / 1e12 <= seconds * (1 + 1e-6), name
        assert made[name].time / 1e12 == pytest.approx(seconds, rel=0.02), name
    gather = 2 * takes(Collective.ALL_GATHER, inside, size / 4 / 8)
    exchange = network.across.all_to_all(size, parts, parts).time / 1e12
    assert network.all_to_all(size, parts, parts).time / 1e12 == pytest.approx(exchange + gather, rel=1e-6)


def test_machines_of_one_device_take_what_the_devices_take():
    system = resized(preset("hap-p100"), [4, 1])
    program = parse_program(STEP.read_text(encoding="utf-8"))
    flat = shard(program, cluster_of(system, Nccl(), 10**9), (even(4),), beside=False)
    machines = machines_of(system, cluster_of(system, Nccl(), 10**9), "node", Nccl())
    found = shard(program, machines, (even(4),), beside=False)
    inside = sum(each.time for each in found.account.instructions if each.text == INSIDE)
    assert inside == 0
    assert found.account.time == pytest.approx(flat.account.time, rel=1e-6)
    assert found.account.memory == flat.account.memory


def of_four(machines, price):
    return replace(machines, inside=Inside((4,) * len(machines.devices), lambda count: price * count))


@pytest.mark.parametrize("price", sample([5000, 50, 0], 1))
def test_the_search_prices_what_the_program_takes_gradients_inside_and_all(price):
    program = parse_program(STEP.read_text(encoding="utf-8"))
    graph = graph_of(program)
    machines = of_four(cluster((2 * 10**8, 10**8), unit=300), price)
    for shares in sample(vertices(machines.speeds), 1):
        sharding = build(OptionCache(on_one_axis(graph, classes_of(graph), machines, shares)))
        best = eliminate(sharding.problem).answer
        emitted = emit(sharding, best.assignment)
        taken = account(emitted, machines)
        assert taken.apart == best.cost
        summed = [each for each in taken.instructions if each.text == INSIDE]
        assert sorted(each.statement for each in summed) == ["b1_new", "b2_new", "w1_new", "w2_new"]
        assert all(each.time == price * each.bytes for each in summed)
        is_right(emitted, program)


def test_each_device_inside_holds_parameters_whole_and_a_part_of_the_rest():
    """Two machines of four devices, momentum by samples: w, m and the gradient of w of 16,384 bytes each are whole;
    of what a machine holds besides, such as its half of x and y, 524,288 bytes each, a device has a quarter."""
    program, single = parse_program(MOMENTUM), cluster((10**8,) * 2, 10**4)
    conditions = ("x sliced(0)", "w replicated", "m replicated")
    flat = shard(program, single, (even(2),), conditions=conditions, beside=False)
    found = shard(program, of_four(single, 1), (even(2),), conditions=conditions, beside=False)
    whole = 64 * 64 * 4
    for mine, peak in zip(found.account.memory, flat.account.memory, strict=True):
        assert mine == 2 * whole + whole + -(-(peak - 2 * whole) // 4)
    assert flat.account.memory[0] >= 2 * whole + 2 * 524_288
    room = found.account.memory[0]
    devices = tuple(replace(device, memory=room) for device in single.devices)
    tight = of_four(replace(single, devices=devices), 1)
    assert shard(program, tight, (even(2),), conditions=conditions, beside=False).lacks == ()
    with pytest.raises(ProblemError, match="no sharding fits into memory:"):
        shard(program, replace(single, devices=devices), (even(2),), conditions=conditions, beside=False)


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_a_part_of_what_is_divided_inside_is_never_rounded_down(count):
    """Of bytes beside what is kept each of the devices inside has its part, and one has all that is left over."""
    for kept, gradients, more in ((0, 0, 0), (10, 4, 0), (10, 4, 1), (10, 4, 20), (7, 0, 21), (0, 5, 22)):
        (held,) = Inside((count,), lambda _: 0).held(kept=[kept], gradients=[gradients], peak=[kept + more])
        largest = max(len(range(device, more, count)) for device in range(count))
        assert held == kept + largest + (gradients if count > 1 else 0), (kept, gradients, more)


def test_exchanges_wait_for_the_largest_part_inside():
    machines = of_system(preset("hap-p100"))
    unlike = (Fraction(7, 10), Fraction(1, 10), Fraction(1, 10), Fraction(1, 10))
    for call in (machines.network.all_gather, machines.network.reduce_scatter):
        assert call(2**26, unlike).time > call(2**26, even(4).parts).time


HERE = ["--system", "hap-a100-p100", "--speed", "1Gflop/s"]


@pytest.mark.thorough  # a step on uneven machines is written for all devices below
@pytest.mark.parametrize("name", ["hap-v100-p100", "hap-a100-p100", "dgx-h100:3x4", "hap-p100"])
def test_the_program_of_all_devices_has_the_layouts_of_the_machines_and_computes_the_step(name):
    """Replayed on all ranks. Parameters are whole inside machines, samples are cut there, the rest as between them."""
    program, system = parse_program(STEP.read_text(encoding="utf-8")), find_system(name)
    request = ShardingRequest(virtual="node", baselines=False, speed=10**9)
    machines = shard_program(program, system, request)
    written = for_all_devices(program, machines, system, request)
    made = written.candidate.program
    assert [axis.size for axis in made.mesh] == [system.machines, system.inside]
    assert made.mesh[0].name == "node"
    assert len(written.candidate.account.memory) == system.devices
    is_right(made, program)
    outer, both = infer(machines.program).layouts, infer(made).layouts
    kinds = {source.name: source.kind for source in program.sources}
    for name_of, kind in kinds.items():
        across, inside = both[name_of]
        assert across == outer[name_of][0]
        assert inside == (Sliced(0, chunk_sizes(64, system.inside)) if kind is SourceKind.INPUT else Replicated())


def test_uneven_machines_share_unevenly_and_devices_inside_evenly():
    """Machines of unlike devices share unevenly; a device has half of its machine's part."""
    text = STEP.read_text(encoding="utf-8").replace("B = 64", "B = 80")
    program, system = parse_program(text), find_system("hap-a100-p100")
    request = ShardingRequest(virtual="node", baselines=False, shares="proportional", conditions=("x sliced(0)",))
    machines = shard_program(program, system, request)
    made = for_all_devices(program, machines, system, request).candidate.program
    is_right(made, program)
    (outer,), (across, inside) = infer(machines.program).layouts["x"], infer(made).layouts["x"]
    assert outer.sizes is not None
    assert outer.sizes[0] > outer.sizes[1]
    assert across.sizes == outer.sizes
    assert inside.sizes == tuple([size for each in outer.sizes for size in chunk_sizes(each, 2)])
    assert inside.under == (0,)


def test_machines_of_unlike_size_are_priced_and_refused_by_name_where_a_program_is_wanted(tmp_path, capsys):
    asked = [
        "reproduce",
        "shard",
        str(STEP),
        "--system",
        "node:2,gpu:[2,1]",
        "--virtual",
        "node",
        "--speed",
        "1Gflop/s",
    ]
    said = "machines of the system have 1 to 2 devices, so they do not form a mesh; leave --virtual out"
    assert f"not written for all devices: {said}" in " ".join(output(asked, capsys).split())
    assert said in refused([*asked, "--out", str(tmp_path / "out.tp")], capsys)


@pytest.mark.thorough  # the search is tested without the command
def test_the_command_writes_a_program_with_a_rank_for_each_device(tmp_path, capsys):
    path = tmp_path / "machines.tp"
    assert run(["reproduce", "shard", str(STEP), *HERE, "--virtual", "node", "--out", str(path), "--certify"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "2 devices (1 2xa100, 1 2xp100)" in text
    assert "a rank above is a machine, its collectives in the three steps of HAP" in text
    assert "written (--out) for all devices, node=2 x gpu=2, data parallel inside: step " in text
    assert run(["verify", str(path), "--against", str(STEP)]) == 0
    capsys.readouterr()
    document = json.loads(output(["reproduce", "shard", str(STEP), *HERE, "--virtual", "node", "--json"], capsys))
    assert document["machines_of"] == [2, 2]
    assert [axis["size"] for axis in document["inside_machines"]["mesh"]] == [2, 2]
    assert [device["speed"] for device in document["devices"]] == [2 * 10**9] * 2
    assert any(each["what"] == INSIDE for each in document["instructions"])
    assert json.loads(output(["shard", str(STEP), *HERE, "--json"], capsys))["machines_of"] is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([*HERE, "--virtual", "gpu"], "--virtual gpu: machines of hap-a100-p100 are units of node; write node"),
        (
            [*HERE, "--virtual", "node", "--mesh", "2,2"],
            "--virtual makes one axis of machines, and --mesh several axes of devices;",
        ),
        (
            ["--system", "dgx-h100:1x8", "--virtual", "node"],
            "has one machine, so there is nothing to shard over; leave --virtual out",
        ),
    ],
)
def test_a_mistake_gets_one_line(arguments, said, capsys):
    assert said in refused(["shard", str(STEP), *arguments], capsys)
