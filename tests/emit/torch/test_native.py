"""Gradients that torch computes together are one call in emitted code, and what the interpreter computes."""

import numpy as np
from emit.torch.one_rank import computed, given_to, written
from looped import looped

from p2smt.tensor.interpreter import run
from p2smt.tensor.reals import Reals
from p2smt.tensor.text.parser import parse_program

NORM = """program norm
mesh r=2
input x : f32[5, 4] sliced(0, sizes=3/2)
input g : f32[5, 4] sliced(0, sizes=3/2)
parameter w : f32[4]
parameter b : f32[4]
y = weighted_{norm}(x, w{bias})
d_w = {norm}_weight_backward(g, x)
d_x = weighted_{norm}_backward(g, x, w)
output y sliced(0, sizes=3/2)
output d_x sliced(0, sizes=3/2)
output d_w partial(+)
"""
GROUPS = """program groups
mesh r=2
input x : f32[3, 3, 2, 5] sliced({dim}, sizes=2/1)
input g : f32[3, 3, 2, 5] sliced({dim}, sizes=2/1)
parameter w : f32[3, 2]{weights}
y = group_norm(x, w, w)
d_w = group_norm_weight_backward(g, x)
d_x = group_norm_backward(g, x, w)
output y sliced({dim}, sizes=2/1)
output d_x sliced({dim}, sizes=2/1)
output d_w {summed}
"""
SAMPLES = GROUPS.format(dim=0, weights="", summed="partial(+)")
LAYERNORM = NORM.format(norm="layernorm", bias=", b")
ATTENTION = """program attention
mesh r=2
input q : f32[2, 4, 3, 4] sliced(1)
input k : f32[2, 2, 5, 4] sliced(1)
input v : f32[2, 2, 5, 3] sliced(1)
input g : f32[2, 4, 3, 3] sliced(1)
input m : f32[1, 1, 3, 5]
y = attention(q, k, v, m, causal=1)
d_q = attention_query_backward(g, q, k, v, y, m, causal=1)
d_k = attention_key_backward(g, q, k, v, y, m, causal=1)
d_v = attention_value_backward(g, q, k, v, y, m, causal=1)
output y sliced(1)
output d_q sliced(1)
output d_k sliced(1)
output d_v sliced(1)
"""
LATE = """program late
mesh r=2
input q : f32[2, 2, 5, 4] sliced(2, sizes=3/2)
input k : f32[2, 2, 5, 4]
input v : f32[2, 2, 5, 3]
input g : f32[2, 2, 5, 3] sliced(2, sizes=3/2)
y = attention(q, k, v, causal=1)
d_v = attention_value_backward(g, q, k, v, y, causal=1)
d_q = attention_query_backward(g, q, k, v, y, causal=1)
output y sliced(2, sizes=3/2)
output d_q sliced(2, sizes=3/2)
output d_v partial(+)
"""


def _dropped(text):
    """The same with dropout."""
    return text.replace("attention", "dropped_attention").replace("causal=1", "share=0.3, seed=7, causal=1")


