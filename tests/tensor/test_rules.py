"""Every operation under layouts of every kind: what inference allows is right, what it refuses is wrong."""

import pytest
from tensor.one_operation import all_layouts, compare, distributed, right_for, rng_of, single, text_of
from tensor.operation_cases import CASES
from tiers import is_full

from p2smt.tensor.expression import AxisLayout
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred, Refused
from p2smt.tensor.layout import Partial, ReductionOp, Sliced
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.reals import Reals
from p2smt.tensor.reason import Reason
from p2smt.tensor.rule import Cut, Rule, RuleName, applied

LAYOUTS_OF_A_CALL = 6 if is_full() else 1


def judged(call, types, layouts, ranks):
    """The claim that inference makes of the result, or its refusal."""
    for claim in ((), *((AxisLayout(Partial(reduction)),) for reduction in ReductionOp)):
        result = infer(distributed(call, types, layouts, ranks, claim))
        if isinstance(result, Inferred) or result.refusal.reason is not Reason.OUTPUT_LAYOUT:
            return claim, result
    raise AssertionError(f"{call} is neither allowed nor refused")


def on_one_rank(layouts):
    """A cut that leaves a dimension whole on one rank is refused as any other cut of it."""
    return any(isinstance(layout, Sliced) and layout.sizes and sorted(layout.sizes)[-2] == 0 for layout in layouts)


def needless(call, layouts, refused):
    """Refusals of what would be right.

    A cut that leaves all to one rank is treated as any other. A state could be stored in another layout, but is not.
    Looking up is a sum over a table of which one term is not 0, and random factors are at least 0: maxima pass through
    both, but not through a sum or a product.
    """
    looked_up = call.startswith(("embedding(", "pick(", "dropout(", "uniform(")) and any(
        isinstance(layout, Partial) and layout.reduction is not ReductionOp.SUM for layout in layouts
    )
    return looked_up or on_one_rank(layouts) or refused.refusal.reason is Reason.UPDATE_LAYOUT


def test_every_operation_has_a_case():
    assert {call.partition("(")[0] for call, _ in CASES} == set(OPERATIONS)


def test_what_is_allowed_is_right_and_what_is_refused_is_wrong():
    for call, types in CASES:
        tried, rng = 0, rng_of(call, types)
        for ranks in (2, 3):
            for layouts in all_layouts(types, ranks, rng, LAYOUTS_OF_A_CALL):
                tried += 1
                where = call, types, text_of(layouts)
                claim, result = judged(call, types, layouts, ranks)
                if isinstance(result, Refused):
                    claims = right_for(call, types, layouts, ranks)
                    assert not claims or needless(call, layouts, result), (where, str(result))
                else:
                    program = distributed(call, types, layouts, ranks, claim)
                    assert compare(program, single(call, types), Reals(ranks)) is None, where
        assert tried >= LAYOUTS_OF_A_CALL, (call, types)


@pytest.mark.thorough  # a guard of the test above
def test_both_happen_often_enough():
    """A guard: of all layouts of all cases, many are allowed, by every rule, and many refused, for many reasons."""
    names, reasons = set(), set()
    for call, types in CASES:
        for layouts in all_layouts(types, 3, rng_of(call, types), 40 if is_full() else 12):
            _, result = judged(call, types, layouts, 3)
            if isinstance(result, Refused):
                reasons.add(result.refusal.reason)
            else:
                names |= {rule for step in result.steps for rule in step.rules}
    assert {str(name) for name in names} == {"REP", "PAR", "RED", "LIN", "ADD", "MONO"}
    assert reasons >= {
        Reason.LOOKS_ACROSS,
        Reason.LENGTH_ONE,
        Reason.NOT_LEADING,
        Reason.INSIDE_BLOCK,
        Reason.CUT_DIFFERENTLY,
        Reason.UNLIKE_CUTS,
        Reason.WHOLE_BESIDE_CUT,
        Reason.PARTIAL_AND_SLICED,
        Reason.PARTIAL_AND_WHOLE,
        Reason.PARTIAL_TIMES_PARTIAL,
        Reason.NOT_DISTRIBUTIVE,
        Reason.PARTIAL_KINDS,
        Reason.UPDATE_LAYOUT,
    }


def test_blocks_of_a_label_are_not_cut_apart():
    rule = Rule(RuleName.PAR, (Cut(1, 3),), Cut(0), "g")
    assert applied(rule, (Sliced(1, (6, 3)),)) == Sliced(0, (2, 1))
    for sizes in ((4, 5), (9, 1), (1, 2)):
        assert applied(rule, (Sliced(1, sizes),)) is None
