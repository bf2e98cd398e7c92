"""New versions by operations in place: where they are made so, and that they have the same bits."""

import random

import numpy as np
import pytest
import torch
from emit.torch.one_rank import computed as computed_on_ranks
from emit.torch.one_rank import given_to, loaded
from tiers import sample

from p2smt.emit.torch.program import statements
from p2smt.emit.torch.program.source import compute_text
from p2smt.emit.torch.program.storage import IN_PLACE, operated_on, overwriting
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.reals import Reals
from p2smt.tensor.text.parser import parse_program

GIVEN = """program one
mesh r=2
input g : f32[3, 3]
input d : f64[3, 3]
input i : i32[3, 3]
input row : f32[3]
parameter p : f32[3, 3]
state q : f32[3, 3]
state h : f16[3, 3]
state n : i32[3, 3]
state w : f32[]
state narrow : f32[3]
scalar lr
"""
SEEDS = sample(range(150), 30)
TYPES = {"f32": torch.float32, "f64": torch.float64, "f16": torch.float16, "i32": torch.int32}


def program_of(lines, output="g"):
    return parse_program(f"{GIVEN}{lines}output {output}\n")


def written(program):
    writer = statements.StatementWriter(program, frozenset(), {})
    lines = compute_text(program, writer).split("\n")
    return [line.partition("  #")[0].strip() for line in lines]


@pytest.mark.parametrize(
    ("new", "line"),
    [
        ("p - lr * g", "p.sub_(lr * g)"),
        ("p * 0.9 + g * 0.1", "p.mul_(0.9).add_(g * 0.1)"),
        ("(p + row) / 3 * -1", "p.add_(row).div_(3).mul_(-1)"),
        ("p - p * 0.1", "p.sub_(p * 0.1)"),
        ("p - sqrt(q) / 2", "p.sub_(torch.sqrt(q) / 2)"),
        # the second operation would read what the first has changed
        ("p * 0.9 + p * g", "p.copy_((p * 0.9) + (p * g))"),
        ("p * 0.9 + transpose(p, 1, 0)", "p.copy_((p * 0.9) + torch.permute(p, (1, 0)))"),
        ("p * 0.9 + v", "p.copy_((p * 0.9) + v)"),
        # it would read elements that it has changed
        ("p - transpose(p, 1, 0)", "p_2 = (p - torch.permute(p, (1, 0))).clone()"),
        # it does not begin with the old version
        ("q * 0.9 + g", "p.copy_((q * 0.9) + g)"),
        ("g - p", "p.copy_(g - p)"),
        ("sqrt(p) + g", "p.copy_(torch.sqrt(p) + g)"),
        # of another type, so that it is rounded once, behind the last operation
        ("cast(cast(p, f64) * 0.9 + d, f32)", "p.copy_(((p.to(torch.float64) * 0.9) + d).to(at.real))"),
    ],
)
def test_an_update_is_in_place_where_nothing_reads_what_is_changed(new, line):
    found = written(program_of(f"v = transpose(p, 1, 0)\np1 = update(p, {new})\n"))
    if line.startswith("p_2"):
        assert not any(each.startswith("p.sub_") for each in found)
    else:
        assert line in found


@pytest.mark.parametrize(
    ("update", "line"),
    [
        ("h1 = update(h, h * 0.9 + cast(g, f16))\n", "h.mul_(0.9).add_(g.to(torch.float16))"),
        ("h1 = update(h, cast(cast(h, f32) + g, f16))\n", "h.copy_((h.to(at.real) + g).to(torch.float16))"),
        ("n1 = update(n, n + i)\n", "n.add_(i)"),
        ("n1 = update(n, n * 0.5)\n", "n.copy_(n.to(at.real) * 0.5)"),
        ("w1 = update(w, w * 0.5)\n", "w.mul_(0.5)"),
        ("narrow1 = update(narrow, narrow * 0.5 - row)\n", "narrow.mul_(0.5).sub_(row)"),
        ("narrow1 = update(narrow, sum(narrow + g, 0))\n", "narrow.copy_(torch.sum(narrow + g, (0,), False))"),
    ],
)
def test_an_update_is_in_place_where_its_type_has_room(update, line):
    assert line in written(program_of(update))


@pytest.mark.parametrize("new", ["transpose(p, 1, 0)", "transpose(v, 1, 0) + 0", "v"])
def test_an_update_by_a_view_of_the_old_version_is_that_of_a_copy(new):
    program = program_of(f"v = transpose(p, 1, 0)\np1 = update(p, {new})\n", output="p1")
    p = np.arange(9.0).reshape(3, 3)
    arrays = {source.name: p if source.name == "p" else np.ones(source.shape) for source in program.sources}
    for found in computed_on_ranks(program, given_to(program, arrays, Reals(1))):
        assert found["p1"].tolist() == (p if "+" in new else p.T).tolist()


