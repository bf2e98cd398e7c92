"""Shardings priced by rooflines: one price everywhere, bounds that hold, and no step faster than devices are."""

from dataclasses import replace
from math import ceil, prod

import pytest
from tiers import sample

from p2smt.cost.computing.roofline import RooflineWork, launch_seconds, operation_seconds
from p2smt.cost.computing.time_line import Queue
from p2smt.cost.network.backend import Nccl
from p2smt.problem.system.device_model import OperationKind
from p2smt.problem.system.device_model_entries import device_model
from p2smt.problem.system.device_models import device_models
from p2smt.problem.system.devices import ComputingMethod
from p2smt.problem.system.file import preset, preset_names, resized
from p2smt.problem.system.text import find_system
from p2smt.spmd.account.instructions import account
from p2smt.spmd.devices.network import PICO
from p2smt.spmd.devices.shares import even, proportional
from p2smt.spmd.devices.system import cluster_of
from p2smt.spmd.reading.fused_update import fused_update
from p2smt.spmd.reading.step_time_line import step_picoseconds, step_time_line
from p2smt.spmd.request import ShardingRequest, shard_program
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call, Read
from p2smt.tensor.kernel_work import kernel_work
from p2smt.tensor.shapes import Whole
from p2smt.tensor.text.parser import parse_program

STEP = """program step
input x : f32[{batch}, 512]
parameter w1 : f32[512, 2048]
parameter w2 : f32[2048, 512]
h = relu(matmul(x, w1))
y = softmax(matmul(h, w2), 1)
loss = sum(y * y)
dw2 = matmul(transpose(h, 1, 0), y)
w2_new = update(w2, w2 - 0.1 * dw2)
output loss
"""
UNLIKE = "hap-a100-p100"


def step(batch=4096):
    return parse_program(STEP.format(batch=batch))


def unlike():
    return cluster_of(replace(find_system(UNLIKE), computing=None), Nccl())


def test_the_search_adds_up_what_the_account_does_on_like_and_unlike_devices():
    for cluster in (cluster_of(find_system("dgx-h100:1x4"), Nccl()), unlike()):
        for shares in (even(4), proportional(cluster.speeds)):
            found = shard(step(), cluster, (shares,), beside=False, certify=True)
            answer = found.searched
            assert found.proved
            assert found.lower_bound <= answer.account.time <= answer.account.apart
            assert answer.account == account(answer.program, cluster)


def test_on_like_devices_the_bound_is_the_time_where_weights_are_read_whole():
    """The search prices parts by rules, the account by the elements that devices have."""
    cluster = cluster_of(find_system("dgx-h100:1x4"), Nccl())
    text = "program p\ninput x : f32[64, 8192]\nparameter w : f32[8192, 8192]\ny = matmul(x, w)\noutput y\n"
    conditions = ("x sliced(0)", "w replicated", "y sliced(0)")
    found = shard(parse_program(text), cluster, (even(4),), conditions=conditions, beside=False)
    assert found.lower_bound == pytest.approx(found.searched.account.time, abs=1000)


def test_an_operation_takes_its_part_of_flops_and_bytes_on_the_device_that_has_it():
    cluster = unlike()
    program = step()
    found = shard(program, cluster, (proportional(cluster.speeds),), conditions=("x sliced(0)", "w1 replicated"))
    first = next(each for each in found.searched.account.instructions if each.text == "matmul")
    for device, flops, taken in zip(cluster.devices, first.flops, first.work, strict=True):
        rows = flops // (2 * 512 * 2048)
        size = 4 * (rows * 512 + 512 * 2048 + rows * 2048)
        work = RooflineWork(kind=OperationKind.MATMUL, dtype="float32", flops=flops, bytes=size)
        assert taken == ceil(operation_seconds(device.model, work) * PICO)
    assert first.time == max(first.work)


def test_a_toy_takes_its_launches_and_more_devices_do_not_hide_them():
    system = find_system("dgx-h100:1x4")
    found = shard_program(step(4), system)
    kernels = [each for each in found.account.instructions if each.way is None and each.time]
    least = min(device_models(system)[0].launch, 6e-6)
    assert found.account.time >= len(kernels) * least * PICO
    assert found.account.time < 1e-3 * PICO
    launched = sum(each.launch for each in kernels)
    assert step_picoseconds(found.program, found.account, found.cluster) >= launched


