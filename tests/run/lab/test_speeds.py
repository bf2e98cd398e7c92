"""Speeds measured on ranks that get parts of a core, kept as a system that programs are sharded for."""

import json
from types import SimpleNamespace

import numpy as np
import pytest
from lab_support import groups_of
from tiers import is_full

from p2smt.cli.main import run
from p2smt.cost.calibration import probes
from p2smt.problem.system.text import find_system
from p2smt.run.lab import laboratory, probing
from p2smt.run.rank.message import Ends

STEP = """program step
input x : f32[64, 32]
parameter w : f32[32, 32]
h = relu(matmul(x, w))
loss = sum(h * h, 0, 1)
g = matmul(transpose(x, 1, 0), h)
w_new = update(w, w - g * 0.1)
output loss
"""


def _measured(arguments, capsys):
    """What is measured; other tests take turns with the ranks, and where that says nothing it is measured again."""
    for _ in range(3):
        code, said = run(arguments), capsys.readouterr()
        if code == 0:
            break
        assert "measure again on a quieter machine" in said.err
    assert code == 0, said.err
    return json.loads(said.out)


@pytest.mark.thorough  # fits are tested on times that were made up
@pytest.mark.slow
def test_speeds_are_measured_and_sharding_takes_them(lab, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(laboratory, "secrets", SimpleNamespace(token_hex=lambda size: lab))
    if not is_full():
        monkeypatch.setattr(probing, "_ROUNDS", 1)
        monkeypatch.setattr(probes, "COUNTS", probes.COUNTS[:4])
    monkeypatch.setattr(probing, "_LONG_S", 0.05)
    monkeypatch.setattr(probing, "_TURNS", 2)
    monkeypatch.setattr(probing, "_PER_TURN", 3)
    monkeypatch.setattr(probing, "_LARGE_TURNS", 1)
    out = tmp_path / "unlike.toml"
    arguments = ["calibrate", "--speeds", "--system", "lab:2x1@0.4/0.1", "--out", str(out), "--json"]
    document = _measured(arguments, capsys)
    assert groups_of(lab) == []
    fast, slow = document["speeds"]["kinds"]
    assert (fast["quota"], slow["quota"]) == (0.4, 0.1)
    assert fast["speed"] > slow["speed"] > 0
    assert document["speeds"]["effort"]["start"] > 0
    assert len(document["network"]["rows"]) == 3 * len(probes.COUNTS)
    system = find_system(str(out))
    assert [kind.speed for kind in system.kinds] == [fast["speed"], slow["speed"]]
    program = tmp_path / "step.tp"
    program.write_text(STEP, encoding="utf-8")
    assert run(["shard", str(program), "--system", str(out), "--backend", "gloo", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["devices"][0]["speed"] == round(fast["speed"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--system", "lab:2x2"], "the system has no kinds; give quotas such as lab:2x2@0.5/0.25"),
        (["--system", "lab:2x2@0.5/0.25", "a.csv"], "--speeds takes its own measurements; leave out a.csv"),
        (["--system", "2x2@0.5/0.25"], "a laboratory shapes 1 Mb/s to 10000 Mb/s"),
    ],
)
def test_what_cannot_be_measured_is_refused(arguments, message, capsys):
    assert run(["calibrate", "--speeds", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_a_step_ends_where_its_last_rank_has_ended_it():
    dice = np.random.default_rng(5)
    ends = dice.uniform(0.1, 1.0, (3, 2, 4, 5)).cumsum(axis=-1)  # rank, step, turn, repeat
    answers = [[Ends(step.tolist(), (("loss", float(number)),)) for number, step in enumerate(rank)] for rank in ends]
    timed = probing.of_all_ranks(answers)
    for number, one in enumerate(timed):
        np.testing.assert_allclose(one.seconds, np.diff(ends[:, number].max(axis=0), axis=-1).ravel())
        assert one.outputs == (("loss", number),)
    last = ends.argmax(axis=0)
    assert {0, 1, 2} == {*last.ravel().tolist()}
    assert len(timed) == 2


def test_a_step_takes_the_median_of_its_repeats():
    for seconds, median in (((3.0,), 3.0), ((9.0, 1.0, 2.0), 2.0), ((1.0, 9.0, 2.0, 4.0), 3.0)):
        assert probing.TimedStep(seconds, ()).median_s == median
