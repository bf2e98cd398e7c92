"""`p2smt mesh`: placements out in frameworks' words, orders and meshes in, and bad input."""

import json
import os
import re
from dataclasses import replace

import numpy as np
import pytest
from command_line import golden, output

from p2smt.cli.main import run
from p2smt.job import optimize
from p2smt.placement.matrix import parse_matrix
from p2smt.placement.notation import parse_order
from p2smt.placement.order import matrix_of_order
from p2smt.placement.rank_tensor import rank_tensor
from p2smt.problem.model import Axis

pytestmark = pytest.mark.usefixtures("known_optima")

JOB = """
[[level]]
name = "node"
size = 4
[[level]]
name = "gpu"
size = 16
[[axis]]
name = "{pp}"
size = 1
[[axis]]
name = "dp"
size = 8
[[axis]]
name = "tp"
size = 8
[[reduction]]
name = "gradients"
axes = ["dp"]
bytes = "1GiB"
[[reduction]]
axes = ["tp"]
bytes = "1GiB"
[[reduction]]
axes = ["dp", "tp"]
bytes = "64MiB"
"""
AXES = (Axis("pp", 1), Axis("dp", 8), Axis("tp", 8))
NO_ORDER = "p2smt: no order of the axes gives matrix 1x1/2x4/2x4; use --to rankfile\n"


@pytest.fixture
def job(tmp_path):
    path = tmp_path / "job.toml"
    path.write_text(JOB.format(pp="pp"), encoding="utf-8")
    return str(path)


def test_an_order_that_loses(job, capsys):
    golden("mesh_from.txt", output(["mesh", job, "--from", "megatron:tp-cp-ep-dp-pp"], capsys))


def test_the_share_of_orders(job, capsys):
    golden("mesh_orders.txt", output(["mesh", job, "--orders"], capsys))
    document = json.loads(output(["mesh", job, "--orders", "--json"], capsys))
    assert (document["matrices"], len(document["expressible"]), document["best_is_order"]) == (3, 2, False)
    for entry in document["expressible"]:
        order = parse_order(f"axes:{','.join(entry['order'])}", AXES)[1]
        assert matrix_of_order(order, [1, 8, 8], [4, 16]).rows == tuple(map(tuple, entry["matrix"]))
    assert document["best_order"]["loss"] == pytest.approx(
        document["best_order"]["seconds"] / document["best"]["seconds"] - 1
    )


def test_json_of_an_order(job, capsys):
    document = json.loads(output(["mesh", job, "--from", "megatron:tp-dp", "--json"], capsys))
    assert document["matrix"] == [[1, 1], [4, 2], [1, 8]]
    assert document["loss"] > 0.3
    assert document["best_order"]["order"] == "megatron:tp-dp-pp"
    assert document["complete"]


def test_groups_of_ranks_are_those_of_the_order_and_of_the_mesh(job, tmp_path, capsys):
    """An order that counts tp first has neighbours in tp groups; a mesh has them where it says so."""
    asked = ["mesh", job, "--from", "megatron:tp-dp"]
    consecutive = [list(range(first, first + 8)) for first in range(0, 64, 8)]
    apart = [list(range(first, 64, 8)) for first in range(8)]
    assert json.loads(output([*asked, "--json"], capsys))["groups"] == {"dp": apart, "tp": consecutive}
    said = output(asked, capsys)
    assert "\n  dp         0 8 16 24 32 40 48 56, 1 9" in said
    ranks = np.arange(64)[::-1].reshape(8, 8)
    path = mesh_file(tmp_path, ranks, ["tp", "dp"])
    groups = json.loads(output(["mesh", job, "--from", path, "--json"], capsys))["groups"]
    assert groups == {"dp": sorted(ranks.tolist()), "tp": sorted(ranks.T.tolist())}


