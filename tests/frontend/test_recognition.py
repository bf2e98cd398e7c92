"""Which kind a file is: what stands first decides, and no word in a comment or a name does."""

from pathlib import Path

import pytest
from frontend.plan_files import FILES, FOLDER, FORMATS
from looped import looped

from p2smt.cli.main import run
from p2smt.errors import VerifyError
from p2smt.frontend.format import Format
from p2smt.frontend.importers import read_any
from p2smt.frontend.recognition import format_of
from p2smt.frontend.torch_function.plan import TraceOptions

HAND = 'version = 1\ndevices = 2\nchunks = 1\n\n[[step]]\noperation = "AllReduce"\n'
HLO = "HloModule m, replica_count=2\nENTRY e {\n  ROOT %p = f32[2] parameter(0)\n}\n"
MLIR = "module @m {\n}\n"
BEGINNINGS = {
    Format.HAND: HAND,
    Format.P2SMT: '{"format": "p2smt-plan", "devices": 2}',
    Format.HLO: HLO,
    Format.STABLEHLO: MLIR,
    Format.MSCCL: '<algo name="a" ngpus="2"/>',
    Format.MSCCLPP: '{"name": "a", "gpus": []}',
    Format.TORCH: "def reduce(tensor):\n    return tensor\n",
    Format.TENSOR: "program p\n",
}
WORDS = [
    "the ENTRY group",
    "HloModule m",
    '"format": "p2smt-plan"',
    "stablehlo.add",
    "func.func @main",
    "<algo/>",
    "{",
]


def test_plan_files_are_known_without_their_names():
    for path in FILES:
        named = Path("plan.py") if path.suffix == ".py" else Path("plan")
        assert format_of(named, path.read_bytes()) is FORMATS[path.suffix], path.name


def test_every_kind_is_known_by_how_it_begins_but_python_which_is_known_by_name():
    assert set(BEGINNINGS) == set(Format)
    for form, text in BEGINNINGS.items():
        assert format_of(Path("a.py" if form is Format.TORCH else "a"), text.encode()) is form


@looped("word", WORDS)
def test_words_in_comments_decide_nothing(word):
    assert format_of(Path("a"), f"# {word}\n#{word}\n{HAND}".encode()) is Format.HAND
    assert format_of(Path("a"), f"about = '{word}'\n{HAND}".encode()) is Format.HAND
    assert format_of(Path("a"), f"// {word}\n/* {word}\n{word} */ {HLO}".encode()) is Format.HLO
    assert format_of(Path("a"), f"// {word}\n#loc = loc(unknown)\n{MLIR}// {word}".encode()) is Format.STABLEHLO


def test_names_in_other_texts_decide_nothing():
    tables = '\nFileNames\n1 "/home/me/run_stablehlo.py"\n\nFunctionNames\n1 "stablehlo.main"\n'
    assert format_of(Path("a"), (HLO.replace("\nENTRY", tables + "\nENTRY")).encode()) is Format.HLO
    assert format_of(Path("a"), b"\xef\xbb\xbf \n<algo/>") is Format.MSCCL
    assert format_of(Path("a"), b'{"about": "no \\"p2smt-plan\\"", "version": 1}') is Format.HAND
    assert format_of(Path("a"), b'{"version": 1, "format": "p2smt-plan"}') is Format.P2SMT
    assert format_of(Path("a"), b'{\n  "format": "p2smt-plan",\n  "cut off": ') is Format.P2SMT
    assert format_of(Path("a"), b"{" * 100_000) is Format.HAND


def test_where_nothing_tells_the_name_does():
    assert [format_of(Path(f"a{end}"), b"?") for end in (".xml", ".hlo", ".mlir", ".py", ".toml", "")] == [
        Format.MSCCL,
        Format.HLO,
        Format.STABLEHLO,
        Format.TORCH,
        Format.HAND,
        Format.HAND,
    ]
    assert format_of(Path("a.xml"), HAND.encode()) is Format.HAND


def test_a_hand_written_plan_about_hlo_is_read(tmp_path, capsys):
    path = tmp_path / "plan.toml"
    path.write_text(f"# the ENTRY group of the HloModule, stablehlo.all_reduce\n{HAND}", encoding="utf-8")
    assert run(["verify", str(path)]) == 0
    assert run(["verify", str(path), "--format", "hlo"]) == 2
    assert "is an unexpected character in HLO" in capsys.readouterr().err
    assert read_any(path).devices == 2


def test_files_for_another_number_of_devices_and_machines_of_none_are_refused():
    plan, schedule = FOLDER / "all_reduce.toml", sorted(FOLDER.glob("msccl_*.xml"))[0]
    assert read_any(plan).devices == read_any(plan, devices=read_any(plan).devices).devices
    for devices in (1, read_any(plan).devices + 1):
        with pytest.raises(VerifyError, match=f"is for {read_any(plan).devices} devices, not for {devices} "):
            read_any(plan, devices=devices)
    for per_machine in (0, -1):
        with pytest.raises(VerifyError, match=f"{per_machine} devices per machine; it must be at least 1"):
            read_any(schedule, per_machine=per_machine)
    for options, message in (
        ({"per_machine": 2}, "is not an MSCCL schedule, which --devices-per-machine is for; leave it out"),
        ({"tracing": TraceOptions(2)}, "is not a Python file, so nothing in it can be run; leave out --run-python"),
    ):
        with pytest.raises(VerifyError, match=message):
            read_any(plan, **options)
