"""Memory of scheduled programs: as the footprint where nothing is fused or overlapped, by hand where something is."""

from pathlib import Path

import pytest
from paths import ROOT

from p2smt.schedule.check import check_schedule, on_ranks
from p2smt.schedule.cost.memory import held
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.text.parser import parse_schedule
from p2smt.tensor.footprint import footprint
from p2smt.tensor.text.file import read_program
from p2smt.tensor.text.parser import parse_program

PROGRAMS = sorted((ROOT / "p2smt" / "schedule" / "examples").glob("*.tp"))


def of(text, steps="", ranks=2):
    scheduled = check_schedule(parse_program(text), parse_schedule(steps), ranks).scheduled
    return held(scheduled, footprint(scheduled.program))


@pytest.mark.parametrize("path", PROGRAMS, ids=[path.stem for path in PROGRAMS])
def test_a_program_that_is_carried_out_as_it_is_holds_its_footprint(path: Path):
    program = read_program(path)
    program = on_ranks(program, None if program.mesh else 4)
    values = footprint(program)
    assert held(ScheduledProgram(program), values).peak == max(values.peak)


CHAIN = """program chain
input x : f32[8, 4] partial(+)
sum = AllReduce(x)
y = sum * 2
z = relu(y)
output z
"""
WHOLE = 8 * 4 * 4


def test_an_output_is_held_to_the_end_whoever_reads_it_before():
    """When w is made there are x, the outputs sum and y, z that is read, and w; u takes the place of z, if it may."""
    text = CHAIN.replace("z = relu(y)\noutput z", "z = relu(y)\nw = z + 1\nu = relu(w)\noutput sum\noutput y")
    assert "output y" in text
    assert of(text).peak == 5 * WHOLE
    assert of(f"{text}output u\n").peak == 5 * WHOLE
    assert of(f"{text}output z\noutput u\n").peak == 6 * WHOLE


def test_a_kernel_holds_nothing_between_its_statements():
    assert of(CHAIN).peak == 3 * WHOLE
    fused = of(CHAIN, "f = fuse y, z")
    assert (fused.peak, fused.unit, fused.in_flight) == (3 * WHOLE, "f", 0)
    assert of(CHAIN.replace("z = relu(y)", "w = relu(y)\nz = w + 1"), "f = fuse y, w, z").peak == 3 * WHOLE


def test_what_a_collective_of_a_kernel_receives_is_held():
    fused = of(CHAIN, "f = fuse sum, y, z")
    assert (fused.peak, fused.in_flight) == (3 * WHOLE, WHOLE)


def test_a_loop_holds_a_chunk_for_each_stage_that_lies_between():
    looped = of(CHAIN, "overlap sum, y, z chunks 4 dim 0")
    assert (looped.unit, looped.in_flight) == ("loop.sum", 2 * (WHOLE // 4) + 2 * (WHOLE // 4))
    assert looped.peak == 2 * WHOLE + looped.in_flight
    skipping = of(CHAIN.replace("relu(y)", "sum + y"), "overlap sum, y, z chunks 4 dim 0")
    assert skipping.in_flight == 3 * (WHOLE // 4) + 2 * (WHOLE // 4)


def test_chunks_in_pieces_are_copied_for_a_collective():
    rows = of(CHAIN, "overlap sum, y, z chunks 4 dim 0").in_flight
    columns = of(CHAIN, "overlap sum, y, z chunks 4 dim 1").in_flight
    assert columns - rows == 2 * (WHOLE // 4)


def test_the_largest_of_ragged_chunks_counts():
    text = CHAIN.replace("8, 4", "7, 4")
    assert of(text, "overlap sum, y, z chunks 4 dim 0").in_flight == 4 * (2 * 4 * 4)


def test_a_scattered_loop_copies_blocks_of_all_slices():
    steps = (
        "rs, ag = split sum rs-ag\nscY, scZ, whole = reorder ag past y, z\noverlap rs, scY, scZ, whole chunks 2 dim 0"
    )
    looped = of(CHAIN, steps)
    half = WHOLE // 2
    assert looped.in_flight == 3 * 2 * (half // 2) + (WHOLE // 2) + (WHOLE // 2)


def test_slices_of_states_hold_less():
    root = ROOT / "p2smt"
    text = (root / "tensor" / "examples" / "adam.tp").read_text(encoding="utf-8")
    steps = (root / "schedule" / "examples" / "adam_fused.steps").read_text(encoding="utf-8")
    whole, sliced = of(text, ranks=4), of(text, steps, ranks=4)
    scalars, part = 5 * 4, 2**20
    assert whole.peak == (5 * 4 * part) + scalars
    assert sliced.peak == (2 * 4 * part) + (2 * part) + (2 * part) + (4 * part) + scalars
