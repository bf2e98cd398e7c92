"""Which systems can be a laboratory, and the commands that make one."""

import os
import shutil
import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import golden, refused
from support import problem

from p2smt.cli.main import run
from p2smt.errors import LabError
from p2smt.placement.digits import split
from p2smt.placement.enumeration import all_placements
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload
from p2smt.problem.system.build import build_system
from p2smt.problem.system.file import preset
from p2smt.problem.system.link import Duplex, Wiring
from p2smt.problem.system.network import System
from p2smt.problem.system.text import find_system
from p2smt.problem.system.tree import Tree
from p2smt.reduction.plan.lower import Lowering
from p2smt.run.lab.cluster import timed_elements
from p2smt.run.lab.commands import MTU, token_bucket, up_commands
from p2smt.run.lab.laboratory import Laboratory
from p2smt.run.lab.names import checked_id, lab_of
from p2smt.run.lab.seats import lab_seats
from p2smt.run.lab.shape import LabShape, Tier, check_levels, lab_shape
from p2smt.run.lab.sweep import Claim, find_labs, remove_lab, sweep

UNLIKE = LabShape((Tier("rack", 2, 1e6), Tier("host", 2, 1e6)), 3, Tree(((2,), (1, 2), (2, 3, 1))))
RACKS = LabShape((Tier("rack", 2, 50e6 / 8), Tier("host", 2, 100e6 / 8)), 2)


def with_rates(text: str, rate: float = 1e7, **change: object) -> System:
    """A system whose links have this rate; the outermost link is changed further."""
    system = find_system(text)
    links = [replace(link, bandwidth=rate) for link in system.network.links]
    links[0] = replace(links[0], **change)
    return build_system(replace(system, network=replace(system.network, links=tuple(links))))


def test_hosts_racks_and_ranks_of_a_system():
    assert lab_shape(preset("lab")) == LabShape((Tier("host", 2, 89.3e6 / 8),), 4)
    shape = lab_shape(with_rates("rack:2,host:3,rank:4"))
    assert shape == LabShape((Tier("rack", 2, 1e7), Tier("host", 3, 1e7)), 4)
    assert (shape.hosts, shape.devices) == (6, 24)
    each_alone = with_rates("host:3,rank:2")
    each_alone = replace(each_alone, network=replace(each_alone.network, machine="rank"))
    assert lab_shape(each_alone) == LabShape((Tier("host", 3, 1e7), Tier("rank", 2, 1e7)), 1)


@pytest.mark.parametrize(
    "text", ["host:2,rank:4", "rack:2,host:3,rank:4", "host:[5,1,3]", "rack:2,host:[1,2],rank:[2,3,1]"]
)
def test_ranks_are_on_hosts_as_devices_are_in_machines(text):
    system = with_rates(text)
    laboratory = Laboratory(lab_shape(system))
    seats = lab_seats(laboratory)
    sizes, outside = [level.size for level in system.levels], system.machine + 1
    places = [split(number, sizes)[:outside] for number in system.present]
    assert laboratory.shape.hosts == len({*places}) == len(laboratory.shape.units(outside))
    for device, seat in enumerate(seats):
        host = laboratory.host_of(device)
        assert host.number == sorted({*places}).index(places[device])
        assert seat.interface == host.interface
    assert len(seats) == system.devices


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"wiring": Wiring.BUS},
            "link host of level host: it is a bus; hosts and racks of a laboratory have a port each",
        ),
        ({"duplex": Duplex.HALF}, "link host of level host: it is half duplex; virtual network cards are full duplex"),
        ({"count": 2}, "link host of level host: it has count 2; hosts and racks of a laboratory have one port each"),
        (
            {"oversubscription": 4.0},
            "link host of level host: it has oversubscription 4.0; describe racks with slow ports",
        ),
        ({"rails": True}, "link host of level host: it is on rails; hosts of a laboratory have one port each"),
        (
            {"bandwidth": 8e9},
            "link host of level host: 64000 Mb/s is out of range; a laboratory shapes 1 Mb/s to 10000 Mb/s",
        ),
        (
            {"bandwidth": 1e4},
            "link host of level host: 0.08 Mb/s is out of range; a laboratory shapes 1 Mb/s to 10000 Mb/s",
        ),
    ],
)
def test_links_that_no_laboratory_has(change, message):
    with pytest.raises(LabError) as caught:
        lab_shape(with_rates("host:2,rank:4", **change))
    assert str(caught.value) == message


def test_systems_that_no_laboratory_is():
    with pytest.raises(LabError, match=r"all devices of the system are in one machine; give two levels"):
        lab_shape(find_system("rank:4"))
    deep = with_rates("host:2,socket:2,rank:2")
    deep = replace(deep, network=replace(deep.network, machine="host"))
    with pytest.raises(LabError, match=r"levels socket, rank are inside one host, .* say machine = \"socket\""):
        lab_shape(deep)
    with pytest.raises(LabError, match="128 ranks on one machine are more than the 64 of a laboratory"):
        lab_shape(with_rates("host:8,rank:16"))
    with pytest.raises(LabError, match="65 hosts on one machine are more than the 64 of a laboratory"):
        lab_shape(with_rates("host:65,rank:1"))
    racks = with_rates("rack:2,host:2,rank:2")
    links = tuple(replace(link, uplink=False) for link in racks.network.links)
    with pytest.raises(
        LabError, match="link host of level host: bytes to other racks pass a host's only port; say uplink"
    ):
        lab_shape(replace(racks, network=replace(racks.network, links=links)))