TRAINED = ATTENTION.replace("output y", "d_m = attention_bias_backward(g, q, k, v, y, m, causal=1)\noutput y").replace(
    "output d_v", "output d_m partial(+)\noutput d_v"
)
CASES = {
    "a trained bias": (
        TRAINED,
        "kept_attention(q, k, v, m,",
        "attention_gradients(y_kept, (True, True, True, True), g, q, k, v, y, m",
    ),
    "attention that drops out": (
        _dropped(ATTENTION),
        "kept_dropped_attention(q, k, v, m, causal=1, share=0.3, seed=7, step=step",
        "dropped_attention_gradients(y_kept, (True, True, True, False), g, q, k, v, y, m",
    ),
    "a trained bias, and dropout": (
        _dropped(TRAINED),
        "kept_dropped_attention(q, k, v, m, causal=1, share=0.3, seed=7, step=step",
        "dropped_attention_gradients(y_kept, (True, True, True, True), g, q, k, v, y, m",
    ),
    "dropout of some queries": (
        _dropped(LATE),
        "kept_dropped_attention(q, k, v,",
        "dropped_attention_gradients(y_kept, (True, False, True",
    ),
    "attention": (
        ATTENTION,
        "kept_attention(q, k, v, m,",
        "attention_gradients(y_kept, (True, True, True, False), g, q, k, v, y, m",
    ),
    "attention without bias": (
        ATTENTION.replace(", m,", ","),
        "kept_attention(q, k, v,",
        "gradients(y_kept, (True, True, True, False)",
    ),
    "attention of some queries": (LATE, "kept_attention(q, k, v,", "gradients(y_kept, (True, False, True, False)"),
    "attention of other keys": (
        ATTENTION.replace("y = attention(q, k", "o = k * 2\ny = attention(q, o"),
        " attention(q, o, v,",
        "attention_gradient(1, g, q, k, v, y, m",
    ),
    "layer norm": (LAYERNORM, "kept_weighted_layernorm(", "layernorm_gradients(y_kept, (True, True), g, x, w, "),
    "layer norm without bias": (
        NORM.format(norm="layernorm", bias=""),
        "kept_weighted_layernorm(",
        "y_kept, (True, True)",
    ),
    "rms norm": (NORM.format(norm="rms_norm", bias=""), "kept_weighted_rms_norm(", "rms_norm_gradients(y_kept, "),
    "group norm": (SAMPLES, "kept_group_norm(", "group_norm_gradients(y_kept, (True, True), g, x, w, "),
    "groups on ranks": (
        GROUPS.format(dim=1, weights=" sliced(0, sizes=2/1)", summed="sliced(0, sizes=2/1)"),
        "kept_group_norm(",
        "group_norm_gradients(y_kept, (True, True), g, x, w, ",
    ),
    "group norm of nothing": (
        SAMPLES.replace("sizes=2/1", "sizes=3/0"),
        "kept_group_norm(",
        "group_norm_gradients(y_kept, (True, True)",
    ),
    "group norm with another eps": (
        SAMPLES.replace("(x, w, w)", "(x, w, eps=0.1)"),
        " group_norm(x, w, eps=0.1)",
        "group_norm_gradients(None, (True, True), g, x, w, ",
    ),
    "one gradient": (
        LAYERNORM.replace("d_x = weighted_layernorm_backward(g, x, w)", "d_x = g * 2"),
        "kept_weighted_layernorm(",
        "layernorm_gradients(y_kept, (False, True), g, x, eps",
    ),
    "another eps forward": (
        LAYERNORM.replace("w, b)", "w, b, eps=0.1)"),
        " weighted_layernorm(",
        "layernorm_gradients(None, (True, True), g, x, w",
    ),
    "a weight that is there later": (
        LAYERNORM.replace("d_x = ", "v = w * 2\nd_x = ").replace("x, w)", "x, v)"),
        "kept_weighted_layernorm(",
        "layernorm_gradients(y_kept, (True, False), g, x, v",
    ),
}
"""Programs, how the forward call is written, and how the backward one."""


@looped("name", CASES)
def test_gradients_are_one_call(name):
    text, forward, backward = CASES[name]
    program = parse_program(text)
    code = " ".join(written(program, together=True).split()).replace("( ", "(")
    assert forward in code
    assert backward in code, code
    if "later" not in name:
        assert code.count("_gradients(") <= 1
    meaning = Reals(3)
    arrays = {source.name: meaning.random(source.shape, source.dtype) for source in program.sources}
    given = given_to(program, arrays, meaning)
    expected = run(program, given, meaning, 1)
    for rank, mine in enumerate(computed(program, given, together=True)):
        for output in program.outputs:
            theirs = expected[output.name][rank].array
            np.testing.assert_allclose(mine[output.name].double().numpy(), theirs, rtol=1e-11, atol=1e-11, err_msg=name)


def test_one_call_is_kept_for_one_backward_pass():
    """A second one, of another gradient, computes what it needs again."""
    text = LAYERNORM.replace(
        "output y", "h = g + 1\nd_v = layernorm_weight_backward(h, x)\noutput d_v partial(+)\noutput y"
    )
    code = written(parse_program(text), together=True)
    assert code.count("layernorm_gradients(y_kept, ") == 1
    assert code.count("layernorm_gradients(None, (False, True), h, x, ") == 1
