"""Logs of nccl-tests as people have them: what is read, what is taken to be so, what is refused for which reason."""

import re

import pytest
from cost.calibration import logs
from looped import looped

from p2smt.collective import Collective, Exchange, NeighbourSend
from p2smt.cost.calibration.files import MeasuredFile, measurements
from p2smt.cost.calibration.nccl_factor import NcclTest
from p2smt.cost.calibration.nccl_tests import Reading, named_test, read_nccl_text
from p2smt.errors import ProblemError
from p2smt.problem.system.text import find_system

PLAIN = logs.all_reduce()
GATHERS = logs.points(8, logs.once, 30e9, 1e-4)
GATHER = {"factor": logs.once, "redop": "none", "parts": 8}
SENDS = logs.points(8, lambda ranks: 1.0, 15e9, 6e-5)


def read(text: str, system: str = "node:2,gpu:4", test: NcclTest | None = None) -> Reading:
    return read_nccl_text(text, "a.log", find_system(system), None, test)


def goals(reading: Reading) -> list[object]:
    """What each table did, once per table."""
    found = {one.table: one.works[0] for one in reading.measurements}
    return [getattr(work, "collective", None) or getattr(work, "goal", None) for work in found.values()]


def each_line(text: str, change: str) -> str:
    return "".join(change.format(line) + "\n" for line in text.splitlines())


WRAPPED = re.sub(r"( -1)( +\d.*)", r"\1\n\2", PLAIN)
INTERRUPTED = re.sub(r"( -1)( +\d.*)", r"\1host0:88:89 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1]\n\2", PLAIN)
CELLS = [line.split() for line in PLAIN.splitlines() if line[:1] == " "]
CSV = "".join(",".join(cells) + "\n" for cells in CELLS)
HTML = "<pre><code>" + PLAIN.replace(" ", "&nbsp;").replace("\n", "<br>\n") + "</code></pre>"
THOUSANDS = re.sub(r"(?m)^ +(\d+) +(\d+)", lambda found: f"{int(found[1]):,} {int(found[2]):,}", PLAIN)
UNITS = re.sub(r"(?m)^ +(\d+)(?= )", lambda found: f" {int(found[1]) // 1024}K", PLAIN)
LOG = "".join(
    f"h{r // 4}:9:9 [{r % 4}] NCCL INFO comm 0x5 rank {r} nranks 8 cudaDev {r} - Init COMPLETE\n" for r in range(8)
)


@looped(
    "text",
    [
        PLAIN,
        logs.tagged(PLAIN, "[1,0]<stdout>:"),
        logs.tagged(PLAIN, "[prterun-node-1@1,0]<stdout>: "),
        logs.tagged(PLAIN, "[0] "),
        each_line(PLAIN, " 0: {}"),
        each_line(PLAIN, "      > {}"),
        each_line(PLAIN, "launcher-1  | {}"),
        each_line(PLAIN, "[pod/launcher/mpi] [1,0]<stdout>:{}"),
        each_line(PLAIN, "2024-06-01T12:00:00.123456789Z {}"),
        each_line(PLAIN, "| {} |").replace("    ", "  | "),
        each_line(PLAIN, "\x1b[32m{}\x1b[0m\r"),
        PLAIN.replace("#", ""),
        PLAIN.replace("\n", "\\n"),
        CSV,
        HTML,
        THOUSANDS,
        UNITS,
        re.sub(r"(\d)\.(\d)", r"\1,\2", PLAIN),
        WRAPPED,
        INTERRUPTED,
        f"```\n{PLAIN}```\n#bytes #iterations  t_min[usec]  t_max[usec]\n 2  1000  3.4  10.4  3.46  3.48  0.12  3.62\n",
        LOG + "\n".join(line for line in PLAIN.splitlines() if line[:1] == " "),
        PLAIN.replace(logs.devices(2, 4), ""),
        PLAIN.replace(logs.devices(2, 4), "".join(logs.devices(2, 4).splitlines(keepends=True)[:3])),
        PLAIN.replace(logs.devices(2, 4), logs.devices(2, 4).splitlines(keepends=True)[-1]),
    ],
)
def test_a_log_is_read_in_every_dress(text):
    found, plain = read(text), read(PLAIN)
    assert [one.seconds for one in found.measurements] == [one.seconds for one in plain.measurements]
    assert [one.works for one in found.measurements] == [one.works for one in plain.measurements]


def test_what_is_not_listed_is_said():
    (note,) = read(PLAIN.replace(logs.devices(2, 4), "")).notes
    assert note == "a.log line 7: the device list is missing; busbw / algbw = 1.75 says 8 ranks, taken as 2x4"


