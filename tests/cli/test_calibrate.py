"""`p2smt calibrate`: figures found again, what it writes, what it warns of, what it refuses."""

import json
import sys
import tomllib
from dataclasses import replace

import pytest
from command_line import refused

from p2smt.cli.main import run
from p2smt.collective import Collective
from p2smt.cost.calibration.parameters import with_parameters
from p2smt.cost.calibration.table import read_measurements
from p2smt.cost.network.backend import Nccl, cost_of
from p2smt.cost.network.cost import Work
from p2smt.cost.network.nccl import NetworkCost
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.file import preset, read_system, resized, system_text
from p2smt.problem.system.text import find_system

HEADING = "sizes,axes,reduce,matrix,program,algorithm,bytes,seconds"
TRUE = {"nic.bandwidth": 6e9, "nvswitch.bandwidth": 90e9, "device.memory_bandwidth": 500e9}
PLACEMENTS = [
    ("4,16", "1", "1x4/4x4"),
    ("4,16", "1", "2x2/2x8"),
    ("4,16", "0", "1x4/4x4"),
    ("4,16", "0", "2x2/2x8"),
    ("2,32", "0", "1x2/4x8"),
    ("2,32", "1", "2x1/2x16"),
    ("64", "0", "4x16"),
]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where the fitted system is kept unless it is said where."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Times of a system with other figures than its preset, as a table that `calibrate` reads."""
    system = preset("p2-a100")
    other = replace(system, network=with_parameters(system.network, TRUE))
    lines = [
        f'4x16,"{axes}",{reduce},{matrix},AllReduce,{algorithm},{size},{{}}'
        for axes, reduce, matrix in PLACEMENTS
        for algorithm in (Algorithm.RING, Algorithm.TREE)
        for size in ("8GiB", "64MiB")
    ]
    asked = read_measurements("\n".join([HEADING, *(line.format(1) for line in lines)]), "", system)
    costs = {Nccl(one): NetworkCost(resized(other, (4, 16)), one) for one in Algorithm}
    seconds = [sum(costs[one.backend].work_cost(work).seconds for work in one.works) for one in asked]
    path = tmp_path_factory.mktemp("measured") / "measured.csv"
    path.write_text(
        "\n".join([HEADING, *(line.format(s) for line, s in zip(lines, seconds, strict=True))]) + "\n", encoding="utf-8"
    )
    return path


def test_figures_are_found_again(table, tmp_path, capsys):
    out = tmp_path / "cluster.toml"
    assert run(["calibrate", "--system", "p2-a100", str(table), "--out", str(out), "--json"]) == 0
    printed, warned = capsys.readouterr()
    document = json.loads(printed)
    assert document["mean_abs_log_error"] < 0.01
    assert document["mean_abs_log_error_left_out"] < 0.02
    found = {figure["name"]: figure for figure in document["figures"]}
    for name, value in TRUE.items():
        assert found[name]["identified"]
        assert found[name]["after"] == pytest.approx(value, rel=0.03)
    loose = [name for name, figure in found.items() if not figure["identified"]]
    assert loose
    for name in loose:
        assert f"p2smt: warning: the rows do not tell {name}; it stays" in warned
    assert read_system(out).network.links[0].bandwidth == pytest.approx(6e9, rel=0.03)
    said = tomllib.loads(out.read_text(encoding="utf-8"))["fit"]
    assert (said["rows"], said["files"][0]["name"], said["not_identified"]) == (28, "measured.csv", loose)
    assert len(said["files"][0]["sha256"]) == 64


@pytest.mark.thorough  # files are compared by test_figures_are_found_again
def test_the_same_input_gives_the_same_file_which_is_a_system(table, tmp_path, capsys):
    texts = []
    for name in ("one.toml", "other.toml"):
        assert run(["calibrate", "--system", "p2-a100", str(table), "--out", str(tmp_path / name)]) == 0
        texts.append((tmp_path / name).read_text(encoding="utf-8"))
    assert texts[0] == texts[1]
    assert "rows, mean |ln(predicted / measured)|" in capsys.readouterr().out
    assert run(["rank", "--system", str(tmp_path / "one.toml"), "--axes", "4,16", "--reduce", "0"]) == 0
    capsys.readouterr()


def test_commands(capsys):
    assert run(["calibrate", "--system", "dgx-h100:2x8", "--commands"]) == 0
    assert 'mpirun -np 16 env NCCL_TESTS_SPLIT="MOD 8" NCCL_ALGO=Ring all_reduce_perf' in capsys.readouterr().out


