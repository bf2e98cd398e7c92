"""Every operation as emitted code: on every rank, under layouts that it keeps, what the interpreter computes."""

from itertools import combinations_with_replacement, product

import numpy as np
import torch
from emit.torch.one_rank import computed, defined, given_to
from tensor.one_operation import blocks, distributed, rng_of, single
from tensor.operation_cases import CASES
from tiers import is_full

from p2smt.tensor.expression import AxisLayout, Number
from p2smt.tensor.interpreter import run
from p2smt.tensor.layout import Partial, ReductionOp, Replicated, Sliced
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.reals import Reals
from p2smt.tensor.rule import Cut, RuleName, Summand, WholeOperand, rules
from p2smt.tensor.shapes import signature
from p2smt.tensor.text.parser import parse_program

RANKS, STEP, MOST = 3, 5, 6 if is_full() else 3
SUMMED = Summand(ReductionOp.SUM)


def layout(need, sizes):
    match need:
        case WholeOperand():
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
        if any(need != WholeOperand() for need in rule.operands[len(one.sources) :]):
            continue
        size = signed.label(rule.label).size if rule.label else 0
        for _ in range(2 if rule.label else 1):
            sizes = blocks(size, RANKS, rng)
            layouts = [layout(need, sizes) for need in rule.operands[: len(one.sources)]]
            claim = (AxisLayout(Partial()),) if rule.result == SUMMED else ()
            found.append(distributed(call, types, layouts, RANKS, claim))
    return rng.sample(found, min(MOST, len(found)))


def test_an_operation_is_the_interpreters_on_every_rank():
    programs = {(call, types): kept(call, types) for call, types in CASES}
    assert [case for case, some in programs.items() if not some] == []
    for case, program in ((case, program) for case, some in programs.items() for program in some):
        meaning = Reals(3)
        arrays = {source.name: meaning.random(source.shape, source.dtype) % 6 for source in program.sources}
        given = given_to(program, arrays, meaning)
        expected = run(program, given, meaning, STEP)["y"]
        for mine, theirs in zip(computed(program, given, STEP), expected, strict=True):
            assert mine["y"].shape == theirs.array.shape, case
            np.testing.assert_allclose(
                mine["y"].double().numpy(), theirs.array, rtol=1e-12, atol=1e-12, err_msg=str(case)
            )


def test_every_operation_has_a_case():
    assert {call.partition("(")[0] for call, _ in CASES} == set(OPERATIONS)


def test_what_is_looked_up_is_taken_where_it_lies_and_0_elsewhere():
    """Every interval of 5 rows, empty ones and both ends among them, and every index, once and twice."""
    names, table, index = defined(), torch.arange(1.0, 11).view(5, 2), torch.tensor([4, 0, 3, 2, 1, 2])
    gradient, values = torch.arange(1.0, 13).view(6, 2), torch.arange(1.0, 31).view(6, 5)
    for start, stop in combinations_with_replacement(range(6), 2):
        inside = [start <= each < stop for each in index.tolist()]
        rows, length = torch.zeros(6, 2), stop - start
        sums, chosen, marks = torch.zeros(length, 2), torch.zeros(6), torch.zeros(6, length)
        for place, each in enumerate(index.tolist()):
            if inside[place]:
                rows[place], chosen[place] = table[each], values[place, each]
                sums[each - start] += gradient[place]
                marks[place, each - start] = 1
        assert torch.equal(names["embedded"](table[start:stop], index, start), rows)
        assert torch.equal(names["embedded_backward"](gradient, index, start, length), sums)
        assert torch.equal(names["picked"](values[:, start:stop], index, start), chosen)
        assert torch.equal(names["one_hot"](index, start, length, torch.float32), marks)
        picked = names["picked_backward"](gradient[:, 0], index, start, length)
        assert torch.equal(picked, marks * gradient[:, :1])


TRUTHS = """program truths
mesh r=2
input x : f32[6] sliced(0)
input y : f32[6] sliced(0)
a = {0}(x, y) + {1}(x, y)
b = {0}(x, y) - {1}(y, x)
c = {0}(x, y) * {1}(x, y)
d = {0}(x, y) * 3 + x
e = where({0}(x, y), x, y)
output a sliced(0)
output b sliced(0)
output c sliced(0)
output d sliced(0)
output e sliced(0)
"""


def test_truth_is_calculated_with_as_0_and_1():
    """Of all pairs of comparisons, on numbers that are larger, smaller and equal."""
    x, y = np.array([1.0, 2, 3, 3, 2, 1]), np.array([2.0, 2, 2, 3, 1, 1])
    truths = {
        "gt": lambda x, y: (x > y) * 1,
        "ge": lambda x, y: (x >= y) * 1,
        "lt": lambda x, y: (x < y) * 1,
        "eq": lambda x, y: (x == y) * 1,
    }
    for (one, first), (other, second) in product(truths.items(), repeat=2):
        program = parse_program(TRUTHS.format(one, other))
        left, right, turned = first(x, y), second(x, y), second(y, x)
        expected = {
            "a": left + right,
            "b": left - turned,
            "c": left * right,
            "d": left * 3 + x,
            "e": np.where(left, x, y),
        }
        given = given_to(program, {"x": x, "y": y}, Reals(1))
        for rank, found in enumerate(computed(program, given)):
            for name, whole in expected.items():
                assert found[name].tolist() == whole[3 * rank : 3 * rank + 3].tolist(), (name, one, other)