def test_an_order_that_is_no_matrix(tmp_path, capsys):
    path = tmp_path / "job.toml"
    path.write_text(
        '[[level]]\nname = "node"\nsize = 2\n[[level]]\nname = "gpu"\nsize = 3\n[[axis]]\nname = "dp"\nsize = 3\n'
        '[[axis]]\nname = "tp"\nsize = 2\n[[reduction]]\naxes = ["dp"]\nbytes = "1MB"\n',
        encoding="utf-8",
    )
    said = " ".join(output(["mesh", str(path), "--from", "megatron:tp-dp"], capsys, code=1).split())
    assert said.startswith(
        "megatron:tp-dp is not a parallelism matrix: a unit of level node has 3 devices and ends inside dp, whose "
        "neighbours are 2 apart and which spans 6, but 3 is not a multiple of 2"
    )
    assert "best order" in said
    document = json.loads(output(["mesh", str(path), "--from", "megatron:tp-dp", "--json"], capsys, code=1))
    assert (document["matrix"], document["seconds"], document["loss"]) == (None, None, None)


def mesh_file(tmp_path, ranks, names):
    path = tmp_path / "mesh.json"
    path.write_text(json.dumps({"mesh_dim_names": names, "mesh": ranks.tolist()}), encoding="utf-8")
    return str(path)


def test_a_mesh_written_out_comes_back_as_its_matrix(job, tmp_path, capsys):
    for text in ("1x1/2x4/2x4", "1x1/1x8/4x2"):
        ranks = rank_tensor(parse_matrix(text), (2, 1, 0)).devices()
        path = mesh_file(tmp_path, ranks, ["tp", "dp", "pp"])
        document = json.loads(output(["mesh", job, "--from", path, "--json"], capsys))
        assert document["matrix"] == [list(row) for row in parse_matrix(text).rows]
        assert [note.partition(" ranks")[0] for note in document["notes"]] == ["along tp, dp taken as one"]


def test_a_mesh_with_ranks_that_do_not_ascend_is_remarked_on(job, tmp_path, capsys):
    ranks = rank_tensor(parse_matrix("1x1/2x4/2x4"), (1, 2)).devices()[[0, 4, 1, 5, 2, 6, 3, 7]]
    said = " ".join(output(["mesh", job, "--from", mesh_file(tmp_path, ranks, ["dp", "tp"])], capsys).split())
    assert "is matrix 1x1/2x4/2x4" in said
    assert "note: coordinates of dp are not counted outermost level first; the groups are those of the matrix" in said
    assert "note: along dp ranks do not ascend: torch sorts the ranks of a group" in said


def test_a_mesh_that_is_none(job, tmp_path, capsys):
    ranks = rank_tensor(parse_matrix("1x1/2x4/2x4"), (1, 2)).devices().copy()
    ranks[0, 0], ranks[7, 7] = ranks[7, 7], ranks[0, 0]
    said = " ".join(output(["mesh", job, "--from", mesh_file(tmp_path, ranks, ["dp", "tp"])], capsys, code=1).split())
    assert "is not a parallelism matrix: unit 0 of level node has coordinates" in said
    assert "of dp, {0, 1, 2, 3, 7} of tp, but not all combinations" in said


def test_the_given_path_is_escaped(job, tmp_path, capsys):
    path = tmp_path / "a\x1b[31m\n<b>.json"
    path.write_text(
        json.dumps(
            {
                "mesh_dim_names": ["dp", "tp"],
                "mesh": rank_tensor(parse_matrix("1x1/2x4/2x4"), (1, 2)).devices().tolist(),
            }
        ),
        encoding="utf-8",
    )
    said = " ".join(output(["mesh", job, "--from", str(path)], capsys).split())
    assert "a\\x1b[31m\\n<b>.json is matrix" in said
    assert "\x1b" not in said


@pytest.mark.parametrize("target", ["megatron", "torchtitan", "deepspeed"])
def test_an_order_comes_out_and_is_read_back(target, job, capsys):
    for matrix in ("1x1/1x8/4x2", "1x1/4x2/1x8"):
        assert run(["mesh", job, "--to", target, "--matrix", matrix]) == 0
        text = capsys.readouterr().out.strip()
        notation, order = parse_order(f"{target}:{text}", AXES)
        assert str(notation) == target
        assert str(matrix_of_order(order, [1, 8, 8], [4, 16])) == matrix


