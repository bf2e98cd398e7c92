"""Functions traced in this process, which has torch already, and judged."""

import warnings
from pathlib import Path

import msgspec

from p2smt.frontend.torch_ranks import ranks, trace
from p2smt.tensor.expression import ProgramAxis
from p2smt.tensor.text.parser import parse_program

FUNCTIONS = Path(__file__).with_name("functions.py")

MLP = """program mlp
input x : f64[8, 6]
parameter w1 : f64[6, 12]
parameter b1 : f64[12]
parameter w2 : f64[12, 4]
parameter b2 : f64[4]
y = matmul(gelu(matmul(x, w1) + b1), w2) + b2
output y
"""
SGD = """program sgd
input x : f64[8, 8]
input y : f64[8, 4]
parameter w : f64[8, 4]
difference = matmul(x, w) - y
loss = sum(difference * difference) / 32
gradient = matmul(transpose(x, 1, 0), difference * 2 / 32)
w.1 = update(w, w - gradient * 0.1)
output loss
"""
RELU = """program relu
input x : f64[8, 8]
parameter w : f64[8, 4]
y = relu(matmul(x, w))
output y
"""
ATTENTION = """program attention
input x : f64[2, 5, 16]
parameter q : f64[16, 16]
parameter k : f64[16, 16]
parameter v : f64[16, 16]
parameter o : f64[16, 16]
qs = reshape(matmul(x, q), 2, 5, 8, 2)
ks = reshape(matmul(x, k), 2, 5, 8, 2)
vs = reshape(matmul(x, v), 2, 5, 8, 2)
weights = softmax(einsum("b s h d, b t h d -> b h s t", qs, ks) / 2, 3)
context = einsum("b h s t, b t h d -> b s h d", weights, vs)
y = matmul(reshape(context, 2, 5, 16), o)
output y
"""
TABLE = """program table
input i : i64[5]
parameter table : f64[8, 3]
y = embedding(table, i)
output y
"""
PROGRAMS = {"mlp": MLP, "sgd": SGD, "zero": SGD, "relu": RELU, "attention": ATTENTION, "table": TABLE}
"""By the first word of a function's name."""


def single(function):
    """The program that a function is compared with."""
    return PROGRAMS[function.partition("_")[0]]


def traced_in_process(monkeypatch):
    """Functions are traced here, and not in a process of their own."""

    def in_process(request, timeout_s):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            answer = msgspec.msgpack.decode(msgspec.msgpack.encode(trace.traced(request)), type=trace.RanksAnswer)
        return ranks.checked(answer, request.path)

    monkeypatch.setattr(ranks, "_traced", in_process)


def judged(monkeypatch, function, single, path=FUNCTIONS, axes=(("ranks", 4),)):
    """What is said of a function of the file."""
    traced_in_process(monkeypatch)
    mesh = tuple(ProgramAxis(*axis) for axis in axes)
    return ranks.verify_function(path, function, mesh, parse_program(single), 60)
