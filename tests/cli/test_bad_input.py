"""Bad input: exit code 2, one clear line on stderr, nothing on stdout, nothing half-written."""

from pathlib import Path

import pytest
from command_line import output, refused

from p2smt.cli.main import run

SMALL = ["--system", "2x4", "--axes", "8", "--reduce", "0"]


FLAGS = [
    (
        "--system node:2,gpu:4 --axes data:4,model:3 --reduce data",
        "axes data=4 x model=3 need 12 devices, but node=2 x gpu=4 has 8; the two products must be equal",
    ),
    ("--system 0x4 --axes 4 --reduce 0", "level level0 has size 0; a size is a whole number >= 1"),
    ("--system=-4x4 --axes 4 --reduce 0", "level level0 has size -4; a size is a whole number >= 1"),
    ("--system 4x4 --axes 16,0 --reduce 0", "axis axis1 has size 0; a size is a whole number >= 1"),
    ("--system 4xx4 --axes 16 --reduce 0", "level sizes '4xx4' do not parse at ''; write name:size pairs"),
    ("--system 4x4 --axes 16 --reduce foo", "reduce axis 'foo' does not exist; the axes are 0=axis0"),
    ("--system 4x4 --axes 16 --reduce 3", "reduce axis 3 does not exist; the axes are 0=axis0"),
    ("--system 4x4 --axes a:4,b:4 --reduce a,0", "reduce axis a is given twice; name every axis once"),
    ("--system 4x4 --axes a:4,a:4 --reduce a", "axis a is given twice; names must differ"),
    ("--system 4x4 --axes 16", "--reduce is missing; give it, or a problem file (`p2smt example` prints one)"),
    ("--axes 16 --reduce 0", "--system is missing; give it, or a problem file (`p2smt example` prints one)"),
    ("--system root:4 --axes 4 --reduce 0", "level name 'root' is not allowed; write a letter and up to 63 letters,"),
    ("--system 4x4 --axes 16 --reduce 0 --limit 0", "limit 0 is out of range; a program has 1 to 64 instructions"),
    ("--system 65536x65536 --axes 4 --reduce 0", "4294967296 devices are too many; ranks are 32-bit numbers"),
    (
        "--system 99999999999999999999x4 --axes 4 --reduce 0",
        "about 10^20 devices are too many; ranks are 32-bit numbers, so the limit is 2147483647",
    ),
    ("--system 4x4 --axes 16 --reduce 0 --bytes 3xx", "bytes '3xx' is not a size; write a positive whole number"),
    ("--system 4x4 --axes 16 --reduce 0 --bytes 3", "bytes 3 is not a whole number of float32 elements"),
    ("--system 4x4 --axes 16 --reduce 0 --dtype int4", "dtype 'int4' is unknown; choose one of float16"),
    ("--system 4x4 --axes 16 --reduce 0 --engine slow", "Invalid value for '--engine': 'slow' is not one of 'levels'"),
    (
        "--system 4x4 --axes 16 --reduce 0 --grammer full",
        "there is no option '--grammer'; did you mean --grammar? See p2smt synth --help",
    ),
    ("--axes 16 --system", "Option '--system' requires an argument; see p2smt synth --help"),
    ("--system 4x4 --axes 16 --reduce 0 --limit x", "Invalid value for '--limit': 'x' is not a whole number; see"),
    ("--system 4x4 --axes 16 --reduce 0 --timeout x", "Invalid value for '--timeout': 'x' is not a number; see"),
    (
        "--system 4x4 --axes 16 --reduce 0 --bandwidth x=1GB/s",
        "--bandwidth 'x=1GB/s' does not name one link; write LINK=VALUE pairs, each",
    ),
    ("--system 4x4 --axes 16 --reduce 0 --latency level0=fast", "time 'fast' is not a duration"),
    ("--system 4x4 --axes 16 --reduce 0 --timeout -1", "timeout -1.0 is out of range; give the seconds"),
    ("--system 4x4 --axes 16 --reduce 0 --timeout inf", "timeout inf is out of range; give the seconds"),
    ("--system 4x4 --axes 16 --reduce 0 --timeout nan", "timeout nan is out of range; give the seconds"),
    (
        "--system 1290x1290x1290 --axes 2146689000 --reduce 0 --algorithm tree --limit 1",
        "trees over 1664100 machines are too",
    ),
    ("--system dgx-b100 --axes 8 --reduce 0", "system 'dgx-b100' is unknown; the presets are aws-p4d, aws-p5"),
    ("--system dgx-h100:2x8x2 --axes 8 --reduce 0", "3 sizes for 2 levels; give one size for each of node, gpu"),
    ("--system nowhere.toml --axes 8 --reduce 0", "cannot read nowhere.toml: No such file or directory"),
    ("--system 16x16 --axes 256 --reduce 0 --engine bitvec", "engine bitvec keeps a state matrix of 256 x 256 bits"),
    (
        "--system 16x16 --axes 256 --reduce 0 --engine explicit",
        "bits per device; it supports reduction groups of at most",
    ),
]