@pytest.mark.parametrize(
    ("target", "text", "typed"),
    [
        ("megatron", "tp-dp-pp", "megatron takes it as --tensor-model-parallel-size 8\n"),
        ("torchtitan", "pp,dp_shard,tp", "--parallelism.data_parallel_shard_degree=8 --parallelism.tensor_parallel_"),
        ("deepspeed", "pipe,data,model", 'ProcessTopology(axes=["data", "model"], dims=[8, 8])'),
    ],
)
def test_an_order_is_in_the_frameworks_words_and_says_what_takes_it(target, text, typed, job, capsys):
    assert run(["mesh", job, "--to", target, "--matrix", "1x1/4x2/1x8"]) == 0
    out, err = capsys.readouterr()
    assert out == f"{text}\n"
    assert typed in err


@pytest.mark.parametrize("name", ["megatron", "torchtitan", "deepspeed", "axes"])
def test_a_framework_alone_is_its_default_order(name, job, capsys):
    document = json.loads(output(["mesh", job, "--from", name, "--json"], capsys))
    assert document["matrix"] == [[1, 1], [4, 2], [1, 8]]
    assert document["given"] == name


def test_an_axis_that_a_framework_does_not_have_is_no_order_of_it(tmp_path, capsys):
    path = tmp_path / "job.toml"
    path.write_text(JOB.format(pp="pp").replace('"dp"', '"cp"'), encoding="utf-8")
    assert run(["mesh", str(path), "--to", "deepspeed", "--matrix", "1x1/4x2/1x8"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "has no axis cp; rename it to one of pipe, data, model, or use devicemesh," in said.err


def test_the_best_order_comes_out_where_none_is_the_best_matrix(job, capsys):
    assert run(["mesh", job, "--to", "megatron"]) == 1
    out, err = capsys.readouterr()
    assert out == "tp-dp-pp\n"
    assert err.startswith(NO_ORDER)
    assert re.search(r"best order there is: matrix 1x1/4x2/1x8, .* per step, 4\d\.\d% more than the best of all", err)


@pytest.mark.parametrize(
    ("first", "most", "code", "text", "said"),
    [
        (0, 3, 1, "tp-dp-pp\n", "the best order there is: matrix 1x1/4x2/1x8"),
        (0, 1, 3, "dp-tp-pp\n", "the best order of those priced before the search stopped: matrix 1x1/1x8/4x2"),
        (1, 1, 3, "", "the search stopped before an order was priced"),
        (1, 2, 3, "tp-dp-pp\n", "the best order of those priced before the search stopped: matrix 1x1/4x2/1x8"),
    ],
)
def test_of_a_search_that_stopped_no_order_is_the_best_of_all(first, most, code, text, said, job, capsys, monkeypatch):
    """Ctrl-C comes once so many of the three placements are priced, from this one on; the second is no order."""
    all_of, whole, asked = optimize.placements_of, optimize.JobPricer.placement, []

    def placements(*arguments):
        found = all_of(*arguments)
        assert len(found.items) == 3
        return replace(found, items=found.items[first:] + found.items[:first])

    def placement(pricer, matrix):
        asked.append(matrix)
        if len(asked) > most:
            raise KeyboardInterrupt
        return whole(pricer, matrix)

    monkeypatch.setattr(optimize, "placements_of", placements)
    monkeypatch.setattr(optimize.JobPricer, "placement", placement)
    assert run(["mesh", job, "--to", "megatron", "--matrix", "1x1/2x4/2x4"]) == code
    out, err = capsys.readouterr()
    assert (out, said in err) == (text, True)
    assert ("of all" in err, "there is" in err) == (code == 1, code == 1)


def test_rankfile(job, capsys):
    arguments = ["mesh", job, "--to", "rankfile", "--order", "megatron:tp-cp-ep-dp-pp"]
    golden("mesh_rankfile.txt", output(arguments, capsys))


def test_slots_that_are_no_local_ranks_are_remarked_on(job, capsys):
    assert run(["mesh", job, "--to", "rankfile", "--order", "megatron:dp-tp"]) == 0
    out, err = capsys.readouterr()
    assert out.count("\n") == 64
    assert "let a rank take the device of its slot, not of its local rank" in err


def test_hostfile(job, tmp_path, capsys):
    hosts = tmp_path / "hosts.txt"
    hosts.write_text("alpha\nbeta\ngamma\ndelta\n", encoding="utf-8")
    arguments = ["mesh", job, "--to", "hostfile", "--matrix", "1x1/4x2/1x8", "--hosts", str(hosts)]
    assert output(arguments, capsys) == "alpha slots=16\nbeta slots=16\ngamma slots=16\ndelta slots=16\n"


def test_a_device_mesh_says_where_sorting_shows(job, tmp_path, capsys):
    out = tmp_path / "mesh.py"
    assert run(["mesh", job, "--to", "devicemesh", "--out", str(out)]) == 0
    assert "along dp, tp taken as one ranks do not ascend: torch sorts" in capsys.readouterr().err
    assert 'NAMES = ("pp", "dp", "tp")\n' in out.read_text(encoding="utf-8")
    assert output(["mesh", job, "--to", "devicemesh", "--matrix", "1x1/4x2/1x8"], capsys)
    assert 'NAMES = ("tp", "dp", "pp")\n' in output(["mesh", job, "--to", "jax", "--order", "axes:tp,dp,pp"], capsys)


def test_conditions_and_timeouts(job, capsys):
    assert "1 of 1 matrices that keep the conditions" in output(
        ["mesh", job, "--orders", "--condition", "tp on gpu"], capsys
    )
    said = output(["mesh", job, "--from", "axes:tp,dp", "--condition", "tp on gpu"], capsys)
    assert "note: this matrix does not keep the job's conditions" in said


BAD = [
    ([], "give one of --to, --from and --orders"),
    (["--orders", "--to", "jax"], "give one of --to, --from and --orders"),
    (["--to", "jax", "--json"], "--json goes with --from and --orders"),
    (["--orders", "--matrix", "1x1/4x2/1x8"], "--matrix is only for these targets; add --to"),
    (["--from", "axes:dp,tp", "--hosts", "h"], "--hosts is only for these targets; add --to rankfile, hostfile"),
    (["--to", "jax", "--hosts", "h"], "--hosts is only for these targets; add --to rankfile, hostfile"),
    (
        ["--to", "megatron", "--order", "axes:dp,tp"],
        "--order is only for these targets; add --to devicemesh, jax, rankfile, hostfile",
    ),
    (["--from", "tp-dp"], "order 'tp-dp' does not parse; write NOTATION:NAMES such as megatron:tp-cp-dp-pp"),
    (["--from", "tp-dp"], "did you mean megatron:tp-dp?"),
    (["--from", "data,model"], "did you mean deepspeed:data,model?"),
    (["--from", "nemo:tp-dp"], "the notations are axes, megatron, torchtitan, deepspeed"),
    (["--from", "megatrn"], "did you mean megatron?"),
    (["--from", "deepspeed:data,dp,model"], "names dp twice; name every axis once"),
    (["--from", "megatron:tp"], "order 'megatron:tp' leaves out dp; only axes of size 1 may be missing"),
    (["--from", "megatron:tp-dp-tp"], "order 'megatron:tp-dp-tp' names tp twice; name every axis once"),
    (["--from", "megatron:tp-dp-<b>\n\u00e9"], "'<b>\\n\u00e9' is not an axis; the axes are pp, dp, tp"),
    (["--from", "axes:tp,dp,cp"], "'cp' is not an axis; the axes are pp, dp, tp"),
    (["--from", "axes:" + "tp," * 9999], "names tp twice"),
    (["--from", "none.json"], "cannot read none.json"),
    (["--to", "hostfile", "--matrix", "1x1/2x4/2x4"], "ranks 0 and 4 lie in different units of level node; use"),
    (["--to", "jax", "--matrix", "1x1/2x4/2x8"], "matrix 1x1/2x4/2x8: row of axis tp multiplies to 16, not 8"),
    (["--to", "jax", "--matrix", "2/4"], "matrix 2/4 does not fit"),
    (["--to", "rankfile", "--hosts", "none.txt"], "cannot read none.txt"),
    (["--to", "jax", "--out", "none/mesh.py", "--matrix", "1x1/2x4/2x4"], "cannot write none/mesh.py"),
    (["--to", "numpy"], "Invalid value for '--to': 'numpy' is not one of"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD, ids=range(len(BAD)))
def test_bad_input(arguments, message, job, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["mesh", job, *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("p2smt: ")
    assert err.count("\n") == 1
    assert message in err
    assert os.listdir(tmp_path) == ["job.toml"]


def test_an_axis_that_a_notation_cannot_carry(tmp_path, capsys):
    path = tmp_path / "job.toml"
    path.write_text(JOB.format(pp="pp").replace('"dp"', '"d-p"'), encoding="utf-8")
    assert run(["mesh", str(path), "--to", "megatron", "--matrix", "1x1/4x2/1x8"]) == 2
    assert "megatron has no axis d-p; rename it to one of" in capsys.readouterr().err
    said = output(["mesh", str(path), "--from", "axes:d-p,tp"], capsys)
    assert "axes:pp,d-p,tp" in said


def test_an_axis_of_one_shard_that_a_framework_does_not_have_is_left_out(tmp_path, capsys):
    path = tmp_path / "job.toml"
    path.write_text(JOB.format(pp="p-p"), encoding="utf-8")
    assert run(["mesh", str(path), "--to", "megatron", "--matrix", "1x1/4x2/1x8"]) == 0
    assert capsys.readouterr().out == "tp-dp\n"


REMARKS = [
    ("pp", "ep", "megatron:tp-cp-ep-dp-pp", "Megatron lays ep by a generator of its own"),
    ("cp", "ep", "megatron:tp-cp-ep-dp-pp", "Megatron has no generator with both ep and cp"),
    ("ep", "pp", "megatron:tp-pp-ep", "Megatron asks for pp last in its order where ep is used"),
    ("cp", "pp", "torchtitan:cp,pp,tp", "torchtitan always lays pp, cp, tp; a rankfile puts its ranks where"),
    ("dp", "pp", "torchtitan:pp,dp,tp", "torchtitan writes dp_shard for dp"),
    ("ep", "pp", "torchtitan:pp,ep,tp", "torchtitan has no axis ep; its axes are pp, dp_replicate, dp_shard, cp, tp"),
    ("data", "model", "deepspeed:tp,data,model", "deepspeed has no axis tp; its axes are pipe, data, model"),
]


@pytest.mark.parametrize(("first", "second", "order", "remark"), REMARKS)
def test_what_frameworks_do_otherwise(first, second, order, remark, tmp_path, capsys):
    path = tmp_path / "job.toml"
    path.write_text(
        "\n".join(f'[[level]]\nname = "{name}"\nsize = {size}' for name, size in (("node", 2), ("gpu", 4)))
        + "".join(f'\n[[axis]]\nname = "{name}"\nsize = 2' for name in (first, second, "tp"))
        + '\n[[reduction]]\naxes = ["tp"]\nbytes = "1MB"\n',
        encoding="utf-8",
    )
    notes = json.loads(output(["mesh", str(path), "--from", order, "--json"], capsys))["notes"]
    assert any(note.startswith(remark) for note in notes), notes


def test_help_is_quick_and_shows_an_example(capsys):
    assert "p2smt mesh job.toml --to devicemesh --out mesh.py" in output(["mesh", "--help"], capsys)
