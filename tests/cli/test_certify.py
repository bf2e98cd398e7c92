"""`p2smt synth --certify`: what it says, its JSON, its obligation, its exit codes."""

import json
import re
from dataclasses import replace

import pytest
import z3
from command_line import output
from support import problem

from p2smt.cli.main import run
from p2smt.cli.output.certificate import print_certificate
from p2smt.cost import certificate
from p2smt.cost.network.nccl import NetworkCost
from p2smt.cost.ranking import rank
from p2smt.reduction.rules.optimality import CostBound
from p2smt.reduction.synth.session import synthesize

CLUSTER = ["synth", "--system", "4x16", "--axes", "4,16", "--reduce", "1", "--top", "1"]
SHORTER = "no program of at most 5 instructions of grammar full costs less in one piece"


@pytest.fixture
def tired(monkeypatch):
    monkeypatch.setattr(certificate, "decide", lambda obligation, *_: CostBound(obligation.bound // 2, "tired"))


def test_the_winner_is_certified(tmp_path, capsys):
    """Its obligation is a script without models."""
    path = tmp_path / "winner.smt2"
    asked = [*CLUSTER, "--certify", "--obligation", str(path)]
    *_, last, longer, distances, chunked = output(asked, capsys).splitlines()
    claim, _ = last.split(" (Z3, ")
    assert claim == f"certified: {SHORTER}, on any of 3 placements"
    assert longer == "certified: no program of any length of grammar full, however lowered, costs less in one piece,"
    assert distances == "  on any of 3 placements (46 distances between states checked, 3 with layouts)"
    assert chunked.endswith("p2smt plan --chunks auto looks for these")
    text = path.read_text(encoding="utf-8")
    assert text.startswith("; Placement 4x1/1x16, reduction over level1 of size 16: no valid program")
    assert "(set-logic QF_BV)" in text
    solver = z3.Solver()
    solver.from_string(text)
    assert solver.check() == z3.unsat


def test_the_document_gains_a_certificate(capsys):
    without = json.loads(output([*CLUSTER, "--json"], capsys))
    document = json.loads(output([*CLUSTER, "--json", "--certify"], capsys))
    assert "certificate" not in without
    found = document.pop("certificate")
    assert set(document) == set(without)
    assert (found["proved"], found["obligations"]) == (True, 3)
    assert found["cost_s"] == found["lower_bound_s"] == min(p["best"]["cost_s"] for p in document["placements"])
    assert [proof["matrix"] for proof in found["placements"]] == [p["matrix"] for p in document["placements"]]
    assert {(proof["proved"], proof["reason"], proof["beaten_by"]) for proof in found["placements"]} == {
        (True, "", None)
    }


@pytest.mark.usefixtures("tired")
def test_a_lower_bound_is_not_a_certificate(tmp_path, capsys):
    path = tmp_path / "winner.smt2"
    *_, summary, first, second, third, longer, _, _ = output(
        [*CLUSTER, "--certify", "--obligation", str(path)], capsys, code=3
    ).splitlines()
    assert summary.startswith(f"NOT CERTIFIED: that {SHORTER} is proved on 0 of 3")
    for line, matrix in ((first, "1x4/4x4"), (second, "2x2/2x8"), (third, "4x1/1x16")):
        assert line == f"  {matrix}: every program takes at least 4.86 ms, the winner 9.71 ms (tired)"
    assert longer.startswith("certified: no program of any length")
    solver = z3.Solver()
    solver.from_string(path.read_text(encoding="utf-8"))
    assert solver.check() == z3.unsat
    claimed = re.search(r"takes less than (\S+) s", unwrapped(path.read_text(encoding="utf-8")))[1]
    assert float(claimed) == pytest.approx(0.009714424 / 2)
    found = json.loads(output([*CLUSTER, "--json", "--certify"], capsys, code=3))["certificate"]
    assert (found["proved"], found["placements"][0]["reason"]) == (False, "tired")
    assert found["lower_bound_s"] == pytest.approx(found["cost_s"] / 2)


def unwrapped(text):
    return text.replace("\n; ", " ")


def test_an_obligation_belongs_to_a_certificate(capsys):
    assert run([*CLUSTER, "--obligation", "never.smt2"]) == 2
    assert "--obligation writes the obligation that --certify proves; give both" in capsys.readouterr().err


def test_without_a_winner_no_obligation_can_be_written(tmp_path, capsys):
    path = tmp_path / "winner.smt2"
    assert run([*CLUSTER, "--timeout", "1e-9", "--certify", "--obligation", str(path)]) == 2
    assert "p2smt: there is no proof obligation to write to" in capsys.readouterr().err
    assert not path.exists()


@pytest.mark.parametrize("complete", [True, False])
def test_distances_claim_no_more_placements_than_were_found(complete, capsys):
    asked = problem((2, 4), (4, 2), (1,))
    synthesis, cost = synthesize(asked), NetworkCost(asked.system)
    proved = certificate.certify(synthesis, rank(synthesis, cost), cost)
    print_certificate(replace(proved, complete=complete), asked)
    *_, distances, _ = capsys.readouterr().out.splitlines()
    number = f"{len(synthesis.placements)} placements"
    assert distances.startswith(f"  on {'any of' if complete else 'the'} {number}{'' if complete else ' found'} (")