@pytest.mark.parametrize(("flags", "message"), FLAGS, ids=[flags for flags, _ in FLAGS])
def test_flags(flags, message, capsys):
    assert message in refused(["synth", *flags.split()], capsys)


FILES = [
    ('reduce=["a"]\n[[level]]\nname="n"\nsize="4"\n', "level[0].size: expected int | array, got str"),
    ('reduce=["a"]\n[[levle]]\nname="n"\nsize=4\n', "unknown key 'levle'; did you mean level? (known: name, source,"),
    ('reduce=["a"]\n[[level]]\nname="n"\nsiez=4\n', "unknown key 'level[0].siez'; did you mean size?"),
    ('reduce=["a"]\n[search]\ngramar="full"\n', "unknown key 'search.gramar'; did you mean grammar?"),
    ('reduce=["a"]\n[search]\ngrammar="big"\n', "search.grammar: invalid enum value 'big'"),
    ('reduce="a"\n', "reduce: expected array, got str"),
    ('reduce=["a"\n', "is not TOML: "),
    ("a = " + "[" * 5000, "is not TOML: "),
    ("limit = 9" + "9" * 5000, "is not TOML: "),
    ("", "--system is missing"),
]


@pytest.mark.parametrize(("text", "message"), FILES, ids=range(len(FILES)))
def test_problem_files(text, message, tmp_path, capsys):
    path = tmp_path / "problem.toml"
    path.write_text(text, encoding="utf-8")
    assert message in refused(["synth", str(path)], capsys)


def test_files_that_cannot_be_read(tmp_path, capsys):
    assert "cannot read" in refused(["synth", str(tmp_path / "none.toml")], capsys)
    assert "cannot read" in refused(["synth", str(tmp_path)], capsys)
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe")
    assert "is not UTF-8 text" in refused(["synth", str(binary)], capsys)


@pytest.mark.parametrize("command", ["plan", "synth"])
def test_an_output_that_cannot_be_written(command, tmp_path, capsys):
    option = "--out" if command == "plan" else "--plan"
    message = refused([command, *SMALL, option, str(tmp_path / "none" / "plan.json")], capsys)
    assert message.endswith("No such file or directory; choose a file in a folder you may write to")


def test_a_refused_command_leaves_an_older_file_alone(tmp_path, capsys):
    kept = tmp_path / "plan.json"
    kept.write_text("older", encoding="utf-8")
    refused(["plan", *SMALL, "--program", "(level0, InsideGroup, AllReduce)", "--out", str(kept)], capsys)
    assert kept.read_text(encoding="utf-8") == "older"
    assert [path.name for path in tmp_path.iterdir()] == ["plan.json"]


PROGRAMS = [
    ("AllReduce", "instruction 'AllReduce' does not parse; write (slice, form, collective)"),
    ("(root, InsideGroup, AllReduc)", "collective 'AllReduc' is unknown; choose one of AllReduce, ReduceScatter"),
    ("(node, InsideGroup, AllReduce)", "level 'node' is unknown; the levels are root, level0, level1"),
    (
        "(level0, Parallel(level1), Reduce)",
        ("Parallel(level1) needs a level outside level0; the levels, outermost first, are root, level0"),
    ),
    ("(level0, Sideways, Reduce)", "form 'Sideways' is unknown; write InsideGroup, Parallel(level) or Master(level)"),
    ("(level1, InsideGroup, AllReduce)", "groups one device, or devices of different reduction groups; choose"),
    (
        "(level0, InsideGroup, AllReduce)",
        "does not implement all-reduce over axis0; after the last step the goal is not reached",
    ),
]


@pytest.mark.parametrize(("text", "message"), PROGRAMS, ids=[text for text, _ in PROGRAMS])
def test_programs(text, message, capsys):
    assert message in refused(["plan", *SMALL, "--program", text], capsys)


