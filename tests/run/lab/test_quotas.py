"""Parts of a core for ranks: control groups of both versions in a folder that looks like them, and real ones."""

from dataclasses import replace

import pytest
from lab_support import FLAT, groups_of

from p2smt.errors import LabError, ProblemError
from p2smt.problem.system.file import system_text
from p2smt.problem.system.text import find_system
from p2smt.run.lab.laboratory import Laboratory
from p2smt.run.lab.names import part_name
from p2smt.run.lab.quotas import Hierarchy, cpu_hierarchy, find_groups, make_groups, remove_groups
from p2smt.run.lab.seats import lab_seats
from p2smt.run.lab.shape import lab_shape
from p2smt.run.lab.sweep import find_labs, remove_lab
from p2smt.run.local.calls import CallRanks

RANK = """
import os, time

def work(long):
    with open("/proc/self/cgroup", encoding="utf-8") as file:
        groups = file.read()
    begun, used = time.monotonic(), time.process_time()
    while time.monotonic() - begun < long:
        sum(range(10_000))
    return groups, (time.process_time() - used) / (time.monotonic() - begun)
"""


def tree(folder, version, own, root="/"):
    """A process whose groups are in a folder: its /proc, and where they are mounted."""
    process, mount = folder / "proc", folder / "mount"
    process.mkdir()
    kind, named = ("cgroup rw,cpu,cpuacct", "4:cpu,cpuacct:") if version == 1 else ("cgroup2 rw,nsdelegate", "0::")
    (process / "cgroup").write_text(f"9:pids:/elsewhere\n{named}{own}\n", encoding="utf-8")
    lines = [
        f"31 23 0:28 / {folder}/other rw - cgroup cgroup rw,cpuset",
        f"32 31 0:29 {root} {mount} rw,relatime shared:5 - {kind.split()[0]} none {kind.split()[1]}",
    ]
    (process / "mountinfo").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (mount / own.removeprefix(root).lstrip("/")).mkdir(parents=True)
    return process, mount


@pytest.mark.parametrize(
    ("version", "own", "root", "around"),
    [
        (1, "/", "/", ""),
        (1, "/a/b", "/", "a/b"),
        (1, "/docker/x/a", "/docker/x", "a"),
        (2, "/", "/", ""),
        (2, "/user/one", "/", "user"),
    ],
)
def test_groups_are_made_where_the_version_lets_them(tmp_path, version, own, root, around):
    process, mount = tree(tmp_path, version, own, root)
    assert cpu_hierarchy(process) == Hierarchy(mount, mount / around, version)
    groups = make_groups("t1", (0.5, 0.05), process)
    assert groups == find_groups(process) == tuple(mount / around / f"p2l-t1-q{rank}" for rank in range(2))
    said = [{file.name: file.read_text(encoding="utf-8") for file in group.iterdir()} for group in groups]
    if version == 2:
        assert said == [{"cpu.max": "2000 4000"}, {"cpu.max": "1000 20000"}]
        assert (mount / around / "cgroup.subtree_control").read_text(encoding="utf-8") == "+cpu"
    else:
        assert said == [
            {"cpu.cfs_period_us": "4000", "cpu.cfs_quota_us": "2000"},
            {"cpu.cfs_period_us": "20000", "cpu.cfs_quota_us": "1000"},
        ]
    for group in groups:
        for file in group.iterdir():  # files of real groups go with them
            file.unlink()
    remove_groups("t2", process)
    assert find_groups(process) == groups
    remove_groups("t1", process)
    assert find_groups(process) == ()


def test_where_no_group_can_be_made_it_says_why_and_leaves_none(tmp_path):
    process, mount = tree(tmp_path, 1, "/a")
    (mount / "a" / "p2l-t1-q1").mkdir()
    with pytest.raises(LabError, match=r"p2l-t1-q1: File exists; `p2smt lab down` removes what a crash left"):
        make_groups("t1", (0.5, 0.5), process)
    (process / "mountinfo").write_text("", encoding="utf-8")
    with pytest.raises(LabError, match=r"need the cgroup controller 'cpu', which is not mounted here"):
        make_groups("t1", (0.5,), process)
    with pytest.raises(LabError, match=r"cgroup cannot be read, No such file or directory"):
        cpu_hierarchy(tmp_path / "none")


