"""Where calls take long, what has many small ones is fastest once they are joined, though a search passes it over."""

from dataclasses import dataclass

from p2smt.spmd.as_emitted import fastest_emitted
from p2smt.spmd.cluster import Cluster, Device
from p2smt.spmd.in_buckets import in_buckets
from p2smt.spmd.network import Price
from p2smt.spmd.sharding import shard
from p2smt.spmd.shares import vertices
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.way import Way

LAYERS = 6
BODY = "".join(f"y{n + 1} = tanh(matmul(y{n}, w{n}))\n" for n in range(LAYERS))
BACK = "".join(
    f"d{n} = e{n + 1} * (1 - y{n + 1} * y{n + 1})\ng{n} = matmul(transpose(y{n}, 1, 0), d{n})\n"
    f"e{n} = matmul(d{n}, transpose(w{n}, 1, 0))\n"
    for n in reversed(range(LAYERS))
)
STEP = (
    "program deep\ninput y0 : f32[256, 16]\n"
    + "".join(f"parameter w{n} : f32[16, 16]\n" for n in range(LAYERS))
    + BODY
    + f"loss = sum(y{LAYERS} * y{LAYERS})\ne{LAYERS} = y{LAYERS} * 2\n"
    + BACK
    + "".join(f"n{n} = update(w{n}, w{n} - 0.1 * g{n})\n" for n in range(LAYERS))
    + "output loss\n"
)


@dataclass(frozen=True)
class Latent:
    """Every call takes long, whatever it is of."""

    latency: int

    def all_reduce(self, count):
        return Price(self.latency + count, Way.PLAIN)

    def all_gather(self, count, parts):
        return Price(self.latency + count, Way.PADDED)

    def reduce_scatter(self, count, parts):
        return Price(self.latency + count, Way.PADDED)

    def all_to_all(self, count, before, after):
        return Price(self.latency + count, Way.EXCHANGE)


def found_on(latency):
    machines = Cluster("latent", (Device("d", 10**12),) * 2, Latent(latency))
    return machines, shard(parse_program(STEP), machines, vertices(machines.speeds))


def test_data_parallelism_is_fastest_in_buckets_where_calls_alone_take_too_long():
    computing = found_on(10**12)[1].account.time
    machines, found = found_on(computing // (2 * LAYERS))
    made = fastest_emitted(found)
    emitted = in_buckets(made.program, machines)
    assert len([each for each in emitted.instructions if each.way is not None]) == 1
    assert emitted.time < in_buckets(found.program, machines).time
    assert made.account.time >= found.account.time
    assert made.program in [each.program for _, each in found.baselines]


def test_what_keeps_no_conditions_is_left_out():
    _, found = found_on(1000)
    assert fastest_emitted(found, baselines=False).program in [
        found.program,
        *(each.program for each in found.candidates),
    ]
