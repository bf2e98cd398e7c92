"""Segments with shares of their own: where values belong, what goes over borders, and where it is worth it."""

import json
import random
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from command_line import output, refused
from looped import looped
from spmd.joint_problems import cluster
from spmd.test_programs import is_right
from spmd.training import apart
from tensor.random_programs import single_program
from tiers import is_full

import p2smt.tensor
from p2smt.cli.main import run
from p2smt.spmd.account.instructions import account
from p2smt.spmd.devices.shares import even, proportional, vertices
from p2smt.spmd.emission.emission import emit
from p2smt.spmd.engines.certificate_check import check_certificate
from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.engines.engine import EngineOptions, ShardingEngine
from p2smt.spmd.engines.ilp import solve
from p2smt.spmd.model.build import build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.search.segments.borders import with_borders
from p2smt.spmd.search.segments.choice import parse_segments
from p2smt.spmd.search.segments.loop import best_pair, segment_loop
from p2smt.spmd.search.segments.minimum_cut import Tensors, first_part, sides
from p2smt.spmd.search.segments.partition import spread
from p2smt.spmd.search.segments.pricing import segmented_pricing
from p2smt.spmd.search.segments.sharding import shard_in_segments
from p2smt.tensor.expression import Convert
from p2smt.tensor.layout import Sliced
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.verification.check import verify_program
from p2smt.verify.verdict import Proved

STEP = Path(p2smt.tensor.__file__).parent / "examples" / "mlp_step.tp"
DATA = Path(__file__).parents[1] / "data"

APART = """program apart
input x : f32[60, 1000]
parameter w1 : f32[1000, 8]
parameter w2 : f32[8, 4000]
y = matmul(x, w1)
s = sum(y, 0)
u = matmul(reshape(s, 1, 8), w2)
output u
"""
FORCED = ("x sliced(0)", "w1 replicated", "w2 sliced(1)", "u replicated")
SPEEDS = (2 * 10**6, 10**6)
UNIT = 10**8


def test_values_of_a_step_are_in_the_segment_of_their_layer():
    graph = graph_of(parse_program(STEP.read_text(encoding="utf-8")))
    partition = parse_segments("layers", graph)
    first, second = (
        [
            name
            for name, number in graph.named.items()
            if partition.of[number] == segment and graph.tensors[number].shape
        ]
        for segment in range(2)
    )
    assert set(first) == {"x", "w1", "b1", "v1", "h", "a", "dh", "dw1", "db1", "v1_new", "w1_new", "b1_new"}
    assert set(second) == {"y", "w2", "b2", "v2", "z", "dz", "dw2", "db2", "da", "v2_new", "w2_new", "b2_new"}
    assert parse_segments("w1,b1/w2,b2", graph) == partition


@pytest.mark.parametrize("text", ["w1/w2", "layers", "2"])
def test_all_versions_of_a_state_are_in_its_segment(text):
    """A state that the first layer reads, and that the second one's result replaces twice."""
    graph = graph_of(
        parse_program("""program versions
input x : f32[4, 4]
parameter w1 : f32[4, 4]
parameter w2 : f32[4, 4]
state s : f32[4, 4]
a = matmul(x * s, w1)
b = matmul(a, w2)
t = update(s, b)
u = update(t, t + b)
w3 = update(w1, w1 * 2)
loss = sum(b)
output loss
""")
    )
    partition = parse_segments(text, graph)
    segments = {name: partition.of[number] for name, number in graph.named.items()}
    assert segments["w1"] < segments["w2"]
    assert segments["s"] == segments["t"] == segments["u"]
    assert segments["w1"] == segments["w3"]


def test_layers_are_told_by_the_numbers_in_names():
    graph = graph_of(parse_program((DATA / "vgg.tp").read_text(encoding="utf-8")))
    partition = parse_segments("layers", graph)
    assert partition.count == 7
    assert partition.parameters(graph, 0) == ("features.0.weight", "features.0.bias")
    assert partition.parameters(graph, 6) == ("classifier.6.weight", "classifier.6.bias")


def test_a_cut_is_minimal_among_all_that_keep_the_balance():
    """Beside all sets of what is near the middle."""
    rng, free, differ = random.Random(4), 0, 0
    for _ in range(60):
        count, parts = rng.randint(4, 10), rng.randint(2, 3)
        work = tuple(rng.choice((0, 1, 2, 5)) for _ in range(count))
        joined = tuple(
            (rng.randint(1, 9), frozenset(rng.sample(range(count), rng.randint(2, 3)))) for _ in range(count + 3)
        )
        tensors, among, left = Tensors(work, joined), frozenset(range(count)), parts // 2
        first, last = sides(tensors, among, left, parts)
        between = sorted(among - first - last)
        assert not first & last
        assert len(first) >= left
        assert len(last) >= parts - left
        choices = [first | set(some) for size in range(len(between) + 1) for some in combinations(between, size)]
        costs = [tensors.bytes(frozenset(each), among) for each in choices]
        cut = first_part(tensors, among, left, parts)
        assert first <= cut <= among - last
        assert tensors.bytes(cut, among) == min(costs)
        free += bool(between)
        differ += len(set(costs)) > 1
    assert free > 15
    assert differ > 15


