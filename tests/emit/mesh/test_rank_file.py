"""Rankfiles and hostfiles: what a launcher and a framework make of them is the matrix."""

import re
from dataclasses import replace
from itertools import permutations, product

import numpy as np
import pytest
from support import problem

from p2smt.emit.mesh.rank_file import RankMapping, hostfile, rankfile
from p2smt.errors import ProblemError
from p2smt.placement.digits import DeviceMap, split
from p2smt.placement.enumeration import all_placements
from p2smt.placement.hosts import host_size, read_hosts
from p2smt.placement.matrix import parse_matrix
from p2smt.placement.mesh import MeshMatch, recognise

CASES = [([4, 4], [4, 2, 2]), ([2, 2, 2], [2, 4]), ([3, 2, 2], [6, 2]), ([8], [2, 4]), ([2, 3], [2, 1, 3])]


def mappings(case):
    sizes, shards = case
    asked = problem(sizes, shards)
    # Hosts are the units of any level; those of a level further out have several levels inside.
    machines = [level.name for level in asked.levels[:-1]] or [None]
    for matrix, order, machine in product(all_placements(asked).items, permutations(range(len(shards))), machines):
        system = replace(asked.system, network=replace(asked.system.network, machine=machine))
        yield RankMapping(system, matrix, order), sizes, shards


@pytest.mark.parametrize("case", CASES)
def test_a_rank_has_the_coordinates_that_the_framework_gives_it(case):
    """The framework counts ranks by its order; the launcher puts them where the rankfile says."""
    for mapping, _, shards in mappings(case):
        size = host_size(mapping.system)
        lines = [re.fullmatch(r"rank (\d+)=host(\d+) slot=(\d+)", line) for line in rankfile(mapping).splitlines()]
        assert [int(line[1]) for line in lines] == list(range(mapping.system.devices))
        devices = [int(line[2]) * size + int(line[3]) for line in lines]
        for rank, device in enumerate(devices):
            wanted = dict(zip(mapping.order, split(rank, [shards[axis] for axis in mapping.order]), strict=True))
            assert DeviceMap(mapping.matrix).coordinates(device) == tuple(wanted[axis] for axis in range(len(shards)))
        on_host = {
            host: [device for device in devices if device // size == host]
            for host in range(mapping.system.devices // size)
        }
        assert mapping.by_local_rank == all(found == sorted(found) for found in on_host.values())


@pytest.mark.parametrize("case", CASES)
def test_a_hostfile_is_written_exactly_where_some_order_of_hosts_lands_on_the_matrix(case):
    """Ranks fill host after host; slots are local ranks. All orders of hosts are tried."""
    for mapping, sizes, shards in mappings(case):
        size = host_size(mapping.system)

        def lands(hosts, mapping=mapping, sizes=sizes, shards=shards, size=size):
            devices = np.concatenate([np.arange(size) + host * size for host in hosts])
            laid = devices.reshape([shards[axis] for axis in mapping.order]).transpose(np.argsort(mapping.order))
            found = recognise(laid, sizes)
            return isinstance(found, MeshMatch) and (found.matrix, found.mixed) == (mapping.matrix, ())

        possible = any(map(lands, permutations(range(mapping.system.devices // size))))
        if not possible:
            with pytest.raises(ProblemError, match="no hostfile places this order on matrix"):
                hostfile(mapping)
            continue
        lines = hostfile(mapping).splitlines()
        hosts = [int(re.fullmatch(rf"host(\d+) slots={size}", line)[1]) for line in lines]
        assert sorted(hosts) == list(range(len(hosts)))
        assert lands(hosts)


def test_too_many_ranks_are_refused():
    asked = problem([16, 8192], [131072])
    mapping = RankMapping(asked.system, parse_matrix("16x8192"), (0,))
    with pytest.raises(ProblemError, match="131072 ranks are too many to list one by one; the limit is 65536"):
        rankfile(mapping)


SYSTEM = problem([2, 4], [8]).system
BAD = [
    ("a\n", "names 1 hosts, but the system has 2; name each on a line of its own"),
    ("a\nb\nc\n", "names 3 hosts, but the system has 2"),
    ("a\na\n", ": host a is already on line"),
    ("a\nb slot=1\n", "line 2: 'b slot=1' is not a host name; write letters, digits, . _ and -"),
    ("a\n<b>\u00e9\n", "line 2: '<b>\u00e9' is not a host name"),
    ("a\n-b\n", "line 2: '-b' is not a host name"),
    ("a\n" + "b" * 300, "is not a host name"),
]


@pytest.mark.parametrize(("text", "message"), BAD, ids=range(len(BAD)))
def test_bad_hosts(text, message, tmp_path):
    path = tmp_path / "hosts.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ProblemError) as error:
        read_hosts(path, SYSTEM)
    assert message in str(error.value)


def test_hosts_are_read_in_their_order(tmp_path):
    path = tmp_path / "hosts.txt"
    path.write_text("# by device number\nnode-b.example\n\n10.0.0.1\n", encoding="utf-8")
    assert read_hosts(path, SYSTEM) == ("node-b.example", "10.0.0.1")
    path.write_bytes(b"\xff\n")
    with pytest.raises(ProblemError, match="is not UTF-8 text"):
        read_hosts(path, SYSTEM)


def test_devices_of_one_machine_are_on_one_host(tmp_path):
    """Also where there are levels inside: no unit of them is a machine."""
    path = tmp_path / "hosts.txt"
    path.write_text("all\n", encoding="utf-8")
    for sizes in ([8], [2, 4], [2, 2, 2]):
        system = problem(sizes, [8]).system
        alone = replace(system, network=replace(system.network, machine=None))
        assert (alone.machines, host_size(alone)) == (1, 8)
        assert read_hosts(path, alone) == ("all",)
        assert hostfile(RankMapping(alone, parse_matrix("x".join(map(str, sizes))), (0,))) == "host0 slots=8\n"
