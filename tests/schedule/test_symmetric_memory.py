"""Products and collectives as one operation of symmetric memory: which loops have one, and when it is priced."""

from dataclasses import replace

import pytest
from paths import ROOT
from schedule.equality import checked
from tiers import sample

from p2smt.cost.network.backend import Gloo, Nccl
from p2smt.problem.system.file import read_system, resized
from p2smt.problem.system.text import find_system
from p2smt.schedule.check import on_ranks
from p2smt.schedule.cost.estimate import estimate
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.cost.pipelined import pipelined_time
from p2smt.schedule.cost.pricer import Pricer
from p2smt.schedule.cost.stage import Stage
from p2smt.schedule.cost.time_line import time_line
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.symmetric_memory import PipelinedPair, pipelined_pair
from p2smt.schedule.text.parser import parse_schedule
from p2smt.schedule.tuner.bound import least_seconds
from p2smt.tensor.text.parser import parse_program

TAIL = """program tail
size B = {B}, S = 1024, K = {K}, H = {H}
parameter w : f16[K, H] sliced(0)
parameter b : f16[H]
input in : f16[B, S, K] sliced(2)
input r : f16[B, S, H]
layer = matmul(in, w)
sum = AllReduce(layer)
d = dropout(sum + b, 0.1, seed=3)
out = d + r
output out
"""
MOVED = "rs, ag = split sum rs-ag dim 2\nsd, so, ao = reorder ag past d, out\n"
FUSED = f"{MOVED}f = fuse rs, sd, so, ao\n"
OVERLAPPED = f"{FUSED}overlap layer, f chunks 8 dim 1\n"
SCATTERED = """program scattered
size S = {S}, K = {K}, H = {H}
parameter w : bf16[K, H] sliced(0)
input x : bf16[S, K] sliced(1)
y = matmul(x, w)
z = ReduceScatter(y, 0)
output z
"""
GATHERED = """program gathered
size S = {S}, K = {K}, H = {H}
parameter w : bf16[K, H] sliced(1)
input x : bf16[S, K] sliced(0)
g = AllGather(x, 0)
y = matmul(g, w)
output y
"""


def dgx2():
    """One node of the paper's cluster."""
    return resized(read_system(ROOT / "scripts" / "dgx-2.toml"), [1, 16])


def scheduled(text, steps, ranks):
    return checked(text, parse_schedule(steps), ranks).scheduled


def seconds(text, steps, ranks, machine):
    return estimate(scheduled(text, steps, ranks), machine).seconds


@pytest.mark.parametrize(("K", "B"), sample([(3072, 8), (12288, 16), (3072, 16), (12288, 8)], 2))
def test_schedules_on_one_dgx_2_have_the_order_of_the_paper(K, B):  # noqa: N803
    """CoCoNet, figure 7, attention and MLP over Megatron-LM: computation fused 1.05 to 1.1, RS-C-AG 1.15 to 1.29,
    overlapped and fused 1.42 to 1.70. Calls on chunks alone gave 0.78 to 1.17 for the last, behind the others."""
    text = TAIL.format(B=B, K=K, H=3072)
    machine = Machine.of(dgx2(), 1.1e14)
    plain = seconds(text, "", 16, machine)
    steps = ("c = fuse d, out\n", f"{MOVED}c = fuse sd, so\n", FUSED, OVERLAPPED)
    gains = [plain / seconds(text, each, 16, machine) for each in steps]
    assert gains == sorted(gains)
    assert gains[0] > 1
    assert 1.15 < gains[1] < 1.30
    assert 1.38 < gains[3] < 1.70


LLAMA = {"8B": (16384, 4096, 6144, 14336), "70B": (8192, 8192, 10240, 28672)}
"""Tokens, hidden size, width of the projections to queries, keys and values, and of the feed-forward layer."""