def test_balanced_segments_have_about_the_same_work():
    for layers, segments in ((8, 4), (6, 2), (6, 3)):
        text = "program deep\ninput x : f32[4, 16]\n" + "".join(
            f"parameter w{n} : f32[16, 16]\n" for n in range(layers)
        )
        text += "".join(f"y{n} = relu(matmul({f'y{n - 1}' if n else 'x'}, w{n}))\n" for n in range(layers))
        graph = graph_of(parse_program(f"{text}output y{layers - 1}\n"))
        partition, each = parse_segments(str(segments), graph), layers // segments
        for number in range(segments):
            own = range(number * each, (number + 1) * each)
            assert partition.parameters(graph, number) == tuple(f"w{n}" for n in own)


def test_each_segment_has_the_shares_that_suit_it():
    """Devices of speeds 2 and 1. The first layer computes, 960,480 operations that are cut by samples: two thirds and
    one third. The second is mostly a gather of u, 16,000 bytes, that waits for the largest part: halves. Seconds: the
    first 640,320 operations / 2e6, its sum 0.0032, the second 32,000 / 1e6 and 8000 bytes of 1e-4. One segment has
    halves in the first as well: 480,240 / 1e6."""
    program, machines = parse_program(APART), cluster(SPEEDS, UNIT)
    found = shard_in_segments(program, machines, "layers", EngineOptions(certify=True), FORCED)
    assert [float(each.shares.parts[0]) for each in found.scope.segments] == [pytest.approx(2 / 3, abs=1e-4), 0.5]
    assert found.account.time == (320_160 + 3_200 + 32_000 + 800_000) * 10**6
    name, whole = found.baselines[0]
    assert name == "one segment, even"
    assert whole.account.time == (480_240 + 3_200 + 32_000 + 800_000) * 10**6
    assert found.lower_bound <= found.account.time == min(each.account.time for each in found.candidates)
    graph = graph_of(program)
    bounds = [
        each.found.bound
        for each in segment_loop(graph, parse_segments("layers", graph), machines, EngineOptions(), FORCED)
    ]
    assert len(set(bounds)) > 1
    assert found.lower_bound == min(bounds)
    is_right(found.program, program)
    assert isinstance(verify_program(found.program, program), Proved)


def test_of_the_loops_pairs_one_that_fits_comes_before_a_faster_one_that_does_not():
    graph, room = graph_of(parse_program(APART)), 10**9
    one = segment_loop(graph, parse_segments("layers", graph), cluster(SPEEDS, UNIT, room), EngineOptions(), FORCED)[0]

    def pair(time, bytes):
        candidate = one.made.candidate
        taken = replace(candidate.account, stages=(time,), memory=(bytes,) * 2)
        made = replace(one.made, candidate=replace(candidate, account=taken))
        return replace(one, found=replace(one.found, fastest=made))

    large, slow, fast = pair(3, room + 1), pair(5, room), pair(4, room)
    assert best_pair((large, slow)) is slow
    assert best_pair((large, slow, fast)) is fast
    assert best_pair((pair(5, room + 1), large)) is large


def test_what_is_cut_on_a_border_is_exchanged_even_where_shares_agree():
    """As in the paper: that is what segments cost. A chain of products by samples has one border."""
    text = "program chain\ninput x : f32[64, 64]\nparameter w1 : f32[64, 64]\nparameter w2 : f32[64, 64]\n"
    text += "y = matmul(x, w1)\nz = matmul(y, w2)\noutput z\n"
    program, machines = parse_program(text), cluster((10**9,) * 2, 100)
    found = shard_in_segments(program, machines, "w1/w2", EngineOptions(), ("x sliced(0)", "z sliced(0)"))
    exchanges = [each for each in found.account.instructions if each.text == "Rebalance"]
    assert len(exchanges) == 1
    assert exchanges[0].time == 64 * 64 * 4 // 2 // 2 * 100
    assert found.account.time == found.baselines[0][1].account.time + exchanges[0].time
    assert isinstance(verify_program(found.program, program), Proved)


def test_random_programs_in_random_segments_cost_what_the_search_says():
    """And are right; the certificate is accepted, and HiGHS agrees."""
    pytest.importorskip("scipy")
    rng, moved, unlike = random.Random(11), 0, 0
    tried = 40 if is_full() else 20
    for number in range(tried):
        speeds = tuple(rng.choice((10**5, 10**6, 3 * 10**6)) for _ in range(rng.randint(2, 3)))
        machines = cluster(speeds, unit=rng.choice((1, 10, 10**4)))
        single = single_program(rng)
        graph = graph_of(single)
        partition = spread(graph, {node.result: rng.randrange(3) for node in graph.nodes})
        bordered, segments = with_borders(graph, partition)
        shares = tuple(rng.choice(vertices(speeds)) for _ in range(partition.count))
        pricing = segmented_pricing(bordered, classes_of(bordered), machines, segments, shares)
        sharding = build(OptionCache(pricing))
        eliminated = eliminate(sharding.problem)
        best = eliminated.answer
        assert check_certificate(sharding.problem, eliminated.certificate, best.assignment) is None
        if number % 4 == 0:
            assert solve(sharding.problem).answer.cost == best.cost
        program = emit(sharding, best.assignment)
        assert account(program, machines).apart == best.cost
        is_right(program, single)
        moved += any(isinstance(each.expression, Convert) and "exchanged" in each.name for each in program.statements)
        unlike += len({each.parts for each in shares}) > 1
    assert moved > tried / 8
    assert unlike > tried / 4


