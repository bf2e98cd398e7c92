"""Where calls take long, what has many small ones is fastest once they are joined, though a search passes it over."""

from dataclasses import dataclass, replace
from functools import cache

from spmd.deep_program import deep
from tiers import is_full, sample

from p2smt.spmd.account.in_buckets import in_buckets
from p2smt.spmd.devices.cluster import Cluster, Device, capped
from p2smt.spmd.devices.network import CollectivePrice
from p2smt.spmd.devices.shares import even, vertices
from p2smt.spmd.emission.whole_outputs import with_whole_outputs
from p2smt.spmd.search.as_emitted import as_emitted
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.buckets import BUCKET
from p2smt.tensor.layout import Replicated, Sliced
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.way import Way

LAYERS = 6 if is_full() else 3
DEEP = deep(LAYERS)


@dataclass(frozen=True)
class Latent:
    """Every call takes long, whatever it is of."""

    latency: int

    def all_reduce(self, count):
        return CollectivePrice(self.latency + count, Way.PLAIN)

    def all_gather(self, count, parts):
        return CollectivePrice(self.latency + count, Way.PADDED)

    def reduce_scatter(self, count, parts):
        return CollectivePrice(self.latency + count, Way.PADDED)

    def all_to_all(self, count, before, after):
        return CollectivePrice(self.latency + count, Way.EXCHANGE)


@cache
def found_on(latency):
    machines = Cluster("latent", (Device("d", 10**12),) * 2, Latent(latency))
    return machines, shard(parse_program(DEEP), machines, vertices(machines.speeds))


def test_data_parallelism_is_fastest_in_buckets_where_calls_alone_take_too_long():
    computing = found_on(10**12)[1].account.time
    machines, found = found_on(computing // (2 * LAYERS))
    made = as_emitted(found)
    assert made.account == in_buckets(made.program, machines)
    assert (made.joined, len([each for each in made.account.instructions if each.way is not None])) == (1, 1)
    assert made.account.time < in_buckets(with_whole_outputs(found.program), machines).time
    assert made.program in [with_whole_outputs(each.program) for _, each in found.baselines]
    assert (made.meaning, made.buckets) == (("data",), BUCKET)
    assert {layouts for name, layouts in made.stored if name.startswith("w")} == {(Replicated(),)}
    assert dict(made.stored)["y0"] == (Sliced(0),)


def test_the_bound_stays_that_of_the_search_whose_answer_is_kept():
    _, found = found_on(found_on(10**12)[1].account.time // (2 * LAYERS))
    made = as_emitted(found)
    assert made.searched == found.answer
    assert (made.lower_bound, made.proved, made.gap) == (found.lower_bound, found.proved, found.gap)
    assert made.account.time < made.lower_bound, "it is not of programs in buckets"
    assert [each.program for each in made.candidates] == [with_whole_outputs(each.program) for each in found.candidates]
    assert min(each.account.time for _, each in made.baselines) == made.account.time


def test_without_buckets_it_is_what_was_searched():
    machines, found = found_on(found_on(10**12)[1].account.time // (2 * LAYERS))
    assert as_emitted(found, 0) is found
    one = 16 * 16 * 4
    small = as_emitted(found, one)
    assert (small.joined, small.buckets) == (0, one), "two gradients are too large"
    assert small.account == in_buckets(small.program, machines, one)


def test_a_call_for_the_loss_counts():
    """What a search counts nothing for, the sum of a loss, takes longer here than all that it saves."""
    machines, found = found_on(found_on(10**12)[1].account.time // (2 * LAYERS))
    alike = dict(found.baselines)["every device does everything"]
    summed = in_buckets(with_whole_outputs(found.program), machines, 1)
    assert found.account.time < alike.account.time < summed.time
    assert as_emitted(found, 1).program == alike.program


def test_what_fits_comes_first_whatever_the_cap():
    """Caps are what the programs hold: under each the answer is the fastest of those that fit."""
    machines, found = found_on(10**13)
    everything = as_emitted(found)
    peaks = {max(each.account.memory) for _, each in everything.baselines}
    assert max(everything.account.memory) > min(peaks)
    for cap in sample(sorted(peaks), 2):
        made = as_emitted(replace(found, cluster=capped(machines, cap)))
        accounts = [each.account for each in (*made.candidates, *(each for _, each in made.baselines))]
        least = min(each.time for each in accounts if max(each.memory) <= cap)
        assert (max(made.account.memory) <= cap, made.account.time) == (True, least)


def test_what_keeps_no_conditions_is_left_out():
    _, found = found_on(1000)
    searched = [found.program, *(each.program for each in found.candidates)]
    whole = [with_whole_outputs(program) for program in searched]
    assert as_emitted(found, baselines=False).program in whole
    assert as_emitted(found, conditions=["w0 replicated"]).program in whole, "comparable with an answer without it"
    assert as_emitted(found, conditions=["loss partial"]).program in searched


def test_baselines_with_shares_that_were_not_asked_for_are_no_answer():
    """Data parallelism on one device of two is faster by far in proportion; even shares were asked for."""
    machines = Cluster("latent", (Device("d", 10**12), Device("slow", 10**10)), Latent(0))
    program = parse_program(DEEP)
    made = as_emitted(shard(program, machines, (even(2),)))
    asked = {name: each.account.time for name, each in made.baselines}
    assert asked["data parallel, proportional"] < made.account.time
    assert made.shares.name == "even"


def test_strategies_that_keep_conditions_are_among_what_is_chosen_from():
    """Parameters in parts are gathered and their gradients scattered, one call each, where single calls take long."""
    machines = found_on(found_on(10**12)[1].account.time // (2 * LAYERS))[0]
    conditions = ["parameters sliced(0)"]
    found = shard(parse_program(DEEP), machines, vertices(machines.speeds), conditions=conditions)
    made = as_emitted(found, conditions=conditions)
    assert made.program in [with_whole_outputs(each.program) for each in found.keeping]
    assert made.account.time < in_buckets(with_whole_outputs(found.program), machines).time
    assert {layouts for name, layouts in made.stored if name.startswith("w")} == {(Sliced(0),)}
    assert dict(made.stored)["y0"] == (Sliced(0),)
