"""Refusals as terms are those of the rules that are carried out, on states with numbers."""

from random import Random

import z3

from p2smt.collective import Collective
from p2smt.reduction.catalogue.refusals import REFUSALS
from p2smt.reduction.rules.matrix_rules import group_of
from p2smt.reduction.semantics.collectives import RULES, Violation

CHUNKS = 3
ROWS = ((0, 0, 1, 3), (0, 0, 2, 4, 1))
"""Contributors that the two members hold of a chunk: often none in common, so that a reduction gets far."""


def refused(kind, states, blocks):
    """The refusals that hold for states with numbers."""
    rows = [tuple(z3.BitVecVal(row, CHUNKS) for row in state) for state in states]
    held = [tuple(z3.BoolVal(row != 0) for row in state) for state in states]
    group = group_of(rows, blocks, held)
    return {name for name, term in REFUSALS[kind].items() if z3.is_true(z3.simplify(term(group)))}


def test_terms_refuse_what_is_refused_when_it_is_carried_out():
    random, seen = Random(5), set()
    blocks = (frozenset({0}), frozenset({1, 2}))  # of unlike sizes, so that what is held can be uneven
    for _ in range(100):
        states = tuple(tuple(random.choice(ROWS[member]) for _ in range(CHUNKS)) for member in range(2))
        for kind, carry_out in RULES.items():
            result, names = carry_out(states, blocks), refused(kind, states, blocks)
            if isinstance(result, Violation):
                seen.add((kind, result))
            assert bool(names) == isinstance(result, Violation), (kind, states, names, result)
    assert (Collective.REDUCE_SCATTER, Violation.UNEVEN) in seen


def test_a_reduce_scatter_of_what_is_in_nobodys_block_is_uneven():
    """On trees of unlike sizes a chunk may be in no member's block."""
    states, blocks = ((0, 0, 1), (0, 0, 2)), (frozenset({0}), frozenset({1}))
    assert RULES[Collective.REDUCE_SCATTER](states, blocks) is Violation.UNEVEN
    assert Violation.UNEVEN in refused(Collective.REDUCE_SCATTER, states, blocks)