@looped(
    ("text", "goal"),
    [
        (logs.table(GATHERS, 2, 4, name="all_gather", **GATHER), Collective.ALL_GATHER),
        (logs.table(GATHERS, 2, 4, name="alltoall", **GATHER), Exchange.ALL_TO_ALL),
        ("srun -N2 \\\n  -- /opt/all_gather_perf\n" + logs.table(GATHERS, 2, 4, **GATHER), Collective.ALL_GATHER),
        ("kubectl exec a -- /scripts/allgather.sh a b\n" + logs.table(GATHERS, 2, 4, **GATHER), Collective.ALL_GATHER),
        ("### All-to-all\n\n" + logs.table(GATHERS, 2, 4, **GATHER), Exchange.ALL_TO_ALL),
        (logs.table(SENDS, 2, 4, lambda ranks: 1.0, name="sendrecv"), NeighbourSend.AROUND),
        (logs.table(SENDS, 2, 4, lambda ranks: 1.0), NeighbourSend.AROUND),
        (logs.table(SENDS, 2, 4, lambda ranks: 1.0, redop="none", root=0, name="broadcast"), Collective.BROADCAST),
        (logs.table(SENDS, 2, 4, lambda ranks: 1.0, root=3), Collective.REDUCE),
        (logs.table(GATHERS, 2, 4, logs.once, parts=8), Collective.REDUCE_SCATTER),
        (logs.table(GATHERS, 2, 4, logs.once, redop="", parts=8, name="all_gather"), Collective.ALL_GATHER),
    ],
)
def test_the_test_of_a_table(text, goal):
    assert goals(read(text)) == [goal]


def test_a_test_without_a_price_is_left_out_by_name_and_the_others_are_read():
    gather = logs.table(GATHERS, 2, 4, name="gather", factor=logs.once, redop="none", root=0, parts=8)
    found = read(PLAIN + gather + logs.table(GATHERS, 2, 4, name="alltoall", **GATHER))
    assert goals(found) == [Collective.ALL_REDUCE, Exchange.ALL_TO_ALL]
    assert [note for note in found.notes if "is not a supported test; leave the table out, or measure one of" in note]
    with pytest.raises(ProblemError, match="is not a supported test; leave the table out, or measure one of"):
        read(gather)


def test_words_above_a_table_name_its_test_only_alone_and_only_where_its_rates_agree():
    gather = logs.table(GATHERS, 2, 4, **GATHER)
    with pytest.raises(ProblemError, match="the table does not name its collective"):
        read("We ran all-gather and all-to-all:\n" + gather)
    assert goals(read("Of an all-gather we say nothing.\n" + PLAIN)) == [Collective.ALL_REDUCE]


def test_rows_of_several_runs_under_one_heading_are_told_apart_by_their_rates():
    """Somebody printed the last rows of logs of 1, 2 and 4 machines."""
    rows = ""
    for hosts in (1, 2, 4):
        text = logs.all_reduce(hosts=hosts, each=4)
        rows += f"====== {hosts}-node ======\n" + "".join(text.splitlines(keepends=True)[-5:])
    found = read("mpirun all_reduce_perf -b 8 -e 8G\n" + rows, "node:4,gpu:4")
    assert {one.sizes: one.group for one in found.measurements} == {
        (1, 4): "all_reduce all of 1x4",
        (2, 4): "all_reduce all of 2x4",
        (4, 4): "all_reduce all",
    }
    repeated = PLAIN + "".join(line for line in PLAIN.splitlines(keepends=True) if line[:1] == " ")
    assert len({one.table for one in read(repeated).measurements}) == 1


OLD = "#  bytes  N  type  op  time  algbw  busbw  res  time  algbw  busbw  res\n" + "".join(
    f"{size} {size // 4} float sum {ms:.3f} {rate:.2f} {1.75 * rate:.2f} 1e-06\n"
    for size, ms in ((2**26, 0.914), (2**28, 3.572))
    for rate in [size / ms / 1e6]
)


def test_times_in_milliseconds_are_told_by_algbw():
    found = read(
        "# Using devices\n" + "".join(f"#   Rank  {r} on  h{r // 4} device  {r} [0x1a] V100\n" for r in range(8)) + OLD
    )
    assert [one.seconds for one in found.measurements] == pytest.approx([0.914e-3, 3.572e-3])
    assert "times are read as milliseconds" in found.notes[0]