def test_matrices(capsys):
    two = ["plan", "--system", "2x4", "--axes", "2,4", "--reduce", "0"]
    assert "--program needs --matrix to choose among 2 placements: 1x2/2x2" in refused(
        [*two, "--program", "skip"], capsys
    )
    assert "matrix '2by4' does not parse" in refused([*two, "--matrix", "2by4"], capsys)
    assert "need 2 rows of 2 factors" in refused([*two, "--matrix", "2x4"], capsys)
    assert "row of axis axis0 multiplies to 4, not 2" in refused([*two, "--matrix", "2x2/1x2"], capsys)
    assert "column of level level0 multiplies to 1, not 2" in refused([*two, "--matrix", "1x2/1x4"], capsys)


@pytest.mark.parametrize("command", ["emit", "run"])
def test_a_plan_file_cut_in_half(command, tmp_path, capsys):
    whole = tmp_path / "plan.json"
    output(["plan", *SMALL, "--out", str(whole)], capsys)
    half = tmp_path / "half.json"
    half.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])
    assert "half.json is not a complete JSON document" in refused([command, str(half)], capsys)
    assert "cannot read" in refused([command, str(tmp_path / "none.json")], capsys)


@pytest.mark.parametrize(
    ("name", "said"),
    [("frobnicate", ""), ("snyth", "; did you mean synth?"), ("optimise", "; did you mean optimize?")],
)
def test_unknown_command(name, said, capsys):
    assert (
        refused([name], capsys)
        == f"there is no command {name!r}{said}{' See' if said.endswith('?') else '; see'} p2smt --help"
    )


@pytest.mark.parametrize("group", [[], ["lab"], ["study"]])
def test_a_bare_group_prints_its_help(group, capsys):
    """The help itself is asked for with --help and exit code 0; nothing asked for is no success."""
    assert run([*group, "--help"]) == 0
    wanted, _ = capsys.readouterr()
    assert run(group) == 2
    out, err = capsys.readouterr()
    assert (out, err) == (wanted, "")
    assert len(out.splitlines()) > 8


@pytest.mark.parametrize("command", ["synth", "rank", "plan", "place"])
def test_a_job_is_sent_to_the_command_that_takes_it(command, tmp_path, capsys):
    path = tmp_path / "job.toml"
    assert run(["example", "dense-70b", "--out", str(path)]) == 0
    capsys.readouterr()
    said = refused([command, str(path)], capsys)
    assert said.startswith(f"{path} is a job file, not a problem file; try p2smt optimize {path}")


def test_no_message_of_click_ends_in_a_full_stop_and_a_semicolon(capsys):
    assert ".;" not in refused(["synth", "--no-such"], capsys)


def test_output_keeps_its_permissions_sane(tmp_path: Path):
    path = tmp_path / "plan.json"
    assert run(["plan", *SMALL, "--out", str(path)]) == 0
    assert path.stat().st_mode & 0o600 == 0o600


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path):
    import os
    import threading

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    received: list[str] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_text(encoding="utf-8")))
    reader.start()
    assert run(["example", "--out", str(pipe)]) == 0
    reader.join(timeout=30)
    assert received[0].startswith("# A p2smt problem file.")
    assert pipe.is_fifo()


def test_a_pipe_that_holds_another_kind_is_refused(tmp_path: Path, capsys):
    """To find out its kind a file is read again, which must not wait for a second writer."""
    import os
    import threading

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=[b"\x89PNG\r\n\x1a\n\x00\xff"], daemon=True)
    writer.start()
    assert "pipe" in refused(["verify", str(pipe)], capsys)


def test_what_is_not_printable_is_escaped_in_messages(tmp_path, capsys):
    path = tmp_path / "job\x1b[31m\u202e.toml"
    assert "job\\x1b[31m\\u202e.toml" in refused(["synth", str(path)], capsys)


def test_a_systems_name_is_escaped(tmp_path, capsys):
    system, plan = tmp_path / "system.toml", tmp_path / "plan.json"
    levels = '[[level]]\nname = "a"\nsize = 2\n[[level]]\nname = "b"\nsize = 2\n'
    system.write_text('name = "<b>\\"x\\"\\n\\u001b[31m\\u202eé"\n' + levels, encoding="utf-8")
    assert run(["plan", "--system", str(system), "--axes", "4", "--reduce", "0", "--out", str(plan)]) == 0
    assert run(["explain", str(plan), "--system", str(system)]) == 0
    out, _ = capsys.readouterr()
    assert '<b>"x"\\n\\x1b[31m\\u202eé' in out