@pytest.mark.parametrize("model", sample(list(LLAMA), 1))
def test_products_of_a_llama_step_on_eight_h100_gain_as_published(model):
    """Async tensor parallelism, a node of eight H100: 1.05 to 1.15 for whole steps (TorchTitan). Here the four products
    of a layer, three times (forward, backward by inputs and by weights), and their collectives, twice, without
    attention and norms; those make the gain of a whole step smaller. Calls on chunks gain less, or lose."""
    tokens, hidden, projected, wide = LLAMA[model]
    machine = Machine.priced(find_system("dgx-h100:1x8"), None, Nccl(), dtype="bfloat16")
    plain = pipelined = called = products = 0.0
    for text, size, width in (
        (GATHERED, hidden, projected),
        (SCATTERED, hidden, hidden),
        (GATHERED, hidden, 2 * wide),
        (SCATTERED, wide, hidden),
    ):
        program = text.format(S=tokens, K=size, H=width)
        steps = "overlap g, y chunks 8 dim 0" if text is GATHERED else "overlap y, z chunks 8 dim 0"
        units = estimate(scheduled(program, "", 8), machine).units
        loop = scheduled(program, steps, 8)
        products += next(unit.seconds for unit in units if unit.name == "y")
        plain += sum(unit.seconds for unit in units)
        pipelined += estimate(loop, machine).seconds
        called += estimate(loop, replace(machine, symmetric=False)).seconds
    whole = products + 2 * plain
    assert pipelined < min(called, plain)
    assert 1.05 < whole / (products + 2 * pipelined) < 1.2


def test_the_recurrence_is_two_streams_with_signals():
    """Events of both streams, one after the other: a block is copied when it is computed and the one before is sent."""
    machine = Machine.of(dgx2(), 1e14)
    made = on_ranks(parse_program(SCATTERED.format(S=1600, K=160, H=320)), 16)
    pricer = Pricer(ScheduledProgram(made), machine)
    along = pricer._along(made.statements[1].expression)
    product = Stage("product", 3e-6, 160e-6, {"computation": 160e-6}, 3e-6)
    held = 1600 * 320 * 2
    found = pipelined_time(product, made.statements[1].expression.conversion, [held] * 16, along, machine, 3.4e-6)
    copied = held * 15 / 16 / 135e9
    computed = sent = 0.0
    for _ in range(16):
        computed += 3e-6 + 160e-6 / 16
        sent = max(computed, sent) + 3.4e-6 + copied / 16
    adding = (held + held / 16) / 810e9
    assert found.seconds == pytest.approx(machine.cost.system.network.launch + sent + adding, rel=1e-9)


def test_pairs_are_found_where_one_operation_carries_them_out():
    fused = scheduled(TAIL.format(B=2, K=32, H=16), OVERLAPPED, 4)
    assert pipelined_pair(fused, fused.loops[0]) == PipelinedPair("layer", "rs", ("sd", "so", "ao"))
    gathered = scheduled(GATHERED.format(S=64, K=32, H=16), "overlap g, y chunks 2 dim 0", 4)
    assert pipelined_pair(gathered, gathered.loops[0]) == PipelinedPair("y", "g", ())
    uneven = scheduled(GATHERED.format(S=66, K=32, H=16), "overlap g, y chunks 2 dim 0", 4)
    assert pipelined_pair(uneven, uneven.loops[0]) is None
    reduced = scheduled(TAIL.format(B=2, K=32, H=16), "overlap layer, sum chunks 2 dim 1", 4)
    assert pipelined_pair(reduced, reduced.loops[0]) is None


def test_devices_share_memory_inside_machines_over_nvlink_with_nccl():
    text = SCATTERED.format(S=8192, K=8192, H=8192)
    loop = scheduled(text, "overlap y, z chunks 8 dim 0", 8)

    def way(machine):
        return estimate(loop, machine).units[0].way

    one = find_system("dgx-h100:1x8")
    assert way(Machine.of(one, 1e15)) == "symmetric memory: y with z, started once"
    for other in (find_system("dgx-h100:2x4"), find_system("mi300x:1x8"), find_system("l40s-pcie:1x8")):
        assert way(Machine.of(other, 1e15)).startswith("8 chunks: ")
    assert way(Machine.of(find_system("lab:1x8"), backend=Gloo())).startswith("8 chunks: ")
    assert way(replace(Machine.of(one, 1e15), symmetric=False)).startswith("8 chunks: ")
    hidden = time_line(loop, Pricer(loop, Machine.of(one, 1e15))).hiding[0]
    assert hidden.start_ups == 0
    assert hidden.seconds == estimate(loop, Machine.of(one, 1e15)).seconds


def test_the_bound_of_the_search_stays_below_what_symmetric_memory_makes_of_a_program():
    text, machine = TAIL.format(B=1, K=64, H=64), Machine.of(dgx2())
    steps = ["", *[f"{MOVED}", FUSED, OVERLAPPED]]
    found = [scheduled(text, each, 16) for each in steps]
    for number, start in enumerate(found[1:], start=1):
        bound = least_seconds(start, Pricer(start, machine))
        assert all(bound <= estimate(later, machine).seconds for later in found[number:])
