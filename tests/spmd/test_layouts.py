"""Which rules of operations speak of layouts that tensors can have, and which dimensions are cut together."""

import pytest

from p2smt.spmd.account.uses import uses_of
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.layouts import usable_rules
from p2smt.tensor.rule import Cut, Summand, WholeOperand
from p2smt.tensor.text.parser import parse_program


def rules_of(statement):
    graph = graph_of(parse_program(f"program one\ninput x : f32[4, 6]\ninput z : f32[4, 6]\n{statement}\noutput y\n"))
    return {(*rule.operands, rule.result) for rule in usable_rules(graph, graph.nodes[-1], classes_of(graph))}


@pytest.mark.parametrize("operation", ["+", "-"])
def test_a_number_is_no_summand_and_is_not_cut(operation):
    """Sums of summands are summands; with a number every device would add all of it."""
    both, alone = rules_of(f"y = x {operation} z"), rules_of(f"y = x {operation} 2")
    summands = {rule for rule in both if all(isinstance(need, Summand) for need in rule)}
    assert summands
    assert not any(isinstance(rule[1], Summand | Cut) for rule in alone)
    assert {rule for rule in alone if isinstance(rule[2], Cut)} == {(Cut(d), WholeOperand(), Cut(d)) for d in (0, 1)}


def test_a_factor_leaves_summands_what_they_are():
    assert any(isinstance(rule[0], Summand) and rule[1] == WholeOperand() for rule in rules_of("y = x * 2"))


@pytest.mark.parametrize(
    ("statement", "joined"),
    [("softmax(x, dim=1)", [True, False]), ("softmax(x, dim=0)", [False, True]), ("relu(x)", [True, True])],
)
def test_dimensions_that_cannot_be_cut_are_joined_with_none(statement, joined):
    program = parse_program(f"program one\nmesh r=2\ninput x : f32[4, 6]\ny = {statement}\noutput y\n")
    uses = uses_of(program)
    before, after = uses.sources[0].number, uses.sources[0].number + 1
    assert [uses.root((before, dim)) == uses.root((after, dim)) for dim in (0, 1)] == joined
