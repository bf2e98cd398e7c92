"""Steps under torch.compile: the same numbers, with collectives, dropout and optimizers as calls between graphs."""

import ast
import sys
from types import ModuleType

import pytest
import torch
from command_line import refused
from emit.torch.step_programs import MESH, ZERO

from p2smt.emit.torch.program.source import emit_program
from p2smt.tensor.text.parser import parse_program

STEPS = 4
DROPPING = """program dropping
mesh r=1
input x : f32[6, 5]
parameter w : f32[5, 5]
state w.momentum : f32[5, 5]
h = tanh(matmul(x, w))
d = dropout(h, share=0.25, seed=4)
loss = sum(d * d)
g = einsum("a b, a c -> b c", x, d)
m = update(w.momentum, w.momentum * 0.9 + g)
w1 = update(w, w - m * 0.01)
output loss
"""
ATTENTION = """program attention
mesh r=1
input q : bf16[2, 4, 16, 8]
input k : bf16[2, 4, 16, 8]
input v : bf16[2, 4, 16, 8]
input g : bf16[2, 4, 16, 8]
y = dropped_attention(q, k, v, share=0.25, seed=4, causal=1)
d_q = dropped_attention_query_backward(g, q, k, v, y, share=0.25, seed=4, causal=1)
d_k = dropped_attention_key_backward(g, q, k, v, y, share=0.25, seed=4, causal=1)
d_v = dropped_attention_value_backward(g, q, k, v, y, share=0.25, seed=4, causal=1)
output y
output d_q
output d_k
output d_v
"""


def decorators(text):
    """The decorators of every function, as text."""
    found = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef)]
    return {each.name: [ast.unparse(one) for one in each.decorator_list] for each in found}


def test_a_compiled_step_computes_what_it_did(monkeypatch):
    graphs = []

    def backend(graph, inputs):
        graphs.append({node.target for node in graph.graph.nodes if node.op == "call_function"})
        return graph.forward

    compile_ = torch.compile
    monkeypatch.setattr(torch, "compile", lambda function: compile_(function, backend=backend))
    found = []
    for compiled in (False, True):
        names = {"__name__": "emitted"}
        exec(compile(emit_program(parse_program(DROPPING), compile=compiled), "emitted", "exec"), names)
        torch.manual_seed(0)
        ranks = names["OneDevice"](torch.device("cpu"), torch.float64)
        step = names["Step"]({"w": torch.randn(5, 5).double()}, real=torch.float64, ranks=ranks)
        losses = [step({"x": torch.randn(6, 5).double()})["loss"] for _ in range(STEPS)]
        found.append([*losses, *step.held.values()])
    assert all(torch.allclose(mine, theirs, rtol=1e-12) for mine, theirs in zip(*found, strict=True))
    # Before dropout and behind it; the first again for any number of the step, which is 1 at first.
    assert [torch.tanh in each for each in graphs] == [True, False, True]
    assert torch.mm in graphs[1]


@pytest.mark.parametrize(("kernel", "dtype"), [("flash", torch.bfloat16), ("efficient", torch.float32)])
def test_the_kernel_of_a_dropped_attention_is_in_the_graph(kernel, dtype, monkeypatch):
    # No kernel runs: the graph is made of the operations' shapes alone, so that no GPU is needed.
    graphs = []

    def backend(graph, inputs):
        graphs.append({str(node.target) for node in graph.graph.nodes if node.op == "call_function"})
        return graph.forward

    text = emit_program(parse_program(ATTENTION), compile=True).replace("@torch.compile\n", "")
    module = ModuleType("emitted")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    names = module.__dict__
    exec(compile(text, "emitted", "exec"), names)
    names["fused_kernel"] = lambda *_: kernel
    given = {name: torch.empty(2, 4, 16, 8, dtype=dtype, device="meta") for name in "qkvg"}
    ranks = names["OneDevice"](torch.device("meta"), dtype)
    outputs, _ = torch.compile(names["compute"], backend=backend, fullgraph=True)(ranks, given, 1)
    assert outputs.keys() == {"y", "d_q", "d_k", "d_v"}
    assert all(each.shape == (2, 4, 16, 8) for each in outputs.values())
    (graph,) = graphs
    assert {each for each in graph if "scaled_dot_product" in each} == {
        f"aten._scaled_dot_product_{kernel}_attention",
        f"aten._scaled_dot_product_{kernel}_attention_backward",
    }


def test_ranks_call_collectives_between_graphs():
    for program in (parse_program(ZERO), parse_program(MESH)):
        plain, compiled = (decorators(emit_program(program, compile=each)) for each in (False, True))
        assert compiled["compute"] == ["torch.no_grad()", "torch.compile"]
        collectives = [name for name in plain if name.startswith(("all_", "reduce_", "begin_"))]
        assert collectives
        assert all(compiled[name] == ["torch.compiler.disable"] for name in collectives)


def test_plans_and_schedules_have_nothing_to_compile(tmp_path, capsys):
    plan = tmp_path / "plan.json"
    plan.write_text("{}", encoding="utf-8")
    assert "--compile is for distributed tensor programs without --steps" in refused(
        ["emit", str(plan), "--compile"], capsys
    )
