"""Captured training steps of the packaged models: sharded, verified against one device, and trained on ranks.

`data/` has the small models as `p2smt capture` writes them, which a slow test says.
"""

from fractions import Fraction
from pathlib import Path

import pytest
from spmd.joint_problems import cluster
from spmd.training import apart
from tiers import sample

from p2smt.cli.main import run
from p2smt.spmd.devices.shares import even, given, proportional
from p2smt.spmd.emission.emission import emit
from p2smt.spmd.engines.elimination import eliminate
from p2smt.spmd.model.build import build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import on_one_axis
from p2smt.tensor.layout import Sliced
from p2smt.tensor.printer import print_program
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.verification.check import verify_program
from p2smt.verify.verdict import Proved

DATA = Path(__file__).parent / "data"
CAPTURED = {
    "mlp": ("--batch", "3", "--optimizer", "momentum"),
    "vgg": ("--batch", "2", "--optimizer", "sgd", "--clip", "0.5"),
    "vit": ("--layers", "1", "--batch", "2", "--optimizer", "momentum"),
    "bert": ("--layers", "1", "--batch", "2", "--optimizer", "adam"),
    "bert-moe": ("--layers", "2", "--batch", "2", "--optimizer", "sgd"),
    "gpt": ("--layers", "1", "--batch", "2", "--optimizer", "adamw", "--clip", "0.1"),
}
UNLIKE = (3 * 10**7, 2 * 10**7, 10**7)
USELESS = (10**6, 10**6, 10**5, 10)
ONE_HAS_NONE = given((Fraction(0), Fraction(1), Fraction(3)))
WHERE = {
    "mlp": (cluster((10**6,) * 9), even(9)),
    "vgg": (cluster((10**10, 5 * 10**9), unit=100), proportional((2, 1))),
    "vit": (cluster(UNLIKE), proportional(UNLIKE)),
    "bert": (cluster(USELESS), proportional(USELESS)),
    "bert-moe": (cluster(UNLIKE), ONE_HAS_NONE),
    "gpt": (cluster((10**7,) * 3), ONE_HAS_NONE),
}
"""More devices than a dimension has elements, dear communication, devices that are unlike, and such as get nothing."""


@pytest.mark.parametrize(
    "model",
    [
        pytest.param("mlp", marks=pytest.mark.thorough),  # perceptrons are examples in test_programs.py
        pytest.param("vgg", marks=pytest.mark.thorough),  # others train in tests/run/campaign/test_twenty_steps.py
        pytest.param("vit", marks=pytest.mark.thorough),  # the operations of bert
        pytest.param("bert", marks=pytest.mark.thorough),  # blocks that were captured: test_transformer_formulas.py
        pytest.param("bert-moe", marks=pytest.mark.thorough),  # experts are examples in test_programs.py
        pytest.param("gpt", marks=pytest.mark.thorough),  # its block and AdamW are examples in test_programs.py
    ],
)
def test_a_model_is_sharded_and_verified_and_trains_as_on_one_device(model):
    single = parse_program((DATA / f"{model}.tp").read_text(encoding="utf-8"))
    machines, shares = WHERE[model]
    graph = graph_of(single)
    sharding = build(OptionCache(on_one_axis(graph, classes_of(graph), machines, shares)))
    program = parse_program(print_program(emit(sharding, eliminate(sharding.problem).answer.assignment)))
    cut = [
        each.layout.sizes for source in program.sources for each in source.layouts if isinstance(each.layout, Sliced)
    ]
    assert len(cut) > len(single.sources) / 2
    assert any(len(set(sizes)) > 1 for sizes in cut if sizes)
    assert isinstance(verify_program(program, single), Proved)
    assert apart(program, single) is None


def test_training_without_a_sum_of_gradients_is_seen():
    """A guard: one collective less, and the ranks' parameters part."""
    single = parse_program(
        "program one\ninput x : f32[4, 2]\nparameter w : f32[2, 1]\nscalar lr\n"
        "y = matmul(x, w)\nloss = sum(y * y)\ng = matmul(transpose(x, 1, 0), y)\n"
        "w_new = update(w, w - lr * g)\noutput loss\n"
    )
    text = print_program(single).replace("program one\n", "program many\nmesh r=2\n")
    text = text.replace("x : f32[4, 2]", "x : f32[4, 2] sliced(0)").replace("output loss", "output loss partial(+)")
    right = text.replace("lr * g", "lr * AllReduce(g)")
    assert apart(parse_program(right), single) is None
    assert apart(parse_program(text), single) == "w after step 1"


@pytest.mark.thorough  # capture is compared with PyTorch model by model
@pytest.mark.slow
def test_the_data_are_what_capture_writes(tmp_path):
    pytest.importorskip("torch")
    for model, how in sample(reversed(CAPTURED.items()), 1):
        out = tmp_path / f"{model}.tp"
        assert run(["capture", "--example", model, *how, "--out", str(out)]) == 0
        assert out.read_bytes() == (DATA / out.name).read_bytes(), model
