"""What nccl-tests prints, read back: tables of several versions, JSON, groups, and what is refused."""

import json
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2smt.cost.algorithm import Algorithm
from p2smt.cost.calibration.nccl_groups import Cut, Split, split_of, split_pattern
from p2smt.cost.calibration.nccl_json import read_nccl_json
from p2smt.cost.calibration.nccl_text import read_nccl_text
from p2smt.cost.network_cost import Work
from p2smt.cost.pattern import Role
from p2smt.errors import P2Error
from p2smt.placement.digits import join
from p2smt.problem.network import Level
from p2smt.problem.system import default_system
from p2smt.program.collective import Collective

SYSTEM = default_system([Level("node", 2), Level("gpu", 4)])
HEADING = """#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
"""
ROWS = """\
        1024           256     float     sum      -1    23.10    0.04    0.08      0    22.80    0.04    0.08      0
  1073741824     268435456     float     sum      -1   9000.5  119.30  208.78    N/A   8999.1  119.32  208.81    N/A
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 104.4
"""
OLD = """\
#                                                     out-of-place                       in-place
#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error
#        (B)    (elements)                     (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
           8             2   float     sum    59.98    0.00    0.00  2e-07    56.81    0.00    0.00  1e-07
    33554432       8388608   float     sum   1200.0   27.96   48.93  5e-07   1190.1   28.19   49.34  5e-07
"""
WHOLE = {"all_reduce_perf": Collective.ALL_REDUCE, "all_gather_perf": Collective.ALL_GATHER,
         "reduce_scatter_perf": Collective.REDUCE_SCATTER, "broadcast_perf": Collective.BROADCAST,
         "reduce_perf": Collective.REDUCE}  # fmt: skip


def devices(groups):
    return "# Using devices\n" + "".join(
        f"#  Rank {rank:2} Group {group:2} Pid {4000 + rank} on host{rank // 4} device {rank % 4} [0x07] NVIDIA A100\n"
        for rank, group in enumerate(groups)
    )


def table(groups=(0,) * 8, start="# Collective test starting: all_reduce_perf\n", rows=ROWS):
    return (
        "# nThread 1 nGpus 1 minBytes 1024 maxBytes 1073741824 step: 8(factor)\n"
        + start
        + devices(groups)
        + HEADING
        + rows
    )


def read(text, collective=None):
    return read_nccl_text(text, "out.txt", SYSTEM, Algorithm.RING, collective)


def only_work(measurement):
    (work,) = measurement.works
    assert isinstance(work, Work)
    return work


def test_a_table_of_today():
    first, last = read(table())
    assert (first.place, last.place) == ("out.txt line 16", "out.txt line 17")
    assert first.group == "AllReduce all ring"
    assert (first.seconds, last.seconds) == pytest.approx((23.1e-6, 9000.5e-6))
    assert first.sizes == (2, 4)
    assert only_work(last) == Work(Collective.ALL_REDUCE, only_work(first).pattern, 1073741824.0)
    assert only_work(first).pattern.levels == (((Role.VARYING, 2),), ((Role.VARYING, 4),))


def test_a_table_of_old():
    ranks = (f"#   Rank  {r} Pid  23638 on ip-10-0-26-117 device  {r} [0x00] Tesla V100\n" for r in range(8))
    text = "# nThread 1 nGpus 8 minBytes 8 maxBytes 4294967296 step: 2(factor) validation: 1\n" + "".join(ranks) + OLD
    first, last = read(text, Collective.ALL_REDUCE)
    assert (first.seconds, only_work(last).held) == (pytest.approx(59.98e-6), 33554432.0)


@pytest.mark.parametrize(("program", "collective"), WHOLE.items())
def test_every_collective_and_what_it_holds(program, collective):
    last = read(table(start=f"# Collective test starting: {program}\n"))[-1]
    held = 1073741824 / 8 if collective is Collective.ALL_GATHER else 1073741824
    assert (only_work(last).collective, only_work(last).held) == (collective, held)


def test_the_collective_from_the_columns():
    rows = ROWS.replace("    sum      -1", "    sum       0")
    assert only_work(read(table(start="", rows=rows))[0]).collective is Collective.REDUCE
    rows = ROWS.replace("     sum      -1", "    none       0")
    assert only_work(read(table(start="", rows=rows))[0]).collective is Collective.BROADCAST


def test_stamps_colours_and_more_columns():
    rows = (
        "2026-07-01 12:00:00 "
        + ROWS.splitlines()[0].strip()
        + " 1 2 3 4\n\x1b[32m"
        + ROWS.splitlines()[1]
        + "\x1b[0m\n"
    )
    assert [one.seconds for one in read(table(rows=rows))] == pytest.approx([23.1e-6, 9000.5e-6])


