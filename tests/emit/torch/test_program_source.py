"""The emitted training step as text: it reads well, keeps the style, needs torch alone; what cannot be is said."""

import ast
import re
import sys

import pytest
from command_line import golden
from emit.emitted import check_style
from emit.torch.step_programs import MESH, MOVED, ZERO
from paths import TESTS

from p2smt.emit.torch.program.names import MOST, PythonNames
from p2smt.emit.torch.program.source import emit_program
from p2smt.emit.torch.program.storage import overwriting
from p2smt.errors import ProgramError
from p2smt.tensor.text.parser import parse_program
from p2smt.tensor.way import Way

PERCEPTRON = (TESTS / "emit" / "torch" / "perceptron.tp").read_text(encoding="utf-8")
"""The packaged perceptron of two layers on devices of speeds 1, 2 and 4, as p2smt shard writes it."""
NAMES = f"""program names
mesh device=2
input Yield : f32[4, 3] sliced(0)
parameter lambda : f32[3]
parameter {"a.very.long.name.of." * 4}weight : f32[3]
state l : f32[3]
embedded = Yield * lambda
print = embedded + {"a.very.long.name.of." * 4}weight
at = AllReduce(sum(print, 0))
step = update(l, l + at)
torch = sum(at * step * {"a.very.long.name.of." * 4}weight) / 2
output torch
"""


def emitted(text, ways=None):
    return emit_program(parse_program(text), ways)


def test_a_model_of_two_layers_is_emitted_as_it_was():
    golden("step_mlp.py.txt", emitted(PERCEPTRON))


def test_files_keep_the_style_and_need_torch_and_the_standard_library_alone(tmp_path):
    texts = [emitted(text) for text in (PERCEPTRON, ZERO, MOVED, MESH, NAMES)]
    texts += [emitted(ZERO, {"whole": way, "gw": way}) for way in (Way.GROUPED, Way.EXCHANGE)]
    check_style(tmp_path, texts)
    for text in texts:
        imported = {
            (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name).split(".")[0]
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.Import | ast.ImportFrom)
        }
        assert imported - {"torch"} <= sys.stdlib_module_names


def test_every_statement_has_a_line_with_its_layout():
    text = emitted(ZERO)
    gathered = "((w, 0, cut_5), (b, 0, cut_6), (a, 0, cut_6_2)), along_rank, all_gather_padded"
    assert f"    # replicated\n    whole, bias, even = all_gather_bucket(\n        {gathered}\n    )\n" in text
    assert "    e = y - (one_hot(c, 0, 6, at.real) * (high + deep))  # sliced(0, cut_4)\n" in text
    assert "    sgd(given, gradients, lr=0.01, momentum=0.9)" in text
    assert "CUT_5 = Cut((1, 0, 4))\n" in text
    functions = set(re.findall(r"^def (\w+)", text, re.MULTILINE))
    assert {"all_gather_padded", "reduce_scatter_padded", "one_hot"} <= functions
    assert functions.isdisjoint({"all_to_all", "rebalance", "conv2d", "dropped"})


def test_names_of_python_are_free_lower_case_and_short():
    names = PythonNames({"embedded"})
    made = [names.of(name) for name in ("class", "l", "X", "x", "sum", "a.b", "a_b", "embedded", "long." * 30, "1.w")]
    assert made == ["class_2", "l_2", "x", "x_2", "sum_2", "a_b", "a_b_2", "embedded_2", made[8], "t_1_w"]
    assert len(made[8]) <= MOST
    assert names.of("x") == "x_2"


@pytest.mark.parametrize(
    ("updates", "written"),
    [
        ("p1 = update(p, p - g)\n", {"p1"}),
        ("p1 = update(p, p - g)\nz = p * 2\n", set()),
        ("v = transpose(p, 0)\np1 = update(p, p - g)\nz = v * 2\n", set()),
        ("v = transpose(p, 0)\nz = v * 2\np1 = update(p, p - g)\n", {"p1"}),
        ("p1 = update(p, transpose(p, 0))\n", set()),
        ("p1 = update(p, q)\nq1 = update(q, p1)\n", {"p1", "q1"}),
        ("p1 = update(p, q)\nq1 = update(q, p)\n", {"q1"}),
        ("p1 = update(p, p - g)\np2 = update(p1, p1 * 2)\n", {"p1", "p2"}),
        ("p1 = update(p, p - g)\nv = transpose(p1, 0)\np2 = update(p1, p1 * 2)\nz = p * v\n", set()),
        ('v = einsum("a -> a", p)\np1 = update(p, p - g)\nz = v * 2\n', set()),
    ],
)
def test_a_new_version_is_written_over_the_old_one_unless_that_is_read_later(updates, written):
    given = "program one\nmesh r=2\ninput g : f32[4]\nparameter p : f32[4]\nparameter q : f32[4]\n"
    output = "output z\n" if "z =" in updates else "output g\n"
    assert overwriting(parse_program(given + updates + output)) == written


@pytest.mark.parametrize(("output", "written"), [("p", set()), ("v", set()), ("p1", {"p1"}), ("z", {"p1"})])
def test_what_is_given_back_is_not_written_over(output, written):
    """An old version, and a view of it, are read when the step is done."""
    text = "program one\nmesh r=2\ninput g : f32[4]\nparameter p : f32[4]\nv = transpose(p, 0)\nz = p * 2\n"
    assert overwriting(parse_program(f"{text}p1 = update(p, p - g)\noutput {output}\n")) == written


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "program one\ninput x : f32[4]\ny = x + 1\noutput y\n",
            "program one is for one device; distribute it first with p2smt shard",
        ),
        (
            "program off\nmesh r=2\ninput x : f32[4] sliced(0)\nparameter w : f32[4]\ny = sum(x) * sum(x)\noutput y\n",
            "program off cannot be emitted: y: ",
        ),
        (
            "program most\nmesh r=2\ninput x : f32[4] sliced(0)\ny = max(x)\noutput y partial(max)\n",
            "y is partial(max): inputs and outputs of emitted steps must be partial,",
        ),
    ],
)
def test_what_cannot_be_emitted_is_said(text, said):
    with pytest.raises(ProgramError) as refused:
        emitted(text)
    assert said in str(refused.value)


@pytest.mark.parametrize(("length", "way"), [(7, "all_gather_padded"), (6, "all_gather_padded"), (8, "all_gather")])
def test_blocks_of_every_group_are_asked_whether_they_are_alike(length, way):
    """Of 7 the first axis cuts 4 and 3, the second 2 and 2, and 2 and 1; of 6 it is 3 and 3, and 2 and 1 twice."""
    text = emitted(
        f"program p\nmesh data=2, model=2\ninput x : f32[{length}, 2] sliced(0, data) sliced(0, model)\n"
        "y = AllGather(x, 0, axis=model)\noutput y sliced(0, data)\n"
    )
    assert re.findall(r"= (all_gather\w*)\(x", text) == [way]


@pytest.mark.parametrize(("way", "name"), [(Way.PADDED, ""), (Way.EXCHANGE, "_exchanged"), (Way.GROUPED, "_grouped")])
def test_blocks_of_one_size_are_sent_in_the_way_that_was_chosen_too(way, name):
    """On gloo an exchange of them is half of its ReduceScatter."""
    program = parse_program(
        "program p\nmesh r=2\ninput x : f32[8] partial(+)\ny = ReduceScatter(x, 0)\nz = AllGather(y, 0)\noutput z\n"
    )
    text = emit_program(program, {"y": way, "z": way})
    assert f"= reduce_scatter{name}(x" in text
    assert f"= all_gather{name}(y" in text
