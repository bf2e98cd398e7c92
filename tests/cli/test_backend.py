"""What `--backend` and `--algorithm` choose together."""

import json

import pytest
from command_line import output
from looped import looped
from support import problem

from p2smt.cli.main import run
from p2smt.cost.network.backend import BACKENDS, LIBRARIES, Gloo, Nccl, cost_of
from p2smt.cost.ranking import rank
from p2smt.problem.system.algorithm import Algorithm
from p2smt.problem.system.file import system_text
from p2smt.problem.system.text import find_system
from p2smt.reduction.synth.session import Synthesizer

PROBLEM = ["--system", "2x4", "--axes", "8", "--reduce", "0", "--limit", "2", "--bytes", "1MiB"]
CHOICES = {
    "": Nccl(),
    "--algorithm auto": Nccl(),
    "--algorithm ring": Nccl(Algorithm.RING),
    "--algorithm tree": Nccl(Algorithm.TREE),
    "--algorithm gloo": Gloo(),
    "--backend nccl": Nccl(),
    "--backend gloo": Gloo(),
    "--backend nccl --algorithm tree": Nccl(Algorithm.TREE),
    "--algorithm gloo --backend gloo": Gloo(),
}


@pytest.mark.parametrize("flags", CHOICES)
def test_programs_are_priced_as_the_backend_carries_them(flags, capsys):
    asked = problem((2, 4), (8,), limit=2)
    (expected,) = rank(Synthesizer().synthesize(asked), cost_of(asked.system, CHOICES[flags]))
    found = json.loads(output(["rank", *PROBLEM, *flags.split(), "--json"], capsys))
    assert found["algorithm"] == str(CHOICES[flags])
    assert [one["cost_s"] for one in found["programs"]] == [one.seconds for one in expected.programs[:10]]


def test_the_choices_are_told_apart_by_their_times():
    asked = problem((2, 4), (8,), limit=2)
    synthesis = Synthesizer().synthesize(asked)
    times = {str(backend): rank(synthesis, cost_of(asked.system, backend))[0].allreduce_seconds for backend in BACKENDS}
    assert list(times) == ["auto", *Algorithm, "gloo"]
    assert times.pop("auto") == min(times["ring"], times["tree"])
    assert len(set(times.values())) == 3
    assert LIBRARIES == ("nccl", "gloo")


@looped(
    "flags",
    ["nvls --system dgx-a100:2x4", "collnet_direct --system dgx-h100:2x4", "pat --system dgx-h100:1x8"],
)
def test_an_algorithm_that_no_group_of_the_system_has_is_refused_by_name(flags, capsys):
    name, *system = flags.split()
    assert run(["rank", "--axes", "8", "--reduce", "0", *system, "--algorithm", name]) == 2
    printed, told = capsys.readouterr()
    assert printed == ""
    assert told.startswith(f"p2smt: algorithm {name} ")
    assert told.count("\n") == 1


@pytest.mark.parametrize(("flags", "library"), [("gloo --algorithm ring", "nccl"), ("nccl --algorithm gloo", "gloo")])
def test_an_algorithm_of_another_library_is_refused(flags, library, capsys):
    assert run(["rank", *PROBLEM, "--backend", *flags.split()]) == 2
    given, _, algorithm = flags.split()
    told = f"p2smt: algorithm {algorithm} belongs to {library}, not to {given}; leave one of the two out\n"
    assert capsys.readouterr() == ("", told)


@pytest.mark.thorough  # its numbers: tests/cost/calibration/test_processors.py
def test_explain_has_a_column_for_shared_cores_where_they_take_time(tmp_path, capsys):
    """A second of a core for a message: each of eight sends 14, two cores do them all."""
    plan, system = str(tmp_path / "plan.json"), str(tmp_path / "system.toml")
    text = f'{system_text(find_system("2x4"))}\n[processors]\ncores = 2\ncall = "0us"\nmessage = "1s"\n'
    (tmp_path / "system.toml").write_text(text, encoding="utf-8")
    assert run(["plan", "--system", system, *PROBLEM[2:], "--out", plan]) == 0
    capsys.readouterr()
    explained = ["explain", plan, "--system", system, "--algorithm"]
    document = json.loads(output([*explained, "gloo", "--json"], capsys))
    (step,) = document["steps"]
    assert step["cores_s"] + step["latency_s"] + step["launch_s"] == pytest.approx(56.0)
    assert document["bottleneck"] == "shared cores"
    assert "cores" in output([*explained, "gloo"], capsys).split()
    assert "cores" not in output([*explained, "ring"], capsys).split()
    shown = json.loads(output(["system", system, "--json"], capsys))["system"]
    assert shown["processors"] == {"cores": 2, "call_s": 0.0, "message_s": 1.0, "port_s": 0.0}


def test_counting_by_hop_is_refused_for_gloo(tmp_path, capsys):
    plan = str(tmp_path / "plan.json")
    assert run(["plan", *PROBLEM, "--out", plan]) == 0
    capsys.readouterr()
    assert run(["explain", plan, "--by-hop", "--algorithm", "gloo"]) == 2
    assert "--by-hop is for NCCL; the hops of gloo are always counted one by one" in capsys.readouterr().err
    assert run(["explain", plan, "--by-hop", "--algorithm", "tree"]) == 0