def test_no_step_on_any_preset_is_faster_than_the_peaks():
    program = step(16384)
    for name in sample(preset_names(), 8):
        system = preset(name)
        small = resized(system, [1] * (len(system.sizes) - 1) + [2]) if not system.kinds and not system.tree else system
        cluster = cluster_of(replace(small, computing=ComputingMethod.ROOFLINE, profile=None), Nccl())
        found = shard(program, cluster, (even(len(cluster.devices)),), beside=False)
        each = [sum(column) for column in zip(*(one.flops for one in found.account.instructions), strict=True)]
        reported = step_picoseconds(found.program, found.account, cluster)
        for device, flops in zip(cluster.devices, each, strict=True):
            assert flops / device.model.peak("float32") <= min(found.account.time, reported) / PICO, name


def test_on_meshes_the_bound_holds_and_several_axes_are_priced_as_one():
    system = find_system("dgx-h100:2x2")
    alone = shard_program(step(), system, ShardingRequest(baselines=False))
    meshed = shard_program(step(), system, ShardingRequest(mesh="4,1", baselines=False))
    assert meshed.searched.account.time == alone.searched.account.time
    for batch in (4, 4096):
        both = shard_program(step(batch), system, ShardingRequest(mesh="2,2", baselines=False))
        assert both.lower_bound <= both.searched.account.time
        if batch == 4:  # replicated everywhere, which every placement can be
            assert all(each.bound <= both.searched.account.time for each in both.scope.tried)


def test_virtual_machines_divide_kernels_but_not_what_they_take_at_least():
    found = shard_program(step(), find_system("dgx-h100:2x2"), ShardingRequest(virtual="node", baselines=False))
    alone = shard_program(step(), find_system("dgx-h100:1x2"), ShardingRequest(baselines=False))
    assert found.account.time > 0
    assert found.cluster.devices[0].model.peak("float32") == 2 * alone.cluster.devices[0].model.peak("float32")


def test_the_step_of_a_cluster_priced_by_speeds_is_that_by_stages():
    cluster = cluster_of(find_system(UNLIKE), Nccl())
    found = shard(step(), cluster, (even(4),), beside=False)
    assert step_picoseconds(found.program, found.account, cluster) == found.account.time


def test_tf32_and_speeds_are_asked_for_by_name():
    system = find_system("dgx-h100:1x2")
    times = {
        name: shard_program(step(), system, request).account.time
        for name, request in {
            "roofline": ShardingRequest(),
            "tf32": ShardingRequest(tf32=True),
            "speed": ShardingRequest(speed=1e14),
        }.items()
    }
    assert times["tf32"] < times["roofline"]
    flops = 2 * (2 * 4096 * 512 * 2048) + 2 * 4096 * 512 * 2048
    assert times["speed"] >= flops / 2 / 1e14 * PICO


@pytest.mark.parametrize(
    ("operation", "attributes", "shapes", "kind", "flops", "size"),
    [
        ("matmul", (), ((8, 16), (16, 32)), "matmul", 2 * 8 * 16 * 32, 4 * (128 + 512 + 256)),
        ("matmul", (), ((2, 8, 16), (2, 16, 32)), "bmm", 2 * 2 * 8 * 16 * 32, 4 * (256 + 1024 + 512)),
        ("add", (), ((8, 16), (8, 16)), "elementwise", 128, 4 * 3 * 128),
        ("add", (), ((8, 16), (16,)), "bias", 128, 4 * (128 + 16 + 128)),
        ("sum", ((0,),), ((8, 16),), "sum_cols", 128, 4 * (128 + 16)),
        ("sum", ((1,),), ((8, 16),), "sum_rows", 128, 4 * (128 + 8)),
        ("softmax", (1,), ((8, 16),), "softmax", 5 * 128, 4 * 256),
        ("transpose", ((1, 0),), ((8, 16),), "reshape", 0, 0),
    ],
)
def test_what_a_kernel_does_by_hand(operation, attributes, shapes, kind, flops, size):
    operands = [Whole(shape, DType.F32) for shape in shapes]
    call = Call(operation, tuple(Read(f"t{number}") for number in range(len(shapes))), attributes)
    work = kernel_work(call, operands)
    assert (str(work.kind), work.flops, work.bytes) == (kind, flops, size)


def test_tables_are_read_by_the_rows_that_are_touched_and_causal_attention_does_half():
    table, index = Whole((50000, 64), DType.F32), Whole((128,), DType.I64)
    assert kernel_work(Call("embedding", (Read("t"), Read("i"))), (table, index)).bytes == 2 * 128 * 64 * 4 + 128 * 8
    for keys, part in ((64, 1.0), (128, 1.0), (1024, 0.5625)):  # blocks of 128 keys are left out whole
        q = Whole((2, 4, keys, 16), DType.F32)
        whole, causal = (
            kernel_work(Call("attention", (Read("q"), Read("k"), Read("v")), (flag,)), (q, q, q)).flops
            for flag in (0, 1)
        )
        assert whole == 4 * prod((2, 4, keys, keys, 16))
        assert causal == whole * part