GOOD = '4x16,"4,16",1,1x4/4x4,AllReduce,ring,8GiB,17.7'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (GOOD, "column axes, reduce, matrix, program, algorithm, bytes, seconds is missing; the heading needs axes"),
        (f"{HEADING}\n{GOOD}".replace("17.7", "-17.7"), "line 2: seconds '-17.7' is not a positive time"),
        (f"{HEADING}\n{GOOD}".replace("17.7", "1e-300"), "time 1e-300 s is not between 1e-09 and 1e+09"),
        (
            f"{HEADING}\n{GOOD}".replace('4x16,"4,16",1,1x4/4x4', "64x1,1x64,0,1x1/64x1"),
            "line 2: no group has two devices, so nothing moves; leave the row out",
        ),
        (f"{HEADING}\n{GOOD}".replace("8GiB", "8Gib"), "line 2: bytes '8Gib' is not a size"),
        (
            f"{HEADING}\n{GOOD}".replace("ring", "rings"),
            "line 2: algorithm 'rings' is unknown; write auto or ring or tree",
        ),
        (HEADING, "no measurement to fit to; give rows with a time"),
        (f"{HEADING}\n{GOOD}".replace("1x4/4x4,", "4x1/1x16,").replace("8GiB", "4").replace("17.7", "1e-5"), None),
    ],
)
def test_tables_that_cannot_be_fitted_to(tmp_path, capsys, content, message):
    path, out = tmp_path / "rows.csv", tmp_path / "out.toml"
    path.write_text(content + "\n", encoding="utf-8")
    code = run(["calibrate", "--system", "p2-a100", str(path), "--out", str(out)])
    err = capsys.readouterr().err
    if message is None:
        assert (code, out.exists()) == (0, True)
        assert "the rows do not tell nic.bandwidth" in err
    else:
        assert (code, out.exists()) == (2, False)
        assert message in err
        assert err.count("\n") == 1


def test_rows_that_tell_nothing_are_refused(tmp_path, capsys):
    path = tmp_path / "rows.csv"
    path.write_text(
        f"{HEADING}\n1x2,2,0,1x2,AllReduce,ring,8GiB,0.1\n1x2,2,0,1x2,AllReduce,ring,4GiB,90\n", encoding="utf-8"
    )
    assert run(["calibrate", "--system", "p2-a100", str(path)]) == 2
    assert "2 rows determine none of nic.bandwidth" in capsys.readouterr().err


def test_no_data_at_all(capsys):
    assert run(["calibrate", "--system", "p2-a100"]) == 2
    assert "there is no DATA to fit to; give files with measured times (--commands" in capsys.readouterr().err


