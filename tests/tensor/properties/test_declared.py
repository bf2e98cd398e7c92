"""PyTorch does what operations declare of themselves: on negative numbers, zeros, ties, infinite and whole ones.

The declarations are read from the operations, so that those of a new one are tried as well; it needs a pattern in
`scripts/broken_programs.py` and its call in `scripts/torch_meanings.py`.
"""

from collections import Counter

import numpy as np
import pytest
import torch
from looped import looped
from tensor.properties.declared import PATTERNS, SETS, alike, calls, computed, drawn

from p2smt.tensor.dtype import DType
from p2smt.tensor.field.signs import ANY, NEGATIVE, POSITIVE, ZERO, Signs
from p2smt.tensor.frame import Frame, Interval, whole
from p2smt.tensor.interpreter import result_part
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.reals import Reals
from p2smt.tensor.signature import ParallelLabel, Reduced
from p2smt.tensor.verification.sameness import _COMMUTATIVE

REDUCED = {ReductionOp.SUM: torch.sum, ReductionOp.MAX: torch.amax, ReductionOp.MIN: torch.amin}
RANKS = 3


def shapes(operands):
    return tuple(tuple(each.shape) for each in operands)


def test_every_operation_has_calls_that_fit():
    assert set(PATTERNS) == set(OPERATIONS)
    assert [name for name in OPERATIONS if not calls(name)] == []


@looped("name", OPERATIONS)
def test_the_meaning_in_numpy_is_that_of_torch(name):
    for number, (pattern, attributes) in enumerate(calls(name)):
        for kind in SETS:
            operands = drawn(kind, pattern, number)
            signed = OPERATIONS[name].signature(shapes(operands), attributes)
            frame = Frame(attributes, tuple(map(whole, shapes(operands))), whole(signed.shape), step=2)
            ours = torch.from_numpy(np.array(Reals().call(name, [each.numpy() for each in operands], frame)))
            theirs = computed(name, operands, attributes, step=2)
            assert ours.shape == theirs.shape, (kind, attributes)
            assert alike(ours, theirs.double()), (kind, attributes, operands, ours, theirs)


@looped("name", OPERATIONS)
def test_reductions_over_ranks_pass_as_they_are_declared_to(name):
    """f(reduce x) = reduce' f(x). To a sum of infinite numbers nothing is claimed, to maxima it is."""
    for number, (pattern, attributes) in enumerate(calls(name)):
        for each in OPERATIONS[name].signature(pattern.shapes, attributes).distributes:
            kinds = SETS if each.before is not ReductionOp.SUM else SETS[:-1]
            for kind in kinds:
                rest = drawn(kind, pattern, number)
                ranks = [drawn(kind, pattern, 100 + number + rank) for rank in range(RANKS)]
                own = [
                    [
                        mine if at in each.operands else other
                        for at, (mine, other) in enumerate(zip(operands, rest, strict=True))
                    ]
                    for operands in ranks
                ]
                reduce = REDUCED[each.before]
                together = [reduce(torch.stack(column), dim=0) for column in zip(*own, strict=True)]
                together = [both if at in each.operands else rest[at] for at, both in enumerate(together)]
                parts = torch.stack([computed(name, operands, attributes) for operands in own])
                expected = REDUCED[each.after](parts, dim=0)
                assert alike(computed(name, together, attributes), expected), (each, kind, attributes)


def cut(operands, signed, label, first, last):
    """The operands' elements at some indices of a label, and where they lie."""
    parts, intervals = [], []
    for given, dimensions in zip(operands, signed.operands, strict=True):
        operand, mine = given, list(whole(tuple(given.shape)))
        for at, dimension in enumerate(dimensions):
            if dimension.label == label:
                mine[at] = Interval(first * dimension.granule, last * dimension.granule)
                operand = operand.narrow(at, mine[at].start, mine[at].length)
        parts.append(operand)
        intervals.append(tuple(mine))
    return parts, tuple(intervals)


def local(name, parts, intervals, signed, attributes):
    """PyTorch's result on one rank's parts: a table's rows are counted from its own first."""
    operation = OPERATIONS[name]
    result = result_part(signed, intervals)
    lengths = tuple(each.length for each in result)
    own = [
        lengths if parameter.name == "shape" else value
        for parameter, value in zip(operation.parameters, attributes, strict=True)
    ]
    if operation.kind is Kind.TAKE:
        parts = [parts[0], parts[1] - intervals[0][-1 if name == "pick" else 0].start]
    return computed(name, parts, tuple(own)), result


