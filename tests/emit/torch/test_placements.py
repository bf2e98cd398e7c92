"""Emitted DTensor placements: what they say, what they refuse, and training on real ranks with them."""

from pathlib import Path

import pytest
from emit.emitted import check_style
from emit.placed_steps import STEPS, TWO_AXES, UNEVEN
from support import refused

from p2smt.emit.export import Export, exported
from p2smt.emit.torch.placements import emit_placements
from p2smt.errors import ProgramError
from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat
from p2smt.tensor.text.parser import parse_program

HELD = {
    "by features": {"0.weight": (8, 8), "0.bias": (8,), "2.weight": (4, 8), "2.bias": (4,)},
    "by samples": {"0.weight": (16, 8), "0.bias": (16,), "2.weight": (4, 16), "2.bias": (4,)},
    "gathered": {"0.weight": (8, 8), "0.bias": (16,), "2.weight": (4, 16), "2.bias": (4,)},
}


@pytest.mark.slow
def test_a_module_trains_on_two_ranks_as_on_one_device(tmp_path):
    paths = []
    for number, program in enumerate(STEPS.values()):
        paths.append(str(tmp_path / f"plan{number}.py"))
        Path(paths[-1]).write_text(emit_placements(program), encoding="utf-8")
    with CallRanks([Seat()] * 2, timeout_s=120) as ranks:
        answers = ranks.call(str(Path(__file__).with_name("placements_rank.py")), "steps", paths, timeout_s=120)
    for answer in answers:
        for name, (losses, expected, same, held, refusal) in zip(STEPS, answer, strict=True):
            assert losses == pytest.approx(expected)
            assert losses[2] < losses[0]
            assert same
            assert {key: tuple(shape) for key, shape in held.items()} == HELD[name]
            assert refusal == "the module has no m.0.bias, m.0.weight, m.2.bias, m.2.weight"


def test_what_a_file_says():
    text = exported(STEPS["by features"], Export.DTENSOR)
    assert '"m.0.weight": (Shard(0),),' in text
    assert '"m.2.weight": (Shard(1),),' in text
    assert '"m.2.bias": (Replicate(),),' in text
    assert '"x": (Replicate(),),' in text
    assert '"w": (Shard(1), Shard(0)),' in emit_placements(TWO_AXES)


def test_files_keep_the_style(tmp_path):
    check_style(tmp_path, [emit_placements(program) for program in (*STEPS.values(), TWO_AXES)])


def test_what_dtensor_cannot_keep_is_refused():
    assert refused(lambda: emit_placements(UNEVEN), ProgramError) == (
        "w is cut into 3/3/2/2, but DTensor cuts it into 3/3/3/1; use --shares even, and lengths "
        "divisible by the number of devices"
    )
    single = parse_program("program p\ninput x : f32[4]\ny = x\noutput y\n")
    assert "has no mesh; shard it first" in refused(lambda: emit_placements(single), ProgramError)
    summand = parse_program("program p\nmesh a=2\ninput x : f32[4] partial(+)\ny = AllReduce(x)\noutput y\n")
    assert (
        "x is partial(+); DTensor stores tensors sliced or replicated; choose one of these by a "
        "--condition of p2smt shard"
    ) in refused(lambda: emit_placements(summand), ProgramError)