def test_a_fit_without_scipy_says_what_to_install(table, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    for name in ("fit", "table_fit", "doubts", "fit_measured"):
        monkeypatch.delitem(sys.modules, f"p2smt.cost.calibration.{name}", raising=False)
    assert run(["calibrate", "--system", "p2-a100", str(table)]) == 2
    assert "scipy is missing; install it with: pip install scipy\n" in capsys.readouterr().err


def test_commands_need_no_scipy_and_operations_say_what_to_install(monkeypatch, capsys):
    fitting = ("cost.calibration.operations", "cli.output.operations", "cli.calibrated_operations")
    for name in (*fitting, "cli.commands.calibrate"):
        monkeypatch.delitem(sys.modules, f"p2smt.{name}", raising=False)
    monkeypatch.setitem(sys.modules, "scipy.optimize", None)
    assert run(["calibrate", "--system", "p2-a100", "--commands"]) == 0
    assert "all_reduce_perf" in capsys.readouterr().out
    assert run(["calibrate", "--operations", "rows.csv"]) == 2
    assert "scipy is missing; install it with: pip install scipy\n" in capsys.readouterr().err


def test_an_unchanged_system_reads_back(tmp_path):
    path = tmp_path / "system.toml"
    path.write_text(system_text(preset("p2-v100")), encoding="utf-8")
    assert read_system(path) == preset("p2-v100")


def nccl_table(system, collective, algorithm, hosts, each):
    """What nccl-tests prints of a system with these figures, without the name of the collective."""
    measured = resized(system, (hosts, each))
    pattern = Pattern(tuple(((Role.VARYING, size),) if size > 1 else () for size in (hosts, each)))
    cost, members = cost_of(measured, Nccl(algorithm)), hosts * each
    lines = [f"#  Rank {rank:2} Group  0 Pid 1 on host{rank // each} device 0" for rank in range(members)]
    lines.append(f"# size count type redop root {'time algbw busbw #wrong ' * 2}")
    for size in (2**20, 2**24, 2**28, 2**31):
        held = size / members if collective is Collective.ALL_GATHER else size
        micro = cost.work_cost(Work(collective, pattern, held)).seconds * 1e6
        redop, count = ("none", size // 4 // members) if collective is Collective.ALL_GATHER else ("sum", size // 4)
        lines.append(f"{size:12} {count:12} float {redop} -1 {micro:.6f} 1 1 0 {micro:.6f} 1 1 0")
    return "\n".join(lines) + "\n"


def test_several_collectives_algorithms_and_node_counts_are_fitted_together(tmp_path, capsys):
    true = find_system("dgx-h100:4x8")
    rates = {"nic": 4e9, "nvswitch": 240e9}
    links = tuple(replace(link, bandwidth=rates[link.name]) for link in true.network.links)
    true = replace(true, network=replace(true.network, links=links))
    reduce, gather = Collective.ALL_REDUCE, Collective.ALL_GATHER
    files = {
        "a.txt": nccl_table(true, reduce, Algorithm.RING, 4, 8),
        "b.txt": nccl_table(true, reduce, Algorithm.TREE, 4, 8),
        "all_gather_1n.txt": nccl_table(true, gather, Algorithm.RING, 1, 8),
        "c.txt": nccl_table(true, gather, Algorithm.RING, 2, 8),
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    data = ["a.txt:all_reduce:ring", "b.txt:all_reduce:tree", "all_gather_1n.txt", "c.txt:all_gather"]
    arguments = ["calibrate", "--system", "dgx-h100:4x8", *(str(tmp_path / one) for one in data), "--json"]
    assert run(arguments) == 0
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert "all_gather_1n.txt: where its tables do not say it, all_gather by its name" in err
    assert len(document["rows"]) == 16
    assert {row["algorithm"] for row in document["rows"]} == {"ring", "tree"}
    assert document["mean_abs_log_error"] < 0.01
    fitted = {figure["name"]: figure["after"] for figure in document["figures"]}
    assert fitted["nvswitch.bandwidth"] == pytest.approx(240e9, rel=0.05)
    assert fitted["nic.bandwidth"] == pytest.approx(4e9, rel=0.05)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}:all_gathr", "'all_gathr' is unknown; choose one of"),
        (
            "{}:all_reduce:rng",
            "'rng' is unknown; choose one of auto, ring, tree, nvls, nvls_tree, collnet_direct, collnet_chain, pat; "
            "did you mean ring?",
        ),
        ("{}:a:b:c", "does not parse; write FILE, FILE:all_gather or FILE:all_reduce:ring"),
        ("none.txt:all_gather", "cannot read none.txt"),
    ],
)
def test_what_is_said_of_a_file_is_checked(text, said, tmp_path, capsys):
    path = tmp_path / "a.txt"
    path.write_text("", encoding="utf-8")
    assert run(["calibrate", "--system", "dgx-h100:2x8", text.format(path)]) == 2
    assert said in capsys.readouterr().err


def test_picture_and_system_are_two_files(capsys):
    said = refused(["calibrate", "--system", "dgx-h100:2x8", "a.txt", "--svg", "./a.svg", "--out", "a.svg"], capsys)
    assert said.startswith("--svg and --out are both a.svg; give two files")


def test_the_fit_is_kept_whether_or_not_it_is_said_where(tmp_path, capsys):
    path = tmp_path / "all_reduce_4n.txt"
    measured = nccl_table(find_system("dgx-h100:4x8"), Collective.ALL_REDUCE, Algorithm.RING, 4, 8)
    path.write_text(measured, encoding="utf-8")
    asked = ["calibrate", "--system", "dgx-h100:4x8", f"{path}:all_reduce:ring", "--json"]
    kept = tmp_path / "dgx-h100-calibrated.toml"
    for _ in range(2):  # the same fit has the same name
        assert run(asked) == 0
        assert f"p2smt: {kept.name}: the system with its fitted figures; next: give --system" in capsys.readouterr().err
    first = kept.read_text(encoding="utf-8")
    assert find_system(str(kept)).name == "dgx-h100"
    kept.write_text(first + "# edited\n", encoding="utf-8")
    assert run(asked) == 0
    assert "p2smt: dgx-h100-calibrated-2.toml: the system" in capsys.readouterr().err
    assert (tmp_path / "dgx-h100-calibrated-2.toml").read_text(encoding="utf-8") == first
    assert kept.read_text(encoding="utf-8").endswith("# edited\n")
