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
CONVOLUTION = """program convolution
mesh r=2
input x : f32[2, 3, 5, 5] sliced(0)
input g : f32[2, 4, 3, 3] sliced(0)
parameter w : f32[4, 3, 3, 3]
y = conv2d(x, w, stride=2, padding=1)
d_x = conv2d_input_backward(g, w, height=5, width=5, stride=2, padding=1)
d_w = conv2d_weight_backward(g, x, height=3, width=3, stride=2, padding=1)
output y sliced(0)
output d_x sliced(0)
output d_w partial(+)
"""
GROUPED = """program grouped
mesh r=2
input x : f32[2, 3, 2, 5, 5] sliced(0)
input g : f32[2, 3, 1, 5, 5] sliced(0)
parameter w : f32[3, 1, 2, 3, 3]
y = grouped_conv2d(x, w, padding=1)
d_x = grouped_conv2d_input_backward(g, w, height=5, width=5, padding=1)
d_w = grouped_conv2d_weight_backward(g, x, height=3, width=3, padding=1)
output y sliced(0)
output d_x sliced(0)
output d_w partial(+)
"""
BATCH = """program batch
mesh r=1
input x : f32[4, 3, 2]
input g : f32[4, 3, 2]
parameter w : f32[3]
parameter b : f32[3]
state mean : f32[3]
state var : f32[3]
s = sum(x, 0, 2)
m = s / 8
q = batch_norm_squares(x, m)
v = q / 8
e = v + 1e-05
r = rsqrt(e)
y = batch_norm(x, m, r, w, b)
m1 = mean * 0.9
m2 = m * 0.1
m3 = m1 + m2
v1 = var * 0.9
u = v * 1.1428571428571428
v2 = u * 0.1
v3 = v1 + v2
d_w = batch_norm_weight_backward(g, x, m, r)
d_b = sum(g, 0, 2)
o = d_b / 8
p = d_w / 8
d_x = batch_norm_backward(g, x, m, r, w, o, p)
mean.new = update(mean, m3)
var.new = update(var, v3)
output y
output d_x
output d_w
output d_b
"""
DROPOUT = """program dropout
mesh r=2
input x : f32[5, 4] sliced(0, sizes=3/2)
input g : f32[5, 4] sliced(0, sizes=3/2)
y = dropout(x, share=0.4, seed=3)
d_x = dropout(g, share=0.4, seed=3)
output y sliced(0, sizes=3/2)
output d_x sliced(0, sizes=3/2)
"""
CASES = {
    "gradients of a convolution": (CONVOLUTION, " conv2d(x, w", "conv2d_gradients(g, x, w, 2, 1, 1)"),
    "gradients of a kernel of another convolution": (
        CONVOLUTION.replace("g, x, height=3, width=3", "g, x, height=2, width=2").replace("(g, x", "(g, x"),
        " conv2d(x, w",
        "conv2d_weight(x, ",
    ),
    "gradients of groups": (GROUPED, " grouped_conv2d(x, w", "grouped_conv2d_gradients(g, x, w, 1, 1, 1)"),
    "batch norm": (
        BATCH,
        "y, y_kept = kept_local_batch_norm(x, w, b, mean, var, 0.1, 1e-05)",
        "d_x, d_w, d_b = batch_norm_gradients(y_kept, g, x, w, 1e-05)",
    ),
    "batch norm whose mean is read": (
        f"{BATCH}output m\n",
        "y = batch_norm(x, m, r, w, b)",
        "d_x = batch_norm_backward(g, x, m, r, w, o, p)",
    ),
    "batch norm with another count": (
        BATCH.replace("v = q / 8", "v = q / 7"),
        "y = batch_norm(x, m, r, w, b)",
        "d_x = batch_norm_backward(g, x, m, r, w, o, p)",
    ),
    "dropout": (DROPOUT, "y, y_kept = kept_dropped(x, 0.4, 3, step, ", "d_x = masked(g, y_kept, 0.4)"),
    "dropout of another seed": (
        DROPOUT.replace("g, share=0.4, seed=3", "g, share=0.4, seed=4"),
        "y = dropped(x, 0.4, 3, step, ",
        "d_x = dropped(g, 0.4, 4, step, ",
    ),
    "dropout of another share": (
        DROPOUT.replace("g, share=0.4", "g, share=0.3"),
        "y = dropped(x, 0.4, 3, step, ",
        "d_x = dropped(g, 0.3, 3, step, ",
    ),
    "dropout that is drawn again": (
        DROPOUT.replace("output y", "z = dropout(x, share=0.4, seed=3)\noutput z sliced(0, sizes=3/2)\noutput y"),
        "y = dropped(x, 0.4, 3, step, ",
        "d_x = dropped(g, 0.4, 3, step, ",
    ),
    "layer norm with the gradient of its bias": (
        LAYERNORM.replace("output y", "d_b = sum(g, 0)\noutput d_b partial(+)\noutput y"),
        "kept_weighted_layernorm(",
        "d_x, d_w, d_b = layernorm_gradients(y_kept, (True, True, True), g, x, w, ",
    ),
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
    "layer norm": (LAYERNORM, "kept_weighted_layernorm(", "layernorm_gradients(y_kept, (True, True, False), g, x, w, "),
    "layer norm without bias": (
        NORM.format(norm="layernorm", bias=""),
        "kept_weighted_layernorm(",
        "y_kept, (True, True, False)",
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
        "layernorm_gradients(y_kept, (False, True, False), g, x, eps",
    ),
    "another eps forward": (
        LAYERNORM.replace("w, b)", "w, b, eps=0.1)"),
        " weighted_layernorm(",
        "layernorm_gradients(None, (True, True, False), g, x, w",
    ),
    "a weight that is there later": (
        LAYERNORM.replace("d_x = ", "v = w * 2\nd_x = ").replace("x, w)", "x, v)"),
        "kept_weighted_layernorm(",
        "layernorm_gradients(y_kept, (True, False, False), g, x, v",
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
    assert code.count("layernorm_gradients(None, (False, True, False), h, x, ") == 1
