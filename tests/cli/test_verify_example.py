"""`p2smt verify` on wrong plans: the smallest example as text, as JSON, and as a file that shows the same mistake."""

import json

import pytest
from command_line import output
from paths import TESTS

from p2smt.cli.main import run

PLANS = TESTS / "plans"
TWICE = str(PLANS / "replicas_hold_sums.toml")
WRONG = ["figure_4_a", "figure_10_i_wrong_root", "two_groups", "overlap", "average_of_integers", "order_on_one_side"]


def test_text(capsys):
    assert output(["verify", TWICE], capsys, 1).splitlines()[-2:] == [
        "  smallest: the same mistake shows on 2 of 8 devices (0, 4) and 1 of 2 chunks (0)",
        "    contributions: counting these from 0, device 0 contributes 1 to chunk 0, all else 0; "
        "device 0 ends with 2 in chunk 0 instead of 1",
    ]


def test_text_of_one_step(capsys):
    assert output(["verify", str(PLANS / "two_groups.toml")], capsys, 1).splitlines()[-1] == (
        "  smallest: the same mistake shows in step 1 with groups [0, 1], [1, 2, 3] alone"
    )


def test_text_of_a_plan_that_is_small_already(capsys):
    text = output(["verify", str(PLANS / "gathered_in_another_order.toml")], capsys, 1)
    assert "\n  smallest: no part of the plan shows the same mistake\n    contributions: device 0 contributes" in text


def test_truncated_quotients_show_on_two_contributions(capsys):
    text = output(["verify", str(PLANS / "average_of_integers.toml")], capsys, 1)
    assert text.splitlines()[-1] == (
        "    contributions: device 0 contributes 3 to chunk 0, device 2 contributes 1 to chunk 0, all else 0; "
        "device 0 ends with 0 in chunk 0 instead of 1"
    )


def test_document(capsys):
    document = json.loads(output(["verify", TWICE, "--json"], capsys, 1))
    small = document["smallest"]
    assert (small["devices"], small["chunks"], small["proved"]) == ([0, 4], [0], True)
    assert small["plan"].startswith("version = 1\ndevices = 2\nchunks = 1\n")
    assert small["example"].items() >= {"contributor": 0, "chunk": 0, "got": 2, "wanted": 1}.items()
    assert (document["rule"], document["step"], document["group"]) == ("counted_twice", 3, [0, 4])


def test_documents_without_a_smaller_plan(capsys):
    assert json.loads(output(["verify", str(PLANS / "order_crossed.toml"), "--json"], capsys, 1))["smallest"] is None
    assert "smallest" not in json.loads(output(["verify", str(PLANS / "ring.toml"), "--json"], capsys))


@pytest.mark.parametrize("name", WRONG)
def test_the_file_shows_the_same_mistake(name, tmp_path, capsys):
    path = tmp_path / "small.toml"
    whole = json.loads(output(["verify", str(PLANS / f"{name}.toml"), "--json", "--example", str(path)], capsys, 1))
    again = json.loads(output(["verify", str(path), "--json"], capsys, 1))
    assert (again["rule"], again["step"]) == (whole["rule"], whole["step"])
    assert path.read_text(encoding="utf-8").split("version = 1")[1] == whole["smallest"]["plan"].split("version = 1")[1]
    head = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("# ")]
    assert head[1].startswith("# p2smt verify says of this file: invalid: ")
    assert f"# {again['message'].split('; where')[0]}" in "\n".join(head)


def test_a_right_plan_has_no_example(tmp_path, capsys):
    path = tmp_path / "small.toml"
    assert run(["verify", str(PLANS / "ring.toml"), "--example", str(path)]) == 0
    assert "is not written: there is no mistake that a smaller plan could show" in capsys.readouterr().err
    assert not path.exists()


def test_a_file_that_cannot_be_written(tmp_path, capsys):
    assert run(["verify", TWICE, "--example", str(tmp_path / "none" / "small.toml")]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_no_name_of_a_plan_ends_the_comment_of_its_example(tmp_path, capsys):
    whole, small = tmp_path / "wrong\nversion = 9\r\x0b\u2028plan.toml", tmp_path / "small.toml"
    whole.write_bytes((PLANS / "figure_4_a.toml").read_bytes())
    first = json.loads(output(["verify", str(whole), "--json", "--example", str(small)], capsys, 1))
    head, _, _ = small.read_text(encoding="utf-8").partition("\nversion = 1\n")
    assert all(line.startswith("# ") for line in head.splitlines())
    assert json.loads(output(["verify", str(small), "--json"], capsys, 1))["rule"] == first["rule"]