@pytest.mark.parametrize("later", ["z = p * 2\n", "z = v * 2\n", "q1 = update(q, q + p)\nz = q1 * 1\n"])
def test_an_old_version_that_is_read_later_stays(later):
    found = written(program_of(f"v = transpose(p, 1, 0)\np1 = update(p, p - g)\n{later}", "z"))
    assert "p1 = (p - g).clone()" in found


def test_a_long_update_keeps_its_beginning():
    """What makes a line long has a name before it, but not the old version, which would be another tensor's."""
    long = "sqrt(abs(g * 1.00001)) * 0.100000000001 + abs(g) * 2.000000000000000001"
    found = written(program_of(f"p1 = update(p, (p * 0.90000000000001 + {long}) * 0.99999999999 - ({long}))\n"))
    (line,) = (each for each in found if each.startswith("p.mul_"))
    assert line.startswith("p.mul_(0.90000000000001).add_(value")
    assert not any("copy_" in each for each in found)


def test_updates_of_updates_are_in_place():
    found = written(program_of("p1 = update(p, p - g)\np2 = update(p1, p1 * 2 + q)\nq1 = update(q, q + p2)\n"))
    assert [each for each in found if each[1:2] == "."] == ["p.sub_(g)", "p.mul_(2).add_(q)", "q.add_(p)"]


def test_operations_in_place_are_those_of_torch():
    for name, method in IN_PLACE.items():
        assert OPERATIONS[name].operands == 2
        assert callable(getattr(torch.Tensor, method))
        assert method == f"{name}_"


def expression(rng, depth, leaves, operators):
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(leaves)
    if rng.random() < 0.2:
        return rng.choice(["abs({})", "transpose({}, 1, 0)"]).format(leaves[0])
    left, right = (expression(rng, depth - 1, leaves, operators) for _ in range(2))
    return f"({left} {rng.choice(operators)} {right})"


def random_updates(rng):
    """Updates whose new versions begin with the old one more often than not, and read each other and views."""
    now, lines = {"p": "p", "q": "q", "h": "h", "n": "n"}, ["v = transpose(p, 1, 0)\n", "u = q + g\n"]
    types = {"p": "f32", "q": "f32", "h": "f16", "n": "i32", "g": "f32", "d": "f64", "i": "i32", "v": "f32", "u": "f32"}
    for number in range(rng.randint(1, 4)):
        name = rng.choice(["p", "p", "q", "h", "n"])
        mine, operators = types[name], "+-*" if name == "n" else "+-*/"
        known = {**{each: each for each in types}, **now}
        leaves = [text if types[each] == mine else f"cast({text}, {mine})" for each, text in known.items()]
        leaves += ["2", "3"] if name == "n" else ["lr", "0.9", "3"]
        rng.shuffle(leaves)
        leaves.sort(key=lambda leaf: leaf[0].isdigit() or leaf == "lr")
        new = now[name] if rng.random() < 0.8 else leaves[0]
        for _ in range(rng.randint(1, 3)):
            new = f"({new} {rng.choice(operators)} {expression(rng, 2, leaves, operators)})"
        made = f"{name}{number}"
        lines.append(f"{made} = update({now[name]}, {new})\n")
        now[name] = made
    return "".join(lines)


def computed(program):
    """All that a step changes and gives."""
    names, generator = loaded(program), torch.Generator().manual_seed(1)
    at = names["OneDevice"](torch.device("cpu"), torch.float32)
    given = {"lr": 0.125}
    for source in program.sources[:-1]:
        given[source.name] = torch.randn(source.shape, generator=generator, dtype=torch.float64).mul(3)
        given[source.name] = given[source.name].to(TYPES[source.dtype])
    outputs, new = names["compute"](at, given, 1)
    del given["lr"]
    return given | {f"new {name}": each for name, each in new.items()} | {f"out {n}": e for n, e in outputs.items()}


def test_operations_in_place_have_the_bits_of_copies(monkeypatch):
    for seed in SEEDS:
        program = program_of(random_updates(random.Random(seed)), "u")
        found = computed(program)
        assert operated_on(program).keys() <= overwriting(program), seed
        with monkeypatch.context() as patched:
            patched.setattr(statements, "operated_on", lambda _: {})
            expected = computed(program)
        assert found.keys() == expected.keys()
        for name, each in expected.items():
            assert found[name].dtype is each.dtype, (seed, name)
            assert torch.equal(found[name].isnan(), each.isnan()), (seed, name)
            assert torch.equal(found[name][~each.isnan()], each[~each.isnan()]), (seed, name)


def test_some_random_updates_are_in_place():
    many = [operated_on(program_of(random_updates(random.Random(seed)), "u")) for seed in SEEDS]
    assert sum(map(bool, many)) > len(SEEDS) / 3