@looped("name", OPERATIONS)
def test_an_operation_can_be_cut_along_its_labels(name):
    """Along a parallel one parts of operands give parts of the result; along a reduced one they give summands."""
    for number, (pattern, attributes) in enumerate(calls(name)):
        operation = OPERATIONS[name]
        signed = operation.signature(pattern.shapes, attributes)
        positional = operation.counted(attributes)
        if operation.kind is Kind.RANDOM:
            continue  # by global index: tests/tensor/test_rules.py
        for label in signed.labels:
            named = any(each.label == label.name for side in signed.operands for each in side)
            if label.size < 2 or not named or label.name in positional:
                continue
            operands = drawn("grid", pattern, number)
            full = computed(name, operands, attributes)
            halves = [(0, label.size // 2), (label.size // 2, label.size)]
            found = []
            for bounds in halves:
                parts, intervals = cut(operands, signed, label.name, *bounds)
                match label.kind:
                    case ParallelLabel():
                        mine, result = local(name, parts, intervals, signed, attributes)
                        inside = tuple(slice(each.start, each.stop) for each in result)
                        assert alike(mine, full[inside]), (label, attributes)
                    case Reduced():
                        found.append(local(name, parts, intervals, signed, attributes)[0])
                    case _:
                        pass
            if found:
                assert isinstance(label.kind, Reduced)
                assert alike(REDUCED[label.kind.reduction](torch.stack(found), dim=0), full), (label, attributes)


@looped("name", [name for name, operation in OPERATIONS.items() if operation.exact])
def test_what_is_exact_is_a_polynomial_with_whole_coefficients(name):
    """So that it can be computed modulo any number first or last."""
    for number, (pattern, attributes) in enumerate(calls(name)):
        arrays = [np.array(np.round(each.numpy() * 40), dtype=object) for each in drawn("signed", pattern, number)]
        arrays = [np.vectorize(int, otypes=[object])(array) for array in arrays]
        signed = OPERATIONS[name].signature(pattern.shapes, attributes)
        frame = Frame(attributes, tuple(map(whole, pattern.shapes)), whole(signed.shape), step=1)
        for modulus in (7, 101):
            last = np.asarray(OPERATIONS[name].numpy(arrays, frame), dtype=object) % modulus
            first = OPERATIONS[name].numpy([array % modulus for array in arrays], frame)
            assert np.array_equal(np.asarray(first, dtype=object) % modulus, last), attributes


@looped("name", [name for name, each in OPERATIONS.items() if each.exact or each.keeps_whole])
def test_of_whole_numbers_torch_makes_whole_numbers(name):
    for number, (pattern, attributes) in enumerate(calls(name)):
        operands = drawn("whole", pattern, number)
        result = computed(name, operands, attributes)
        assert torch.equal(result, result.round()), attributes


@looped("name", OPERATIONS)
def test_finite_numbers_give_finite_ones_where_an_operation_is_defined(name):
    """And outside its domain PyTorch gives none, so that no more is asked for than needed."""
    allowed = dict(OPERATIONS[name].domain)
    for number, (pattern, attributes) in enumerate(calls(name)):
        if name == "pow":
            continue  # of whole exponents too: field/signs.py
        for kind in SETS[:-1]:
            operands = drawn(kind, pattern, number)
            outside = torch.zeros(1)
            for at, signs in allowed.items():
                x = operands[at]
                bad = (
                    (x < 0) & bool(~signs & NEGATIVE)
                    | (x == 0) & bool(~signs & ZERO)
                    | (x > 0) & bool(~signs & POSITIVE)
                )
                outside = bad
                operands[at] = torch.where(bad, torch.ones_like(x), x)
                unfit = [
                    torch.where(bad, x, torch.ones_like(x)) if at == other else each.abs() + 1
                    for other, each in enumerate(operands)
                ]
                given = computed(name, unfit, attributes)
                spread = torch.broadcast_to(bad, given.shape)
                assert not given[spread].isfinite().any(), kind
            assert computed(name, operands, attributes).isfinite().all(), (kind, attributes, outside)


@pytest.mark.parametrize("name", _COMMUTATIVE)
def test_what_is_sorted_by_its_operands_is_commutative(name):
    for kind in SETS:
        x, y = drawn(kind, PATTERNS[name][0], 1)
        assert torch.equal(computed(name, (x, y), ()).nan_to_num(7), computed(name, (y, x), ()).nan_to_num(7))


def test_reductions_are_idempotent_and_free_of_order_as_they_say():
    values = torch.tensor([[1e16, -3.0], [1.0, 0.0], [-1e16, 5.0]], dtype=torch.float64)
    for reduction, reduce in REDUCED.items():
        twice = reduce(torch.stack([values, values]), dim=0)
        assert torch.equal(twice, values) is reduction.is_idempotent
        orders = {tuple(reduce_in_order(reduction, values[list(order)]).tolist()) for order in ((0, 1, 2), (0, 2, 1))}
        assert (len(orders) > 1) is reduction.depends_on_order


def reduce_in_order(reduction, rows):
    found = rows[0]
    for row in rows[1:]:
        found = REDUCED[reduction](torch.stack([found, row]), dim=0)
    return found


FORWARD_OF_RESULT = ("softmax", "log_softmax", "tanh", "sigmoid")


BACKWARD = [name for name in OPERATIONS if name.endswith("_backward") and name.removesuffix("_backward") in OPERATIONS]


@looped("name", BACKWARD)
def test_a_gradient_is_that_of_autograd(name):
    """Of operations that have one declared beside them, at zeros and ties too."""
    forward = name.removesuffix("_backward")
    tried = 0
    for number, (pattern, attributes) in enumerate(calls(name)):
        if OPERATIONS[name].operands != OPERATIONS[forward].operands + 1 or OPERATIONS[forward].kind is Kind.TAKE:
            continue
        for kind in SETS[:-1]:
            given, *operands = drawn(kind, pattern, number)
            held = [each.clone().requires_grad_(True) for each in operands]
            result = computed(forward, held, attributes)
            if result.shape != given.shape:
                continue
            (expected,) = torch.autograd.grad(result, held[:1], given)
            seen = [result.detach()] if forward in FORWARD_OF_RESULT else operands
            arrays = [each.numpy() for each in (given, *seen)]
            frame = Frame(attributes, tuple(map(whole, pattern.shapes)), whole(tuple(expected.shape)))
            assert alike(torch.from_numpy(np.array(Reals().call(name, arrays, frame))), expected), (kind, attributes)
            tried += 1
    assert tried or OPERATIONS[name].operands != OPERATIONS[forward].operands + 1 or name.startswith("embedding")


SIGNS = {NEGATIVE: [-2.5, -1.0, -0.25], ZERO: [0.0], POSITIVE: [0.25, 1.0, 2.5]}


@looped("name", [each for each, op in OPERATIONS.items() if op.kind is Kind.MAP and not op.parameters])
def test_signs_that_follow_are_those_of_torch(name):
    count = OPERATIONS[name].operands
    tried = Counter()
    for sets in np.ndindex(*(ANY,) * min(count, 2)):
        signs = Signs()
        known = [each + 1 for each in sets] + [ANY] * (count - len(sets))
        operands = [10**6 + at for at in range(count)]
        for element, each in zip(operands, known, strict=True):
            signs.learn(element, each)
        signs.learn_call(name, [[each] for each in operands], [9 * 10**6])
        claimed = signs.of(9 * 10**6)
        columns = [[value for sign, values in SIGNS.items() if sign & each for value in values] for each in known]
        grid = torch.cartesian_prod(*(torch.tensor(column, dtype=torch.float64) for column in columns))
        result = computed(name, list(grid.reshape(-1, count).T), ())
        for value in result[result.isfinite()].tolist():
            sign = POSITIVE if value > 0 else NEGATIVE if value < 0 else ZERO
            assert claimed & sign, (known, claimed, value)
            tried[sign] += 1
    assert tried


FLOATS = {DType.F16: torch.float16, DType.BF16: torch.bfloat16, DType.F32: torch.float32, DType.F64: torch.float64}
TYPES = {**FLOATS, DType.I32: torch.int32, DType.I64: torch.int64, DType.BOOL: torch.bool}


def test_a_type_fits_another_if_its_extremes_do_not_leave_it():
    for before, after in ((a, b) for a in DType for b in DType):
        if before.is_whole:
            numbers = torch.iinfo(TYPES[before]) if before is not DType.BOOL else None
            extremes = [0, 1] if numbers is None else [numbers.min, numbers.max]
        else:
            extremes = [torch.finfo(TYPES[before]).min, torch.finfo(TYPES[before]).max, 0.5]
        given = torch.tensor(extremes, dtype=TYPES[before])
        there = given.to(TYPES[after]).double()
        near = torch.isclose(there, given.double(), rtol=1e-2) & there.isfinite()
        assert before.fits(after) is bool(near.all()), (before, after)
