"""HAP's loop beside the vertices: its linear program, what it ends with, and the pair that is kept."""

import json
import random
from fractions import Fraction

import pytest
from command_line import output
from spmd.joint_problems import cluster
from tensor.random_programs import single_program

from p2smt.spmd.devices.shares import even, given, proportional, vertices
from p2smt.spmd.search.alternation import alternate
from p2smt.spmd.search.ratios import best_ratios
from p2smt.spmd.search.sharding import shard
from p2smt.tensor.text.parser import parse_program

pytest.importorskip("scipy")

ROUNDED = """program rounded
input x : f32[3, 64]
input z : f32[1, 3200]
parameter w : f32[64, 64]
p = softmax(z, 1)
y = matmul(x, w)
output p
output y
"""
LONG = ROUNDED.replace("f32[3, 64]", "f32[3000, 64]").replace("3200", "3200000")
FORCED = ("x sliced(0)", "w replicated", "y replicated")
SPEEDS = (2 * 10**6, 10**6)


def test_the_loop_ends_worse_than_its_own_best_pair_and_ours_does_not():
    """Rows of x are 3, devices of speeds 2 and 1: 2 rows and 1 are in proportion. F = 16,000 operations that all do, W
    = 24,576 that are cut, and a gather of the largest part: the linear program equals (F + W b) / 2 and F + W (1 - b),
    b = 2/3 + F / 3W = 0.88, while rounded it is 3 rows and none. In milliseconds the first pair takes (F + W / 3) / 1
    + 14.7 * 2/3 = 24.2 + 9.8, the last (F + W) / 2 + 14.7 = 20.3 + 14.7."""
    program, machines = parse_program(ROUNDED), cluster(SPEEDS, 19_200_000)
    loop = alternate(program, machines, conditions=FORCED)
    assert [pair.shares.name for pair in loop.pairs] == ["proportional", "round 1 of the loop"]
    assert float(loop.pairs[1].shares.parts[0]) == pytest.approx(2 / 3 + 16_000 / (3 * 24_576), abs=1e-4)
    assert [pair.account.time for pair in loop.pairs] == [34_022_400_000, 35_033_600_000]
    assert loop.repeats == 1
    assert loop.last.account.time > loop.best.account.time
    ours = shard(program, machines, vertices(SPEEDS), conditions=FORCED, beside=False)
    kept = shard(program, machines, loop.shares, conditions=FORCED, beside=False)
    assert ours.account.time == kept.account.time == loop.best.account.time


def test_ratios_are_those_of_which_none_around_is_better():
    """Of 1000 ratios the best of the program as it is emitted and priced, on rows so many that rounding is nothing."""
    program, unit = parse_program(LONG), 19_200
    machines = cluster(SPEEDS, unit)

    def priced(ratio):
        shares = given((Fraction(ratio, 1000), Fraction(1000 - ratio, 1000)))
        return shard(program, machines, (shares,), conditions=FORCED, beside=False)

    first = priced(667)
    found = best_ratios(first.program, first.account, first.shares, machines)
    times = {ratio: priced(ratio).account.time for ratio in range(500, 1000, 20)}
    best = priced(round(1000 * found[0])).account.time
    assert best <= min(times.values()) * 1.001
    assert best < 0.9 * times[500]


def test_memory_bounds_the_share_of_the_device_that_has_little():
    """x takes 768,000 bytes and is cut; the rest is whole. The fast device has room for half of x."""
    text = LONG.replace("3200000", "32")
    whole = (32 + 64 * 64) * 4
    machines = cluster(SPEEDS, 1)
    free = shard(parse_program(text), machines, (proportional(SPEEDS),), conditions=FORCED, beside=False)
    assert best_ratios(free.program, free.account, free.shares, machines)[0] > 0.6
    tight = cluster(SPEEDS, 1, memory=whole + (768_000 // 2))
    assert best_ratios(free.program, free.account, free.shares, tight) == pytest.approx((0.5, 0.5))


def test_the_kept_pair_is_never_slower_than_the_loops_first_or_last():
    rng = random.Random(3)
    for _ in range(6):
        speeds = tuple(rng.choice((10**5, 10**6, 3 * 10**6)) for _ in range(rng.randint(2, 4)))
        machines = cluster(speeds, rng.choice((1, 100, 10**4)))
        program = single_program(rng)
        loop = alternate(program, machines)
        kept = shard(program, machines, loop.shares, beside=False)
        assert kept.account.time <= min(pair.account.time for pair in loop.pairs)
        assert all(sum(pair.shares.parts) == 1 for pair in loop.pairs)


def test_devices_that_are_alike_stay_with_even_shares():
    loop = alternate(parse_program(ROUNDED), cluster((10**6,) * 3, 1000))
    assert {pair.shares.parts for pair in loop.pairs} == {even(3).parts}


def test_the_command_tries_the_shares_of_the_loop(tmp_path, capsys):
    path = tmp_path / "rounded.tp"
    path.write_text(LONG, encoding="utf-8")
    asked = ["shard", str(path), "--system", "hap-a100-p100", "--shares", "alternate", "--json"]
    names = [one["name"] for one in json.loads(output(asked, capsys))["candidates"]]
    assert names[0] == "proportional"
