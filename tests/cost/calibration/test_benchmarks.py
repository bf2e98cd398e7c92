"""Tables of other benchmarks, and tables with columns cut away: what each row measured, counted by hand."""

import json
from pathlib import Path

import pytest
from cost.calibration import logs
from looped import looped

from p2smt.cost.calibration.files import MeasuredFile, measurements
from p2smt.cost.calibration.launching import launched_ranks
from p2smt.cost.calibration.nccl_tests import Reading, read_nccl_text
from p2smt.errors import ProblemError
from p2smt.problem.system.text import find_system

DEEPSPEED = """\
> n0: ---- Performance of all_reduce on 8 devices ---------------------------------------------------------
> n0: Size (Bytes)         Description               Duration             Throughput (Gbps)    BusBW (Gbps)
> n0: ----------------------------------------------------------------------------------------------------
> n0: 1.0 MB               262144x4                  120.5 us             139.236              121.831
> n0: 31.67 GB             8501054668x4              3176.620 ms          171.272              149.863
"""
PARAM = """\
0:\tCOMMS-RES                       size (B)  nElementsPerRank   Latency(us):p50      p75    AlgBW(GB/s)  BusBW(GB/s)
0:\tCOMMS-RES-all_reduce-float32     1048576            262144             118.1    119.0          8.879       15.538
0:\tCOMMS-RES-all_gather-float32     1048576            262144             118.1    119.0          8.879       62.153
"""
OSU = """\
$ mpirun -n 8 -x UCX_NET_DEVICES=mlx5_6:1 osu_xccl_{0} -x 10 -i 10 -m 1073741824:1073741824 -d cuda D D
# OSU {1} {0} Latency Test v7.5
# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
1073741824           8955.18           8900.10           9000.00         10
"""
MEANS = """\
[gke:0]:The average bandwidth of all_reduce with a 4.0GB payload (5 trials, 8 ranks):
[gke:0]: algbw: 176.590 GBps (1412.7 Gbps)
[gke:0]: busbw: 309.033 GBps (2472.3 Gbps)
"""
RATES = """\
| payload |    busbw   |    algbw   |
| ------: | ---------: | ---------: |
|   32KiB |   0.84GBps |   0.48GBps |
|   16GiB |  82.81GBps |  47.32GBps |
"""
CUT = """\
$ ./build/all_reduce_perf -b 32k -e 16G -f 2 -g 8 -n 50
           size    time   algbw   busbw
            (B)    (us)  (GB/s)  (GB/s)
       1048_576   101.9   10.29   18.00
  1_073_741_824  8203.9  130.88  229.04
"""
UNITS = """\
## All-gather on our 8 GPUs
|Size (MB)|Time (ms)|Algbw (GB/s)|Busbw (GB/s)|
|---|---|---|---|
|1|0.1019|10.29|9.00|
|1024|8.2039|130.88|114.52|
"""
CSV = "size_bytes,latency_us,algbw,busbw\n1048576,101.9,10.29,18.00\n1073741824,8203.9,130.88,229.04\n"
SEMICOLONS = "Size;Time;Algbw;Busbw\n1048576;101,9;10,29;18,00\n1073741824;8203,9;130,88;229,04\n"
PANDAS = (
    "        size    time  algbw  busbw\n0    1048576   101.9  10.29  18.00\n1  1073741824  8203.9  130.88  229.04\n"
)
SENDS = """\
$ mpirun -np 8 -H a:4,b:4 \\
   ./build/sendrecv_perf -b 128M -e 1G -f 2 -g 1 -n 5
   134217728      33554432     float     sum      -1   1211.2  110.81  110.81      0   1211.8  110.76  110.76    N/A
"""
ONE, MANY = (2**20, 101.9e-6), (2**30, 8203.9e-6)


def read(text: str) -> Reading:
    return read_nccl_text(text, "a.log", find_system("node:2,gpu:4"), None, None)


