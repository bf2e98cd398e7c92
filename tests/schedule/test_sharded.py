"""What `p2smt shard` writes is read by `p2smt schedule`: every schedule that is found for it computes the same."""

import pytest
from paths import ROOT
from tiers import sample

from p2smt.cli.main import run
from p2smt.cost.network.backend import cost_of
from p2smt.problem.system.text import find_system
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.kernel import sends
from p2smt.schedule.replay import difference
from p2smt.schedule.tuner.search import tune
from p2smt.tensor.expression import Convert
from p2smt.tensor.reals import Reals
from p2smt.tensor.text.file import read_program

EXAMPLES = ROOT / "p2smt" / "tensor" / "examples"
SHARDED = {
    "data parallel": ("mlp_step", 2, ["x sliced(0)", "y sliced(0)", "parameters replicated"], "B = 6, H = 3, F = 5"),
    "weights in slices": ("mlp_step", 3, ["x sliced(0)", "w1 replicated"], "B = 7, H = 3, F = 5"),
    "tensor parallel": ("gpt_block", 2, ["x replicated", "wq sliced(1)"], None),
    "sequence parallel": ("gpt_block", 4, ["x sliced(1)", "wq replicated"], None),
}


def sharded(name, folder):
    program, ranks, conditions, sizes = SHARDED[name]
    text = (EXAMPLES / f"{program}.tp").read_text(encoding="utf-8")
    if sizes:
        text = text.replace("B = 64, H = 32, F = 128", sizes)
    (folder / "whole.tp").write_text(text, encoding="utf-8")
    more = [word for each in conditions for word in ("--condition", each)]
    out = folder / "dist.tp"
    assert run(["shard", str(folder / "whole.tp"), "--system", f"1x{ranks}", *more, "--out", str(out)]) == 0
    return out, ranks


@pytest.mark.thorough  # random programs are scheduled in test_random
@pytest.mark.parametrize("name", SHARDED)
def test_every_schedule_of_a_sharded_program_computes_the_same(name, tmp_path):
    path, ranks = sharded(name, tmp_path)
    program = read_program(path)
    tuned = tune(program, Machine(cost_of(find_system(f"1x{ranks}"))), depth=1)
    assert any(
        isinstance(each.expression, Convert) and sends(each.expression.conversion) for each in program.statements
    )
    assert tuned.not_proved == 0
    assert len(tuned.found) > 1
    for each in sample(tuned.found, 4):
        assert difference(program, each.scheduled.program, Reals(1), step=2) is None, each.schedule


@pytest.mark.thorough  # the same programs are scheduled in Python in this file
def test_the_command_takes_what_shard_writes(tmp_path, capsys):
    path, ranks = sharded("data parallel", tmp_path)
    capsys.readouterr()
    assert run(["schedule", str(path), "--system", f"1x{ranks}", "--depth", "1"]) == 0
    assert f"\nmlp_step on {ranks} ranks: " in capsys.readouterr().out
