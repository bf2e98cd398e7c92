"""NCCL's protocols for small messages: every call takes the fastest, and large ones stay with Simple."""

from dataclasses import replace

import pytest

from p2smt.cli.main import run
from p2smt.cost.network.backend import Gloo, cost_of
from p2smt.errors import ProgramError
from p2smt.problem.system.text import find_system
from p2smt.schedule.check import on_ranks
from p2smt.schedule.cost.estimate import estimate
from p2smt.schedule.cost.knobs import Bandwidth, turned
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.cost.protocols import PROPORTIONS, ProtocolCarrier, SmallMessages, by
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.tensor.text.parser import parse_program

SYSTEM = find_system("dgx-h100:2x8")
TEXT = "program p\ninput x : f32[N] partial(+)\nr = ReduceScatter(x, 0)\nall = AllGather(r, 0)\noutput all\n"


def program(length):
    return on_ranks(parse_program(TEXT.replace("N", str(length))), 16)


def seconds(length, on):
    return {unit.name: unit.seconds for unit in estimate(ScheduledProgram(program(length)), on).units}


@pytest.mark.parametrize("length", [16, 1 << 14, 1 << 20, 1 << 28])
def test_every_call_takes_the_fastest_protocol(length):
    plain = Machine.of(SYSTEM)
    alone = [seconds(length, Machine(cost_of(by(protocol, SYSTEM)))) for protocol in SmallMessages]
    own = seconds(length, plain)
    carried = seconds(length, ProtocolCarrier.on(program(length).mesh, plain))
    assert carried == pytest.approx({name: min(own[name], *(each[name] for each in alone)) for name in own})


def test_small_messages_take_ll_and_large_ones_simple():
    on = ProtocolCarrier.on(program(16).mesh, Machine.of(SYSTEM))
    ways = {length: estimate(ScheduledProgram(program(length)), on).units[1].way for length in (16, 1 << 28)}
    assert ways == {16: "AllGather by LL", 1 << 28: "AllGather"}
    assert set(PROPORTIONS) == set(SmallMessages)


def test_protocols_stay_when_links_are_faster():
    on = ProtocolCarrier.on(program(16).mesh, Machine.of(SYSTEM))
    scheduled, faster = turned(Bandwidth(), 2.0, ScheduledProgram(program(1 << 20)), on)
    assert isinstance(faster.carrier, ProtocolCarrier)
    assert faster.carrier.machine.cost.system.network.links[0].bandwidth == 2 * SYSTEM.network.links[0].bandwidth
    assert estimate(scheduled, faster).seconds < estimate(scheduled, on).seconds


def test_gloo_has_no_protocols(tmp_path, capsys):
    with pytest.raises(ProgramError, match="LL and LL128 are protocols of NCCL"):
        ProtocolCarrier.on(program(16).mesh, replace(Machine.of(SYSTEM), backend=Gloo()))
    path = tmp_path / "p.tp"
    path.write_text(TEXT.replace("N", "64"), encoding="utf-8")
    arguments = ["schedule", str(path), "--system", "dgx-h100:1x2", "--ranks", "2", "--depth", "1", "--protocols"]
    assert run([*arguments, "--backend", "gloo"]) == 2
    assert "are protocols of NCCL" in capsys.readouterr().err
    assert run(arguments) == 0
    assert "AllGather by LL" in capsys.readouterr().out


@pytest.mark.parametrize(("protocol", "between", "inside"), [("LL", 2.7 / 14, 0.6 / 3.4), ("LL128", 4 / 14, 1.9 / 3.4)])
def test_hops_between_machines_have_another_proportion_than_those_inside(protocol, between, inside):
    """Of levels machines, and racks of them, lie outside; what is in one machine lies inside."""
    for text, outer in (("dgx-h100:2x8", 1), ("rack:2,node:2,gpu:4", 2), ("8", 0)):
        system = find_system(text)
        assert system.machine == outer - 1
        seen = by(SmallMessages(protocol), system)
        shares = {
            link.level: seen.network.links[number].latency / link.latency
            for number, link in enumerate(system.network.links)
        }
        names = [level.name for level in system.levels]
        wanted = [between] * outer + [inside] * (len(names) - outer)
        assert shares == pytest.approx(
            {name: share for name, share in zip(names, wanted, strict=True) if name in shares}
        )
