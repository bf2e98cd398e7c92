"""The tuner finds what brute force over all sequences of moves finds; prices say when doing less wins."""

import json

import pytest
from command_line import output
from paths import ROOT

from p2smt.cli.main import run
from p2smt.cost.network.backend import cost_of
from p2smt.errors import ProgramError
from p2smt.problem.system.text import find_system
from p2smt.schedule.apply import apply
from p2smt.schedule.check import on_ranks
from p2smt.schedule.cost.estimate import estimate
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.outcome import Applied
from p2smt.schedule.replay import difference
from p2smt.schedule.scheduled import Scheduled
from p2smt.schedule.step import Line
from p2smt.schedule.text.parser import parse_schedule
from p2smt.schedule.tuner.moves import moves
from p2smt.schedule.tuner.search import CHUNKS, tune
from p2smt.tensor.reals import Reals
from p2smt.tensor.text.parser import parse_program

TEXT = """program small
input x : f32[64, N] partial(+)
parameter b : f32[N]
sum = AllReduce(x)
y = relu(sum + b)
output y
"""
SYSTEM = "dgx-h100:1x4"


def machine(flops=1e14):
    return Machine(cost_of(find_system(SYSTEM)), flops)


def program(length):
    return on_ranks(parse_program(TEXT.replace("N", str(length))), 4)


def brute_force(scheduled, depth, settled=frozenset()):
    """The seconds of every sequence of moves, whatever it is equal to; chunks are tried one by one."""
    yield estimate(scheduled, machine()).seconds
    if not depth:
        return
    for step in moves(scheduled, settled):
        chunked = [step] if not hasattr(step, "chunks") else [
            type(step)(step.stages, chunks, step.dimension) for chunks in (2, *CHUNKS)]  # fmt: skip
        for each in chunked:
            for count in range(8):
                try:
                    outcome = apply(scheduled, Line(each, tuple(f"n{depth}.{number}" for number in range(count))))
                    break
                except ProgramError:
                    continue
            if isinstance(outcome, Applied):
                made = frozenset(name for name in outcome.scheduled.names if name.startswith(f"n{depth}."))
                yield from brute_force(outcome.scheduled, depth - 1, settled | made)


@pytest.mark.parametrize("length", [16, 65536])
def test_the_fastest_is_that_of_brute_force(length):
    tuned = tune(program(length), machine(), depth=2)
    assert tuned.cut_off == ""
    everything = list(brute_force(Scheduled(program(length)), 2))
    assert tuned.found[0].estimate.seconds == pytest.approx(min(everything))
    assert tuned.found[-1].estimate.seconds <= max(everything) * (1 + 1e-12)
    assert len(tuned.found) <= len(everything)
    assert tuned.tried == len(tuned.found) - 1 + tuned.equal + sum(dict(tuned.refused).values()) + tuned.not_proved


def test_every_schedule_that_is_found_computes_the_same_and_is_a_text():
    tuned = tune(program(7), machine(), depth=2)
    assert len(tuned.found) > 5
    for each in tuned.found:
        assert difference(tuned.untouched.scheduled.program, each.scheduled.program, Reals(1)) is None
    assert tuned.untouched in tuned.found


def test_small_tensors_are_left_whole_and_large_ones_are_scattered_where_ranks_compute_slowly():
    small, large = (tune(program(length), machine(1e9), depth=2) for length in (1, 2**16))
    assert not any("ReduceScatter" in unit.way for unit in small.found[0].estimate.units)
    assert any("ReduceScatter" in unit.way for unit in large.found[0].estimate.units)


def test_a_search_that_is_cut_off_says_so():
    tuned = tune(program(16), machine(), depth=3, most=4)
    assert tuned.cut_off == "4 schedules were found"
    assert len(tuned.found) == 4


def test_a_kernel_reads_and_writes_less_than_its_parts():
    apart = Scheduled(on_ranks(parse_program(
        "program p\ninput x : f32[1048576]\ny = x * 2\nz = tanh(y)\noutput z\n"), 4))  # fmt: skip
    (line,) = parse_schedule("f = fuse y, z")
    fused = apply(apart, line).scheduled
    one, other = estimate(fused, machine()).seconds, estimate(apart, machine()).seconds
    assert one == pytest.approx(other / 2)


def test_a_loop_is_never_faster_than_what_its_stages_keep_busy():
    text = (ROOT / "p2smt" / "schedule" / "examples" / "mlp_tail.tp").read_text(encoding="utf-8")
    plain = Scheduled(on_ranks(parse_program(text), 4))
    units = {unit.name: unit.seconds for unit in estimate(plain, machine()).units}
    for chunks in (2, 8, 32):
        (line,) = parse_schedule(f"overlap layer, sum chunks {chunks} dim 1")
        seconds = {unit.name: unit.seconds for unit in estimate(apply(plain, line).scheduled, machine()).units}
        assert max(units["layer"], units["sum"]) <= seconds["loop.layer"]


def test_the_mesh_has_to_fit_the_system():
    with pytest.raises(ProgramError, match="the mesh has 3 ranks, the system 4 devices; they have to agree"):
        tune(on_ranks(parse_program(TEXT.replace("N", "8")), 3), machine())


def test_the_command_prints_the_fastest_beside_the_program_as_it_is(tmp_path, capsys):
    path = tmp_path / "p.tp"
    path.write_text(TEXT.replace("N", "4096"), encoding="utf-8")
    arguments = ["schedule", str(path), "--system", SYSTEM, "--ranks", "4", "--depth", "2", "--top", "2"]
    text = output(arguments, capsys)
    assert text.startswith("small on 4 ranks: ")
    assert "as it is" in text
    assert "[2]" in text
    assert max(map(len, text.splitlines())) <= 80
    document = json.loads(output([*arguments, "--json"], capsys))
    assert len(document["fastest"]) == 2
    assert document["cut_off"] is None
    assert run(["schedule", str(path), "--ranks", "4"]) == 2
    assert "give --steps FILE to prove, or --system SYSTEM to search for" in capsys.readouterr().err