def test_two_tables_in_one_file():
    text = table() + table([rank // 4 for rank in range(8)], "# Collective test starting: reduce_perf\n")
    assert [one.group for one in read(text)] == ["AllReduce all ring"] * 2 + ["Reduce DIV 4 ring"] * 2


def document(**changes):
    whole = {
        "version": 3,
        "args": ["./build/all_reduce_perf", "-b", "1K"],
        "env": {"NCCL_ALGO": "Tree"},
        "config": {"new": "key"},
        "devices": [{"rank": r, "group": r % 4, "hostname": f"h{r // 4}", "device": r % 4} for r in range(8)],
        "results": [{"size": 4096, "count": 1024, "type": "float", "redop": "sum", "root": -1,
                     "out_of_place": {"time": 30.5, "alg_bw": 0.1}, "in_place": {"time": 31.0}}],
    }  # fmt: skip
    return json.dumps(whole | changes).encode()


def test_a_json_document():
    (one,) = read_nccl_json(document(), "out.json", SYSTEM, Algorithm.RING)
    assert (one.place, one.group) == ("out.json results[0]", "AllReduce MOD 4 tree")
    assert (one.algorithm, one.seconds) == (Algorithm.TREE, pytest.approx(30.5e-6))
    assert only_work(one).pattern.levels == (((Role.VARYING, 2),), ((Role.FREE, 4),))
    (other,) = read_nccl_json(document(env=["NCCL_ALGO=ring"]), "out.json", SYSTEM, Algorithm.TREE)
    assert other.algorithm is Algorithm.RING


@st.composite
def cut_systems(draw):
    sizes = draw(st.lists(st.integers(1, 6), min_size=1, max_size=3).filter(lambda found: 2 <= prod(found) <= 144))
    level = draw(st.integers(0, len(sizes) - 1))
    part = draw(st.sampled_from([part for part in range(1, sizes[level] + 1) if sizes[level] % part == 0]))
    k = part * prod(sizes[level + 1 :])
    cut = draw(st.sampled_from(list(Cut)))
    return sizes, Split(cut, k)


@given(cut_systems())
def test_patterns_are_the_groups_of_div_and_mod(case):
    sizes, split = case
    devices = prod(sizes)
    system = default_system([Level(f"l{number}", size) for number, size in enumerate(sizes)])
    number = (lambda rank: rank // split.k) if split.cut is Cut.DIV else (lambda rank: rank % split.k)
    wanted = {
        frozenset(r for r in range(devices) if number(r) == group) for group in {number(r) for r in range(devices)}
    }
    pattern = split_pattern(split, system, "a.txt")
    free, varying = ([join(p, pattern.sizes) for p in _products(pattern, role)] for role in (Role.FREE, Role.VARYING))
    assert {frozenset(base + offset for offset in varying) for base in free} == wanted
    if 1 < len(wanted) < devices:
        again = split_of([number(rank) for rank in range(devices)], "a.txt")
        assert again is not None
        assert split_pattern(again, system, "a.txt") == pattern


def _products(pattern, role):
    found = [()]
    for level in range(len(pattern.levels)):
        found = [(*prefix, unit) for prefix in found for unit in pattern.coordinates(level, role)]
    return found


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "out.txt holds no row of nccl-tests; give what all_reduce_perf and its like print"),
        (HEADING + ROWS, "out.txt: the table has no device list"),
        (table(start=""), "out.txt line 15 does not say which collective was measured; give it with --collective"),
        (
            table(start="# Collective test starting: alltoall_perf\n"),
            "line 2 was measured with alltoall_perf; p2smt fits to",
        ),
        (
            table(groups=(0,) * 4),
            "out.txt was measured with 4 ranks, but the system has 8 devices (node=2 x gpu=4)",
        ),
        (table(groups=(0, 0, 0, 1, 1, 1, 2, 2)), "the 3 groups of its 8 ranks are no equal parts"),
        (table(groups=range(8)), "every rank is a group of its own"),
        (table(rows=ROWS.replace("23.10", "-23.1")), "line 16: size 1024 with time -23.1 us is no measurement"),
        (table(rows=ROWS.replace("23.10", "nan")), "line 16: size 1024 with time nan us is no measurement"),
        (table(rows=ROWS.replace("23.10", "fast")), "out.txt line 16: '1024           256     float"),
    ],
)
def test_what_is_no_table_is_refused(text, message):
    with pytest.raises(P2Error) as error:
        read(text)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"{", "out.json is no JSON document of nccl-tests -J: Input data was truncated"),
        (b"[" * 100_000, "out.json is no JSON document of nccl-tests -J"),
        (b"{}", "Object missing required field `results`"),
        (document(results=[]), "out.json holds no result of nccl-tests"),
        (document(devices=[]), "the table has no device list"),
        (document(args=[]), "out.json results[0] does not say which collective was measured"),
        (document(results=[{"size": 4, "out_of_place": {}}]), "out.json results[0] has no time out of place"),
        (document(results=[{"size": 4, "out_of_place": {"time": -1}}]), "time -1 us is no measurement"),
        (document(results=[{"size": "4", "out_of_place": {"time": 1}}]), "Expected `int`, got `str`"),
    ],
)
def test_what_is_no_document_is_refused(data, message):
    with pytest.raises(P2Error) as error:
        read_nccl_json(data, "out.json", SYSTEM, Algorithm.RING)
    assert message in str(error.value)


def test_a_cut_in_unequal_parts_is_refused():
    system = default_system([Level("node", 2), Level("gpu", 6)])
    with pytest.raises(P2Error) as error:
        split_pattern(Split(Cut.DIV, 4), system, "out.txt")
    assert "NCCL_TESTS_SPLIT DIV 4 cuts level gpu=6 of 1 devices each into unequal parts" in str(error.value)
