"""Emitted steps that begin gathers and reductions early are proved; the same steps with a race are not."""

import re

import pytest
from frontend.torch_ranks.judged import judged
from tiers import sample

from p2smt.emit.torch.program.source import emit_program
from p2smt.tensor.reason import Reason
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.way import Way
from p2smt.verify.verdict import Proved, Refuted, Unknown

ZERO = """program layers
mesh device=2
input x : f64[8, 6] sliced(0)
parameter w : f64[6, 4] sliced(0)
parameter v : f64[4, 2] sliced(0)
w_whole = AllGather(w, 0)
h = tanh(matmul(x, w_whole))
v_whole = AllGather(v, 0)
y = matmul(h, v_whole)
loss = AllReduce(sum(y * y))
dv = matmul(transpose(h, 1, 0), y)
dh = matmul(y, transpose(v_whole, 1, 0))
dv_cut = ReduceScatter(dv, 0)
dw = matmul(transpose(x, 1, 0), dh * (1 - h * h))
v_new = update(v, v - 0.1 * dv_cut)
dw_cut = ReduceScatter(dw, 0)
w_new = update(w, w - 0.1 * dw_cut)
output loss
"""
"""Two layers whose parameters are cut (ZeRO-3)."""
ONE_DEVICE = re.sub(r"(?:AllGather|ReduceScatter)\((\w+), 0\)|AllReduce\((.*)\)\n", r"\1\2\n", ZERO)
ONE_DEVICE = re.sub(r"mesh.*\n| sliced\(0\)|(?<=\n)\n", "", ONE_DEVICE)
FUNCTION = """

def train(x: "sliced(0)", w: "sliced(0)", v: "sliced(0)"):
    outputs, _ = compute(Ranks(torch.device("cpu"), torch.float64), {"x": x, "w": w, "v": v}, 1)
    return outputs["loss"]
"""
RACES = {
    "a summand is written while it is sent": ("    del dv\n", "    dv.mul_(2).div_(2)\n    del dv\n"),
    "a shard is written while it is sent": ("    h = torch.tanh(", "    v.mul_(2).div_(2)\n    h = torch.tanh("),
    "a call is not waited for": ("    (v_whole,) = bucket_1()", "    v_whole = torch.cat([v, v])"),
}


def step(way):
    program = parse_program(ZERO)
    text = emit_program(program, {each.name: way for each in program.statements}, buckets=40)
    # Small blocks are sent as copies, large ones from where they lie.
    return text.replace("least: int = 2**16", "least: int = 1") + FUNCTION


def verdict(monkeypatch, tmp_path, text):
    path = tmp_path / "step.py"
    path.write_text(text, encoding="utf-8")
    return judged(monkeypatch, "train", ONE_DEVICE, path, (("ranks", 2),))


@pytest.mark.parametrize("way", [Way.PADDED, Way.EXCHANGE])
def test_a_step_whose_calls_are_begun_early_is_proved_and_one_with_a_race_is_not(monkeypatch, tmp_path, way):
    text = step(way)
    assert text.count("_begun(") + text.count("_begun_exchanged(") > 3
    assert isinstance(verdict(monkeypatch, tmp_path, text).verdict, Proved)
    for race in sample([*RACES], 1):
        before, after = RACES[race]
        assert before in text
        found = verdict(monkeypatch, tmp_path, text.replace(before, after)).verdict
        # Without elements a call that nobody waits for is not known to be wrong on every backend.
        waited = "not waited for" not in race
        assert isinstance(found, Refuted if waited else Unknown), race
        assert not waited or found.counter_example.refusal.reason is Reason.RACE, race
