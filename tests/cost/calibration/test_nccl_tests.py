"""What nccl-tests prints, read back: tables of several versions, JSON, groups, and what is refused."""

import json
from functools import partial
from itertools import pairwise, product
from math import prod
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from looped import looped
from support import refused

from p2smt.collective import Collective
from p2smt.cost.calibration.files import MeasuredFile, measurements
from p2smt.cost.calibration.nccl_factor import NcclTest
from p2smt.cost.calibration.nccl_groups import GroupSplit, SplitKind, split_of, split_pattern
from p2smt.cost.calibration.nccl_tests import read_nccl_json, read_nccl_text
from p2smt.cost.network.backend import Nccl
from p2smt.cost.network.cost import Work
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.errors import ProblemError
from p2smt.problem.system.algorithm import Algorithm, Auto
from p2smt.problem.system.build import default_system
from p2smt.problem.system.network import Level

SYSTEM = default_system([Level("node", 2), Level("gpu", 4)])
ALL = Pattern((((Role.VARYING, 2),), ((Role.VARYING, 4),)))
DIV_4 = Pattern((((Role.FREE, 2),), ((Role.VARYING, 4),)))
MOD_4 = Pattern((((Role.VARYING, 2),), ((Role.FREE, 4),)))
MOD_2 = Pattern((((Role.VARYING, 2),), ((Role.VARYING, 2), (Role.FREE, 2))))

START = """\
# nccl-tests version 2.18.3 nccl-headers=23003 nccl-library=23003
# Collective test starting: all_reduce_perf
# nThread 1 nGpus 1 minBytes 1024 maxBytes 8589934592 step: 8(factor) warmup iters: 1 iters: 20 agg iters: 1
#
"""
HEADING = """\
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw  #wrong     time   algbw   busbw  #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)  (GB/s)  (GB/s)
"""
ROWS = """\
           0             0     float     sum      -1    11.02    0.00    0.00       0    10.87    0.00    0.00       0
        1024           256     float     sum      -1    23.10    0.04    0.08       0    22.80    0.04    0.08       0
  8589934592    2147483648     float     sum      -1  1.1e+06    7.81     N/A     N/A  1.1e+06    7.81     N/A     N/A
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 104.4
#
# Collective test concluded: all_reduce_perf
"""


def devices(groups=(0,) * 8):
    return "# Using devices\n" + "".join(
        f"#  Rank {rank:2} Group {group:2} Pid {4000 + rank} on host{rank // 4} device {rank % 4} [0x07] NVIDIA A100\n"
        for rank, group in enumerate(groups)
    )


def table(groups=(0,) * 8, start=START, rows=ROWS, heading=HEADING):
    return start + devices(groups) + heading + rows


def row(redop="sum", root=-1, size=4096, count=1024, kind="float"):
    return f"{size} {count} {kind} {redop} {root} 30.5 0.13 0.20 0 31.0 0.13 0.20 0\n"


def named(collective):
    return collective and NcclTest(collective.underscored)


def read(text, collective=None, algorithm=Algorithm.RING):
    return read_nccl_text(text, "out.txt", SYSTEM, algorithm, named(collective)).measurements


def work(measurement):
    (found,) = measurement.works
    assert isinstance(found, Work)
    return found


def test_a_table_of_today():
    first, last = read(table())
    assert (first.place, last.place) == ("out.txt line 19", "out.txt line 20")
    assert (first.seconds, last.seconds) == pytest.approx((23.1e-6, 1.1))
    assert (first.group, first.sizes, first.backend) == ("all_reduce all", (2, 4), Nccl(Algorithm.RING))
    assert work(first) == Work(Collective.ALL_REDUCE, ALL, 1024)
    assert work(last) == Work(Collective.ALL_REDUCE, ALL, 8589934592)


