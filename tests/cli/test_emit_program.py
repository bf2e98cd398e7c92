"""`p2smt emit` of a distributed program: a training step, with collectives in the ways that are fastest there."""

from pathlib import Path

import pytest
from command_line import output, refused

import p2smt.tensor
from p2smt.cli.main import run

EXAMPLES = Path(p2smt.tensor.__file__).parent / "examples"
WIDE = """program wide
mesh device=4
input x : f32[64, 4096] sliced(0)
parameter w : f32[4096, 4096] sliced(0, sizes=4000/32/32/32)
whole = AllGather(w, 0)
y = matmul(x, whole)
loss = AllReduce(sum(y * y))
output loss
"""


def test_collectives_of_unlike_shards_are_done_in_the_way_that_is_fastest_there(tmp_path, capsys):
    path = tmp_path / "wide.tp"
    path.write_text(WIDE, encoding="utf-8")
    assert " = all_gather_padded(w, " in output(["emit", str(path)], capsys)
    assert " = all_gather_grouped(w, " in output(["emit", str(path), "--system", "hap-a100-p100"], capsys)


def test_what_shard_writes_is_emitted(tmp_path, capsys):
    path = tmp_path / "dist.tp"
    assert run(["shard", str(EXAMPLES / "mlp_step.tp"), "--system", "hap-a100-p100", "--out", str(path)]) == 0
    capsys.readouterr()
    text = output(["emit", str(path), "--system", "hap-a100-p100"], capsys)
    compile(text, "step.py", "exec")
    assert text.startswith('"""One step of ')
    assert "on 4 devices, as torch code on every rank's parts." in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["mlp_step.tp"], "program mlp_step is for one device; p2smt shard makes a distributed one of it"),
        (["mlp_step_megatron.tp", "--target", "jax"], "target jax is for plans; a tensor program is emitted for torch"),
        (
            ["mlp_step_megatron.tp", "--system", "hap-a100-p100"],
            "mesh data=2, model=2, and hap-a100-p100 has 4",
        ),
    ],
)
def test_what_cannot_be_is_said(arguments, said, capsys):
    assert said in refused(["emit", str(EXAMPLES / arguments[0]), *arguments[1:]], capsys)


def test_a_plan_takes_no_system(tmp_path, capsys):
    path = tmp_path / "plan.json"
    output(["plan", "--system", "2x2", "--axes", "4", "--reduce", "0", "--out", str(path)], capsys)
    said = "--system is for distributed tensor programs; a plan has its own system"
    assert refused(["emit", str(path), "--system", "2x4"], capsys) == said
