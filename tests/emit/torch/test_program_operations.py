"""Every operation as emitted code: on every rank, under layouts that it keeps, what the interpreter computes."""

import numpy as np
import pytest
from emit.torch.one_rank import computed, given_to
from tensor.one_operation import blocks, distributed, rng_of, single
from tensor.operation_cases import CASES

from p2smt.tensor.interpreter import run
from p2smt.tensor.layout import Partial, Reduction, Replicated, Sliced
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Number, Placed
from p2smt.tensor.reals import Reals
from p2smt.tensor.rule import Cut, RuleName, Summand, Whole, rules
from p2smt.tensor.shapes import signature

RANKS, STEP, MOST = 3, 5, 6
SUMMED = Summand(Reduction.SUM)


def layout(need, sizes):
    match need:
        case Whole():
            return Replicated()
        case Cut(dimension, granule):
            return Sliced(dimension, tuple(granule * each for each in sizes))
        case Summand(reduction):
            return Partial(reduction)


def kept(call, types):
    """Programs of one operation, by its rules: cut at any places, some of the parts empty."""
    rng, found = rng_of(call, types), []
    one = single(call, types)
    (statement,) = one.statements
    numbers = [each for each in statement.expression.operands if isinstance(each, Number)]
    shapes = (*(source.shape for source in one.sources), *(() for _ in numbers))
    signed = signature(statement.expression, shapes)
    for rule in rules(signed):
        if rule.name in (RuleName.REP, RuleName.LOCAL, RuleName.ON_RANK):
            continue
        if rule.result != SUMMED and not isinstance(rule.result, Cut):
            continue
        if any(need != Whole() for need in rule.operands[len(one.sources) :]):
            continue
        size = signed.label(rule.label).size if rule.label else 0
        for _ in range(2 if rule.label else 1):
            sizes = blocks(size, RANKS, rng)
            layouts = [layout(need, sizes) for need in rule.operands[: len(one.sources)]]
            claim = (Placed(Partial()),) if rule.result == SUMMED else ()
            found.append(distributed(call, types, layouts, RANKS, claim))
    return rng.sample(found, min(MOST, len(found)))


@pytest.mark.parametrize(("call", "types"), CASES, ids=[f"{call} {' '.join(types)}" for call, types in CASES])
def test_an_operation_is_the_interpreters_on_every_rank(call, types):
    programs = kept(call, types)
    assert programs
    for program in programs:
        meaning = Reals(3)
        arrays = {source.name: meaning.random(source.shape, source.dtype) % 6 for source in program.sources}
        given = given_to(program, arrays, meaning)
        expected = run(program, given, meaning, STEP)["y"]
        for mine, theirs in zip(computed(program, given, STEP), expected, strict=True):
            assert mine["y"].shape == theirs.array.shape
            np.testing.assert_allclose(mine["y"].double().numpy(), theirs.array, rtol=1e-12, atol=1e-12)


def test_every_operation_has_a_case():
    assert {call.partition("(")[0] for call, _ in CASES} == set(OPERATIONS)