@pytest.mark.parametrize(
    ("model", "text"),
    [
        ("mlp", "layers"),
        pytest.param("vgg", "classifier.0.weight/classifier.6.weight", marks=pytest.mark.thorough),  # only larger
    ],
)
def test_a_captured_step_trains_as_on_one_device(model, text):
    pytest.importorskip("scipy")
    single = parse_program((DATA / f"{model}.tp").read_text(encoding="utf-8"))
    graph = graph_of(single)
    partition = parse_segments(text, graph)
    bordered, segments = with_borders(graph, partition)
    speeds = (3 * 10**7, 10**7)
    shares = tuple((even(2), proportional(speeds))[number % 2] for number in range(partition.count))
    pricing = segmented_pricing(bordered, classes_of(bordered), cluster(speeds), segments, shares)
    sharding = build(OptionCache(pricing))
    program = emit(sharding, eliminate(sharding.problem).answer.assignment)
    sizes = {
        each.layout.sizes for source in program.sources for each in source.layouts if isinstance(each.layout, Sliced)
    }
    assert any(len(set(each)) == 1 for each in sizes if each) or None in sizes
    assert any(len(set(each)) > 1 for each in sizes if each)
    assert isinstance(verify_program(program, single), Proved)
    assert apart(program, single) is None


@pytest.mark.thorough  # HiGHS agrees on random programs, above or below
def test_engines_agree_in_segments():
    pytest.importorskip("scipy")
    program, machines = parse_program(APART), cluster(SPEEDS, UNIT)
    found = [
        shard_in_segments(program, machines, "w1/w2", EngineOptions(engine), FORCED).account.time
        for engine in (ShardingEngine.ELIMINATION, ShardingEngine.ILP)
    ]
    assert len(set(found)) == 1


def test_the_mean_of_shares_is_weighted_by_work():
    graph = graph_of(parse_program(APART))
    partition = parse_segments("layers", graph)
    bordered, segments = with_borders(graph, partition)
    shares = (proportional(SPEEDS), even(2))
    pricing = segmented_pricing(bordered, classes_of(bordered), cluster(SPEEDS), segments, shares)
    expected = ((960_480 * shares[0].parts[0]) + (64_000 * shares[1].parts[0])) / 1_024_480
    (mean,) = pricing.shares
    assert mean.parts == (expected, 1 - expected)


HERE = ["--system", "hap-a100-p100", "--speed", "1Gflop/s"]


@pytest.mark.thorough  # the search is tested without the command
def test_the_command_writes_a_program_in_segments_that_verifies(tmp_path, capsys):
    pytest.importorskip("scipy")
    path = tmp_path / "apart.tp"
    assert run(["reproduce", "shard", str(STEP), *HERE, "--segments", "layers", "--out", str(path), "--certify"]) == 0
    text = capsys.readouterr().out
    assert "without segments a step takes" in text
    assert "(certified)" in text
    assert run(["verify", str(path), "--against", str(STEP)]) == 0
    capsys.readouterr()
    document = json.loads(output(["reproduce", "shard", str(STEP), *HERE, "--segments", "w1/w2", "--json"], capsys))
    assert [each["parameters"] for each in document["segments"]] == [["w1", "b1"], ["w2", "b2"]]
    assert all(abs(sum(each["shares"]["parts"]) - 1) < 1e-9 for each in document["segments"])
    assert document["baselines"][0]["name"].startswith("one segment, ")


@looped(
    ("arguments", "said"),
    [
        (["--segments", "some"], "segments 'some' do not parse; write layers, a number of segments from 2 to 64, or"),
        (["--segments", "1"], "1 segments are out of range; write layers, a number"),
        (["--segments", "60"], "60 segments are more than the 9 operations that the outputs of mlp_step depend on"),
        (["--segments", "w1/w3"], "segments: 'w3' is not a parameter; write layers"),
        (["--segments", "w1/w1"], "segments: w1 is named twice; a parameter is in one segment"),
        (["--segments", "w1/"], "w1/ makes one segment of mlp_step; leave --segments out, or name more parameters"),
        (
            ["--segments", "2", "--shares", "even"],
            "--segments finds the sharding ratios of each segment by linear programming; leave out --shares even",
        ),
        (
            ["--segments", "2", "--mesh", "2,2"],
            "--segments chooses sharding ratios per segment along one axis; leave out",
        ),
        (["--segments", "2", "--twice", "1"], "--segments keeps one program per round; leave out --twice"),
    ],
)
def test_a_mistake_gets_one_line(arguments, said, capsys):
    assert said in refused(["shard", str(STEP), *HERE, *arguments], capsys)