def test_a_row_of_a_norm_is_all_that_it_looks_across():
    x, w = Whole((2, 4, 3, 5, 7), DType.F32), Whole((4, 3), DType.F32)
    assert kernel_work(Call("group_norm", (Read("x"), Read("w")), (1e-5,)), (x, w)).rows == 2 * 4
    assert (
        kernel_work(Call("weighted_layernorm", (Read("x"), Read("w")), (1e-5,)), (x, Whole((7,)))).rows == 2 * 4 * 3 * 5
    )
    assert kernel_work(Call("layernorm", (Read("x"),), (1, 1e-5)), (x,)).rows == 2 * 3 * 5 * 7


def test_the_three_gradients_of_attention_make_scores_once():
    q = Whole((2, 4, 64, 16), DType.F32)
    flops = [
        kernel_work(Call(f"attention_{name}_backward", tuple(map(Read, "gqkvl")), (0,)), (q, q, q, q, q)).flops
        for name in ("query", "key", "value")
    ]
    assert sum(flops) == 10 * prod((2, 4, 64, 64, 16))


def test_strided_convolutions_are_a_kind_of_their_own():
    x, w = Whole((8, 16, 32, 32), DType.F32), Whole((8, 16, 3, 3), DType.F32)
    kinds = [str(kernel_work(Call("conv2d", (Read("x"), Read("w")), (stride, 1, 1)), (x, w)).kind) for stride in (1, 2)]
    assert kinds == ["conv2d", "conv2d_strided"]


def test_models_of_several_devices_are_bounded_by_one_that_is_as_fast_in_everything():
    from p2smt.problem.system.device_model import fastest_of

    models = [device_model(name) for name in ("a100", "p100", "h100")]
    best = fastest_of(models)
    for kind in OperationKind:
        work = RooflineWork(kind=kind, dtype="float32", flops=1e10, bytes=1e8, rows=1e5)
        assert operation_seconds(best, work) <= min(operation_seconds(model, work) for model in models) + 1e-12


def test_the_time_line_of_a_step_keeps_its_dependencies_and_says_what_is_hidden():
    cluster = cluster_of(find_system("dgx-h100:1x4"), Nccl())
    found = shard(step(), cluster, (even(4),), conditions=("x sliced(0)", "parameters replicated"), beside=False)
    line = step_time_line(found.program, found.account, cluster)
    tasks = [span.task for span in line.spans]
    assert len(tasks) == len(found.account.instructions)
    for span in line.spans:
        assert all(line.spans[number].end <= span.start for number in span.task.after)
    assert line.busy(Queue.COMMUNICATION) == found.account.communication
    hidden = sum(each.beside for each in line.hidden())
    assert 0 <= hidden <= found.account.communication
    assert line.makespan >= line.busy(Queue.COMPUTING) + found.account.communication - hidden
    reads = next(number for number, task in enumerate(tasks) if task.name == "matmul dw2")
    assert {tasks[number].name for number in tasks[reads].after} >= {"relu h", "softmax y"}


ADAM = """program step
input x : f32[64, 512]
parameter w : f32[512, 512]
state m : f32[512, 512]
state v : f32[512, 512]
scalar lr
h = matmul(x, w)
loss = sum(h * h)
dw = matmul(transpose(x, 1, 0), h * 2)
m_new = update(m, m * 0.9 + dw * 0.1)
v_new = update(v, v * 0.99 + dw * dw * 0.01)
change = m_new / (sqrt(v_new) + 0.001)
w_new = update(w, w - lr * change)
output loss
"""


def test_the_update_of_parameters_is_one_kernel_that_moves_seven_words():
    program = parse_program(ADAM)
    cluster = cluster_of(find_system("dgx-h100:1x1"), Nccl())
    found = shard(program, cluster, (even(1),), beside=False)
    update = fused_update(found.program)
    assert update is not None
    assert update.bytes == 7 * 4 * 512 * 512 + 4
    assert update.parameters == 1
    line = step_time_line(found.program, found.account, cluster)
    assert [span.task.name for span in line.spans][-1] == "fused update"
    assert sum("update" in span.task.name for span in line.spans) == 1
    assert line.busy(Queue.COMPUTING) < found.account.time
    launches = sum(each.launch for each in found.account.instructions if each.statement not in update.statements)
    model = cluster.models[0]
    alone = launch_seconds(model, OperationKind.OPTIMIZER, "float32") * PICO
    assert step_picoseconds(found.program, found.account, cluster) == line.makespan != found.account.time
    assert line.host == pytest.approx(model.in_step * (launches + alone), abs=len(line.spans))
    assert fused_update(parse_program("program p\ninput x : f32[4]\ny = x * 2\noutput y\n")) is None