@pytest.mark.parametrize("start", ["", START, "# nThread 1 nGpus 1 minBytes 1 maxBytes 2\n"])
def test_every_device_list_behind_a_table_begins_another(start):
    """Whether a run's program was named, its first line alone was kept, or neither."""
    text = "".join(
        table(groups, start=start, rows=row()) for groups in ((0,) * 8, (0, 1) * 4, (0, 0, 0, 0, 1, 1, 1, 1))
    )
    found = read(text, Collective.ALL_REDUCE)
    assert [work(one).pattern for one in found] == [ALL, MOD_2, DIV_4]


def test_a_table_of_2020():
    """No Group in the device list, no root, `error` for `#wrong`, and no name of the collective."""
    ranks = "".join(f"#   Rank  {r} Pid  23638 on ip-10-0-26-117 device  {r} [0x00] Tesla V100\n" for r in range(8))
    text = f"""\
# nThread 1 nGpus 8 minBytes 8 maxBytes 4294967296 step: 2(factor) warmup iters: 5 iters: 100 validation: 1
#
# Using devices
{ranks}#
#                                                     out-of-place                       in-place
#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error
#        (B)    (elements)                     (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
           8             2   float     sum    59.98    0.00    0.00  2e-07    56.81    0.00    0.00  1e-07
    33554432       8388608   float     sum   1200.0   27.96   48.93  5e-07   1190.1   28.19   49.34  5e-07
# Out of bounds values : 0 OK
"""
    found = read(text)
    assert [one.seconds for one in found] == pytest.approx([59.98e-6, 1200e-6])
    assert [work(one) for one in found] == [Work(Collective.ALL_REDUCE, ALL, size) for size in (8, 33554432)]


