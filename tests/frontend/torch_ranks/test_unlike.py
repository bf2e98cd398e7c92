"""Functions whose ranks do different things: pipelines, rings, owners, wrappers of torch, classes cut among ranks."""

import re
from pathlib import Path

import pytest
from frontend.torch_ranks.gloo import values_agree
from frontend.torch_ranks.judged import judged
from looped import looped
from tiers import sample

from p2smt.verify.verdict import Proved, Refuted, Unknown

FUNCTIONS = Path(__file__).with_name("unlike.py")
STEP = """program step
input x : f64[4, 6]
input t : f64[4, 4]
parameter w1 : f64[6, 6]
parameter w2 : f64[6, 4]
h = relu(matmul(x, w1))
d = matmul(h, w2) - t
loss = sum(d * d, 0, 1) / 16
g = d * 0.125
g2 = einsum("b a, b c -> a c", h, g)
g1 = einsum("b a, b c -> a c", x, relu_backward(linear(g, w2), h))
w1.new = update(w1, w1 - g1 * 0.1)
w2.new = update(w2, w2 - g2 * 0.1)
output loss
"""
LOSS = """program loss
input x : f64[3, 4]
input t : i64[3]
parameter w : f64[4, 6]
rows = log_softmax(matmul(x, w), dim=1)
loss = sum(-pick(rows, t), 0) / 3
output loss
"""
RING = """program ring
input q : f64[4, 2]
input k : f64[4, 2]
input v : f64[4, 2]
y = matmul(softmax(linear(q, k), 1), v)
output y
"""
HALF = "program half\nparameter w : f64[4, 6]\ny = w * 0.5\noutput y\n"
ENTROPY = """program entropy
input x : f32[3, 6]
input t : i64[3]
loss = -pick(log_softmax(x, dim=1), t)
g = softmax(x, dim=1) - one_hot(t, 6)
output loss
output g
"""
ROWS = """program rows
input i : i64[3]
parameter w : f64[4, 2]
g = embedding_backward(embedding(w, i) * 2, i, classes=4)
output g
"""
IGNORING = """program ignoring
input x : f64[3, 4]
input t : i64[3]
parameter w : f64[4, 6]
rows = log_softmax(matmul(x, w), dim=1)
loss = sum(-pick(rows, t), 0) / sum(1 - eq(t, -100), 0)
output loss
"""
ATTENTION = "program attention\ninput q : f64[1, 2, 4, 8]\ny = attention(q, q, q, causal=1)\noutput y\n"
SINGLES = {
    "step": STEP,
    "loss": LOSS,
    "ring": RING,
    "half": HALF,
    "entropy": ENTROPY,
    "attention": ATTENTION,
    "rows": ROWS,
    "halved": STEP.replace("f64", "f32"),
}
NAMES = re.findall(r"^def (\w+_(?:right|wrong)\w*)", FUNCTIONS.read_text(encoding="utf-8"), re.MULTILINE)
SOME = ("step_wrong_source",)
"""Of the wrong ones that no cause is said of below."""
BUFFER = "half_right_unwritten_buffer"
DOES_NOT_RUN = ("step_wrong_both_receive",)


def single(function):
    return SINGLES[function.partition("_")[0]]


@pytest.mark.parametrize(
    "function", list(dict.fromkeys([BUFFER, *sample([name for name in NAMES if "right" in name], 3)]))
)
def test_right_functions_are_proved(monkeypatch, function):
    verdict = judged(monkeypatch, function, single(function), FUNCTIONS, (("ranks", 2),)).verdict
    assert isinstance(verdict, Proved), verdict


@pytest.mark.parametrize(
    "function", [*SOME, *DOES_NOT_RUN, *sample([name for name in NAMES if "wrong" in name and name not in SOME], 1)]
)
def test_wrong_functions_are_shown(monkeypatch, function):
    verdict = judged(monkeypatch, function, single(function), FUNCTIONS, (("ranks", 2),)).verdict
    assert isinstance(verdict, Refuted), verdict


@pytest.mark.thorough  # this is about torch; what p2smt says of each function is tested above
def test_processes_on_gloo_agree():
    run = {
        name: single(name)
        for name in NAMES
        if name not in DOES_NOT_RUN and single(name) != ENTROPY and not name.startswith("halved")
    }  # gloo does not multiply before it sums
    agree = values_agree(FUNCTIONS, run, 2)
    assert {name for name, same in agree.items() if same} == {name for name in run if "right" in name}


@looped(
    ("function", "cause"),
    [
        ("step_wrong_bucket", "it is too large by 2, the number of ranks: a mean over ranks = 2 is missing"),
        ("step_wrong_parallel", "it is too small by 2, the number of ranks"),
        ("step_wrong_parallel_that_is_gone", "each rank has its own: a mean over ranks = 2 is missing"),
        ("half_wrong_order", "its elements are right, and in another order"),
        (
            "loss_wrong_own_maximum",
            "a maximum of amax",
        ),
    ],
)
def test_what_a_wrong_value_has_to_do_with_the_right_one_is_said(monkeypatch, function, cause):
    verdict = judged(monkeypatch, function, single(function), FUNCTIONS, (("ranks", 2),)).verdict
    assert verdict.counter_example.cause.startswith(cause)
    assert verdict.counter_example.smallest is None


def test_gradients_of_a_table_whose_rows_are_cut(monkeypatch):
    """Each rank adds up what is of its own rows: in each case of an index its gradient is another."""
    for function, kind in (("rows_right_of_a_table", Proved), ("rows_wrong_of_others", Refuted)):
        assert isinstance(judged(monkeypatch, function, ROWS, FUNCTIONS, (("ranks", 2),)).verdict, kind)


def test_a_class_that_one_device_alone_ignores_is_named(monkeypatch):
    """Ranks that are right for all classes are not called wrong for it, nor right."""
    verdict = judged(monkeypatch, "loss_right_of_classes", IGNORING, FUNCTIONS, (("ranks", 2),)).verdict
    assert isinstance(verdict, Unknown)
    assert "but where t is -100, which ignoring asks for" in verdict.reason
    verdict = judged(monkeypatch, "loss_wrong_own_maximum", IGNORING, FUNCTIONS, (("ranks", 2),)).verdict
    assert isinstance(verdict, Refuted)
