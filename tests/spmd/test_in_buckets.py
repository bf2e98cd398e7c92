"""What collectives take in buckets: one call each, never more than apart by prices, and one way for all of a bucket."""

import random

from looped import looped
from spmd.joint_problems import cluster
from tiers import is_full

from p2smt.cost.network.backend import Gloo, Nccl
from p2smt.problem.system.text import find_system
from p2smt.spmd.account.in_buckets import best_bucket, in_buckets
from p2smt.spmd.account.instructions import account
from p2smt.spmd.account.ways import carried
from p2smt.spmd.devices.cluster import Cluster, Device
from p2smt.spmd.devices.network import CollectivePrice
from p2smt.spmd.devices.parts import ConvertedTensor, MeshRanks
from p2smt.spmd.devices.system import cluster_of
from p2smt.tensor.buckets import bucketed
from p2smt.tensor.layout import Partial, Replicated, Sliced
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.way import Way

STEP = """program step
mesh device=2
input x : f32[64, 8] sliced(0)
parameter v : f32[8, 6]
parameter w : f32[6, 4] sliced(0)
parameter b : f32[4] sliced(0, sizes=3/1)
whole = AllGather(w, 0)
bias = AllGather(b, 0)
h = matmul(x, v)
y = matmul(h, whole) + bias
loss = AllReduce(sum(y * y))
gw = ReduceScatter(matmul(transpose(h, 1, 0), y), 0)
gv = AllReduce(matmul(transpose(x, 1, 0), matmul(y, transpose(whole, 1, 0))))
gb = ReduceScatter(sum(y, 0), 0, sizes=3/1)
w_new = update(w, w - gw)
v_new = update(v, v - gv)
b_new = update(b, b - gb)
output loss
"""


def sent(found):
    return {each.bucket or (each.statement,): each.bytes for each in found.instructions if each.way is not None}


def test_a_bucket_is_one_call_of_all_its_bytes():
    machines, program = cluster((10**9,) * 2, unit=7), parse_program(STEP)
    together = in_buckets(program, machines)
    assert sent(together) == {("whole", "bias"): 112, ("loss", "gv"): 196, ("gw", "gb"): 112}
    times = {each.bucket: each.time for each in together.instructions if each.way is not None}
    assert times["loss", "gv"] == machines.network.all_reduce(196).time
    held = [(12 + 3) / 28, (12 + 1) / 28]  # of w and b
    assert times["whole", "bias"] == machines.network.all_gather(112, held).time
    assert in_buckets(program, machines, 0) == account(program, machines)
    made = bucketed(program)
    assert made.program.statements != program.statements
    assert together == account(made.program, machines, buckets=made.buckets)
    assert in_buckets(program, machines, 111).communication == account(program, machines).communication


def test_ways_are_those_of_whole_buckets():
    machines = cluster_of(find_system("hap-a100-p100"), Nccl())
    program = parse_program(STEP.replace("device=2", "device=4").replace("sizes=3/1", "sizes=2/0/1/1"))
    found = carried(program, machines)
    assert found.buckets > 0
    assert found.ways.keys() == {"whole", "bias", "loss", "gw", "gv", "gb"}
    assert found.ways["whole"] == found.ways["bias"]
    assert found.ways["loss"] is Way.PLAIN


class Bowed:
    """A network on which a large tensor takes more than its parts, as one may that was measured."""

    def all_reduce(self, count):
        return CollectivePrice(count**2, Way.PLAIN)

    def all_gather(self, count, parts):
        return CollectivePrice(count**2, Way.PADDED)

    reduce_scatter = all_gather


def test_there_are_no_buckets_where_they_take_longer_or_do_not_fit():
    program = parse_program(STEP)
    device = Device("d", 10**15)
    assert best_bucket(program, Cluster("bowed", (device,) * 2, Bowed())) == 0
    machines = cluster((10**9,) * 2, unit=7)
    assert best_bucket(program, machines) > 0
    apart, together = account(program, machines).memory, in_buckets(program, machines).memory
    assert together[0] > apart[0], "summands wait for each other"

    def with_memory(size):
        return Cluster("small", tuple(Device("d", 10**9, size) for _ in range(2)), machines.network)

    assert best_bucket(program, with_memory(max(together))) > 0
    assert best_bucket(program, with_memory(max(apart))) == 0
    assert best_bucket(program, with_memory(1)) > 0, "it does not fit anyhow"


@looped("system", ["hap-a100-p100", "hap-v100-p100", "dgx-h100:2x4", "lab:2x2", "lab:2x2@0.5/0.25"])
@looped("backend", [Nccl(), Gloo()])
def test_tensors_that_are_cut_in_the_same_parts_never_take_longer_together(system, backend):
    """Of unlike parts one may be better off padded and another as broadcasts."""
    machines = cluster_of(find_system(system), backend)
    count = len(machines.devices)
    ranks, rng = MeshRanks((count,)), random.Random(0)
    for _ in range(40 if is_full() else 15):
        before, after = rng.choice([(Partial(), Replicated()), (None, Replicated()), (Partial(), None)])
        parts, tensors = [rng.choice([1, 2, 7, 50]) for _ in range(count)], []
        for _ in range(rng.randint(2, 5)):
            scale = rng.choice([1, 300])
            lengths = tuple(part * scale for part in parts)
            cut, shape = Sliced(0, lengths), (sum(lengths), rng.choice([1, 30, 900]))
            tensors.append(ConvertedTensor((before or cut,), (after or cut,), shape, 4))
        apart = [ranks.price_together(machines.network, (each,), 0).time for each in tensors]
        assert ranks.price_together(machines.network, tensors, 0).time <= sum(apart) + len(apart)