@looped(("name", "collective"), [(one.underscored, one) for one in Collective])
@looped("ending", ["_perf", "_perf_mpi"])
def test_every_collective_and_what_its_members_hold(name, collective, ending):
    found = read(table([rank // 4 for rank in range(8)], START.replace("all_reduce_perf", name + ending)))
    held = 8589934592 / 4 if collective is Collective.ALL_GATHER else 8589934592
    assert work(found[-1]) == Work(collective, DIV_4, held)
    assert found[-1].group == f"{name} DIV 4"


@looped(
    ("groups", "name", "pattern"),
    [
        ([0, 0, 0, 0, 1, 1, 1, 1], "DIV 4", DIV_4),
        ([3, 3, 3, 3, 7, 7, 7, 7], "DIV 4", DIV_4),  # NCCL_TESTS_SPLIT="OR 0x3": only who is together counts
        ([0, 1, 2, 3, 0, 1, 2, 3], "MOD 4", MOD_4),
        ([0, 1, 0, 1, 0, 1, 0, 1], "MOD 2", MOD_2),
        ([0, 0, 1, 1, 2, 2, 3, 3], "DIV 2", Pattern((((Role.FREE, 2),), ((Role.FREE, 2), (Role.VARYING, 2))))),
        ([5, 5, 5, 5, 5, 5, 5, 5], "all", ALL),
    ],
)
def test_groups(groups, name, pattern):
    first = read(table(groups))[0]
    assert (first.group, work(first).pattern) == (f"all_reduce {name}", pattern)


def test_other_lines_and_decorations():
    """Timestamps (in front, or at the end as -S prints them), colours, mpirun's tags, CRLF, logs between the rows."""
    rows = (
        "2026-07-01 12:00:00 " + row() + "\x1b[32m" + row().strip() + "  2026-07-01 12:00:01\x1b[0m\n"
        "host0:880:888 [0] NCCL INFO 24 coll channels, 0 collnet channels, 0 nvls channels, 32 p2p channels\n"
        "host0:880:888 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM one more\n"
        "\n12 processes have sent help message help-mca-var.txt\n" + row()
    )
    heading = HEADING.replace("#wrong \n", "#wrong            timestamp\n")
    text = table(rows=rows, heading=heading)
    tagged = "".join(f"[1,0]<stdout>:{line}\r\n" for line in text.splitlines())
    for written in (text, tagged):
        assert [one.seconds for one in read(written)] == pytest.approx([30.5e-6] * 3)


def test_columns_of_every_iteration():
    heading = HEADING.replace("#wrong", "#wrong i_min i_max i_p99 i_cv%")
    (one,) = read(table(heading=heading, rows="4096 1024 float sum -1 30.5 .1 .2 0 1 2 3 4 31.0 .1 .2 0 1 2 3 4\n"))
    assert one.seconds == pytest.approx(30.5e-6)


def test_several_tables_in_one_file():
    stopped = START + devices()
    second = table([rank % 4 for rank in range(8)], START.replace("all_reduce", "reduce"))
    unnamed = table(start="# nThread 1 nGpus 1\n", rows=row(root=0))
    found = read(stopped + table() + second + unnamed)
    assert [one.group for one in found] == ["all_reduce all"] * 2 + ["reduce MOD 4"] * 2 + ["reduce all"]


@looped(
    ("line", "given", "collective"),
    [
        (row(), None, Collective.ALL_REDUCE),
        (row(), Collective.REDUCE_SCATTER, Collective.ALL_REDUCE),
        (row(count=128), None, Collective.REDUCE_SCATTER),
        (row(root=0), None, Collective.REDUCE),
        (row("none", 0), Collective.BROADCAST, Collective.BROADCAST),  # or gather, or scatter
        (row("none", -1), Collective.ALL_GATHER, Collective.ALL_GATHER),  # or alltoall
        (row(kind="fp4"), Collective.ALL_REDUCE, Collective.ALL_REDUCE),
    ],
)
def test_the_collective_of_a_table_without_a_name(line, given, collective):
    (one,) = read(table(start="", rows=line), given)
    assert work(one).collective is collective


def test_an_old_table_with_a_root_and_no_redop_is_a_broadcast():
    heading = "#  size  count  type  root  time  algbw  busbw  error  time  algbw  busbw  error\n"
    (one,) = read(table(start="", heading=heading, rows="4096 1024 float 0 30.5 .1 .2 0e+00 31.0 .1 .2 0e+00\n"))
    assert work(one).collective is Collective.BROADCAST


def document(**changes):
    whole = {
        "version": 3,
        "start_time": "2026-07-01 12:00:00",
        "args": ["./build/all_reduce_perf", "-b", "1K"],
        "env": ["HOME=/root", "NCCL_ALGO=Tree"],
        "nccl_version": 23007,
        "config": {
            "nthreads": 1,
            "devices": [{"rank": r, "group": r % 4, "hostname": f"h{r // 4}", "device": r % 4} for r in range(8)],
        },
        "results": [
            {
                "size": 0,
                "count": 0,
                "type": "float",
                "redop": "sum",
                "root": "    -1",
                "out_of_place": {"time": 10.5, "nwrong": None},
                "in_place": {"time": 9.0, "nwrong": None},
            },
            {"size": 1024, "count": 256, "type": "float", "redop": "sum", "root": "    -1", "out_of_place": None},
            {
                "size": 4096,
                "count": 1024,
                "type": "float",
                "redop": "sum",
                "root": "    -1",
                "out_of_place": {"time": 30.5, "alg_bw": "nan", "bus_bw": 0.2, "nwrong": 0.0},
                "actual_iterations": 20,
                "experiment_name": "all_reduce",
            },
        ],
        "out_of_bounds": {"count": 0, "okay": "true"},
    }
    return json.dumps(whole | changes).encode()


def read_json(data, collective=None, algorithm=None):
    return read_nccl_json(data, "out.json", SYSTEM, algorithm, named(collective)).measurements


def test_a_json_file():
    (one,) = read_json(document())
    assert (one.place, one.group) == ("out.json results[2]", "all_reduce MOD 4")
    assert (one.backend, one.seconds) == (Nccl(Algorithm.TREE), pytest.approx(30.5e-6))
    assert work(one) == Work(Collective.ALL_REDUCE, MOD_4, 4096)


def test_a_json_file_with_its_devices_beside_the_configuration():
    beside = document(config={}, devices=[{"rank": rank, "group": rank // 4} for rank in range(8)])
    assert [work(one).pattern for one in read_json(beside)] == [DIV_4]


@looped(
    ("env", "given", "algorithm"),
    [
        (["NCCL_ALGO=ring"], Algorithm.TREE, Algorithm.RING),
        ({"NCCL_ALGO": "Tree"}, None, Algorithm.TREE),
        (["NCCL_ALGO=Ring,Tree"], Algorithm.TREE, Algorithm.TREE),
        (["NCCL_ALGO=^Ring"], Algorithm.TREE, Algorithm.TREE),
        ([None, "NCCL_ALGORITHM=Tree"], Algorithm.RING, Algorithm.RING),
        (["NCCL_ALGO=Ring", "NCCL_ALGO=Tree"], None, Algorithm.TREE),
        (["NCCL_ALGO=Tree", "HOME=/root", "NCCL_ALGO=Ring"], None, Algorithm.RING),
    ],
)
def test_the_algorithm_of_a_file(env, given, algorithm):
    (one,) = read_json(document(env=env), algorithm=given)
    assert one.backend == Nccl(algorithm)


def test_only_an_all_reduce_needs_an_algorithm():
    """Of groups with one device per machine NCCL chooses, between rings and parallel trees."""
    scattered = ["/opt/build/reduce_scatter_perf"]
    (one,) = read_json(document(args=scattered))
    assert (one.backend, work(one).collective) == (Nccl(Auto.AUTO), Collective.REDUCE_SCATTER)
    for algorithm, told in (("Ring", None), ("PAT", None), ("^Tree", Algorithm.RING)):
        (one,) = read_json(document(args=scattered, env=[f"NCCL_ALGO={algorithm}"]), algorithm=told)
        assert one.backend == Nccl(told or Algorithm(algorithm.lower()))
    assert read(table(start=START.replace("all_reduce", "broadcast")), None, None)[0].backend == Nccl(Algorithm.RING)


def units(pattern, role):
    """The device numbers of the units that the digits of one role reach, all others being 0."""
    found = [0]
    for level, size in enumerate(pattern.sizes):
        found = [number * size + unit for number in found for unit in pattern.coordinates(level, role)]
    return found


def groups_of_pattern(pattern):
    return {frozenset(base + offset for offset in units(pattern, Role.VARYING)) for base in units(pattern, Role.FREE)}


def groups_of_split(split, ranks):
    return [rank // split.k if split.cut is SplitKind.DIV else rank % split.k for rank in range(ranks)]


SIZES = st.lists(st.integers(1, 6), min_size=1, max_size=4).filter(lambda sizes: 2 <= prod(sizes) <= 200)


@given(SIZES, st.data())
def test_patterns_are_the_groups_of_div_and_mod(sizes, data):
    ranks = prod(sizes)
    system = default_system([Level(f"l{number}", size) for number, size in enumerate(sizes)])
    k = data.draw(st.sampled_from([k for k in range(1, ranks + 1) if ranks % k == 0]))
    split = GroupSplit(data.draw(st.sampled_from(SplitKind)), k)
    groups = groups_of_split(split, ranks)
    if not can_be_cut(sizes, k):
        with pytest.raises(ProblemError, match="into unequal parts"):
            split_pattern(split, system, "a.txt")
        return
    pattern = split_pattern(split, system, "a.txt")
    wanted = {frozenset(rank for rank in range(ranks) if groups[rank] == group) for group in groups}
    assert groups_of_pattern(pattern) == wanted
    assert pattern.sizes == tuple(sizes)
    for digits in pattern.levels:
        assert all(size > 1 for _, size in digits)
        assert all(one[0] is not other[0] for one, other in pairwise(digits))
    if 1 < len(wanted) < ranks:
        assert split_pattern(split_of(groups, "a.txt"), system, "a.txt") == pattern


def can_be_cut(sizes, k):
    """Whether k is made of whole levels from the inside, and of equal parts of the next one."""
    for size in reversed(sizes):
        if k % size:
            return size % k == 0
        k //= size
    return True


@pytest.mark.parametrize("groups", [[0, 1, 0, 1, 0], [0, 1, 2, 0, 1], [0, 0, 1, 1, 2], [0, 0, 0, 1]])
def test_groups_of_unequal_size_are_no_split(groups):
    with pytest.raises(ProblemError, match=r"groups that are not equal parts DIV k \(rank // k\) or MOD k"):
        split_of(groups, "a.txt")


@given(st.lists(st.integers(0, 3), min_size=2, max_size=12))
def test_a_split_is_named_only_where_it_makes_the_groups(groups):
    try:
        split = split_of(groups, "a.txt")
    except ProblemError:
        split = None
        possible = [GroupSplit(cut, k) for cut in SplitKind for k in range(2, len(groups)) if len(groups) % k == 0]
        assert all(partition(groups_of_split(one, len(groups))) != partition(groups) for one in possible)
    else:
        made = groups_of_split(split, len(groups)) if split else [0] * len(groups)
        assert partition(made) == partition(groups)


def partition(groups):
    return {frozenset(rank for rank, other in enumerate(groups) if other == group) for group in groups}


NO_ROWS = (
    "out.txt has no rows of nccl-tests with a size and an out-of-place time; it needs the table under "
    "'#       size         count      type ...', one with size, time and algbw, or what -J writes"
)
NO_DEVICES = (
    "out.txt line 1: the table has no device list, so its groups are unknown; keep the lines "
    "'#  Rank  0 Group  0 Pid ...' that nccl-tests prints above it"
)
NO_NAME = (
    "out.txt line 15: the table does not name its collective; give --collective, one of "
    "all_reduce, reduce_scatter, all_gather, broadcast, reduce, alltoall, sendrecv"
)


def left_out(reason):
    return NO_ROWS.replace(" time; it", f" time: out.txt line 18: 1 row {reason} left out; it")


UNTIMED, CUT = left_out("without an out-of-place time"), left_out("without a time and two rates")


@looped(
    ("text", "message"),
    [
        ("", NO_ROWS),
        (ROWS, NO_DEVICES),
        (table(rows=ROWS.splitlines()[0]), NO_ROWS),
        (table(rows=row().replace("30.5", "0.00")), UNTIMED),
        (HEADING + row(), NO_DEVICES.replace("line 1:", "line 5:")),
        (table(start="# nThread 1 nGpus 1\n", rows=row("none", 0)), NO_NAME),
        (table(start="# nThread 1 nGpus 1\n", rows=row("none", -1)), NO_NAME),
        (
            table(start=START.replace("all_reduce", "hypercube"), rows=row()),
            "out.txt line 18: hypercube is not a supported test; leave the table out, or measure one "
            "of all_reduce, reduce_scatter, "
            "all_gather, broadcast, reduce, alltoall, sendrecv",
        ),
        (
            table(groups=(0,) * 6, rows=row()),
            "out.txt line 16 was measured with 6 ranks, but the system has 8 devices (node=2 x gpu=4); "
            "give its levels the sizes that were measured, and run one process per GPU",
        ),
        (
            table(rows=row()).replace("Rank  3", "Rank  2"),
            (
                "out.txt line 18: the device list names rank 2 twice; build nccl-tests with MPI=1, "
                "because without it every process runs alone"
            ),
        ),
        (
            table(rows=row()).replace("Rank  3", "Rank  8"),
            "out.txt line 18: the device list lacks rank 3; keep all of its lines",
        ),
        (
            table(rows=row()).replace("Rank  1 Group  0 Pid 4001 on host0", "Rank  1 Group  0 Pid 4001 on host1"),
            "out.txt line 18: rank 2 is on host host0 again, after ranks on other hosts; devices are numbered host by "
            "host, so start the ranks in that order (mpirun --map-by slot)",
        ),
        (
            table(groups=(0, 0, 0, 1, 1, 1, 2, 2), rows=row()),
            "out.txt line 18: its 8 ranks are in 3 groups that are not equal parts DIV k (rank // k) or MOD k "
            "(rank % k)"
            "; measure with NCCL_TESTS_SPLIT set to one of these, and one process per GPU",
        ),
        (
            table(groups=range(8), rows=row()),
            "out.txt line 18: every rank is a group of its own, so no link was used; leave this table out",
        ),
        (table(rows=row().replace("30.5", "-30.5")), UNTIMED),
        (table(rows=row().replace("30.5", "fast")), CUT),
        (table(rows=row().replace("30.5", "inf")), UNTIMED),
        (table(rows=row(size=-4)), NO_ROWS),
        (table(rows=row(size="4k96")), NO_ROWS),
        (table(rows=row(count="1.5")), NO_ROWS),
        (table(rows=row(root="any")), CUT),
        (table(rows=row(size="9" * 5000)), NO_ROWS),
        (table(rows=row()[:30]), CUT),
        (
            table(heading=HEADING.replace(" time", " cputime"), rows=row()),
            "out.txt line 18: the table has CPU times; measure without -C, for the time of the collective",
        ),
    ],
)
def test_what_is_no_table_is_refused(text, message):
    with pytest.raises(ProblemError) as error:
        read(text)
    assert str(error.value) == message


def test_an_all_reduce_that_does_not_say_what_carried_it_is_one_for_which_nccl_chose():
    assert read(table(rows=row()), algorithm=None)[0].backend == Nccl(Auto.AUTO)


NO_JSON = "; write it with -J FILE, and let the test end"


def result(**timing):
    return [{"size": 4, "count": 1, "out_of_place": timing}]


@looped(
    ("data", "message"),
    [
        (b"{", f"out.json is not JSON of nccl-tests: Input data was truncated{NO_JSON}"),
        (b"\xff", f"out.json is not JSON of nccl-tests: JSON is malformed: invalid character (byte 0){NO_JSON}"),
        (b"{}", f"out.json is not JSON of nccl-tests: Object missing required field results{NO_JSON}"),
        (
            document(results=[{"size": "4"}]),
            f"out.json is not JSON of nccl-tests: Expected int, got str - at $.results[0].size{NO_JSON}",
        ),
        (document(results=[]), NO_ROWS.replace("out.txt", "out.json")),
        (
            document(config={}),
            "out.json: the table has no device list, so its groups are unknown; keep the lines "
            "'#  Rank  0 Group  0 Pid ...' that nccl-tests prints above it",
        ),
        (document(args=[], results=result(time=1.0)), NO_NAME.replace("out.txt line 15", "out.json")),
        (
            document(results=result(time="nan")),
            "out.json results[0]: time 'nan' is not a time; it is a number of microseconds, 0 or more",
        ),
        (
            document(results=result(time=10**400)),
            f"out.json results[0]: time '{10**39}' is not a time; it is a number of microseconds, 0 or more",
        ),
        (
            document(results=result()),
            "out.json results[0]: time 'None' is not a time; it is a number of microseconds, 0 or more",
        ),
        (
            document(results=result(cpu_time=4.0)),
            "out.json results[0] has a CPU time; measure without -C, for the time of the collective",
        ),
        (
            document(results=[{"size": -4, "out_of_place": {"time": 1.0}}]),
            "out.json results[0]: size '-4' is not a whole number of at least 0",
        ),
    ],
)
def test_what_is_no_file_of_nccl_tests_is_refused(data, message):
    with pytest.raises(ProblemError) as error:
        read_json(data)
    assert str(error.value) == message


@pytest.mark.parametrize("data", [b"[" * 100_000, b'{"results": [], "x": ' + b"[" * 100_000])
def test_json_that_is_nested_too_deeply_is_refused(data):
    with pytest.raises(ProblemError, match=r"out\.json is not JSON of nccl-tests"):
        read_json(data)


def test_a_cut_into_unequal_parts_is_refused():
    system = default_system([Level("node", 2), Level("gpu", 6)])
    with pytest.raises(ProblemError) as error:
        split_pattern(GroupSplit(SplitKind.DIV, 4), system, "out.txt")
    assert str(error.value) == (
        "out.txt: NCCL_TESTS_SPLIT DIV 4 cuts level gpu=6 (units of 1 devices) into unequal parts; "
        "measure with a number that whole units, or equal parts of the level, make up"
    )


@looped(
    ("hosts", "sizes"),
    [
        ([4], (1, 4)),
        ([2], (1, 2)),
        ([1, 1], (2, 1)),
        ([2, 2], (2, 2)),
        ([3, 3], (2, 3)),
        ([4, 4], (2, 4)),
    ],
)
def test_fewer_ranks_are_the_first_machines_and_their_first_devices(hosts, sizes):
    placed = [host for host, count in enumerate(hosts) for _ in range(count)]
    ranks = "".join(f"#  Rank {rank:2} Group  0 Pid 1 on host{host} device 0\n" for rank, host in enumerate(placed))
    text = START + "# Using devices\n" + ranks + HEADING + row()
    (found,) = read_nccl_text(text, "out.txt", SYSTEM, Algorithm.RING).measurements
    assert found.sizes == sizes
    assert found.works[0].pattern.group_size == len(placed) == prod(sizes)
    assert [
        prod(count for role, count in level if role is Role.VARYING) for level in found.works[0].pattern.levels
    ] == [*sizes]
    assert ("of" in found.group) == (sizes != (2, 4))


@pytest.mark.parametrize("hosts", [[2, 1], [5], [1, 1, 1]])
def test_ranks_that_fill_no_part_are_refused(hosts):
    placed = [host for host, count in enumerate(hosts) for _ in range(count)]
    ranks = "".join(f"#  Rank {rank:2} Group  0 Pid 1 on host{host} device 0\n" for rank, host in enumerate(placed))
    with pytest.raises(ProblemError, match=f"was measured with {len(placed)} ranks, but the system has 8 devices"):
        read_nccl_text(START + ranks + HEADING + row(), "out.txt", SYSTEM, Algorithm.RING)


@pytest.mark.parametrize("suffix", [".txt", ".json"])
def test_what_is_said_beside_a_file_counts_before_what_is_asked_for_and_this_before_its_name(suffix):
    """Of a table that says neither what was measured nor what carried it; of one that says both it counts itself."""
    text = table(start="", rows=row("none", -1)).encode()
    line = {"size": 4096, "count": 1024, "type": "float", "redop": "none", "root": "-1", "out_of_place": {"time": 9}}
    silent = text if suffix == ".txt" else document(args=[], env=[], results=[line])
    loud = table().encode() if suffix == ".txt" else document(env=["NCCL_ALGO=Ring"])
    reduces = Collective.ALL_REDUCE
    others = (Collective.ALL_GATHER, Collective.BROADCAST, Collective.REDUCE)
    for beside, asked, in_name in product(*((other, reduces, None) for other in others)):
        path = Path(f"{in_name.underscored if in_name else 'times'}_2n{suffix}")
        says_itself = MeasuredFile(path, loud, named(beside), Algorithm.RING)
        assert work(measurements(says_itself, SYSTEM, None, named(asked)).measurements[0]).collective is reduces
        file = MeasuredFile(path, silent, named(beside))
        if wanted := beside or asked or in_name:
            (one,) = measurements(file, SYSTEM, Algorithm.RING, named(asked)).measurements
            assert work(one).collective is wanted
        else:
            said = refused(partial(measurements, file, SYSTEM), ProblemError)
            assert "the table does not name its collective" in said


def test_the_algorithm_is_that_beside_a_file_before_that_asked_for_and_this_before_its_name():
    tree, ring = Algorithm.TREE, Algorithm.RING
    for beside, asked, named in product((tree, ring, None), repeat=3):
        file = MeasuredFile(Path(f"all_reduce_{named or 'times'}.txt"), table().encode(), None, beside)
        if wanted := beside or asked or named:
            assert measurements(file, SYSTEM, asked).measurements[0].backend == Nccl(wanted)
        else:
            assert measurements(file, SYSTEM).measurements[0].backend == Nccl(Auto.AUTO)
