"""A laboratory's network as it is: who reaches whom, and how fast."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from lab_support import FLAT, left_of, said
from tiers import sample

from p2smt.cli.main import run
from p2smt.errors import LabError
from p2smt.run.lab.laboratory import Host, Laboratory
from p2smt.run.lab.namespaces import run_commands
from p2smt.run.lab.shape import LabShape, Tier
from p2smt.run.lab.sweep import find_labs, remove_lab, sweep

MEGABIT = 1e6 / 8
RACKS = LabShape((Tier("rack", 2, 20 * MEGABIT), Tier("host", 2, 50 * MEGABIT)), 1)

TAKE = """
import socket, time
with socket.create_server(("0.0.0.0", 5000)) as server:
    print("ready", flush=True)
    connection, _ = server.accept()
    began, count = time.perf_counter(), 0
    while data := connection.recv(1 << 20):
        count += len(data)
    print(count / (time.perf_counter() - began))
"""
GIVE = """
import socket, sys
with socket.create_connection((sys.argv[1], 5000), timeout=10) as connection:
    connection.sendall(bytes(int(sys.argv[2])))
"""


@contextmanager
def taking(host: Host) -> Iterator["subprocess.Popen[str]"]:
    with subprocess.Popen([*host.exec, sys.executable, "-c", TAKE], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
        process.wait(timeout=20)


def rate(giver: Host, taker: Host, size: int = 2_000_000) -> float:
    """Bytes/s of one TCP stream between hosts."""
    with taking(taker) as process:
        subprocess.run([*giver.exec, sys.executable, "-c", GIVE, taker.address, str(size)], check=True, timeout=20)
        assert process.stdout is not None
        return float(process.stdout.readline())


def shaped_rates(*command: str) -> list[str]:
    """The rates of the ports in a network namespace, as the kernel says them."""
    return sorted(re.findall(r"qdisc tbf .* rate (\S+) burst", said(*command, "tc", "qdisc", "show")))


@pytest.mark.thorough  # rates are compared in test_cluster.py
def test_cards_uplinks_and_loopback_have_their_rates(lab):
    """No stream is faster than its slowest card; that a rate is reached is the kernel's affair, and the machine's."""
    with Laboratory(RACKS, lab) as laboratory:
        one, neighbour, far, _ = laboratory.hosts
        assert [shaped_rates(*host.exec) for host in laboratory.hosts] == [["50Mbit"]] * 4
        assert shaped_rates("ip", "netns", "exec", f"p2l-{lab}-net") == ["20Mbit"] * 4 + ["50Mbit"] * 4
        for giver, taker, megabits in ((one, neighbour, 50), (neighbour, one, 50), (one, far, 20), (far, one, 20)):
            assert 0 < rate(giver, taker) < 1.05 * megabits * MEGABIT
        assert rate(one, one, 50_000_000) > 0
        received = [count for count, _ in laboratory.card_bytes()]
        assert min(received[:2]) > 2_000_000 > received[3]


def test_nothing_leaves_a_laboratory(lab):
    with Laboratory(FLAT, lab) as laboratory:
        for host in laboratory.hosts:
            assert "default" not in said(*host.exec, "ip", "route", "show", "table", "all")
            outside = subprocess.run(
                [*host.exec, sys.executable, "-c", "import socket; socket.create_connection(('192.0.2.1', 80), 2)"],
                capture_output=True,
                text=True,
                check=False,
            )
            assert "Network is unreachable" in outside.stderr
        assert "p2l-" not in said("ip", "link")
        assert "198.18." not in said("ip", "addr") + said("ip", "route", "show", "table", "all")


def test_two_laboratories_at_once(lab):
    other = f"{lab[:5]}z"
    with Laboratory(FLAT, lab) as one:
        with Laboratory(FLAT, other) as two:
            assert {lab, other} <= {found.lab for found in find_labs()}
            assert one.hosts[0].address == two.hosts[0].address
            with taking(one.hosts[1]), taking(two.hosts[1]):
                for laboratory in (one, two):
                    give = [*laboratory.hosts[0].exec, sys.executable, "-c", GIVE, laboratory.hosts[1].address, "9"]
                    subprocess.run(give, check=True, timeout=20)
        assert left_of(other) == []
        assert rate(*one.hosts, 200_000) > 0


def test_an_id_is_used_once(lab):
    with Laboratory(FLAT, lab) as laboratory:
        with pytest.raises(LabError, match=f"laboratory {lab} is in use by another process"), Laboratory(FLAT, lab):
            pass
        laboratory.keep()
    with pytest.raises(LabError, match=f"laboratory {lab} is up already; `p2smt lab down {lab}` removes it"):
        Laboratory(FLAT, lab).__enter__()
    with Laboratory(FLAT, lab, attach=True) as laboratory:
        assert rate(*laboratory.hosts, 200_000) > 0
    slow = LabShape((Tier("host", 2, 10 * MEGABIT),), 2)
    with pytest.raises(LabError, match="was built for another system: host 0 sends at 100 Mb/s, not 10 Mb/s"):
        Laboratory(slow, lab, attach=True).__enter__()
    assert sweep(lab)
    with pytest.raises(LabError, match="is not up"):
        Laboratory(FLAT, lab, attach=True).__enter__()


@pytest.mark.parametrize("place", sample(range(26), 7))
def test_a_command_that_fails_leaves_nothing(lab, place, monkeypatch):
    def broken(commands):
        whole = list(commands)
        whole.insert(place % len(whole), ("ip", "-n", f"p2l-{lab}-net", "link", "set", "nothing", "up"))
        run_commands(whole)

    monkeypatch.setattr("p2smt.run.lab.laboratory.run_commands", broken)
    with pytest.raises(LabError, match=r"`ip -n .* link set nothing up` failed: ") as caught, Laboratory(FLAT, lab):
        pass
    assert "\n" not in str(caught.value)


def test_removing_twice_or_a_part_is_fine(lab):
    with Laboratory(FLAT, lab) as laboratory:
        subprocess.run(["ip", "netns", "del", laboratory.hosts[0].namespace], check=True)
        remove_lab(lab)
        remove_lab(lab)


def test_a_name_alone_does_not_make_processes_ours(lab):
    """A namespace with a laboratory's name that is this machine's own: its processes stay alive."""
    space = f"p2l-{lab}-h0"
    subprocess.run(["ip", "netns", "attach", space, str(os.getpid())], check=True)
    assert [found.processes for found in find_labs() if found.lab == lab] == [()]
    remove_lab(lab)


def test_up_list_down(lab, capsys):
    assert (
        run(
            [
                "lab",
                "up",
                "rack:2,host:2,rank:2",
                "--bandwidth",
                "rack=20Mb/s,host=50Mb/s",
                "--id",
                lab,
                "--json",
                "--mtu",
                "9000",
            ]
        )
        == 0
    )
    document = json.loads(capsys.readouterr().out)
    assert [(level["name"], level["bandwidth"]) for level in document["levels"]] == [("rack", 2.5e6), ("host", 6.25e6)]
    assert [host["address"] for host in document["hosts"]] == [f"198.18.0.{n}" for n in range(1, 5)]
    with subprocess.Popen(["ip", "netns", "exec", f"p2l-{lab}-h3", "sleep", "100"]) as sleeper:
        while Path(f"/proc/{sleeper.pid}/cmdline").read_bytes() != b"sleep\x00100\x00":
            pass
        assert run(["lab", "list", "--json"]) == 0
        (entry,) = [e for e in json.loads(capsys.readouterr().out)["laboratories"] if e["id"] == lab]
        assert entry == {"id": lab, "hosts": 4, "processes": [sleeper.pid], "in_use": False}
        assert run(["lab", "down", lab]) == 0
        assert capsys.readouterr().out == f"laboratory {lab}: removed\n"
        assert sleeper.wait(timeout=5) == -9
    assert run(["lab", "down", lab]) == 2
    assert f"laboratory {lab} is not up" in capsys.readouterr().err


def test_down_leaves_a_laboratory_alone_in_which_a_run_is_under_way(lab, capsys):
    with Laboratory(FLAT, lab) as laboratory:
        assert run(["lab", "down", lab]) == 1
        assert capsys.readouterr().out == f"laboratory {lab}: a run is under way; --force removes it all the same\n"
        assert rate(*laboratory.hosts, 200_000) > 0
        assert run(["lab", "down", lab, "--force"]) == 0
