"""`p2smt system`: the presets listed, and printed so that they read back equal."""

import json
from itertools import chain

import pytest
from command_line import golden, output, refused

from p2smt.cli.main import run
from p2smt.problem.system.file import preset, preset_names, read_system
from p2smt.problem.system.text import find_system


def test_the_list_fits_80_columns(capsys):
    text = output(["system"], capsys)
    assert max(map(len, text.splitlines())) <= 80
    golden("system.txt", text)


FORMS = [*preset_names(), "dgx-h100:16x8", "dgx-a100:4x4", "aws-p4d:2x2", "node:4,gpu:8", "2x3x4"]


@pytest.mark.parametrize("text", FORMS)
def test_what_is_printed_reads_back_equal(text, tmp_path, capsys):
    path = tmp_path / "mine.toml"
    path.write_text(output(["system", text], capsys), encoding="utf-8")
    assert read_system(path) == find_system(text)
    assert run(["system", str(path), "--out", str(tmp_path / "again.toml")]) == 0
    assert read_system(tmp_path / "again.toml") == find_system(text)


def test_a_preset_is_printed_with_its_comments(capsys):
    text = output(["system", "aws-p5"], capsys)
    assert "# four cards per GPU" in text
    assert preset("aws-p5").source in text.replace("\\\n", "")


def test_documents(capsys):
    every = json.loads(output(["system", "--json"], capsys))["systems"]
    assert [one["name"] for one in every] == list(preset_names())
    one = json.loads(output(["system", "dgx-h100:2x4", "--json"], capsys))["system"]
    assert [level["size"] for level in one["levels"]] == [2, 4]
    assert [link["count"] for link in one["links"]] == [4, 1]
    assert one["memory"] == 80 * 10**9


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["dgx-h10"], "did you mean dgx-h100?"),
        (["--out", "x.toml"], "--out needs a system to write; name one of aws-p4d"),
        (["lab", "--out", "x.toml", "--json"], "give one of the two"),
        (["dgx-h100:3"], "1 size for 2 levels"),
    ],
)
def test_what_cannot_be_printed(arguments, said, capsys):
    assert said in refused(["system", *arguments], capsys)


def test_other_spellings_say_the_same(capsys):
    base = ["rank", "--system", "node:4,gpu:4", "--json"]
    usual = ["--axes", "dp:4,tp:4", "--reduce", "dp", "--dtype", "float16", "--bandwidth", "node=25Gb/s"]
    other = ["--axes", "dp=4,tp=4", "--reduce", "dp", "--dtype", "fp16", "--bandwidth", "node=25Gbps"]
    assert output([*base, *usual], capsys) == output([*base, *other], capsys)
    assert set(chain(usual, other)) > set(usual)