def test_the_commands():
    text = "".join(f"{' '.join(command)}\n" for command in up_commands("demo", RACKS))
    golden("lab_commands.txt", text)


@pytest.mark.parametrize(
    "shape", [RACKS, LabShape((Tier("host", 64, 1e6),), 1), LabShape((Tier("a", 2, 1e6),) * 3, 2), UNLIKE]
)
def test_commands_stay_inside_the_laboratory(shape):
    commands = up_commands("zzzzzz", shape)
    made = set()
    for command in commands:
        if command[:3] == ("ip", "netns", "add"):
            made.add(command[3])
            continue
        assert (command[1] == "-n" and command[2] in made) or (command[1:3] == ("netns", "exec") and command[3] in made)
    words = {word for command in commands for word in command if word.startswith("p2l")}
    assert all(word.startswith("p2l-zzzzzz-") and len(word) <= 15 for word in words)
    assert len(made) == shape.hosts + 1
    assert all(lab_of(space) == "zzzzzz" for space in made)
    addresses = {word for command in commands for word in command if word.startswith("198.")}
    assert len(addresses) == shape.hosts


def test_removing_a_laboratory_removes_its_temporary_folders_and_no_others(tmp_path, monkeypatch):
    """Without a namespace, so without root: what is left when all else is gone."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("p2smt.run.lab.sweep.NAMESPACES", tmp_path / "none")
    for name in ("p2l-aa1-run-x1", "p2l-aa1-run-y_2", "p2l-aa2-run-x1", "p2l-aa1-other", "notes"):
        (tmp_path / name / "inside").mkdir(parents=True)
    (tmp_path / "p2l-aa1-run-file").write_text("", encoding="utf-8")
    (tmp_path / "p2l-aa1-run-link").symlink_to(tmp_path / "notes", target_is_directory=True)
    remove_lab("aa1")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "notes",
        "p2l-aa1-other",
        "p2l-aa1-run-file",
        "p2l-aa1-run-link",
        "p2l-aa2-run-x1",
    ]
    assert (tmp_path / "notes" / "inside").is_dir()
    assert [found.lab for found in find_labs() if found.lab in ("aa1", "aa2")] == ["aa2"]


def test_what_another_process_holds_is_removed_by_force_alone(tmp_path, monkeypatch, request):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("p2smt.run.lab.sweep.NAMESPACES", tmp_path / "none")
    folder, lab = tmp_path / "p2l-zz9-run-x1", "zz9"
    folder.mkdir()
    claim = Claim(lab)
    request.addfinalizer(claim.release)
    assert (sweep(lab), folder.exists()) == (False, True)
    assert [found.in_use for found in find_labs() if found.lab == lab] == [True]
    assert (sweep(lab, force=True), folder.exists()) == (True, False)
    folder.mkdir()
    claim.release()
    assert (sweep(lab), folder.exists()) == (True, False)
    Claim(lab).release()


def test_a_port_lets_a_moment_of_its_rate_through_at_once():
    assert token_bucket(12.5e6) == "tbf rate 100000000bit burst 18750b limit 3750000b"
    assert token_bucket(125e3) == "tbf rate 1000000bit burst 9084b limit 90840b"
    assert token_bucket(1.25e9) == "tbf rate 10000000000bit burst 1875000b limit 67108864b"


@pytest.mark.parametrize("rates", [(12.5e6,), (125e3,), (1.25e9,), (6e6, 12.5e6, 25e6), (50e6, 6e6), (125e3, 1.25e9)])
def test_no_port_cuts_what_hosts_hand_to_their_cards(rates):
    shape = LabShape(tuple(Tier(f"level{number}", 2, rate) for number, rate in enumerate(rates)), 1)
    commands = up_commands("x", shape)
    pieces = [int(words[words.index("gso_max_size") + 1]) for words in commands if "gso_max_size" in words]
    bursts = [int(words[words.index("burst") + 1].removesuffix("b")) for words in commands if words[0] == "tc"]
    assert len(pieces) == shape.hosts
    assert len(bursts) == 2 * sum(len(shape.units(depth + 1)) for depth in range(len(rates)))
    headers = 66  # Ethernet, IP and TCP with time stamps, in every frame
    assert all(2 * headers + piece * (1 + headers / 1448) <= min(bursts) for piece in pieces)
    assert all(piece >= MTU for piece in pieces)


def test_names():
    for name in ("p2lab-net", "p2l-demo-net2", "p2l-demo-h", "p2l-toolong-h0", "p2l-demo-h0x", "eth0", "p2l--net"):
        assert lab_of(name) is None
    assert lab_of("p2l-demo-run-a_b1") == "demo"
    for text in ("", "Demo", "a-b", "toolong", "a b", "../x"):
        with pytest.raises(LabError, match="is not allowed; give 1 to 6 lower-case letters and digits"):
            checked_id(text)


def test_without_root_or_tools_it_says_so(monkeypatch, capsys):
    monkeypatch.setattr(shutil, "which", lambda tool, path=None: None)
    assert refused(["lab", "up", "lab"], capsys) == (
        "a laboratory needs ip and tc of iproute2, which is not installed; "
        "apt-get install iproute2, or dnf install iproute iproute-tc"
    )
    monkeypatch.setattr(shutil, "which", lambda tool, path=None: f"/sbin/{tool}")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    said = "a laboratory needs root, but this is user 1000; run it with sudo, or in a container started with"
    assert refused(["lab", "up", "lab"], capsys).startswith(said)
    assert refused(["lab", "down"], capsys).startswith(said)


def test_plans_run_where_units_are_as_they_were_planned_alone():
    """The largest units of all three have one size."""
    texts = {"2x2": "host:2,rank:2", "2x[2,1]": "host:2,rank:[2,1]", "2x[1,2]": "host:2,rank:[1,2]"}
    for planned in texts.values():
        system = with_rates(planned)
        problem = build_problem(system, [Axis("data", system.devices)], [0], Payload(1024, "float32"))
        plan = Lowering(problem, all_placements(problem).items[0]).direct
        for there in texts.values():
            if there == planned:
                check_levels(plan, lab_shape(with_rates(there)))
            else:
                with pytest.raises(LabError, match="the plan is for levels"):
                    check_levels(plan, lab_shape(with_rates(there)))


def test_bad_input_is_refused(capsys, tmp_path: Path):
    assert "64000 Mb/s is out of range" in refused(["lab", "up", "host:2,rank:2"], capsys)
    assert "is not allowed" in refused(["lab", "up", "lab", "--id", "A"], capsys)
    assert "mtu 5 is out of range" in refused(["lab", "up", "lab", "--mtu", "5"], capsys)
    plan = tmp_path / "plan.json"
    assert run(["plan", "--system", "4x2", "--axes", "8", "--reduce", "0", "--out", str(plan)]) == 0
    capsys.readouterr()
    assert "the plan is for levels 4x2, but the laboratory has 2x4" in refused(["lab", "run", "lab", str(plan)], capsys)
    with pytest.raises(LabError, match="no id of a laboratory is given"):
        Laboratory(RACKS, attach=True)


@pytest.mark.parametrize("command", ["up", "run", "down", "list"])
def test_help_has_an_example(command, capsys):
    assert run(["lab", command, "--help"]) == 0
    out = capsys.readouterr().out
    assert f"p2smt lab {command}" in out.partition("Example:")[2]
    assert "--json" in out


def test_the_largest_laboratories_and_the_least_and_greatest_rates_are_taken():
    """64 hosts, 64 ranks; one more, or a rate one bit beyond, is refused."""
    assert lab_shape(with_rates("host:64,rank:1")).hosts == 64
    assert lab_shape(with_rates("host:8,rank:8")).devices == 64
    for bits, taken in ((1e6 - 8, False), (1e6, True), (1e10, True), (1e10 + 8, False)):
        system = with_rates("host:2,rank:2", bandwidth=bits / 8)
        if taken:
            assert lab_shape(system).tiers[0].rate == bits / 8
        else:
            with pytest.raises(LabError, match="is out of range; a laboratory shapes"):
                lab_shape(system)
    with pytest.raises(LabError, match=r"it has oversubscription 1\.5; describe racks with slow ports"):
        lab_shape(with_rates("host:2,rank:2", oversubscription=1.5))


def test_every_tier_has_ports_of_its_own_rate():
    """Uplinks of two racks at a megabyte per second, cards of their four hosts at two."""
    shape = LabShape((Tier("rack", 2, 1e6), Tier("host", 2, 2e6)), 1)
    limited = [command for command in up_commands("x", shape) if command[0] == "tc"]
    rates = {command[command.index("dev") + 1]: command[command.index("rate") + 1] for command in limited}
    assert {rate for name, rate in rates.items() if name[6] in "ud"} == {"8000000bit"}
    assert {rate for name, rate in rates.items() if name[6] in "pn"} == {"16000000bit"}
    assert sum(name[6] in "ud" for name in rates) == 4
    assert sum(name[6] in "pn" for name in rates) == 8


def test_a_plan_is_timed_with_its_payload_or_four_mebibytes_of_it():
    asked = problem((2, 2), (4,))
    plan = Lowering(asked, all_placements(asked).items[0]).direct
    for elements in (1, 2**20, 2**20 + 1, 2**22, 2**22 + 1, 2**30):
        given = replace(plan, payload=Payload(4 * elements, "float32"))
        for dtype, size in (("float32", 4), ("float16", 2), ("int8", 1), ("float64", 8)):
            assert timed_elements(given, dtype) == min(elements, 2**22 // size)
