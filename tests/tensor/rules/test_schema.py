"""The solver proves every rule of every operation for all sizes, and none of those that do not hold."""

from dataclasses import dataclass, replace
from itertools import permutations

import pytest
from looped import looped
from tensor.one_operation import Grid, compare, distributed, lengths, single
from tensor.operation_cases import CASES
from tiers import is_full

from p2smt.smt.answer import Sat, Unsat
from p2smt.tensor.expression import AxisLayout
from p2smt.tensor.layout import Partial, ReductionOp, Replicated, Sliced
from p2smt.tensor.reals import Reals
from p2smt.tensor.rule import Cut, Rule, RuleName, Summand, WholeOperand, rules
from p2smt.tensor.rules.schema import obligation
from p2smt.tensor.shapes import signature
from p2smt.tensor.signature import Blocked, Distributes, Reduced


def signed(call, types):
    program = single(call, types)
    shapes = tuple(source.shape for source in program.sources)
    expression = program.statements[0].expression
    return signature(expression, (*shapes, *((),) * (len(expression.operands) - len(shapes))))


def test_every_rule_is_proved_and_no_proof_is_vacuous():
    """In the standard tier one of every operation; what of all others is asked is byte for byte that of the files of
    encodings/tensor (test_catalogue.py), which two solvers have answered.
    """
    asked = set()
    for number, (call, types) in enumerate(CASES):
        given = signed(call, types)
        allowed = list(rules(given))
        assert len(allowed) >= 3, call
        for rule in allowed if is_full() else [allowed[number % len(allowed)]]:
            question = obligation(given, rule)
            assert isinstance(question.ask(), Unsat), (call, types, question.name)
            assert isinstance(question.ask_lemmas(), Sat), (call, types, question.name)
            asked.add(rule.name)
    assert {str(name) for name in asked} >= {"REP", "PAR", "RED", "LIN", "ADD"}


@dataclass(frozen=True)
class Broken:
    call: str
    types: tuple[str, ...]
    rule: Rule


def cuts(signature_, label):
    found = []
    for dimensions in signature_.operands:
        at = [number for number, dimension in enumerate(dimensions) if dimension.label == label]
        found.append(Cut(at[0]) if at else WholeOperand())
    return tuple(found)


def broken():
    """Cuts of what is looked across, sums where maxima are due, sums through what is not linear."""
    for call, types in CASES:
        given = signed(call, types)
        allowed = set(rules(given))
        wrong = []
        for label in given.labels:
            needs = cuts(given, label.name)
            if not any(isinstance(need, Cut) for need in needs) or label.size < 2:
                continue
            match label.kind:
                case Blocked():
                    wrong.append(Rule(RuleName.PAR, needs, WholeOperand(), label.name))
                case Reduced(ReductionOp.SUM):
                    wrong.append(Rule(RuleName.RED, needs, Summand(ReductionOp.MAX), label.name))
                case Reduced():
                    wrong.append(Rule(RuleName.RED, needs, Summand(ReductionOp.SUM), label.name))
                case _:
                    pass
        count = len(given.operands)
        for chosen in [{number} for number in range(count)] + ([set(range(count))] if count > 1 else []):
            needs = tuple(Summand(ReductionOp.SUM) if number in chosen else WholeOperand() for number in range(count))
            name = RuleName.LIN if len(chosen) == 1 else RuleName.ADD
            wrong.append(Rule(name, needs, Summand(ReductionOp.SUM)))
        yield from (Broken(call, types, rule) for rule in wrong if rule not in allowed)


def layout(need, each):
    match need:
        case Cut(dimension):
            return Sliced(dimension, (1, lengths(each)[dimension] - 1))
        case Summand(reduction):
            return Partial(reduction)
        case _:
            return Replicated()


def counter_example(each):
    """What differs between two ranks and one device, on some values; None if nothing does."""
    layouts = [layout(need, kind) for need, kind in zip(each.rule.operands, each.types, strict=False)]
    claim = (AxisLayout(Partial(each.rule.result.reduction)),) if isinstance(each.rule.result, Summand) else ()
    program = distributed(each.call, each.types, layouts, 2, claim)
    for seed in range(4):
        for kind in (Reals, Grid):
            wrong = compare(program, single(each.call, each.types), kind(seed))
            if wrong is not None:
                return wrong
    return None


TRUE_BUT_NOT_DECLARED = {
    # These gradients are linear in the weights as well; the field's hashes know one linear operand.
    ("weighted_layernorm_backward", 2),
    ("weighted_rms_norm_backward", 2),
    ("group_norm_backward", 2),
}


def true_all_the_same(each):
    summed = [number for number, need in enumerate(each.rule.operands) if isinstance(need, Summand)]
    return (each.call.partition("(")[0], summed[0] if len(summed) == 1 else None) in TRUE_BUT_NOT_DECLARED


@pytest.mark.thorough  # rules are tried on numbers in test_rules
def test_what_is_no_rule_is_not_proved_and_has_a_counter_example_in_numpy():
    kinds = {RuleName.PAR: 0, RuleName.RED: 0, RuleName.LIN: 0, RuleName.ADD: 0}
    for each in broken():
        if true_all_the_same(each):
            continue
        if each.types[-1].startswith(("i", "b")) and each.rule.operands[-1] != WholeOperand():
            continue  # indices and truth are no summands
        if len(each.types) < len(each.rule.operands) and each.rule.operands[-1] != WholeOperand():
            continue  # a number that is written down is the same everywhere
        assert isinstance(obligation(signed(each.call, each.types), each.rule).ask(), Sat), (each.call, each.rule)
        assert counter_example(each) is not None, (each.call, each.rule)
        kinds[each.rule.name] += 1
    assert sum(kinds.values()) >= 60
    assert min(kinds.values()) >= 8, kinds


@looped("over", ReductionOp)
@looped("ranks", ReductionOp)
def test_a_reduction_over_ranks_passes_through_a_label_that_is_reduced_alike_alone(over, ranks):
    """Whatever the operation declares: of two ranks the sum of maxima is not the maximum of sums."""
    given = signed(f"{OF_ROWS[over]}(x0, 0)", ("f32[3,4]",))
    declared = replace(given, distributes=(Distributes(frozenset({0}), ranks, ranks),))
    name = RuleName.LIN if ranks is ReductionOp.SUM else RuleName.MONO
    question = obligation(declared, Rule(name, (Summand(ranks),), Summand(ranks)))
    assert isinstance(question.ask(), Unsat if over is ranks else Sat)


OF_ROWS = {ReductionOp.SUM: "sum", ReductionOp.MAX: "max", ReductionOp.MIN: "min"}


def test_summands_of_two_reductions_are_not_proved_to_pass_together():
    for call in ("add(x0, x1)", "cat(x0, x1, dim=1)", "maximum(x0, x1)"):
        given = signed(call, ("f32[3,4]", "f32[3,4]"))
        for one, other in permutations(ReductionOp, 2):
            for made in ReductionOp:
                rule = Rule(RuleName.ADD, (Summand(one), Summand(other)), Summand(made))
                assert not isinstance(obligation(given, rule).ask(), Unsat), (call, rule)