def test_quotas_of_a_text_are_kinds_of_machines():
    system = find_system("lab:3x2@0.5/0.5/0.25")
    assert [(kind.machines, kind.quota) for kind in system.kinds] == [(2, 0.5), (1, 0.25)]
    assert system.kinds[0].speed == 2 * system.kinds[1].speed
    assert lab_shape(system).quotas == (0.5,) * 4 + (0.25,) * 2
    assert lab_shape(find_system("lab:2x2@0.4")).quotas == (0.4,) * 4
    assert lab_shape(find_system("lab")).quotas == ()
    names = [kind.name for kind in find_system("lab:3x1@0.5/0.25/0.5").kinds]
    assert names == ["core-0_5", "core-0_25", "core-0_5-2"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lab:2x2@0.5/0.2/0.1", "3 quotas for 2 machines"),
        ("lab:2x2@half", "quota 'half' is not a number"),
        ("lab:2x2@0.5/7", "quota 7.0 is out of range"),
        ("hap-p100@0.5", "already has kinds of devices"),
    ],
)
def test_quotas_that_are_none_are_refused(text, message):
    with pytest.raises(ProblemError, match=message):
        find_system(text)


def test_kinds_without_a_quota_beside_others_are_refused():
    system = find_system("lab:2x2@0.5/0.25")
    some = replace(system, kinds=(system.kinds[0], replace(system.kinds[1], quota=None)))
    with pytest.raises(LabError, match="some kinds of devices have a quota and others have none"):
        lab_shape(some)


def test_a_file_keeps_quotas_and_effort(tmp_path):
    path = tmp_path / "lab.toml"
    system = find_system("lab:2x2@0.5/0.25")
    path.write_text(system_text(system) + "[effort]\nstart = 5e5\nweights = { map = 40.0 }\n", encoding="utf-8")
    again = find_system(str(path))
    assert again.kinds == system.kinds
    assert again.effort is not None
    assert (again.effort.start, again.effort.weights) == (5e5, (("map", 40.0),))
    path.write_text(system_text(again), encoding="utf-8")
    assert find_system(str(path)) == again


@pytest.fixture
def limited(lab):
    """The id of a laboratory where groups can be made, for real."""
    try:
        make_groups(lab, (0.5,))
    except LabError as cause:
        pytest.skip(str(cause))
    assert len(groups_of(lab)) == 1
    assert [status.lab for status in find_labs() if status.lab == lab] == [lab]
    remove_lab(lab)
    assert groups_of(lab) == []
    return lab


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_a_failure_in_the_middle_leaves_no_group(limited, error):
    shape = replace(FLAT, ranks=1, quotas=(0.3, 0.1))

    def fail():
        with Laboratory(shape, limited):
            assert len(groups_of(limited)) == 2
            with pytest.raises(
                LabError, match="was built for another system: 2 ranks have a quota there, 0 in the system"
            ):
                Laboratory(FLAT, limited, attach=True)._check_there()
            raise error

    with pytest.raises(error):
        fail()
    assert groups_of(limited) == []


def test_a_group_that_is_there_already_leaves_nothing_of_the_laboratory(limited):
    (group,) = make_groups(limited, (0.5,))
    with pytest.raises(LabError, match=r"File exists; `p2smt lab down` removes what a crash left"):
        Laboratory(replace(FLAT, ranks=1, quotas=(0.3, 0.1)), limited).__enter__()
    assert not group.exists()


@pytest.mark.thorough  # what is left of a laboratory is looked for after every test
@pytest.mark.slow
def test_ranks_get_their_part_of_a_core_and_no_group_is_left(limited, tmp_path):
    path = tmp_path / "rank.py"
    path.write_text(RANK, encoding="utf-8")
    shape = replace(FLAT, ranks=1, quotas=(0.3, 0.1))
    with Laboratory(shape, limited) as laboratory, CallRanks(lab_seats(laboratory), timeout_s=60) as ranks:
        answers = ranks.call(str(path), "work", 1.0, timeout_s=60)
    for rank, (inside, part) in enumerate(answers):
        assert f"/{part_name(limited, f'q{rank}')}\n" in inside
        assert part < shape.quotas[rank] * 1.25
    assert groups_of(limited) == []
