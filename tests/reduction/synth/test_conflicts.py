"""Why no program fits is said of each placement's own levels, though others have levels of the same names."""

from dataclasses import replace

import pytest
from support import problem
from unlike_plans import unlike_problem

from p2smt.problem.model import HierarchyKind
from p2smt.reduction.language.sketch import parse_sketch
from p2smt.reduction.synth.completion import complete, explain
from p2smt.reduction.synth.conflicts import conflicts


@pytest.mark.parametrize("kind", HierarchyKind)
def test_every_placement_has_its_own_explanation(kind):
    asked = problem([2, 4], [4, 2], limit=2)
    asked = replace(asked, search=replace(asked.search, hierarchy=kind))
    sketch = parse_sketch("AllGather ??; ...")
    found = conflicts(complete(asked, sketch))
    for one in found:
        alone = explain(asked, sketch, one.placed.hierarchy)
        assert one.explanation is not None
        assert alone is not None
        assert (one.explanation.conditions, one.explanation.most_steps) == (alone.conditions, alone.most_steps)
    if kind is HierarchyKind.SYSTEM:
        assert len({one.placed.hierarchy.names for one in found}) == 1
        assert {one.explanation.conditions for one in found if one.explanation} == {(), ("step 1 is AllGather",)}


def test_placements_of_one_name_on_units_of_unlike_size_have_their_own_programs():
    """Levels of the same names, and the same conditions: but a program of one tree may be none on the other."""
    asked = unlike_problem("node:4,gpu:[4,4,2,2]", (6, 2))
    asked = replace(asked, search=replace(asked.search, limit=1))
    sketch = parse_sketch("ReduceScatter along node")
    found = conflicts(complete(asked, sketch))
    assert len({one.placed.hierarchy.tree for one in found}) == len(found) == 2
    assert len({one.placed.hierarchy.names for one in found}) == 1
    assert [one.explanation for one in found] == [explain(asked, sketch, one.placed.hierarchy) for one in found]
    assert found[0].explanation != found[1].explanation