@looped(
    ("text", "test", "points"),
    [
        (DEEPSPEED, "all_reduce", [(2**20, 120.5e-6), (8501054668 * 4, 3.17662)]),
        (OSU.format("Allreduce", "NCCL-CUDA"), "all_reduce", [(2**30, 8955.18e-6)]),
        (MEANS, "all_reduce", [(4_000_000_000, 4 / 176.59)]),
        (RATES, "all_reduce", [(2**15, 2**15 / 0.48e9), (2**34, 2**34 / 47.32e9)]),
        (CUT, "all_reduce", [ONE, MANY]),
        (UNITS, "all_gather", [ONE, MANY]),
        (CSV, "all_reduce", [ONE, MANY]),
        (SEMICOLONS, "all_reduce", [ONE, MANY]),
        (PANDAS, "all_reduce", [ONE, MANY]),
        (SENDS, "sendrecv", [(2**27, 1211.2e-6)]),
    ],
)
def test_a_table_of_its_own_kind(text, test, points):
    found = read(text).measurements
    assert {one.group for one in found} == {f"{test} all"}
    assert [(one.size, one.seconds) for one in found] == [(size, pytest.approx(each)) for size, each in points]


def test_rows_that_name_their_collective_are_tables_of_their_own_and_sizes_of_one_rank_are_of_all():
    found = read(PARAM).measurements
    assert [(one.group, one.size) for one in found] == [("all_reduce all", 2**20), ("all_gather all", 8 * 2**20)]
    assert found[1].busbw == pytest.approx(62.153e9, rel=1e-3)


@looped(
    ("text", "reason"),
    [
        (OSU.format("Allreduce", "MPI-CUDA"), "MPI-CUDA Allreduce of OSU is not supported"),
        (OSU.format("Alltoall", "NCCL-CUDA"), "NCCL-CUDA Alltoall of OSU is not supported"),
        (RATES.replace("82.81", "52.81").replace("0.84", "0.54"), "is that of no test"),
        (CUT.replace("101.9", "201.9").replace("8203.9", "18203.9"), "has no rows of nccl-tests"),
    ],
)
def test_what_is_no_such_table_is_refused(text, reason):
    with pytest.raises(ProblemError, match=reason):
        read(text)


@looped(
    ("command", "ranks"),
    [
        ("mpirun -np 16 --map-by slot ./all_reduce_perf -b 8 -e 1G -g 1 -n 50", 16),
        ("srun --nodes=4 --ntasks-per-node=8 /opt/all_gather_perf -b 64K", 32),
        ("python -m torch.distributed.run --nproc_per_node=8 --nnodes 2 bench.py", 16),
        ("./all_reduce_perf -t 2 -g 4", 8),
        ("srun all_reduce_perf", 0),
        ("mpirun --hostfile hosts ./all_reduce_perf -b 8 -e 1G -g 1 -n 50", 0),
        ("./all_reduce_perf -n 20", 0),
        ("no command at all -np 4", 0),
    ],
)
def test_the_ranks_of_a_command(command, ranks):
    assert launched_ranks(command) == ranks


def measured(path: Path, content: bytes) -> Reading:
    return measurements(MeasuredFile(path, content), find_system("node:2,gpu:4"))


def test_files_are_told_by_what_is_in_them(tmp_path):
    plain = logs.all_reduce()
    wanted = [one.seconds for one in read(plain).measurements]
    wide = measured(tmp_path / "a.log", plain.encode("utf-16-le"))
    assert [one.seconds for one in wide.measurements] == wanted
    written = "".join(json.dumps({"log": line + "\n", "stream": "stdout"}) + "\n" for line in plain.splitlines())
    assert [one.seconds for one in measured(tmp_path / "all_reduce.json", written.encode()).measurements] == wanted
    assert len(measured(tmp_path / "a.csv", CSV.encode()).measurements) == 2
    row = {
        "name": "AllReduce",
        "nodes": 2,
        "ranks": 8,
        "size": 2**30,
        "type": "float",
        "redop": "sum",
        "inPlace": 0,
        "time": 8203.9,
        "algBw": 130.88,
        "busBw": 229.04,
        "wrong": "0",
    }
    both = json.dumps([row, row | {"inPlace": 1, "time": 1.0}]).encode()
    for name in ("rccl.json", "rccl.log"):
        (one,) = measured(tmp_path / name, both).measurements
        assert (one.size, one.seconds, one.group) == (2**30, pytest.approx(8203.9e-6), "all_reduce all")


def test_times_in_place_count_where_there_are_no_others():
    lines = [line.split() for line in logs.all_reduce().splitlines() if line[:1] == " "]
    text = "\n".join(" ".join([*cells[:5], *["N/A"] * 4, *cells[9:]]) for cells in lines)
    found = read(text)
    assert [one.seconds for one in found.measurements] == [one.seconds for one in read(logs.all_reduce()).measurements]
    assert any("times are those in place" in note for note in found.notes)