def test_the_benchmark_of_oneccl():
    text = (
        "# Benchmarking: {}\n# #processes: 8\n#bytes  #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]  stddev[%]\n"
    )
    rows = " 1048576  16  90.10  93.22  91.50  1.02\n 67108864  16  3990.10  4093.22  4000.0  1.02\n"
    found = read(text.format("allreduce") + rows)
    assert [one.seconds for one in found.measurements] == pytest.approx([91.5e-6, 4e-3])
    assert goals(found) == [Collective.ALL_REDUCE]
    with pytest.raises(
        ProblemError, match="counts bytes differently from nccl-tests; only its allreduce is supported,"
    ):
        read(text.format("allgatherv") + rows)


NCCOM = "    size(B)    count(elems)    type    time:avg(us)    algbw(GB/s)    busbw(GB/s)\n"


@looped("command", ["nccom-test -r 8 allr", "srun all_reduce -> logs/nccom-all_reduce_perf_125.out"])
def test_a_table_without_a_column_for_the_operation(command):
    rows = "".join(f"{size} {size // 4} fp32 {size / 20e3:.2f} 20.00 35.00\n" for size in (2**20, 2**26))
    found = read(f"{command}\n{NCCOM}{rows}")
    assert goals(found) == [Collective.ALL_REDUCE]
    assert [one.seconds for one in found.measurements] == pytest.approx([2**20 / 20e9, 2**26 / 20e9], rel=1e-3)


def test_a_log_with_bytes_that_are_not_utf_8_is_read(tmp_path):
    path = tmp_path / "all_reduce.log"
    path.write_bytes(b"# host caf\xe9\n" + PLAIN.encode())
    assert len(measurements(MeasuredFile(path, path.read_bytes()), find_system("node:2,gpu:4")).measurements) > 4


def test_rows_with_wrong_elements_and_rows_that_break_their_arithmetic_are_left_out_and_said():
    lines = PLAIN.splitlines(keepends=True)
    first = next(number for number, line in enumerate(lines) if line[:1] == " ")
    wrong = re.sub(r" 0 ( +\d)", r" 9\1", lines[first + 8], count=1)
    slower = re.sub(r"(-1 +)\d+", r"\g<1>77", lines[first + 9], count=1)
    spoilt = [*lines[: first + 8], wrong, slower, *lines[first + 10 :]]
    found = read("".join(spoilt))
    assert len(found.measurements) == len(read(PLAIN).measurements) - 2
    assert any("elements came out wrong (#wrong 9)" in note for note in found.notes)
    assert any("1 row left out, because size / time is not algbw there" in note for note in found.notes)
    with pytest.raises(ProblemError, match="all rows have wrong elements"):
        read(re.sub(r" 0 ( +\d)", r" 9\1", PLAIN))


@looped(
    ("text", "system", "reason"),
    [
        (
            logs.all_reduce(listed=logs.devices(2, 8)),
            "node:2,gpu:8",
            "; put each table under its own device list",
        ),
        (
            logs.all_reduce(listed=logs.devices(2, 8), name="all_reduce"),
            "node:2,gpu:8",
            "; put each table under its own heading and device list",
        ),
        (
            logs.all_reduce(listed=logs.devices(2, 1)),
            "node:2,gpu:4",
            "rank 1 is on host host1 and rank 0 on host0, but the system has 4 devices in a machine",
        ),
        (PLAIN.replace(logs.devices(2, 4), ""), "node:2,gpu:2", "was measured with 8 ranks (busbw / algbw = 1.75 says"),
        (logs.table(GATHERS, 2, 4, **GATHER), "node:2,gpu:4", "the table does not name its collective"),
        (re.sub(r"Rank +\d+", "Rank 0", PLAIN), "node:2,gpu:4", "names rank 0 twice; build nccl-tests with MPI=1"),
        (logs.table(SENDS, 1, 1, lambda ranks: 0.0), "node:1,gpu:2", "busbw is 0, as of one rank"),
        (logs.table(SENDS, 1, 1, lambda ranks: 0.0, name="all_reduce"), "node:1,gpu:2", "busbw is 0, as of one rank"),
    ],
)
def test_what_cannot_be_used_is_refused_for_its_reason(text, system, reason):
    with pytest.raises(ProblemError, match=re.escape(reason)):
        read(text, system)


def test_names_of_files():
    named = {
        "h100_allreduce.md": "all_reduce",
        "reduce-scatter.log": "reduce_scatter",
        "allgather": "all_gather",
        "polaris_alltoall.txt": "alltoall",
        "my_reduce": "reduce",
        "log.txt": None,
    }
    assert {name: named_test(name) for name in named} == named
