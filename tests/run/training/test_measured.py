"""A system that is left out is measured on the ranks, once; one that says how fast its devices are is left as it is."""

import sys
from pathlib import Path

import pytest
import torch

import p2smt
from p2smt.problem.system.device_model import OperationKind
from p2smt.problem.system.device_models import computing_of
from p2smt.problem.system.devices import ComputingMethod
from p2smt.problem.system.text import find_system
from p2smt.run.training import measured
from p2smt.run.training.joining import RankPlace, joined
from p2smt.run.training.measured import RankMeasurement, measured_system


@pytest.fixture
def cache(monkeypatch, tmp_path):
    """An empty cache; what is timed are the few small operations of this folder's conftest."""
    monkeypatch.setenv("P2SMT_CACHE", str(tmp_path))
    return tmp_path


def test_what_was_measured_is_kept_and_printed(alone, cache, capsys, monkeypatch):
    system = measured_system(None, joined(), alone)
    assert (system.devices, len(list(cache.rglob("*.json")))) == (1, 1)
    assert 1e7 < system.kinds[0].done("float32") < 1e14
    model = system.kinds[0].model
    assert computing_of(system) is ComputingMethod.ROOFLINE
    assert {OperationKind.MATMUL, OperationKind.SOFTMAX} <= {kind for kind, _, _ in model.measured}
    assert model.speed("float64") == pytest.approx(system.kinds[0].done("float64"))
    said = capsys.readouterr().err
    assert said.startswith("p2smt.shard: measured: float32 ")
    assert f"memory {model.bandwidth / 1e9:.3g} GB/s" in said

    def again(*given, **named):
        raise AssertionError("measured twice")

    monkeypatch.setattr(measured, "_measured", again)
    assert measured_system(None, joined(), alone) == system
    lacking = find_system("gpu:1")
    assert measured_system(lacking, joined(), alone).kinds == system.kinds


@pytest.mark.parametrize("kept", [b"", b"[]", b'{"speeds": {"float32": 1e9}, "latency": 0.0, "bandwidth": 0.0}', None])
def test_what_lacks_speeds_is_measured_once_whatever_another_version_left(kept, alone, cache, monkeypatch):
    numbers = []

    def counted(*given, **named):
        numbers.append(named["links"])
        return RankMeasurement({"float32": 5e10}, 0.0, 0.0, None, device="")

    monkeypatch.setattr(measured, "_measured", counted)
    monkeypatch.setattr(measured, "find_spec", lambda _: None)
    lacking = find_system("gpu:1")
    first = measured_system(lacking, joined(), alone)
    (path,) = cache.rglob("*.json")
    assert measured_system(lacking, joined(), alone) == first
    assert numbers == [False]
    if kept is None:
        monkeypatch.setenv("P2SMT_CACHE", "")
    else:
        path.write_bytes(kept)
    assert measured_system(lacking, joined(), alone) == first
    assert measured_system(None, joined(), alone).kinds == first.kinds
    assert numbers == [False, False, True], "links are not known of devices alone"


def test_what_was_measured_without_scipy_is_measured_again_with_it(alone, cache, monkeypatch):
    monkeypatch.setattr(measured, "find_spec", lambda _: None)
    monkeypatch.setitem(sys.modules, "p2smt.cost.calibration.operations", None)
    lacking = find_system("gpu:1")
    assert measured_system(lacking, joined(), alone).kinds[0].model is None
    monkeypatch.undo()
    monkeypatch.setenv("P2SMT_CACHE", str(cache))
    known = RankMeasurement({"float32": 5e10}, 0.0, 0.0, None, device="x")
    monkeypatch.setattr(measured, "_measured", lambda *given, **named: known)
    assert measured._known(joined(), alone, links=False) == known


def test_without_what_fits_products_alone_say_how_fast_devices_are(alone, cache, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "p2smt.cost.calibration.operations", None)
    system = measured_system(None, joined(), alone)
    assert system.kinds[0].model is None
    assert "memory and launches not known, which are fitted with scipy" in capsys.readouterr().err
    assert computing_of(system) is ComputingMethod.SPEEDS


def test_measuring_leaves_the_users_random_numbers_as_they_were(alone, cache):
    torch.manual_seed(3)
    expected = torch.rand(4)
    torch.manual_seed(3)
    measured_system(None, joined(), alone)
    assert torch.equal(torch.rand(4), expected)


def test_links_get_what_an_all_reduce_says(cache, monkeypatch):
    found = RankMeasurement({"float32": 5e10, "bfloat16": 4e10, "float64": 2e10}, 2e-5, 3e9, 80, device="")
    monkeypatch.setattr(measured, "_known", lambda *given, **named: found)
    place = RankPlace(0, 4, "gloo")
    system = measured_system(None, place, torch.device("cpu"))
    (link,) = [each for each in system.network.links if each.level == "gpu"]
    assert (link.bandwidth, link.latency, system.network.memory) == (3e9, 2e-5, 80)
    assert (system.kinds[0].done("float64"), system.devices) == (2e10, 4)
    fast = measured_system(find_system("node:2,gpu:2"), place, torch.device("cpu"))
    assert fast.kinds[0].done("float32") == 5e10
    assert fast.network == find_system("node:2,gpu:2").network
    known = find_system("dgx-h100:1x4")
    assert measured_system(known, place, torch.device("cpu")) is known


def test_training_begins_without_a_system(alone, cache, capsys):
    module = torch.nn.Linear(2, 2)
    made = p2smt.shard(module, lambda module, x: module(x).square().sum(), torch.ones(2, 2), verbose=True)
    before, after = made.step(torch.ones(2, 2)), made.step(torch.ones(2, 2))
    made.close()
    assert after < before
    line = capsys.readouterr().err.splitlines()[-1]
    assert line.startswith("step 2  loss ")
    assert "samples/s" in line
    assert "predicted" in line
    assert Path(cache).is_dir()
